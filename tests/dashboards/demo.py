"""A store of real rounds for the browser: generated, imported and replayed through the public functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from deltalake import write_deltalake

from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.record import Move, Record
from ingest.store import open_store
from replay import tables
from replay.engine import engine
from replay.replayer import Replay, replay_round
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions

PLAYERS = [
    Player("刘三姐", peng=80),
    Player("老贺", peng=40),
    Player("阿珍", chi=40),
    Player("石头", lone=30),
    Player("小满", peng=20, chi=90),
]


def build(store: Path, rounds: int = 60) -> Path:
    """Rounds of every ruleset; in each tenth the draws are off by one, and one line is no record at all."""
    store.mkdir(parents=True, exist_ok=True)
    records: list[Record] = []
    for seed, name in enumerate(sorted(RULESETS)):
        made = sessions(engine(RULESETS[name]), seed + 1, rounds // len(RULESETS), PLAYERS, platform="演示")
        records += [spoil(record) if i % 10 == 4 else record for i, record in enumerate(made)]
    file = store.parent / f"{store.name}.jsonl"
    file.write_text(dumps(records, "jsonl") + '{"ruleset": "qq"\n', encoding="utf-8")
    import_paths([file], open_store(store), now="2026-02-01T00:00:00+00:00")
    log = open_store(store).scan("rounds").select("round_id", "record").sort("round_id").collect()
    replays = [replay_round(msgspec.msgpack.decode(packed, type=Record)) for packed in log["record"]]
    for name, rows in (("verdicts", verdicts), ("findings", findings), ("scores", scores)):
        frame = pl.DataFrame([row for replay in replays for row in rows(replay)], schema=tables.TABLES[name])
        write_deltalake(store / name, frame)
    return store


def spoil(record: Record) -> Record:
    """The same round with one discard of a card that another card was."""
    moves = list(record.moves)
    at = next(i for i, move in enumerate(moves) if move.action == 1 and i > 4)
    old = moves[at]
    moves[at] = Move(old.seat, old.action, (old.card + 1) % 20, old.a, old.b, old.face, old.t_ms)
    return msgspec.structs.replace(record, moves=tuple(moves))


def verdicts(r: Replay) -> list[dict[str, Any]]:
    return [
        {"round_id": r.round_id, "engine_version": r.engine_version, "ruleset": r.ruleset, "verdict": r.verdict}
        | {"undecidable": list(r.undecidable), "n_findings": len(r.findings)}
    ]


def findings(r: Replay) -> list[dict[str, Any]]:
    keys = {"round_id": r.round_id, "engine_version": r.engine_version}
    fields = ("seq", "code", "seat", "severity", "clause", "expected", "actual", "follows_from")
    return [keys | {"idx": i} | {k: getattr(f, k) for k in fields} for i, f in enumerate(r.findings)]


def scores(r: Replay) -> list[dict[str, Any]]:
    if r.score is None:
        return []
    s = r.score
    fan = [{"name": name, "n": n} for name, n in s.fan.items()]
    return [
        {"round_id": r.round_id, "engine_version": r.engine_version, "winner": s.winner, "source": int(s.source)}
        | {"huxi": s.huxi, "fan": fan, "points": list(s.points)}
    ]
