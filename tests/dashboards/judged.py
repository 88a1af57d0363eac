"""Decisions made by hand for the rounds of a store, as ``phz grade`` would leave them there; nothing is judged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl

from analytics.decisions import SCHEMA, TABLE, frame, row
from ingest.naming import round_id
from ingest.record import Record
from ingest.rows import records
from ingest.store import append_table, open_store
from replay.judging import Choice, Hand, Judged

TEXTS = (("打 一", "打 二"), ("吃 一二", "过"), ("碰", "过"), ("过", "碰"), ("过", "胡"))


def write(store: Path, rulesets: tuple[str, ...] = ("qq", "hu15"), rounds: int = 8, seed: int = 1) -> Path:
    """Seven decisions of each of some rounds of the rulesets, one in fourteen not judged, into the store."""
    place, rng = open_store(store), random.Random(seed)
    found = place.scan("rounds").filter(pl.col("ruleset").is_in(rulesets)).sort("round_id").collect()
    chosen = found.group_by("ruleset", maintain_order=True).head(rounds)
    made = [decision(record, seq, rng) for record in records(chosen) for seq in range(1, 8)]
    append_table(place, TABLE, frame(made), SCHEMA)
    return store


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
