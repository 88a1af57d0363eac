"""What players' decisions cost them: sums over decisions with cluster-bootstrap intervals.

Decisions of one session share players and cards, so sessions are drawn, not decisions (A. C. Davison, D. V. Hinkley,
Bootstrap Methods and their Application, 1997, section 3.8); percentile intervals of 95 %, seed fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from analytics.decisions import judged_only
from analytics.intervals import wilson

DRAWS = 2000
SEED = 20261130
SPLITS = ("kind", "phase", "role", "listening")
"""Columns by which losses are split."""


def interval(sums: pl.DataFrame, num: str, den: str) -> tuple[float | None, float | None]:
    """2.5 % and 97.5 % quantiles of ``sum(num) / sum(den)`` over drawn clusters, a row of ``sums`` each."""
    n = len(sums)
    if n < 2:
        return None, None
    top, bottom = (sums[name].to_numpy().astype(np.float64) for name in (num, den))
    picks = np.random.default_rng(SEED).integers(0, n, (DRAWS, n))
    below = bottom[picks].sum(axis=1)
    ratios = np.sort(top[picks].sum(axis=1)[below > 0] / below[below > 0])
    if not len(ratios):
        return None, None
    low, high = ratios[int(0.025 * len(ratios))], ratios[min(int(0.975 * len(ratios)), len(ratios) - 1)]
    return float(low), float(high)


def summary(found: pl.DataFrame, clusters: pl.DataFrame, by: Sequence[str] = ("player",)) -> pl.DataFrame:
    """A row for each value of ``by``, ascending: how many decisions and rounds, and what they cost.

    ``found``: rows of the table of decisions; ``clusters``: columns ``round_id`` and ``cluster`` (the session).
    Columns behind ``by``: ``decisions``, ``rounds``, ``clusters``; ``loss`` points a decision with ``loss_low``,
    ``loss_high``; ``loss_round`` points a round and seat with bounds; ``naive`` points a decision by the same worlds;
    ``known_loss`` a decision with the hands as they were; ``matches``, ``mistakes``, ``blunders`` counts, all three
    with Wilson bounds (``match_low`` …, ``mistake_low`` …, ``blunder_low`` …); ``mistakes`` counts blunders too.
    """
    rows = judged_only(found).sort("round_id", "seq", "seat").join(clusters, on="round_id", how="left")
    rows = rows.with_columns(pl.col("cluster").fill_null(pl.col("round_id")))
    keys = list(by)
    parts = rows.group_by(*keys, "cluster", maintain_order=True).agg(
        pl.col("loss").sum(),
        pl.len().alias("decisions"),
        pl.struct("round_id", "seat").n_unique().alias("rounds"),
    )
    whole = rows.group_by(keys, maintain_order=True).agg(
        pl.len().alias("decisions"),
        pl.struct("round_id", "seat").n_unique().alias("rounds"),
        pl.col("cluster").n_unique().alias("clusters"),
        pl.col("loss").mean(),
        (pl.col("loss").sum() / pl.struct("round_id", "seat").n_unique()).alias("loss_round"),
        pl.col("naive").mean(),
        pl.col("known_loss").mean(),
        pl.col("matches").sum().cast(pl.Int64),
        (pl.col("band") >= 1).sum().cast(pl.Int64).alias("mistakes"),
        (pl.col("band") == 2).sum().cast(pl.Int64).alias("blunders"),
    )
    bounds = []
    for values, part in parts.sort(*keys, "cluster").group_by(keys, maintain_order=True):
        low, high = interval(part, "loss", "decisions")
        round_low, round_high = interval(part, "loss", "rounds")
        bounds.append((*values, low, high, round_low, round_high))
    names = ("loss_low", "loss_high", "loss_round_low", "loss_round_high")
    schema = {key: rows.schema[key] for key in keys} | dict.fromkeys(names, pl.Float64)
    intervals = pl.DataFrame(bounds, schema=schema, orient="row")
    match_low, match_high = wilson(pl.col("matches"), pl.col("decisions"))
    mistake_low, mistake_high = wilson(pl.col("mistakes"), pl.col("decisions"))
    blunder_low, blunder_high = wilson(pl.col("blunders"), pl.col("decisions"))
    return (
        whole.join(intervals, on=keys, how="left", nulls_equal=True)
        .with_columns(
            match_low=match_low,
            match_high=match_high,
            mistake_low=mistake_low,
            mistake_high=mistake_high,
            blunder_low=blunder_low,
            blunder_high=blunder_high,
        )
        .sort(keys)
    )


def clusters_of(rounds: Iterable[tuple[str, str | None, str | None]]) -> pl.DataFrame:
    """What belongs together for intervals: id, session, room of rounds → the session, else the room, else the round."""
    rows = [(key, session or room or key) for key, session, room in rounds]
    return pl.DataFrame(rows, schema={"round_id": pl.String, "cluster": pl.String}, orient="row")
