"""A store's decisions as they are shown: which of them filters keep, how losses change with time, how they spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import polars as pl

from analytics import decisions, luck_table
from analytics.decision_summary import clusters_of, summary
from analytics.decisions import judged_only, worst
from analytics.marts import Marts, sql
from analytics.metrics import Filters, filter_sql
from ingest.store import open_store

KEY = ("round_id", "seq", "seat")
NESTED = ("choices", "hand_taken", "hand_best")
"""Columns that no sum needs and that are most of the table."""
BEHIND = {
    "decisions": pl.col("why_not") == "",
    "matches": pl.col("matches"),
    "mistakes": pl.col("band") >= 1,
    "blunders": pl.col("band") == 2,
}
"""Counts of ``summary`` → the decisions counted."""
PARTS = 24
"""Most points of a course of time."""
BLOCK = 10
"""Fewest rounds of a point where rounds have no dates."""
BINS = 40
"""Most steps of a histogram, those at its ends not counted."""


@dataclass(frozen=True)
class Graded:
    """What was judged of the rounds of a snapshot.

    ``rows``: as ``decisions.current``; ``lucks``: as ``luck_table.by_person``; ``rounds``: ``round_id``, ``day``,
    ``cluster`` (the session), in order of time.
    """

    rows: pl.DataFrame
    lucks: pl.DataFrame
    rounds: pl.DataFrame


def read(marts: Marts, versions: Mapping[str, int]) -> Graded:
    """What was judged in the store that the marts were built from; ``versions``: of the tables ``review.TABLES``."""
    store = open_store(marts.store)
    rows, ledgers = (table.current(store, versions=versions) for table in (decisions, luck_table))
    ids = pl.concat([rows["round_id"], ledgers["round_id"]]).unique()
    found = (
        store.scan("rounds", marts.versions)
        .select("round_id", "day", "started_at", "session", "room", "round_no")
        .filter(pl.col("round_id").is_in(ids.to_list()))
        .collect()
    )
    clusters = clusters_of(found.select("round_id", "session", "room").iter_rows())
    order = ("day", "started_at", "cluster", "round_no", "round_id")
    rounds = found.join(clusters, on="round_id").sort(order).select("round_id", "day", "cluster")
    return Graded(rows, luck_table.by_person(ledgers), rounds)


def kept(graded: Graded, marts: Marts, filters: Filters) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The decisions, without the columns ``NESTED``, and the lucks of the seats that the filters keep."""
    text = sql("queries/decision_seats.sql").format(filters=filter_sql("fct_seats"))
    seats = marts.query(text, filters.parameters() | {"round_ids": graded.rounds["round_id"].to_list()})
    rows, lucks = (
        frame.join(seats.cast({"seat": pl.Int8}), on=("round_id", "seat"), how="semi", maintain_order="left")
        for frame in (graded.rows.drop(NESTED), graded.lucks)
    )
    return rows, lucks


def lucks(found: pl.DataFrame, graded: Graded) -> pl.DataFrame:
    """``luck_table.adjusted`` of the lucks kept."""
    return luck_table.adjusted(found, graded.rounds.select("round_id", "cluster"))


def totals(found: pl.DataFrame, graded: Graded, by: Sequence[str] = ("player",)) -> pl.DataFrame:
    """``summary`` of decisions kept, intervals by session; by nothing, all of them in one row."""
    clusters = graded.rounds.select("round_id", "cluster")
    if by:
        return summary(found, clusters, by)
    return summary(found.with_columns(everybody=pl.lit(0)), clusters, ("everybody",)).drop("everybody")


def behind(found: pl.DataFrame, name: str) -> list[str]:
    """The ids, sorted, of the rounds with a decision that a count (of ``BEHIND``) counts."""
    return judged_only(found).filter(BEHIND[name])["round_id"].unique().sort().to_list()


