"""Decisions as rows: what ``replay.judging`` says of them, kept in the store so that nothing is judged twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

import polars as pl

from analytics.intervals import Z99
from analytics.reasons import reason_of
from ingest.naming import account, round_id
from ingest.record import Record
from ingest.store import Store
from replay.judging import EFFORTS, Judged, evaluator_id, judge_rounds
from replay.rulesets import RULESETS

TABLE = "decisions"
CHOICE = pl.Struct(
    {
        "text": pl.String,
        "worlds": pl.Int32,
        "points": pl.List(pl.Float64),  # of each person
        "win": pl.Float64,
        "huang": pl.Float64,
        "pays": pl.Float64,
        "gives": pl.Float64,
        "behind": pl.Float64,
        "error": pl.Float64,
        "value": pl.Float64,
        "known": pl.Float64,
    }
)
HAND = pl.Struct({"steps": pl.Int8, "missing": pl.Int8, "kinds": pl.List(pl.Int8), "live": pl.Int8})
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "round_id": pl.String,
    "account": pl.Int64,  # ingest.naming.account of what was judged
    "evaluator": pl.String,  # replay.judging.evaluator_id
    "ruleset": pl.String,
    "player": pl.String,
    "seq": pl.Int16,  # the event by which the choice was made
    "seat": pl.Int8,  # person
    "role": pl.Int8,  # turns from the dealer, 0 the dealer
    "wall": pl.Int8,  # cards left
    "kind": pl.String,  # KINDS
    "phase": pl.String,  # PHASES
    "listening": pl.Boolean,  # one card from a win after the choice taken
    "taken": pl.Int8,  # index of choices
    "best": pl.Int8,
    "loss": pl.Float64,
    "error": pl.Float64,
    "naive": pl.Float64,
    "value_loss": pl.Float64,
    "known_loss": pl.Float64,
    "matches": pl.Boolean,  # the best, or no further behind than one standard error
    "band": pl.Int8,  # 0 none, 1 失误, 2 大失误; null where there are no thresholds
    "reason": pl.String,  # analytics.reasons
    "choices": pl.List(CHOICE),
    "hand_taken": HAND,
    "hand_best": HAND,
    "why_not": pl.String,  # replay.judging.REASONS; "" where it was judged
}
KINDS = {
    "discard": ("出牌", "discard"),
    "chi": ("吃", "吃"),
    "peng": ("碰", "碰"),
    "pass": ("过", "pass"),
    "hu": ("胡不胡", "胡 or wait"),
}
PHASES = {"early": ("前段", "early"), "middle": ("中段", "middle"), "late": ("后段", "late")}
"""By the cards left in the wall: 13 and more, 7 to 12, fewer."""
BANDS = (("", ""), ("失误", "mistake"), ("大失误", "blunder"))


@dataclass(frozen=True, slots=True)
class Cuts:
    """Points from which a loss is a mistake or a blunder, and the reference population that they are taken from."""

    mistake: float
    blunder: float
    player: str
    decisions: int


@cache
def cuts() -> dict[str, Cuts]:
    """The cuts of each ruleset, made by ``analytics.fit_cuts``."""
    text = resources.files("analytics").joinpath("cuts.json").read_text(encoding="utf-8")
    return {name: Cuts(**given) for name, given in json.loads(text).items()}


def band_of(judged: Judged, ruleset: str) -> int | None:
    """0, 1 or 2: a loss counts when both evaluators say so, the play-outs with 99 % confidence; None without cuts."""
    found = cuts().get(ruleset)
    if found is None:
        return None
    sure = min(judged.loss - Z99 * judged.error, judged.value_loss)
    return 2 if sure > found.blunder else 1 if sure > found.mistake else 0


def kind_of(judged: Judged) -> str:
    """The kind of a decision: on 胡 where it could be had, else by what was done."""
    if any(choice.text == "胡" for choice in judged.choices):
        return "hu"
    return {"打": "discard", "吃": "chi", "碰": "peng"}.get(judged.choices[judged.taken].text[0], "pass")


def row(record: Record, judged: Judged, effort: str) -> dict[str, Any]:
    """A row of the table."""
    head = {
        "round_id": round_id(record),
        "account": account(record),
        "evaluator": evaluator_id(record.ruleset, effort),
        "ruleset": record.ruleset,
        "player": record.players[judged.seat],
        "seq": judged.seq,
        "seat": judged.seat,
    }
    if judged.why_not:
        return head | {"why_not": judged.why_not, "choices": []}
    taken, best = judged.choices[judged.taken], judged.choices[judged.best]
    hand_taken, hand_best = judged.after
    return head | {
        "role": judged.role,
        "wall": judged.wall,
        "kind": kind_of(judged),
        "phase": "early" if judged.wall >= 13 else "middle" if judged.wall >= 7 else "late",
        "listening": hand_taken is not None and hand_taken.steps in (0, 1),
        "taken": judged.taken,
        "best": judged.best,
        "loss": judged.loss,
        "error": judged.error,
        "naive": judged.naive,
        "value_loss": judged.value_loss,
        "known_loss": judged.known_loss,
        "matches": judged.taken == judged.best or taken.behind <= taken.error,
        "band": band_of(judged, record.ruleset),
        "reason": reason_of(taken, best, hand_taken, hand_best),
        "choices": [asdict(choice) for choice in judged.choices],
        "hand_taken": None if hand_taken is None else asdict(hand_taken),
        "hand_best": None if hand_best is None else asdict(hand_best),
        "why_not": "",
    }


def frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows in the table's columns, by round, event and seat."""
    return pl.DataFrame(list(rows), schema=SCHEMA).sort("round_id", "seq", "seat")


def graded(found: Iterable[Record], effort: str = "full", jobs: int = 1) -> pl.DataFrame:
    """The decisions of some rounds. Raises ``RulesetError``."""
    return frame(
        row(record, judged, effort) for record, one in judge_rounds(found, effort, jobs) for judged in one
    )  # fmt: skip


def current(store: Store, round_id: str | None = None, versions: Mapping[str, int] | None = None) -> pl.DataFrame:
    """A store's decisions by the evaluators of this program, of each round those of the greatest effort.

    ``round_id``: those of one round; ``versions``: of a snapshot.
    """
    order = {evaluator_id(name, effort): i for name in RULESETS for i, effort in enumerate(EFFORTS)}
    wanted = pl.col("evaluator").is_in(list(order))
    if round_id is not None:
        wanted &= pl.col("round_id") == round_id
    found = store.scan(TABLE, versions, SCHEMA).filter(wanted).collect()
    rank = pl.col("evaluator").replace_strict(order, return_dtype=pl.Int8)
    return found.filter(rank == rank.max().over("round_id")).sort("round_id", "seq", "seat")


def judged_only(found: pl.DataFrame) -> pl.DataFrame:
    """Without the decisions that could not be judged."""
    return found.filter(pl.col("why_not") == "")


def worst(found: pl.DataFrame, most: int = 20) -> pl.DataFrame:
    """The decisions with the greatest loss that is sure to 99 %, the greatest first."""
    sure = (pl.col("loss") - Z99 * pl.col("error")).alias("sure")
    keys: Sequence[str] = ("sure", "round_id", "seq", "seat")
    return judged_only(found).with_columns(sure).filter(pl.col("sure") > 0).sort(
        keys, descending=[True, False, False, False]
    ).head(most)  # fmt: skip
