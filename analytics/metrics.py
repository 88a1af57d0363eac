"""Measure the metrics of the catalogue under filters, and list the rounds behind any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from analytics.catalog import Metric, metric
from analytics.intervals import cluster_half_width, wilson
from analytics.marts import Marts, sql


@dataclass(frozen=True)
class Filters:
    """Which rounds count; None keeps all. Days are ISO dates, both ends included; rounds of unknown day fall out.

    ``role`` (dealer | idle) is that of the seat measured; for metrics of rounds it needs ``player`` to mean anything.
    """

    platform: str | None = None
    ruleset: str | None = None
    player: str | None = None
    day_from: str | None = None
    day_to: str | None = None
    role: str | None = None

    def parameters(self) -> dict[str, str | None]:
        """The values that every query binds."""
        return asdict(self)


ALL = Filters()
PARTS = ("numerator", "denominator")


def measure(marts: Marts, names: Sequence[str], filters: Filters = ALL, *, overall: bool = False) -> pl.DataFrame:
    """Every metric of ``names`` for each of its keys, long form, sorted by metric then keys.

    Columns: ``metric``, the keys (strings; the metrics named must share them), ``num``, ``den`` (null for a count),
    ``value``, ``low``, ``high``. ``overall`` sums over all keys: one row a metric. Keys without any
    numerator row are absent.
    """
    frames = [_measure_one(marts, name, metric(name), filters, overall=overall) for name in names]
    return pl.concat(frames)


def rounds_behind(
    marts: Marts,
    name: str,
    filters: Filters = ALL,
    *,
    keys: Mapping[str, str] | None = None,
    part: str = "numerator",
) -> list[str]:
    """The ids, sorted, of the rounds that make up a metric's numerator (its nonzero rows) or denominator.

    ``keys`` picks one row of ``measure``. An unknown metric is a ``KeyError``, an unknown key or part a ``ValueError``.
    """
    text, parameters = behind_sql(name, keys or {}, part)
    frame = marts.query(
        f"select round_id from fct_rounds where round_key in ({text}) order by round_id",  # noqa: S608 - names from the catalogue
        filters.parameters() | parameters,
    )
    return frame["round_id"].to_list()


def behind_sql(name: str, keys: Mapping[str, str], part: str) -> tuple[str, dict[str, str]]:
    """The select of the round keys behind a metric, and the values of its keys to bind."""
    m = metric(name)
    if part not in PARTS or not set(keys) <= set(m.keys):
        raise ValueError(f"{name}: part must be one of {PARTS}, keys among {m.keys}; got {part!r}, {sorted(keys)}")
    place = m.numerator if part == "numerator" or m.denominator is None else m.denominator
    mart, column = place.split(".")
    bound = {} if part == "denominator" and m.share else keys
    key_is = " and ".join(f"{key} = $key_{key}" for key in sorted(bound)) or "true"
    text = sql("queries/behind.sql").format(mart=mart, column=column, filters=filter_sql(mart), key_is=key_is)
    return text, {f"key_{key}": value for key, value in bound.items()}


def filter_sql(mart: str) -> str:
    """The conditions of ``Filters`` for a mart; ``fct_rounds`` and ``fct_undecidable`` have no single player a row."""
    return sql("queries/by_round.sql" if mart in {"fct_rounds", "fct_undecidable"} else "queries/by_player.sql")


def _measure_one(marts: Marts, name: str, m: Metric, filters: Filters, *, overall: bool) -> pl.DataFrame:
    keys = [] if overall else m.keys
    frame = _sums(marts, m, keys, filters)
    num, den = pl.col("num"), pl.col("den")
    if m.kind == "rate":
        low, high = wilson(num, den)
        frame = frame.with_columns(
            (num / pl.when(den > 0).then(den)).alias("value"), low.alias("low"), high.alias("high")
        )
    elif m.kind == "mean":
        spread = _clusters(marts, m, keys, filters)
        frame = frame.join(spread, on=keys, how="left") if keys else pl.concat([frame, spread], how="horizontal")
        half = cluster_half_width(num, den, *(pl.col(c) for c in ("clusters", "yy", "ym", "mm")))
        frame = frame.with_columns((num / pl.when(den > 0).then(den)).alias("value"), half.alias("half"))
        frame = frame.with_columns(
            (pl.col("value") - pl.col("half")).alias("low"), (pl.col("value") + pl.col("half")).alias("high")
        )
    else:
        empty = pl.lit(None, pl.Float64)
        frame = frame.with_columns(num.cast(pl.Float64).alias("value"), empty.alias("low"), empty.alias("high"))
    columns = [pl.lit(name).alias("metric"), *keys, "num", "den", "value", "low", "high"]
    return frame.select(columns).sort(*keys) if keys else frame.select(columns)


def _sums(marts: Marts, m: Metric, keys: Sequence[str], filters: Filters) -> pl.DataFrame:
    top = _sum(marts, m.numerator, "num", keys, filters, rounds=m.numerator_rounds)
    if m.denominator is None:
        return top.with_columns(pl.lit(None, pl.Int64).alias("den"))
    shared = [] if m.share else keys
    below = _sum(marts, m.denominator, "den", shared, filters)
    if shared:
        return top.join(below, on=list(shared), how="left")
    return top.join(below, how="cross")


def _sum(
    marts: Marts, place: str, alias: str, keys: Sequence[str], filters: Filters, *, rounds: bool = False
) -> pl.DataFrame:
    mart, column = place.split(".")
    total = f"count(distinct round_key) filter ({column} <> 0)" if rounds else f"coalesce(sum({column}), 0)"
    text = sql("queries/measure.sql").format(
        keys="".join(f"{key}, " for key in keys),
        sums=f"cast({total} as bigint) as {alias}",
        mart=mart,
        filters=filter_sql(mart),
    )
    return marts.query(text, filters.parameters())


def _clusters(marts: Marts, m: Metric, keys: Sequence[str], filters: Filters) -> pl.DataFrame:
    mart, numerator = m.numerator.split(".")
    denominator = (m.denominator or "").split(".")[-1]
    text = sql("queries/measure_clusters.sql").format(
        keys="".join(f"{key}, " for key in keys),
        mart=mart,
        numerator=numerator,
        denominator=denominator,
        filters=filter_sql(mart),
    )
    return marts.query(text, filters.parameters())


def wide(
    frame: pl.DataFrame, keys: Sequence[str], values: Sequence[str] = ("num", "den", "value", "low", "high")
) -> pl.DataFrame:
    """``measure`` turned: each metric has its own columns ``<metric>_num`` … ``<metric>_high``; sorted by keys."""
    out: pl.DataFrame | None = None
    for (name,), part in frame.group_by("metric", maintain_order=True):
        named: Any = part.select([*keys, *(pl.col(v).alias(f"{name}_{v}") for v in values)])
        out = named if out is None else out.join(named, on=list(keys), how="full", coalesce=True)
    return frame.select(keys) if out is None else out.sort(*keys)
