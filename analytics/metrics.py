"""Measure the metrics of the catalogue under filters, and list the rounds behind any of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from analytics.catalog import Metric, metric
from analytics.intervals import cluster_half_width, wilson
from analytics.marts import Marts, sql


@dataclass(frozen=True)
class Filters:
    """Which rounds count; None keeps all. Days are ISO dates, both ends included; rounds of unknown day fall out.

    ``role`` (dealer | idle | sitter) is that of the seat measured; for metrics of rounds it needs ``player`` to mean
    anything. ``seats``: how many persons play (2 or 3), one who sits out not counted.
    """

    platform: str | None = None
    ruleset: str | None = None
    player: str | None = None
    day_from: str | None = None
    day_to: str | None = None
    role: str | None = None
    seats: int | None = None

    def parameters(self) -> dict[str, str | int | None]:
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
    chosen = {name: metric(name) for name in names}
    sums = _Sums(marts, filters, chosen.values(), overall=overall)
    return pl.concat([_measure_one(marts, name, m, sums, filters) for name, m in chosen.items()])


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


class _Sums:
    """The sums that several metrics need, each mart read once for each grouping."""

    def __init__(self, marts: Marts, filters: Filters, metrics: Iterable[Metric], *, overall: bool) -> None:
        self.overall = overall
        wanted: dict[tuple[str, tuple[str, ...]], set[tuple[str, bool]]] = {}
        for m in metrics:
            for mart, column, rounds, keys in self._places(m):
                wanted.setdefault((mart, keys), set()).add((column, rounds))
        self._frames = {
            (mart, keys): _read(marts, filters, mart, keys, sorted(columns)) for (mart, keys), columns in wanted.items()
        }

    def keys(self, m: Metric) -> list[str]:
        """The keys by which a metric is taken."""
        return [] if self.overall else m.keys

    def of(self, m: Metric) -> pl.DataFrame:
        """``num`` and ``den`` of a metric for each of its keys."""
        (mart, column, rounds, keys), *below = self._places(m)
        top = self._frames[mart, keys].select(*keys, pl.col(_alias(column, rounds=rounds)).alias("num"))
        if not below:
            return top.with_columns(pl.lit(None, pl.Int64).alias("den"))
        mart, column, rounds, shared = below[0]
        den = self._frames[mart, shared].select(*shared, pl.col(_alias(column, rounds=rounds)).alias("den"))
        return top.join(den, on=list(shared), how="left") if shared else top.join(den, how="cross")

    def _places(self, m: Metric) -> list[tuple[str, str, bool, tuple[str, ...]]]:
        keys = tuple(self.keys(m))
        mart, column = m.numerator.split(".")
        out = [(mart, column, m.numerator_rounds, keys)]
        if m.denominator:
            mart, column = m.denominator.split(".")
            out.append((mart, column, False, () if m.share else keys))
        return out


def _alias(column: str, *, rounds: bool) -> str:
    return f"rounds_{column}" if rounds else f"sum_{column}"


def _read(
    marts: Marts, filters: Filters, mart: str, keys: Sequence[str], columns: Iterable[tuple[str, bool]]
) -> pl.DataFrame:
    totals = {
        _alias(column, rounds=rounds): f"count(distinct round_key) filter ({column} <> 0)"
        if rounds
        else f"coalesce(sum({column}), 0)"
        for column, rounds in columns
    }
    text = sql("queries/measure.sql").format(
        keys="".join(f"{key}, " for key in keys),
        sums=", ".join(f"cast({total} as bigint) as {alias}" for alias, total in totals.items()),
        mart=mart,
        filters=filter_sql(mart),
    )
    return marts.query(text, filters.parameters())


def _measure_one(marts: Marts, name: str, m: Metric, sums: _Sums, filters: Filters) -> pl.DataFrame:
    keys, frame = sums.keys(m), sums.of(m)
    num, den, empty = pl.col("num"), pl.col("den"), pl.lit(None, pl.Float64)
    value = num / pl.when(den > 0).then(den)
    if m.kind == "rate":
        low, high = wilson(num, den)
    elif m.kind == "mean":
        spread = _clusters(marts, m, keys, filters)
        frame = frame.join(spread, on=keys, how="left") if keys else pl.concat([frame, spread], how="horizontal")
        half = cluster_half_width(num, den, *(pl.col(c) for c in ("clusters", "yy", "ym", "mm")))
        low, high = value - half, value + half
    else:
        value, low, high = num.cast(pl.Float64), empty, empty
    frame = frame.with_columns(value.alias("value"), low.alias("low"), high.alias("high"))
    columns = [pl.lit(name).alias("metric"), *keys, "num", "den", "value", "low", "high"]
    return frame.select(columns).sort(*keys) if keys else frame.select(columns)


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
