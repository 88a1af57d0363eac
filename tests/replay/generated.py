"""Legal rounds by the thousand, played inside the kernels and audited from their events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from replay.bulk import run_audit
from replay.engine import Engine, engine
from replay.kernels import layout
from replay.kernels.audit import S_FOUND, S_PHASE, S_WINNER
from replay.kernels.jit import compiled
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.ruleset import Ruleset


@dataclass
class Count:
    """Rounds, events, wins and findings of a run."""

    rounds: int = 0
    events: int = 0
    wins: int = 0
    findings: int = 0


def tables_of(ruleset: Ruleset) -> list[tuple[int, int]]:
    """``(seats, paid sitter)`` that the ruleset is played with."""
    return [(seats, 0) for seats in ruleset.seats] + ([(3, 1)] if ruleset.sitter == "xing" else [])


def batch(machine: Engine, stream: Any, seats: int, paid: int, rounds: int) -> tuple[Any, Any, Any]:
    """Deals, events and spans of random legal rounds."""
    deals = np.zeros(layout.DEAL_SIZE * rounds, dtype=np.int64)
    events = np.zeros(EVENT * MOST_EVENTS * (rounds + 1), dtype=np.int64)
    spans = np.zeros(rounds + 1, dtype=np.int64)
    extra = int(machine.ruleset.two_ti_extra)
    room = MOST_EVENTS * (rounds + 1)
    done = machine.kernels.random_rounds(
        machine.state, machine.table, stream, rounds, room, seats, paid, extra, deals, events, spans
    )
    assert done == rounds
    return deals, events[: EVENT * spans[-1]], spans


def audited(ruleset: Ruleset, seed: int, rounds: int, size: int = 2_000) -> Count:
    """Play at least ``rounds`` rounds at every table of the ruleset and audit them in another engine."""
    player, judge = engine(ruleset, compiled()), engine(ruleset, compiled())
    count = Count()
    tables = tables_of(ruleset)
    for number, (seats, paid) in enumerate(tables):
        stream = np.array([seed + number, 2 * seed + 1], dtype=np.int64)
        for _ in range(-(-rounds // (size * len(tables)))):
            deals, events, spans = batch(player, stream, seats, paid, size)
            wholes = np.ones(size, dtype=np.int64)
            summaries, findings = run_audit(judge, deals, events, spans, wholes)
            count.rounds += size
            count.events += int(spans[-1])
            count.wins += int((summaries[:, S_WINNER] >= 0).sum())
            # Information (a forced act lost by a refused 胡) is no fault.
            codes = findings.reshape(-1, 1 + layout.ROW)[:, 2]
            count.findings += int((codes != layout.V_LOST_BY_REFUSED_HU).sum())
            assert (summaries[:, S_PHASE] == layout.OVER).all()
            assert int(summaries[:, S_FOUND].sum()) == len(codes)
    return count
