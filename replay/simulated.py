"""Whole sessions of the reference players as records: what ``phz simulate`` writes.

A session is a part of a run with a random stream of its own, so that sessions may be played by several processes and
in any order. Each is audited as it is made: a finding in it is an error of this program.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from ingest.limits import both
from ingest.record import HAND, Cards, Move, Option, Record
from replay.bulk import run_audit
from replay.cheats import machine_share, timed
from replay.engine import Engine, engine
from replay.findings import from_rows
from replay.kernels.audit import S_FOUND
from replay.kernels.jit import compiled
from replay.kernels.layout import (
    D_HANDS,
    D_LIANG,
    D_WALL,
    D_WALL_N,
    DEAL0,
    DEAL_SIZE,
    O_POINTS,
    ROW,
    SCORE0,
    SEATS,
)
from replay.kernels.match import R_DEALER, R_POINTS, R_SITTER
from replay.kernels.play import EVENT
from replay.players import PlayerError, Room, play_session, player, room
from replay.ruleset import Ruleset
from replay.score import result_of, score_of
from replay.seating import seated

PLATFORM = "sim"
PER_SESSION, MOST_PER_SESSION = 20, 1_000
"""Rounds of a session; a whole one is in memory at a time."""
_BEGIN = datetime(2026, 1, 1)
_A_DAY = 480
"""Sessions that begin on one day, ``_APART`` from each other, as do the rounds of each."""
_APART = timedelta(minutes=3)
_PERSONS = 4


@dataclass(frozen=True, slots=True)
class Run:
    """What is played: ``rounds`` rounds in sessions of ``per_session``, ``players`` (names of players) by person.

    ``options``: those that differ from what the ruleset is by its name, and stand in the records.
    """

    ruleset: Ruleset
    players: tuple[str, ...]
    rounds: int
    seed: int = 1
    per_session: int = PER_SESSION
    options: tuple[tuple[str, Option], ...] = ()

    def __post_init__(self) -> None:
        """Raises ``PlayerError`` for players that cannot play the ruleset, or not so many of them."""
        for name in self.players:
            player(name, self.ruleset)
        if len(self.players) not in self.ruleset.persons:
            given, name = len(self.players), self.ruleset.name
            zh, en = (word.join(map(str, self.ruleset.persons)) for word in ("、", " or "))
            raise PlayerError(
                both(f"{name} 应有 {zh} 名选手，而给了 {given} 名", f"{name} wants {en} players, {given} are given")
            )

    @property
    def sessions(self) -> int:
        """How many sessions the run has; the last one may be shorter."""
        return -(-self.rounds // self.per_session)

    def rounds_of(self, part: int) -> int:
        """Rounds of session ``part``, counted from 0."""
        return min(self.per_session, self.rounds - part * self.per_session)

    @property
    def persons(self) -> tuple[str, ...]:
        """Names of the persons: the player and the place at the table, ``steady-1``."""
        return tuple(f"{name}-{place}" for place, name in enumerate(self.players, 1))

    @property
    def name(self) -> str:
        """Ruleset, players, options and seed: sessions of runs that differ in one of them have different names."""
        pieces = [self.ruleset.name, *self.players]
        if self.options:
            text = json.dumps(sorted(self.options), ensure_ascii=False)
            pieces.append(hashlib.blake2b(text.encode(), digest_size=4).hexdigest())
        return "-".join((*pieces, str(self.seed)))


@lru_cache(maxsize=4)
def _table(ruleset: Ruleset, persons: int) -> tuple[Room, Engine]:
    """Where so many persons play the ruleset, and what audits them."""
    seats = min(persons, SEATS)
    paid = persons == _PERSONS and ruleset.sitter == "xing"
    return room(ruleset, seats, paid=paid), engine(ruleset, compiled())


def session(run: Run, part: int) -> list[Record]:
    """The rounds of session ``part``. Raises ``RuntimeError`` where the audit finds a fault in one."""
    at, judge = _table(run.ruleset, len(run.players))
    deals, events, spans, results = play_session(at, run.seed, part, run.rounds_of(part), run.players)
    rows = _audited(judge, deals, events, spans, results, f"{run.name}.{part + 1}")
    totals = (0,) * len(run.players)
    by_clock = any(machine_share(name) for name in run.players)
    records = []
    whole = zip(_rounds(run, part, deals, events, spans, results), rows, strict=True)
    for record, row in whole:
        score = score_of(row, seated(record, run.ruleset), run.ruleset, ())
        totals = tuple(map(sum, zip(totals, score.points, strict=True)))
        if by_clock:  # only there does the time to think tell anything
            record = timed(record, run.players, _seed_of(run.name, part, record.round_no or 0))
        records.append(msgspec.structs.replace(record, result=result_of(score, run.ruleset, totals)))
    return records


def _seed_of(name: str, part: int, number: int) -> int:
    """The seed of the times to think in a round of a run."""
    return int.from_bytes(hashlib.blake2b(f"{name}.{part}.{number}".encode(), digest_size=4).digest(), "big")


def _audited(judge: Engine, deals: Any, events: Any, spans: Any, results: Any, name: str) -> Sequence[list[int]]:
    """The rows of the audit kernel for the rounds of a session."""
    rows, found = run_audit(judge, deals, events, spans, np.ones(len(results), dtype=np.int64))
    for row in found.reshape(-1, 1 + ROW).tolist() if rows[:, S_FOUND].any() else ():
        faults = [finding for finding in from_rows(row[1:]) if finding.severity]
        if faults:
            raise RuntimeError(f"{name}: round {row[0] + 1}: {faults[0]}")
    at = O_POINTS - SCORE0
    if (rows[:, at : at + SEATS + 1] != results[:, R_POINTS : R_POINTS + SEATS + 1]).any():
        raise RuntimeError(f"{name}: the audit gives other points")
    told: Sequence[list[int]] = rows.tolist()
    return told


def _rounds(run: Run, part: int, deals: Any, events: Any, spans: Any, results: Any) -> Iterator[Record]:
    """The rounds of a session without what they came to."""
    flat = events.reshape(-1, EVENT).tolist()
    begin = _BEGIN + part // _A_DAY * timedelta(days=1) + part % _A_DAY * _APART
    name = f"{run.name}.{part + 1}"
    ends = spans.tolist()
    told = zip(deals.reshape(-1, DEAL_SIZE).tolist(), results.tolist(), ends, ends[1:], strict=False)
    for number, (deal, result, first, end) in enumerate(told, 1):
        sitter = result[R_SITTER] if result[R_SITTER] >= 0 else None
        playing = [person for person in range(len(run.players)) if person != sitter]
        hands: list[Cards | None] = [None] * len(run.players)
        for seat, person in enumerate(playing):
            at = D_HANDS - DEAL0 + HAND * seat
            hands[person] = tuple(deal[at : at + HAND])
        wall = D_WALL - DEAL0
        yield Record(
            ruleset=run.ruleset.name,
            options=dict(run.options),
            players=run.persons,
            dealer=result[R_DEALER],
            hands=tuple(hands),
            liang=deal[D_LIANG - DEAL0],
            wall=tuple(deal[wall : wall + deal[D_WALL_N - DEAL0]]),
            moves=tuple(Move(seat if seat < 0 else playing[seat], *rest) for seat, *rest in flat[first:end]),
            platform=PLATFORM,
            room=name,
            session=name,
            round_no=number,
            started_at=(begin + number * _APART).isoformat(),
            sitter=sitter,
        )
