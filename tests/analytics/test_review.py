"""What the viewer gets of a judged round, from rows made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analytics.luck_table import REASONS as LEDGER_REASONS
from analytics.review import identity, review, stored_review, ungraded
from ingest.adapters.jsonl import FORMAT as JSONL
from ingest.convert import dump
from ingest.importer import import_paths
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import open_store
from replay.engine import engine
from replay.judging import REASONS
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.timeline import timeline
from tests.analytics.reviewed import decision_row, keep, ledger_row


def rounds(ruleset: str, persons: int, n: int = 2) -> list[Record]:
    return list(sessions(engine(RULESETS[ruleset]), 3, n, [Player(name) for name in "甲乙丙丁"], persons=persons))


@pytest.mark.parametrize(("ruleset", "persons"), [("qq", 3), ("bisai", 4)])
def test_persons_become_the_seats_of_the_timeline(ruleset: str, persons: int) -> None:
    for record in rounds(ruleset, persons, 6):
        players = timeline(record)["players"]
        found = review(record, [decision_row(record, 3, person) for person in range(persons)], [ledger_row(record)])
        for person, row in enumerate(found["decisions"]["rows"]):
            assert players[row["seat"]] == record.players[person]
            assert [choice["points"] for choice in row["choices"]] == [10.0 + person, 5.0 + person]
        ledger = found["ledger"]
        for seat in ledger["seats"]:
            person = record.players.index(players[seat])
            assert ledger["deal"][seat] // 1_000_000 == person + 1
            terms = ledger["terms"]
            assert [term["points"][seat] % 1_000_000 for term in terms] == [3, 4, 5, 6, 7]
            sums = [ledger["draws"][seat], *(points[seat] for points in ledger["decisions"])]
            assert sum(sums) == sum(term["points"][seat] for term in terms)
            parts = sum(ledger[part][seat] for part in ("expectation", "deal", "revision"))
            assert ledger["payoff"][seat] == parts + sum(sums)
        assert [players[term["seat"]] for term in terms if term["kind"] == "draw"] == [record.players[0]]
        assert [term["seat"] for term in terms if term["kind"] == "xing"] == [-1]
        second = players.index(record.players[1])
        assert [points[0] % 1_000_000 for points in ledger["decisions"]][second] == 13
        json.dumps(found)


def test_sentences_cuts_and_reasons() -> None:
    (record,) = rounds("qq", 3, 1)
    rows = [decision_row(record, 3, 0), decision_row(record, 5, 1, why_not="bounds", choices=[], taken=None)]
    part = review(record, rows, [])["decisions"]
    assert part["rows"][0]["zh"].startswith("“打 二”比“打 一”差 5.0 ±1.0 分：进张少了")
    assert part["rows"][0]["en"].startswith("“打 二” is 5.0 ±1.0 points worse")
    assert (part["rows"][1]["zh"], part["rows"][1]["en"]) == REASONS["bounds"]
    assert part["cuts"]["mistake"] < part["cuts"]["blunder"]
    assert part["evaluator"] == rows[0]["evaluator"]
    told = review(record, [], [ledger_row(record, why_not="faults", terms=[])])
    assert (told["ledger"]["zh"], told["ledger"]["en"]) == LEDGER_REASONS["faults"]
    assert told["decisions"] == {"how": "", "evaluator": "", "cuts": None, "rows": []}  # judged: it has no decision
    assert review(record, [], []) == {"decisions": None, "ledger": None}
    assert ungraded(record)["how"] == f"phz grade {round_id(record)[:12]}"


def test_a_store_gives_those_of_one_round(tmp_path: Path) -> None:
    first, second = rounds("qq", 3)
    store = open_store(tmp_path / "store")
    assert stored_review(store, first, identity(store)) == {"decisions": None, "ledger": None}
    (tmp_path / "rounds.jsonl").write_bytes(dump([first, second], JSONL))
    import_paths([tmp_path / "rounds.jsonl"], store)
    assert identity(store) == ()
    rows = [decision_row(first, 3, 0), decision_row(first, 5, 2), decision_row(second, 4, 1)]
    keep(store, rows, [ledger_row(first), ledger_row(second, why_not="unfinished", terms=[])])
    at = identity(store)
    assert stored_review(store, first, at) == review(first, rows[:2], [ledger_row(first)])
    assert stored_review(store, second, at)["ledger"]["why_not"] == "unfinished"
    keep(store, [decision_row(first, 3, 0, "full", loss=4.0), decision_row(first, 3, 0, evaluator="another")], [])
    again = stored_review(store, first, identity(store))["decisions"]["rows"]
    assert [row["loss"] for row in again] == [4.0]  # of the evaluators of this program the one of the greatest effort
    assert identity(store) != at
    assert len(stored_review(store, first, at)["decisions"]["rows"]) == 2
