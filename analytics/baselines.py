"""What self-play of a reference player leads one to expect, beside what was observed (docs/baselines.md)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import polars as pl

from replay import baselines

EXPECTED = {"ruleset": pl.String, "metric": pl.String, "key": pl.String, "expected": pl.Float64}
"""Columns of ``expected``: a metric of the catalogue; ``key``: the 番 where it has one, else empty."""
_MEASURES = {
    # metric → measure, its keys (None: each by itself), seats of the denominator
    "win_rate": ("win", ("dealer", "next", "previous"), 3),
    "dealer_win_rate": ("win", ("dealer",), 1),
    "idle_win_rate": ("win", ("next", "previous"), 2),
    "huang_rate": ("huang", ("",), 1),
    "zimo_share": ("source", ("own_draw",), 1),
    "fan_share": ("fan", None, 1),
}


def load() -> pl.DataFrame:
    """The rows of ``replay.baselines.COLUMNS``; none where no file is installed."""
    place = baselines.BASELINES
    return _read(place, place.stat().st_mtime_ns if place.exists() else 0)


@lru_cache(maxsize=2)
def _read(place: Path, _changed: int) -> pl.DataFrame:
    return baselines.read(place)


def expected(rows: pl.DataFrame) -> pl.DataFrame:
    """The expected value of each metric that has one, for each ruleset and key; columns ``EXPECTED``."""
    parts = [pl.DataFrame(schema=EXPECTED)]
    for metric, (measure, keys, seats) in _MEASURES.items():
        chosen = rows.filter(pl.col("measure") == measure, pl.lit(keys is None) | pl.col("key").is_in(keys or []))
        key = pl.col("key") if keys is None else pl.lit("")
        sums = chosen.group_by("ruleset", key.alias("key"), maintain_order=True)
        totals = sums.agg(pl.col("n").sum(), pl.col("of").first() * seats).filter(pl.col("of") > 0)
        share = (pl.col("n") / pl.col("of")).alias("expected")
        parts.append(totals.select("ruleset", pl.lit(metric).alias("metric"), "key", share))
    return pl.concat(parts)


def beside(
    observed: pl.DataFrame, rows: pl.DataFrame, ruleset: str | None = None, key: str | None = None
) -> pl.DataFrame:
    """``observed`` (of ``metrics.measure``) with a column ``expected``, null where there is no baseline.

    ``ruleset``: that of all rows, where they have no such column; ``key``: the column that names the 番. Rows stay in
    their order.
    """
    own = observed.with_columns(
        (pl.col("ruleset") if "ruleset" in observed.columns else pl.lit(ruleset, pl.String)).alias("_ruleset"),
        (pl.col(key) if key else pl.lit("")).alias("_key"),
    )
    right = expected(rows).rename({"ruleset": "_ruleset", "key": "_key"})
    joined = own.join(right, on=["metric", "_ruleset", "_key"], how="left", maintain_order="left")
    return joined.drop("_ruleset", "_key")


def labels(rows: pl.DataFrame, rulesets: list[str]) -> list[dict[str, str]]:
    """Who played the baselines of ``rulesets`` (``player``, with its version) and how much (``rounds``), each once."""
    heads = rows.filter(pl.col("ruleset").is_in(rulesets)).select("player", "version", "rounds")
    return [
        {"player": f"{player}-{version}", "rounds": f"{rounds:,}"}
        for player, version, rounds in heads.unique(maintain_order=True).iter_rows()
    ]
