from __future__ import annotations

import polars as pl
import pytest
from scipy.stats import binomtest

from analytics.intervals import cluster_half_width, wilson

PAIRS = [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (30, 100), (1, 1000), (999, 1000), (123_456, 10_000_000)]


@pytest.mark.parametrize(("num", "den"), PAIRS)
def test_wilson_is_scipys(num: int, den: int) -> None:
    low, high = wilson(pl.col("num"), pl.col("den"))
    got = pl.DataFrame({"num": [num], "den": [den]}).select(low.alias("low"), high.alias("high")).row(0)
    want = binomtest(num, den).proportion_ci(method="wilson")
    assert got == pytest.approx((want.low, want.high), abs=1e-12)
    assert 0 <= got[0] <= num / den <= got[1] <= 1


def test_wilson_of_nothing_is_nothing() -> None:
    low, high = wilson(pl.col("num"), pl.col("den"))
    assert pl.DataFrame({"num": [0], "den": [0]}).select(low.alias("l"), high.alias("h")).row(0) == (None, None)


def test_published_half_width() -> None:
    # the table of sample sizes: n = 100 at 30 % is ±8.9 points
    low, high = wilson(pl.lit(30), pl.lit(100))
    got = pl.select(((high - low) / 2).alias("half")).item()
    assert round(100 * got, 1) == pytest.approx(8.8, abs=0.15)


def half(values: list[list[int]]) -> float | None:
    y, m = [sum(v) for v in values], [len(v) for v in values]
    frame = pl.DataFrame(
        {"num": [sum(y)], "den": [sum(m)], "c": [len(y)], "yy": [float(sum(a * a for a in y))]}
        | {"ym": [float(sum(a * b for a, b in zip(y, m, strict=True)))], "mm": [float(sum(b * b for b in m))]}
    )
    return frame.select(
        cluster_half_width(*(pl.col(c) for c in ("num", "den", "c", "yy", "ym", "mm"))).alias("h")
    ).item()


def test_one_cluster_has_no_interval() -> None:
    assert half([[1, 2, 3]]) is None


def test_clusters_of_one_round_are_the_plain_t_interval() -> None:
    from statistics import mean, stdev

    from scipy.stats import t

    values = [3, -1, 4, -1, -5, 9, 2, -6]
    want = t.interval(0.95, len(values) - 1, mean(values), stdev(values) / len(values) ** 0.5)
    assert half([[v] for v in values]) == pytest.approx((want[1] - want[0]) / 2)


def test_like_rounds_of_a_session_widen_the_interval() -> None:
    alone = half([[v] for v in (5, 5, 5, -5, -5, -5)])
    together = half([[5, 5, 5], [-5, -5, -5]])
    assert alone is not None
    assert together is not None
    assert together > alone
