"""What replay writes. Contract 3 of the architecture; every row names the engine that wrote it."""

from __future__ import annotations

import polars as pl

_KEYS: dict[str, pl.DataType | type[pl.DataType]] = {"round_id": pl.String, "engine_version": pl.String}
VERDICTS = _KEYS | {
    "ruleset": pl.String,
    "options": pl.String,
    "verdict": pl.String,  # clean | violations | undecidable | unreadable
    "undecidable": pl.List(pl.String),  # reasons
    "n_findings": pl.Int32,
    "n_events": pl.Int32,
}
FINDINGS = _KEYS | {
    "idx": pl.Int32,  # order within the round
    "seq": pl.Int16,  # event; n_events = the settlement
    "code": pl.String,  # e.g. "ZOU_PAO"
    "seat": pl.Int8,
    "severity": pl.Int8,  # 3 impossible log, 2 rule offence, 1 bookkeeping, 0 information
    "clause": pl.String,
    "expected": pl.String,
    "actual": pl.String,
    "follows_from": pl.Int32,  # idx of the root finding; null for a root
}
SCORES = _KEYS | {
    "winner": pl.Int8,  # -1 nobody: 荒庄, or what ``special`` says
    "special": pl.String,  # 三提五坎, 天胡, 地胡; without a winner 作废 (void win) or 逃跑; "" otherwise
    "dealer": pl.Int8,
    "source": pl.Int8,  # ingest.codes.Source of the winning card
    "from_seat": pl.Int8,
    "huxi": pl.Int32,
    "units": pl.Int32,  # 等/底/子 before 番 and payment, as the ruleset counts
    "fan": pl.List(pl.Struct({"name": pl.String, "n": pl.Int32})),
    "fan_total": pl.Int32,
    "groups": pl.List(pl.Struct({"form": pl.Int8, "cards": pl.List(pl.Int8), "huxi": pl.Int32})),
    "points": pl.List(pl.Int32),
    "reported_huxi": pl.Int32,
    "reported_points": pl.List(pl.Int32),
}
TABLES = {"verdicts": VERDICTS, "findings": FINDINGS, "scores": SCORES}
LEADER = "verdicts"
"""The table whose commit makes a replay visible (see ``ingest.store``)."""
