"""Stores for the tests of analytics and dashboards, written row by row from a seed; no rule of play is needed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from deltalake import write_deltalake

from ingest import schema as log
from ingest.codes import Action, Source
from ingest.record import Move, Record
from ingest.rows import frame
from replay import tables as results
from replay.version import ENGINE_VERSION

PLAYERS = ("甲", "乙", "丙", "丁", "<img src=x onerror=alert(1)>", "[x](javascript:1) $\\alpha$ :material/home:")
CODES = (("ZOU_PAO", 2), ("SHI_WEI", 2), ("WRONG_XI", 1), ("UNDERCLAIM", 0), ("FIFTH_COPY", 3))
FANS = ("红胡", "点胡", "乌胡", "海底")
RULESETS = {
    2: (("luzhou", "luzhou"), ("general", "general")),
    3: (("qq", "qq"), ("qq", "guilin")),
    4: (("bisai", "bisai"), ("luzhou", "luzhou")),
}
"""By number of persons: the ruleset that the record names, and that of the replay."""
REASONS = ("hand of seat 0 is unknown", "hand of seat 12 is unknown", "wall is unknown")
VERDICTS = ("clean", "violations", "undecidable", "unreadable", None)


@dataclass(frozen=True)
class Rows:
    """The rows behind a store, as plain dicts, for a second computation."""

    rounds: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    imports: list[dict[str, Any]]
    quarantine: list[dict[str, Any]]


def record(
    i: int, rng: random.Random, players: tuple[str, ...], dealer: int, ruleset: str = "qq", sitter: int | None = None
) -> Record:
    """A record with facts enough to be stored and shown; play in it makes no sense."""
    deck = [kind for kind in range(20) for _ in range(4)]
    rng.shuffle(deck)
    playing = [seat for seat in range(len(players)) if seat != sitter]
    dealt = 20 * len(playing)
    moves = tuple(Move(playing[n % len(playing)], int(Action.DRAW), deck[61 + n], face=2) for n in range(5))
    hands = tuple(
        None if seat == sitter else tuple(deck[20 * playing.index(seat) : 20 * playing.index(seat) + 20])
        for seat in range(len(players))
    )
    wall = tuple(deck[dealt + 1 :])
    return Record(ruleset, players, dealer, hands, deck[dealt], wall, moves, round_no=i, sitter=sitter)


def rows(n: int, seed: int = 7) -> Rows:
    """``n`` rounds of 2 to 4 persons: every verdict and end, unknown days, two platforms, stale engine versions."""
    rng = random.Random(seed)
    rounds, verdicts, findings, scores = [], [], [], []
    for i in range(n):
        rid = f"{rng.getrandbits(128):032x}"
        persons = rng.choice((2, 3, 3, 3, 4))
        players = tuple(rng.sample(PLAYERS, persons))
        dealer = rng.randrange(persons)
        sitter = (dealer + 2) % 4 if persons == 4 else None
        day = rng.choice(["", "2024-01-01", "2024-01-02", "2024-02-10"])
        written, ruleset = rng.choice(RULESETS[persons])
        verdict = rng.choices(VERDICTS, (6, 3, 2, 1, 1))[0]
        found = rng.randint(1, 3) if verdict == "violations" else int(verdict == "undecidable" and rng.random() < 0.3)
        whole = msgspec.structs.replace(
            record(i, rng, players, dealer, written, sitter),
            platform=rng.choice(["", "某平台"]),
            room=rng.choice(["", "r1", "r2"]),
            session=rng.choice(["", "s1", "s2", "s3"]),
            started_at=f"{day}T12:00:00" if day else None,
        )
        (row,) = frame([(rid, whole, 1)]).to_dicts()
        rounds.append(row)
        keys = {"round_id": rid, "engine_version": ENGINE_VERSION}
        if verdict is not None:
            reasons = rng.sample(REASONS, rng.randint(1, 3)) if verdict == "undecidable" else []
            verdicts.append(
                keys
                | {"ruleset": ruleset, "options": "{}", "verdict": verdict, "undecidable": reasons, "n_findings": found}
            )
        for idx in range(found):
            code, severity = rng.choice(CODES)
            follows = 0 if idx and rng.random() < 0.5 else None
            findings.append(
                keys
                | {
                    "idx": idx,
                    "seq": idx,
                    "code": code,
                    "seat": rng.randint(-1, persons - 1),
                    "severity": severity,
                    "clause": "B.7",
                }
                | {"expected": "跑 二", "actual": "*没有* <b>", "follows_from": follows}
            )
        if verdict in {"clean", "violations", "undecidable"}:
            scores.append(keys | _score(rng, whole, ruleset, verdict))
        if rng.random() < 0.2:
            verdicts.append({"round_id": rid, "engine_version": "0", "ruleset": "hu15", "verdict": "violations"})
            scores.append({"round_id": rid, "engine_version": "0", "winner": 0, "points": [9, 9, 9]})
    imports = [
        {"file": "a.phz", "file_hash": "1", "format": "phz", "state": "done", "seen": n + 3, "accepted": n}
        | {"already_known": 1, "quarantined": 2, "imported_at": "2024-03-01T00:00:00"}
    ]
    quarantine = [
        {
            "file": "a.phz",
            "file_hash": "1",
            "record_index": n + i,
            "line": 10 * i,
            "code": "CARD",
            "reason": "不存在的牌 '王'",
        }
        | {"raw_hash": str(i), "imported_at": "2024-03-01T00:00:00"}
        for i in range(2)
    ]
    return Rows(rounds, verdicts, findings, scores, imports if n else [], quarantine if n else [])


def write(store: Path, data: Rows) -> Path:
    """The tables of ``data`` under ``store``, as ingest and replay lay them out; an empty table is not written."""
    for name in ("rounds", "imports", "quarantine"):
        _table(store / name, getattr(data, name), log.TABLES[name], log.PARTITIONS.get(name))
    for name in ("verdicts", "findings", "scores"):
        _table(store / name, getattr(data, name), results.TABLES[name], None)
    return store


def _score(rng: random.Random, whole: Record, ruleset: str, verdict: str) -> dict[str, Any]:
    n = len(whole.players)
    playing = [seat for seat in range(n) if seat != whole.sitter]
    winner = rng.choice([-1, *playing, *playing, *playing])
    if verdict == "undecidable" and rng.random() < 0.5:
        return {"winner": None, "dealer": whole.dealer, "fan": [], "points": None}
    points = [0] * n
    if winner < 0:
        special = rng.choice(["", "作废", "逃跑"])
        if special:
            points[playing[0]] = -8
        if special == "作废":
            points[playing[1]] = 8
        return {"winner": -1, "special": special, "dealer": whole.dealer, "source": 0, "fan": [], "points": points}
    huxi = rng.randint(15, 40)
    for seat in playing:
        points[seat] = huxi * (len(playing) - 1) if seat == winner else -huxi
    if ruleset == "bisai" and whole.sitter is not None:
        points[winner] -= 1
        points[whole.sitter] += 1
    fan = [{"name": name, "n": rng.randint(2, 5)} for name in rng.sample(FANS, rng.choice([0, 0, 1, 2]))]
    return {
        "winner": winner,
        "special": rng.choice(["", "", "地胡"]),
        "dealer": whole.dealer,
        "source": int(rng.choice([Source.OWN_DRAW, Source.OTHER_DRAW, Source.DISCARD, Source.LIANG])),
        "huxi": 0 if ruleset == "general" else huxi,
        "fan": fan,
        "points": points,
    }


def _table(path: Path, data: list[dict[str, Any]], schema: dict[str, Any], partitions: list[str] | None) -> None:
    if data:
        write_deltalake(path, pl.DataFrame(data, schema=schema), partition_by=partitions)
