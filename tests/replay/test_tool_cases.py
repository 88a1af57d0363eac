"""Faults reported of other programs' tools (cases B40, B42, N06, N08), as tests of the whole kind of fault."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import phz
from analytics.marts import open_marts
from analytics.metrics import Filters
from analytics.rounds import overview
from ingest.adapters.registry import Reject
from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.reader import read_path
from ingest.record import Record
from ingest.store import open_store
from replay import bulk
from replay.accept import accept
from replay.bulk import replay_store
from replay.engine import engine
from replay.rulesets import QQ
from replay.simulate import Player, sessions

PLAYERS = [Player("甲"), Player("乙"), Player("丙")]


@pytest.fixture
def records() -> list[Record]:
    return list(sessions(engine(QQ), 2, 8, PLAYERS))


def test_b40_a_scripted_act_that_was_refused_never_passes(tmp_path: Path, records: list[Record]) -> None:
    """A self-check reported "pass 100 %" although the server had refused the scripted 胡."""
    for n, record in enumerate(records):
        for at in range(0, len(record.moves), 5):
            move = record.moves[at]
            if move.seat < 0 or move.action in (11, 12):
                continue
            script = (*record.moves[:at], msgspec.structs.replace(move, action=11, a=-2, b=-2))
            wrong = msgspec.structs.replace(record, moves=script, result=None)
            path = tmp_path / f"{n}-{at}.jsonl"
            path.write_text(dumps([wrong], "jsonl"), encoding="utf-8")
            assert CliRunner().invoke(phz.app, ["audit", str(path)]).exit_code == 1, (n, at)


MAHJONG = ("1W 2W 3W 1S 2S 3S 1T 2T 3T HZ", "东南西北中发白", "1m 2m 3m", "s11 b0", "一万二万")


@pytest.mark.parametrize("tiles", MAHJONG)
def test_b42_tiles_of_another_game_are_refused(tiles: str, tmp_path: Path, records: list[Record]) -> None:
    """Decks of mahjong tiles were stored for cases of this game."""
    lines = dumps(records[:1], "phz").splitlines()
    path = tmp_path / "deck.phz"
    at = next(i for i, line in enumerate(lines) if line.startswith("wall"))
    lines[at] = f'wall = "{tiles}"'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (found,) = list(read_path(path))
    assert isinstance(found, Reject)
    assert found.code == "UNKNOWN_CARD"
    assert found.line == at + 1


def test_n06_results_of_another_engine_are_not_mixed_in(
    tmp_path: Path, records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored analyses were read by a program that judges otherwise: they carry their version and do not count."""
    path = tmp_path / "rounds.jsonl"
    path.write_text(dumps(records, "jsonl"), encoding="utf-8")
    store = open_store(tmp_path / "store")
    import_paths([str(path)], store, accept)
    with monkeypatch.context() as older:
        older.setattr(bulk, "ENGINE_VERSION", "0")
        replay_store(store)
    assert store.scan("verdicts").collect()["engine_version"].unique().to_list() == ["0"]
    assert overview(open_marts(store.path), Filters())["replayed"] == 0
    replay_store(store)
    assert overview(open_marts(store.path), Filters())["replayed"] == len(records)


def test_n08_a_file_that_gave_nothing_may_be_tried_again(tmp_path: Path, records: list[Record]) -> None:
    """A file was registered as imported although no hand was stored, so it was never tried again."""
    path = tmp_path / "rounds.jsonl"
    path.write_text(dumps(records, "jsonl"), encoding="utf-8")
    store = open_store(tmp_path / "store")
    refused = import_paths([str(path)], store, lambda _: Reject("BAD_OPTION", "not yet"))
    assert (refused.accepted, refused.quarantined) == (0, len(records))
    assert store.scan("imports").collect()["state"].to_list() == ["failed"]
    again = import_paths([str(path)], store, accept)
    assert again.accepted == len(records)
    assert store.scan("imports").collect()["state"].to_list() == ["done"]
