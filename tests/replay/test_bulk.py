"""Replay of a store: the fast way certifies, the slow way explains, and both write the same rows."""

from __future__ import annotations

from pathlib import Path

import msgspec
import polars as pl
import pytest

from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.naming import round_id
from ingest.record import Record, Result
from ingest.store import open_store
from replay import bulk
from replay.accept import accept
from replay.bulk import Rows, add, outcome_of, replay_records, replay_store
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.replayer import replay_round, with_findings
from replay.rulesets import RULESETS
from replay.session import session_findings
from replay.simulate import Player, sessions

PLAYERS = [Player("a"), Player("b", peng=90, chi=90), Player("c", hu=80, chi=40), Player("d", lone=30)]


def rounds(n: int, seed: int = 9) -> list[Record]:
    return [r for rules in RULESETS.values() for r in sessions(engine(rules, compiled()), seed, n, PLAYERS)]


def spoiled(record: Record) -> list[Record]:
    """The same round with each reported part changed in turn."""
    result = record.result
    assert result is not None
    changes: list[Result] = [msgspec.structs.replace(result, points=(1, 2, -3))]
    if result.winner is not None and result.winner >= 0:
        changes.append(msgspec.structs.replace(result, huxi=(result.huxi or 0) + 1))
        changes.append(msgspec.structs.replace(result, winner=(result.winner + 1) % 3))
        if result.card is not None:
            changes.append(msgspec.structs.replace(result, card=(result.card + 1) % 20))
        if result.from_seat is not None:
            changes.append(msgspec.structs.replace(result, from_seat=(result.from_seat + 1) % 3))
        if result.fan is not None and record.ruleset == "guilin":
            changes.append(msgspec.structs.replace(result, fan={}))
        if result.units is not None:
            changes.append(msgspec.structs.replace(result, units=msgspec.structs.replace(result.units, num=99)))
        if result.fan is not None:
            changes.append(msgspec.structs.replace(result, fan={"红胡": 2, "点胡": 3}))
        if result.xing_hits is not None:
            changes.append(msgspec.structs.replace(result, xing_hits=7))
    return [msgspec.structs.replace(record, result=change) for change in changes]


def test_fast_and_slow_rows_are_equal() -> None:
    records = rounds(150)
    records[40] = msgspec.structs.replace(records[40], dealer=(records[40].dealer + 1) % 3)
    fast, slow = Rows(), Rows()
    one_by_one = [replay_round(record) for record in records]
    joint = session_findings(records, one_by_one)
    assert any(joint)
    for record, quick, single, more in zip(records, replay_records(records, {}), one_by_one, joint, strict=True):
        add(fast, round_id(record), quick)
        add(slow, round_id(record), outcome_of(record, with_findings(single, more)))
    for table, frame in fast.frames().items():
        assert frame.equals(slow.frames()[table]), table
    assert len(fast.verdicts) == len(records)


def test_every_spoiled_result_is_found_the_fast_way_too() -> None:
    checked = 0
    for record in rounds(25, seed=21):
        for wrong in spoiled(record):
            (outcome,) = replay_records([wrong], {})
            assert outcome.findings, wrong.result
            assert outcome.findings == replay_round(wrong).findings
            checked += 1
    assert checked > 100


def test_store_is_replayed_whole_and_the_same_again(tmp_path: Path) -> None:
    source = tmp_path / "rounds.jsonl"
    source.write_text(dumps(rounds(40), "jsonl"), encoding="utf-8")
    store = open_store(tmp_path / "store")
    report = import_paths([str(source)], store, accept)
    first = replay_store(store)
    assert first.rounds == report.accepted == 40 * len(RULESETS)
    assert sum(first.verdicts.values()) == first.rounds
    before = {name: store.scan(name).collect() for name in ("verdicts", "findings", "scores")}
    assert replay_store(store) == first
    for name, frame in before.items():
        again = store.scan(name).collect()
        assert frame.sort(pl.all().exclude(pl.List)).equals(again.sort(pl.all().exclude(pl.List))), name


def test_chunks_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rounds.jsonl"
    source.write_text(dumps(rounds(20), "jsonl"), encoding="utf-8")
    store = open_store(tmp_path / "store")
    import_paths([str(source)], store, accept)
    whole = replay_store(store)
    before = {name: store.scan(name).collect() for name in ("verdicts", "findings", "scores")}
    monkeypatch.setattr(bulk, "CHUNK", 7)
    assert replay_store(store) == whole
    for name, frame in before.items():
        assert frame.equals(store.scan(name).collect()), name


def test_chunks_cut_no_session() -> None:
    keys = [("p", "a", "1")] * 5 + [("p", "a", "2")] * 2 + [("p", "", "")] * 4
    assert list(bulk.chunks(keys, 3)) == [(0, 5), (5, 8), (8, 11)]
    assert list(bulk.chunks([], 3)) == []
