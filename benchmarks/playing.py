"""Reference players: rounds a second of each inside the kernels, beside the audit of such rounds, and to a file."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.timing import best_of
from ingest.convert import write_pieces
from replay.bulk import run_audit
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.kernels.policies import SEARCHING
from replay.luck import books, ledgers
from replay.players import PLAYERS, play_deals, play_session, room
from replay.rulesets import QQ
from replay.simulated import Run
from replay.workers import lines, sessions


def playing(rows: list[str], rounds: int) -> None:
    """One core, ``qq``, three of a kind at the table. Yardstick: the audit kernel on rounds of the same players."""
    at, judge = room(QQ), engine(QQ, compiled())
    for name, player in PLAYERS.items():
        seating = [[name] * 3]
        many = max(rounds // 1000, 3) if player.kind == SEARCHING else rounds
        few = max(many // 10, 1)
        play_deals(at, 1, few, seating)
        each = best_of(3, partial(play_deals, at, 2, many, seating)) / many
        deals, events, spans, _ = play_session(at, 3, 0, few, seating[0])
        audit = best_of(3, partial(run_audit, judge, deals, events, spans, np.ones(few, dtype=np.int64))) / few
        run = Run(QQ, (name,) * 3, few)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rounds.jsonl"
            whole = best_of(2, lambda p=path, r=run: write_pieces(p, (one.data for one in sessions(r, 1, lines)))) / few
        rows.append(
            f"| {name}-{player.version}, a round of {spans[-1] / few:.0f} events | {1 / each:,.0f} rounds/s | "
            f"audit kernel {1 / audit:,.0f} rounds/s = {each / audit:.1f}× faster | "
            f"`phz simulate` to `.jsonl`, one process: {1 / whole:,.0f} rounds/s |"
        )
    kept, few = books(at), max(rounds // 10, 1)
    for names in (["steady"] * 3, ["value", "steady", "greedy"]):
        deals, events, spans, _ = play_session(at, 3, 0, few, names)
        each = best_of(3, partial(ledgers, kept, deals, events, spans)) / few
        rows.append(f"| luck ledger, {' + '.join(names)} | {each * 1e3:.2f} ms a round | | |")
