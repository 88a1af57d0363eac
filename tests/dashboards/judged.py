"""Decisions made by hand for the rounds of a store, as ``phz grade`` would leave them there; nothing is judged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl

from analytics import luck_table
from analytics.decisions import SCHEMA, TABLE, frame, row
from ingest.naming import round_id
from ingest.record import Record
from ingest.rows import records
from ingest.store import append_table, open_store
from replay.judging import Choice, Hand, Judged

TEXTS = (("打 一", "打 二"), ("吃 一二", "过"), ("碰", "过"), ("过", "碰"), ("过", "胡"))


def write(store: Path, rulesets: tuple[str, ...] = ("qq", "hu15"), rounds: int = 8, seed: int = 1) -> Path:
    """Seven decisions of each of some rounds of the rulesets, one in fourteen not judged, and a ledger, into the
    store."""
    place, rng = open_store(store), random.Random(seed)
    found = place.scan("rounds").filter(pl.col("ruleset").is_in(rulesets)).sort("round_id").collect()
    chosen = found.group_by("ruleset", maintain_order=True).head(rounds)
    made = [decision(record, seq, rng) for record in records(chosen) for seq in range(1, 8)]
    append_table(place, TABLE, frame(made), SCHEMA)
    lucks = luck_table.frame(ledger(record, rng) for record in records(chosen))
    append_table(place, luck_table.TABLE, lucks, luck_table.SCHEMA)
    return store


def ledger(record: Record, rng: random.Random) -> dict[str, Any]:
    """A row of the table of luck: most of what was paid is the draw of event 2; who sits out has no account."""

    def numbers(most: int) -> list[int | None]:
        return [None if n == record.sitter else rng.randint(-most, most) for n in range(len(record.players))]

    parts = {"expectation": numbers(1_000_000), "deal": numbers(2_000_000), "revision": numbers(500_000)}
    drawn = numbers(9_000_000)
    payoff = [None if n is None else n + sum(some[i] or 0 for some in parts.values()) for i, n in enumerate(drawn)]
    terms = [{"kind": "draw", "seq": 2, "seat": record.dealer, "card": 3, "points": drawn}]
    return parts | {
        "round_id": round_id(record), "evaluator": luck_table.evaluator_id(record.ruleset), "ruleset": record.ruleset,
        "players": list(record.players), "payoff": payoff, "terms": terms, "why_not": "",
    }  # fmt: skip


def decision(record: Record, seq: int, rng: random.Random) -> dict[str, Any]:
    """A row of the table: a loss of 0 half of the time, else up to 8 points."""
    seat = rng.choice([n for n in range(len(record.players)) if n != record.sitter])
    loss = rng.choice((0.0, round(rng.uniform(-0.5, 8.0), 3)))
    texts = TEXTS[seq % len(TEXTS)]
    taken = Choice(texts[0], 64, (0.0,) * 4, 0.3, 0.1, 0.6, 0.0, max(loss, 0.0), 0.1, 0.0, None)
    best = Choice(texts[1], 64, (loss,) * 4, 0.5, 0.1, 0.4, 0.0, 0.0, 0.0, 0.0, None)
    hands = (Hand(2, 0, (1, 2), 5), Hand(1, 0, (1,), 6))
    role, wall = (seat - record.dealer) % 3, rng.randrange(23)
    told = (seq, seat, role, wall, 0, int(loss > 0), loss, 0.1, loss, loss - 1.0, None)
    if (int(round_id(record)[:4], 16) + seq) % 14 == 0:
        return row(record, Judged(*told, (), (None, None), "bounds"), "full")
    return row(record, Judged(*told, (taken, best), hands), "full")