def course(found: pl.DataFrame, graded: Graded) -> pl.DataFrame:
    """``summary`` of one part of the rounds after another, in order of time: sessions where every round has a day and
    there are two sessions or more, else blocks of rounds.

    Columns before those of ``summary``: ``part`` from 0; ``first``, ``last`` its first and last day, or, where they
    are blocks, number of a round from 1. Rounds are drawn for the intervals, as a part may be a single session.
    """
    judged = judged_only(found)
    rounds = graded.rounds.join(judged.select("round_id").unique(), on="round_id", how="semi", maintain_order="left")
    sessions = rounds["cluster"].unique(maintain_order=True)
    number = pl.int_range(pl.len())
    if len(sessions) > 1 and (rounds["day"] != "").all():
        places = pl.DataFrame({"cluster": sessions}).with_columns(nth=number)
        rounds = rounds.join(places, on="cluster", how="left", maintain_order="left").with_columns(told="day")
        units = most = len(sessions)
    else:
        rounds = rounds.with_columns(nth=number, told=(number + 1).cast(pl.String))
        units, most = len(rounds), max(1, len(rounds) // BLOCK)
    rounds = rounds.with_columns(part=pl.col("nth") * min(PARTS, most) // max(1, units))
    told = rounds.group_by("part", maintain_order=True).agg(first=pl.col("told").first(), last=pl.col("told").last())
    sums = summary(judged.join(rounds.select("round_id", "part"), on="round_id"), clusters_of([]), ("part",))
    return told.join(sums, on="part").sort("part")


def _step(width: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** floor(log10(width))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= width)


def spread(found: pl.DataFrame) -> tuple[int, pl.DataFrame]:
    """How many losses are 0, and how the others spread: ``low``, ``high``, ``n``, ``mistakes``, ``blunders`` a step.

    ``mistakes`` without blunders. The first and the last step hold the half per cent that lies beyond; there the bound
    is null.
    """
    judged = judged_only(found)
    some = judged.filter(pl.col("loss") != 0)
    schema = {"low": pl.Float64, "high": pl.Float64, "n": pl.Int64, "mistakes": pl.Int64, "blunders": pl.Int64}
    if some.is_empty():
        return len(judged), pl.DataFrame(schema=schema)
    ends = [some.select(pl.col("loss").quantile(share, "nearest")).item() for share in (0.005, 0.995)]
    width = _step(max(ends[1] - ends[0], 0.01) / BINS)
    low, high = floor(ends[0] / width), ceil(ends[1] / width)
    place = (pl.col("loss") / width).floor().clip(low - 1, high).cast(pl.Int64)
    counts = some.group_by(at=place).agg(
        n=pl.len().cast(pl.Int64),
        mistakes=(pl.col("band") == 1).sum().cast(pl.Int64),
        blunders=(pl.col("band") == 2).sum().cast(pl.Int64),
    )
    every = pl.DataFrame({"at": range(low - 1, high + 1)}, schema={"at": pl.Int64})
    steps = every.join(counts, on="at", how="left", maintain_order="left").with_columns(
        pl.col("n", "mistakes", "blunders").fill_null(0),
        low=pl.when(pl.col("at") >= low).then(pl.col("at") * width),
        high=pl.when(pl.col("at") < high).then((pl.col("at") + 1) * width),
    )
    return len(judged) - len(some), steps.select(list(schema))


def worst_rows(found: pl.DataFrame, graded: Graded, most: int = 20) -> pl.DataFrame:
    """The worst of the decisions kept, with all columns, the greatest sure loss first."""
    keys = worst(found, most).select(KEY)
    return keys.join(graded.rows, on=KEY, how="left", maintain_order="left")


def evaluators(found: pl.DataFrame) -> pl.DataFrame:
    """``evaluator``, ``ruleset``, ``rounds``, ``decisions``: whose opinions these are."""
    counts = (pl.col("round_id").n_unique().cast(pl.Int64).alias("rounds"), pl.len().cast(pl.Int64).alias("decisions"))
    return judged_only(found).group_by("evaluator", "ruleset").agg(*counts).sort("evaluator", "ruleset")


def not_judged(found: pl.DataFrame) -> pl.DataFrame:
    """``why_not``, ``n``, ``rounds``: decisions that could not be judged, most first."""
    counts = (pl.len().cast(pl.Int64).alias("n"), pl.col("round_id").n_unique().cast(pl.Int64).alias("rounds"))
    left = found.filter(pl.col("why_not") != "")
    return left.group_by("why_not").agg(*counts).sort("n", "why_not", descending=[True, False])
