"""Rows for people: the overview, lists of rounds, findings, imports and quarantined records, and one stored record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import polars as pl

from analytics.marts import Marts, sql
from analytics.metrics import ALL, Filters, behind_sql, filter_sql
from ingest.record import Record
from ingest.rows import records
from ingest.store import open_store


@dataclass(frozen=True)
class Behind:
    """A metric whose rounds are wanted: one key of it, numerator or denominator."""

    metric: str
    keys: dict[str, str] = field(default_factory=dict)
    part: str = "numerator"


def overview(marts: Marts, filters: Filters = ALL) -> dict[str, int | str | None]:
    """Rounds, events, players, rounds replayed and decided, first and last day, under the filters."""
    text = sql("queries/overview.sql").format(filters=filter_sql("fct_rounds"))
    return marts.query(text, filters.parameters()).row(0, named=True)


def ledger(marts: Marts) -> dict[str, int | bool]:
    """The import ledger summed: files, seen, accepted, already_known, quarantined, and whether every file adds up."""
    return marts.query(sql("queries/ledger.sql")).row(0, named=True)


def imports(marts: Marts, *, code: str | None = None, limit: int, offset: int = 0) -> pl.DataFrame:
    """Imported files, newest first, with their counts; ``total`` is the number of all.

    ``codes`` says how often records were refused with which code; ``code`` keeps the files in which it occurs.
    ``unknown_fields`` is a JSON object, null for none.
    """
    return marts.query(sql("queries/imports.sql"), {"code": code, "limit": limit, "offset": offset})


def quarantine(marts: Marts, *, code: str | None = None, limit: int, offset: int = 0) -> pl.DataFrame:
    """Records not accepted, newest first, with the reason; ``total`` is the number of all."""
    return marts.query(sql("queries/quarantine.sql"), {"code": code, "limit": limit, "offset": offset})


def refusals(marts: Marts) -> pl.DataFrame:
    """``code``, ``n``, ``files``: how many records of how many files were refused with each code, most first."""
    return marts.query(sql("queries/refusals.sql"))


def conflicts(marts: Marts, *, limit: int, offset: int = 0) -> pl.DataFrame:
    """Contradictions between several accounts of one round; ``total`` is the number of all."""
    return marts.query(sql("queries/conflicts.sql"), {"limit": limit, "offset": offset})


def sheets(marts: Marts, *, limit: int, offset: int = 0) -> pl.DataFrame:
    """A row a person of a score sheet, newest first; ``total`` is the number of all.

    ``points`` and ``raw`` as the sheet tells them, ``sheet_sum`` over its persons; ``rounds_found``, ``points_found``:
    the recorded rounds of the same platform and session that reported points for that person, null when there is none.
    """
    return marts.query(sql("queries/sheets.sql"), {"limit": limit, "offset": offset})


def huxi(marts: Marts, filters: Filters = ALL) -> pl.DataFrame:
    """``huxi``, ``wins``: how many decided wins had which recomputed 胡息."""
    text = sql("queries/huxi.sql").format(filters=filter_sql("fct_wins"))
    return marts.query(text, filters.parameters())


def choices(marts: Marts) -> dict[str, list[str]]:
    """What each filter offers, most frequent first: platform, ruleset, code, player (the 1,000 with most rounds)."""
    frame = marts.query(sql("queries/choices.sql"))
    out: dict[str, list[str]] = {"platform": [], "ruleset": [], "code": [], "player": []}
    for name, value in frame.select("field", "value").iter_rows():
        out[name].append(value)
    return out


def round_list(
    marts: Marts,
    filters: Filters = ALL,
    *,
    verdict: str | None = None,
    code: str | None = None,
    behind: Behind | Sequence[str] | None = None,
    limit: int,
    offset: int = 0,
) -> pl.DataFrame:
    """A page of rounds, newest first, with verdict and recomputed outcome; ``total`` is the number of all that match.

    ``behind`` keeps the rounds that make up a metric, or those with the ids given; ``KeyError`` or ``ValueError`` when
    it names no metric.
    """
    bound: dict[str, str] | dict[str, list[str]] = {}
    if behind is None:
        inner = "select 0 as round_key"
    elif isinstance(behind, Behind):
        inner, bound = behind_sql(behind.metric, behind.keys, behind.part)
    else:
        inner, bound = sql("queries/these.sql"), {"round_ids": list(behind)}
    text = sql("queries/rounds.sql").format(
        behind=inner,
        is_behind="true" if behind is None else "round_key in (select b.round_key from behind as b)",
        filters=filter_sql("fct_rounds"),
    )
    values = {"verdict": verdict, "code": code, "limit": limit, "offset": offset}
    return marts.query(text, filters.parameters() | bound | values)


def finding_list(
    marts: Marts, filters: Filters = ALL, *, code: str | None = None, limit: int, offset: int = 0
) -> pl.DataFrame:
    """A page of findings, newest day first, with round and event; ``total`` is the number of all that match."""
    text = sql("queries/findings.sql").format(filters=filter_sql("fct_findings"))
    return marts.query(text, filters.parameters() | {"code": code, "limit": limit, "offset": offset})


def severities(marts: Marts, filters: Filters = ALL) -> pl.DataFrame:
    """``code``, ``severity``: the highest severity with which each code occurs under the filters."""
    text = sql("queries/severities.sql").format(filters=filter_sql("fct_findings"))
    return marts.query(text, filters.parameters())


def known_rounds(marts: Marts, round_ids: Iterable[str]) -> set[str]:
    """Those of the rounds that the snapshot has."""
    return set(marts.query(sql("queries/known.sql"), {"round_ids": sorted(round_ids)})["round_id"])


def read_record(marts: Marts, round_id: str) -> Record | None:
    """The stored record of a round, whole; None when the snapshot has no such round."""
    if "rounds" not in marts.versions:
        return None
    place = marts.query(sql("queries/place.sql"), {"round_id": round_id})
    if place.is_empty():
        return None
    partition = [pl.col(name) == value for name, value in place.row(0, named=True).items()]
    rounds = open_store(marts.store).scan("rounds", marts.versions)
    return next(records(rounds.filter(*partition, pl.col("round_id") == round_id).collect()))
