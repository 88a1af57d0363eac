"""What was judged of one round, as the viewer shows it: its decisions and its luck ledger (docs/viewer.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analytics import decisions, luck_table
from analytics.decisions import cuts
from analytics.reasons import sentence
from ingest.codes import NO_SEAT
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import Store
from replay.judging import REASONS
from replay.replayer import rules_of
from replay.seating import seated

TABLES = (decisions.TABLE, luck_table.TABLE)
"""The tables of the store that a review is read from."""
Seats = tuple[int, ...]
"""The persons of the record in the order of the timeline's seats."""


def review(record: Record, judged: Sequence[Mapping[str, Any]], ledgers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """``decisions`` and ``ledger`` of a round, JSON-able; null where the store has no row of them.

    ``judged``: rows of the table ``decisions``, by event; ``ledgers``: of the table ``luck``, one at most. Persons
    become the seats of ``replay.timeline``. Raises ``RulesetError``.
    """
    order = seated(record, rules_of(record)).order
    return {
        "decisions": _decisions(judged, order, weighed=bool(ledgers)),
        "ledger": _ledger(ledgers[0], order) if ledgers else None,
    }


def ungraded(record: Record) -> dict[str, Any]:
    """The part ``decisions`` of a stored round of which nothing was judged: it says how to have it judged."""
    return {"how": f"phz grade {round_id(record)[:12]}", "evaluator": "", "cuts": None, "rows": []}


def identity(store: Store) -> tuple[tuple[str, int, str], ...]:
    """``(table, version, table id)`` of the tables that a review is read from: differs whenever they may differ."""
    here = store.tables()
    handles = {name: store.place(name).open() for name in TABLES if name in here}
    return tuple((name, handle.version(), str(handle.metadata().id)) for name, handle in handles.items())


def stored_review(store: Store, record: Record, at: Sequence[tuple[str, int, str]]) -> dict[str, Any]:
    """The review of a record by what the store has of it; ``at`` is its ``identity``. Raises ``RulesetError``."""
    one = round_id(record)
    versions = {name: version for name, version, _ in at}
    judged, luck = (table.current(store, one, versions) for table in (decisions, luck_table))
    return review(record, judged.to_dicts(), luck.to_dicts())


def _decisions(rows: Sequence[Mapping[str, Any]], order: Seats, *, weighed: bool) -> dict[str, Any] | None:
    if not rows:
        return {"how": "", "evaluator": "", "cuts": None, "rows": []} if weighed else None
    found = cuts().get(rows[0]["ruleset"])
    return {
        "how": "",
        "evaluator": rows[0]["evaluator"],
        "cuts": None if found is None else {"mistake": found.mistake, "blunder": found.blunder},
        "rows": [_decision(row, order) for row in rows],
    }


_FIGURES = ("taken", "best", "loss", "error", "naive", "band", "reason")
_CHOICE = ("text", "behind", "error", "win", "huang", "pays", "worlds", "known")


def _decision(row: Mapping[str, Any], order: Seats) -> dict[str, Any]:
    """One row with seat for person, the points of who decides, and its sentence or the reason why it was not judged."""
    person = row["seat"]
    zh, en = REASONS[row["why_not"]] if row["why_not"] else (sentence(row), sentence(row, "en"))
    return {
        "seq": row["seq"],
        "seat": order.index(person),
        **{name: row.get(name) for name in _FIGURES},
        "why_not": row["why_not"],
        "zh": zh,
        "en": en,
        "choices": [
            {"points": choice["points"][person], **{name: choice[name] for name in _CHOICE}}
            for choice in row["choices"]
        ],
    }


def _ledger(row: Mapping[str, Any], order: Seats) -> dict[str, Any]:
    """A ledger by seat, without who sits out. ``draws``, ``decisions``: sums of terms, the latter for each seat."""
    why = row["why_not"]
    order = tuple(person for person in order if why or row["payoff"][person] is not None)
    head = {"evaluator": row["evaluator"], "seats": list(range(len(order))), "why_not": why}
    zh, en = luck_table.REASONS[why] if why else ("", "")
    head |= {"zh": zh, "en": en}
    if why:
        return head

    def moved(points: Sequence[int]) -> list[int]:
        return [points[person] for person in order]

    terms = [
        {
            "kind": term["kind"],
            "seq": term["seq"],
            "seat": order.index(term["seat"]) if term["seat"] != NO_SEAT else NO_SEAT,
            "card": term["card"],
            "points": moved(term["points"]),
        }
        for term in row["terms"]
    ]

    def added(some: Iterable[Mapping[str, Any]]) -> list[int]:
        return [sum(column) for column in zip(*(term["points"] for term in some), strict=True)] or [0] * len(order)

    return head | {
        "expectation": moved(row["expectation"]),
        "deal": moved(row["deal"]),
        "draws": added(term for term in terms if term["kind"] != "decision"),
        "decisions": [
            added(term for term in terms if term["kind"] == "decision" and term["seat"] == seat)
            for seat in range(len(order))
        ],
        "revision": moved(row["revision"]),
        "payoff": moved(row["payoff"]),
        "terms": terms,
    }
