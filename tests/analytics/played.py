"""A store of real play under every ruleset, by 2, 3 and 4 persons, with some rounds broken off or spoiled."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from ingest.codes import Action
from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.record import Move, Record
from ingest.store import open_store
from replay import tables as results
from replay.accept import accept
from replay.bulk import replay_store
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.analytics.stores import Rows

TABLES = {
    "qq": (3,),
    "hu15": (3,),
    "bisai": (3, 4),
    "luzhou": (2, 3, 4),
    "general": (2, 3),
    "guilin": (3,),
    "ningxiang": (3,),
}
"""Ruleset → numbers of persons."""
PLAYERS = [
    Player("甲", peng=80, chi=90, lone=95),
    Player("乙", peng=95, chi=60, lone=90),
    Player("丙", hu=85, peng=60, lone=90),
    Player("丁", peng=40, chi=80, lone=60),
    Player("戊", peng=70, chi=30, lone=85),
]


@cache
def played(rounds: int = 60) -> tuple[Record, ...]:
    """``rounds`` of each ruleset and number of persons; every tenth but the first is broken off or spoiled."""
    out: list[Record] = []
    for name, numbers in TABLES.items():
        for persons in numbers:
            machine = engine(RULESETS[name], compiled())
            made = sessions(machine, persons, rounds, PLAYERS, platform=f"{persons} 人", persons=persons)
            out += [spoiled(record) if n % 10 == 9 else record for n, record in enumerate(made)]
    return tuple(out)


def spoiled(record: Record) -> Record:
    """A 醒家 who acts, a win that nobody has (void where there are penalties), or a player who leaves."""
    number = record.round_no or 0
    at = next(n for n, move in enumerate(record.moves) if move.action == Action.DISCARD) + 1
    head, last = record.moves[:at], record.moves[at - 1]
    other = next(seat for seat in range(len(record.players)) if seat not in (last.seat, record.sitter))
    if record.sitter is not None and number % 20 == 0:
        acted = (*head, Move(record.sitter, int(Action.PENG), last.card), *record.moves[at:])
        return replace(record, moves=acted)
    if record.ruleset == "bisai":
        return replace(record, moves=(*head, Move(other, int(Action.HU), last.card)), result=None)
    return replace(record, moves=(*head, Move(other, int(Action.LEAVE))), result=None)


def write_played(store: Path) -> Path:
    """``played()`` imported and replayed as a user would."""
    file = store.parent / "played.jsonl"
    file.write_text(dumps(list(played()), "jsonl"), encoding="utf-8")
    opened = open_store(store)
    report = import_paths([str(file)], opened, accept)
    assert report.accepted == len(played())
    replay_store(opened)
    return store


def rows_of(store: Path) -> Rows:
    """The rows of a store as plain dicts."""
    opened = open_store(store)
    tables = {
        name: opened.scan(name, schema=results.TABLES.get(name)).collect().rows(named=True)
        for name in ("rounds", "verdicts", "findings", "scores", "imports", "quarantine")
    }
    return Rows(**tables)
