"""The luck ledger of rounds as rows of the store, and what players made less their luck (docs/luck.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import polars as pl

from analytics.decision_summary import DRAWS, SEED, interval
from ingest.codes import Action
from ingest.naming import account, round_id
from ingest.record import Record
from ingest.store import Store
from replay.kernels.jit import source_hash
from replay.kernels.luck import MICRO
from replay.luck import Books, Ledger, books, evaluator_hash, foresight, ledger_of
from replay.players import room
from replay.replayer import rules_of
from replay.ruleset import Ruleset
from replay.rulesets import RULESETS
from replay.seating import Seating, seated
from replay.version import ENGINE_VERSION

TABLE = "luck"
MICROS = pl.List(pl.Int64)  # millionths of a point, a number a person; null of one who sits out
TERM = pl.Struct({"kind": pl.String, "seq": pl.Int16, "seat": pl.Int8, "card": pl.Int8, "points": MICROS})
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "account": pl.Int64,  # ingest.naming.account of what was looked at
    "evaluator": pl.String,
    "ruleset": pl.String,
    "players": pl.List(pl.String),
    "expectation": MICROS,
    "deal": MICROS,
    "revision": MICROS,
    "payoff": MICROS,
    "terms": pl.List(TERM),  # by event; kind: draw, xing, decision; seat: the person who drew, won, decided
    "why_not": pl.String,  # replay.luck.REASONS; "" where there is a ledger
}
REASONS = {
    "unknown_cards": ("有看不见的手牌或牌墙", "a hand or the wall is not known"),
    "faults": ("有不合规则的地方，之后的局面说不清", "something was not allowed: what came after cannot be told"),
    "unfinished": ("记录没有到终局", "the record stops before the end"),
    "left_early": ("有人中途离开", "a player left"),
    "no_end": ("推演没有终局", "a play-out does not end"),
}
"""Why a round has no ledger (``replay.luck.REASONS``)."""
PLAIN = 60
"""So many rounds are rather walked by plain Python, half a second each, than compiled for. The figures agree."""
SUMS = ("paid", "deal", "draws", "adjusted")
QUARTERS = 3
"""Quarters of the luck that are taken off, fixed beforehand for all tables (docs/luck.md, "What it takes off")."""


@cache
def evaluator_id(ruleset_name: str) -> str:
    """Name of what weighs luck: the reference player and a hash of the kernels, the engine and the fitted numbers."""
    kept = foresight(ruleset_name)
    told = "\0".join((source_hash("luck"), str(ENGINE_VERSION), evaluator_hash(kept)))
    return f"{kept['reference']}{kept['reference_version']}-{hashlib.blake2b(told.encode(), digest_size=6).hexdigest()}"


def _spread(values: Sequence[int], seating: Seating) -> list[int | None]:
    """Numbers by seat as numbers by person."""
    people = len(seating.persons) + (seating.sitter is not None)
    seats = {person: seat for seat, person in enumerate(seating.persons)}
    return [values[seats[person]] if person in seats else None for person in range(people)]


def row(at: Books, record: Record) -> dict[str, Any]:
    """A row of the table; ``at``: the books of the record's table."""
    seating = seated(record, at.room.ruleset)
    head = {
        "round_id": round_id(record),
        "account": account(record),
        "evaluator": evaluator_id(record.ruleset),
        "ruleset": record.ruleset,
        "players": list(record.players),
    }
    found = ledger_of(at, record)
    if not isinstance(found, Ledger):
        return head | {"terms": [], "why_not": found}
    moves = seating.record.moves
    terms = [
        {"kind": "draw" if moves[one.seq].action == Action.DRAW else "xing", "seq": one.seq,
         "seat": seating.persons[one.seat], "card": one.card, "points": _spread(one.luck, seating)}
        for one in found.draws
    ]  # fmt: skip
    terms += [
        {"kind": "decision", "seq": one.seq, "seat": seating.persons[one.seat], "card": -1,
         "points": _spread(one.effect, seating)}
        for one in found.decisions
    ]  # fmt: skip
    sums = {name: _spread(getattr(found, name), seating) for name in ("expectation", "deal", "revision", "payoff")}
    return head | sums | {"terms": sorted(terms, key=lambda term: term["seq"]), "why_not": ""}


def weighed(found: Iterable[Record], *, jit: bool) -> pl.DataFrame:
    """The ledgers of some rounds; ``jit``: by compiled kernels. Raises ``RulesetError``."""
    return frame(row(_books(*_table(record), jit=jit), record) for record in found)


def _table(record: Record) -> tuple[Ruleset, int, bool]:
    ruleset = rules_of(record)
    seating = seated(record, ruleset)
    return ruleset, len(seating.persons), seating.paid


@lru_cache(maxsize=16)
def _books(ruleset: Ruleset, seats: int, paid: bool, *, jit: bool) -> Books:
    return books(room(ruleset, seats, paid=paid, jit=jit))


def frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows in the table's columns, by round."""
    return pl.DataFrame(list(rows), schema=SCHEMA).sort("round_id")


def evaluators() -> list[str]:
    """The ids of all evaluators of this program."""
    return [evaluator_id(name) for name in RULESETS]


def current(store: Store, round_id: str | None = None, versions: Mapping[str, int] | None = None) -> pl.DataFrame:
    """A store's ledgers by the evaluators of this program; ``round_id``: that of one; ``versions``: of a snapshot."""
    wanted = pl.col("evaluator").is_in(evaluators())
    if round_id is not None:
        wanted &= pl.col("round_id") == round_id
    return store.scan(TABLE, versions, SCHEMA).filter(wanted).collect().sort("round_id")


def by_person(found: pl.DataFrame) -> pl.DataFrame:
    """A row for each round that has a ledger and person who played: ``round_id``, ``player``, ``seat`` and, in
    millionths, ``paid``, ``deal``, ``draws``, ``adjusted``: what was paid less ``QUARTERS`` of the luck."""
    rows = []
    for one in found.filter(pl.col("why_not") == "").iter_rows(named=True):
        luck = [term["points"] for term in one["terms"] if term["kind"] != "decision"]
        for seat, (player, paid, deal) in enumerate(zip(one["players"], one["payoff"], one["deal"], strict=True)):
            if paid is None:
                continue
            draws = sum(points[seat] for points in luck)
            rows.append((one["round_id"], player, seat, paid, deal, draws, paid - (deal + draws) * QUARTERS // 4))
    names = dict.fromkeys(SUMS, pl.Int64)
    return pl.DataFrame(
        rows, schema={"round_id": pl.String, "player": pl.String, "seat": pl.Int8, **names}, orient="row"
    )


def adjusted(rows: pl.DataFrame, clusters: pl.DataFrame) -> pl.DataFrame:
    """A row for each player, ascending: what a round paid and what of it was luck, means in points.

    ``rows``: of ``by_person``; ``clusters``: as in ``decision_summary.summary``. Columns behind ``player``:
    ``rounds``, ``clusters``, ``paid``, ``deal``, ``draws``, ``adjusted`` with bounds of 95 % (``paid_low`` …,
    ``adjusted_low`` …), and ``r``, ``r_low``, ``r_high``: how much of the variance of a round is taken off; null where
    one round pays like the other.
    """
    rows = rows.join(clusters, on="round_id", how="left").with_columns(pl.col("cluster").fill_null(pl.col("round_id")))
    sums = rows.group_by("player", "cluster", maintain_order=True).agg(
        pl.len().alias("rounds"),
        pl.col(SUMS).sum() / MICRO,
        *((pl.col(name) / MICRO).pow(2).sum().alias(f"{name}2") for name in ("paid", "adjusted")),
    )
    told = []
    for (player,), part in sums.sort("player", "cluster").group_by("player", maintain_order=True):
        n = int(part["rounds"].sum())
        means = {name: float(part[name].sum()) / n for name in SUMS}
        bounds = {
            f"{name}_{side}": bound
            for name in ("paid", "adjusted")
            for side, bound in zip(("low", "high"), interval(part, name, "rounds"), strict=True)
        }
        told.append(
            {"player": player, "rounds": n, "clusters": len(part)} | means | bounds
            | dict(zip(("r", "r_low", "r_high"), _variance_taken(part), strict=True))
        )  # fmt: skip
    floats = (*SUMS, "paid_low", "paid_high", "adjusted_low", "adjusted_high", "r", "r_low", "r_high")
    schema = {"player": pl.String, "rounds": pl.Int64, "clusters": pl.Int64} | dict.fromkeys(floats, pl.Float64)
    return pl.DataFrame(told, schema=schema)


def _variance_taken(sums: pl.DataFrame) -> tuple[float | None, float | None, float | None]:
    """``1 - Var(adjusted) / Var(paid)`` and its 95 % interval, whole clusters drawn again (percentiles)."""
    columns = sums.select("rounds", "paid", "adjusted", "paid2", "adjusted2").to_numpy().astype(np.float64)

    def taken(totals: Any) -> Any:
        n, paid, rest, paid2, rest2 = np.moveaxis(totals, -1, 0)
        spread = paid2 / n - (paid / n) ** 2
        return 1 - (rest2 / n - (rest / n) ** 2) / np.where(spread > 0, spread, np.nan)

    whole = float(taken(columns.sum(axis=0)))
    if np.isnan(whole):
        return None, None, None
    if len(columns) < 2:
        return whole, None, None
    picks = np.random.default_rng(SEED).integers(0, len(columns), (DRAWS, len(columns)))
    drawn = taken(columns[picks].sum(axis=1))
    low, high = np.nanpercentile(drawn, (2.5, 97.5))
    return whole, float(low), float(high)
