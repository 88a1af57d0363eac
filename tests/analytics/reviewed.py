"""Rows of the tables ``decisions`` and ``luck`` made by hand for a round; nothing is judged."""

from __future__ import annotations

from typing import Any

from analytics import luck_table
from analytics.decisions import SCHEMA, TABLE, frame
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import Store, append_table
from replay.judging import evaluator_id


def decision_row(record: Record, seq: int, person: int, effort: str = "quick", **more: Any) -> dict[str, Any]:
    """A decision whose choices say by their points which person they are of."""
    people = range(len(record.players))
    names = ("worlds", "points", "win", "huang", "pays", "gives", "behind", "error", "value", "known")
    some = (32, [10.0 + p for p in people], 0.5, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, None)
    less = (32, [5.0 + p for p in people], None, None, None, 0.0, 5.0, 0.5, 0.0, None)
    hand = {"steps": 1, "missing": 0, "kinds": [3], "live": 2}
    return {
        "round_id": round_id(record),
        "evaluator": evaluator_id(record.ruleset, effort),
        "ruleset": record.ruleset,
        "player": record.players[person],
        "seq": seq,
        "seat": person,
        "taken": 1,
        "best": 0,
        "loss": 5.0,
        "error": 0.5,
        "naive": 5.5,
        "band": 2,
        "reason": "outs",
        "choices": [
            {"text": text} | dict(zip(names, told, strict=True)) for text, told in (("打 一", some), ("打 二", less))
        ],
        "hand_taken": hand | {"live": 0},
        "hand_best": hand,
        "why_not": "",
    } | more


def ledger_row(record: Record, **more: Any) -> dict[str, Any]:
    """A ledger whose numbers begin with one more than their person, and add up."""
    people = range(len(record.players))

    def numbers(n: int) -> list[int]:
        return [1_000_000 * (p + 1) + n for p in people]

    terms = [
        {"kind": "draw", "seq": 2, "seat": 0, "card": 3, "points": numbers(3)},
        {"kind": "decision", "seq": 4, "seat": 0, "card": -1, "points": numbers(4)},
        {"kind": "xing", "seq": 5, "seat": -1, "card": 6, "points": numbers(5)},
        {"kind": "decision", "seq": 6, "seat": 1, "card": -1, "points": numbers(6)},
        {"kind": "decision", "seq": 7, "seat": 1, "card": -1, "points": numbers(7)},
    ]
    parts = {"expectation": numbers(0), "deal": numbers(1), "revision": numbers(2)}
    payoff = [sum(column) for column in zip(*parts.values(), *(term["points"] for term in terms), strict=True)]
    head = {
        "round_id": round_id(record),
        "evaluator": luck_table.evaluator_id(record.ruleset),
        "ruleset": record.ruleset,
    }
    return head | parts | {"players": list(record.players), "payoff": payoff, "terms": terms, "why_not": ""} | more


def keep(store: Store, decisions: list[dict[str, Any]], ledgers: list[dict[str, Any]]) -> None:
    """Write such rows to a store."""
    append_table(store, TABLE, frame(decisions), SCHEMA)
    append_table(store, luck_table.TABLE, luck_table.frame(ledgers), luck_table.SCHEMA)
