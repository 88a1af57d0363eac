"""A store of real rounds for the browser: generated, imported and replayed through the public functions."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.record import Move, Record
from ingest.store import open_store
from replay.bulk import replay_store
from replay.engine import engine
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
    """Rounds of every ruleset, at tables of four where one sits out; one in ten is spoilt, one line is no record."""
    store.mkdir(parents=True, exist_ok=True)
    records: list[Record] = []
    for seed, name in enumerate(sorted(RULESETS)):
        ruleset, persons = RULESETS[name], 3 if RULESETS[name].sitter == "none" else 4
        made = sessions(engine(ruleset), seed + 1, rounds // len(RULESETS), PLAYERS, platform="演示", persons=persons)
        records += [spoil(record) if i % 10 == 4 else record for i, record in enumerate(made)]
    file = store.parent / f"{store.name}.jsonl"
    file.write_text(dumps(records, "jsonl") + '{"ruleset": "qq"\n', encoding="utf-8")
    import_paths([file], open_store(store), now="2026-02-01T00:00:00+00:00")
    replay_store(open_store(store))
    return store


def spoil(record: Record) -> Record:
    """The same round with another card in one discard."""
    moves = list(record.moves)
    at = next(i for i, move in enumerate(moves) if move.action == 1 and i > 4)
    old = moves[at]
    moves[at] = Move(old.seat, old.action, (old.card + 1) % 20, old.a, old.b, old.face, old.t_ms)
    return msgspec.structs.replace(record, moves=tuple(moves))
