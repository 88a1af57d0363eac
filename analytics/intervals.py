"""95 % intervals, as Polars expressions. Floats exist from here on only: numerators and denominators are integers.

Rates: Wilson's score interval (E. B. Wilson, JASA 22, 1927, p. 209), never Wald's.
Means: rounds of one session share players and dealer, so the unit of sampling is the session: the linearised variance
of a ratio over clusters (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 6.4 with one stage of clusters)
with Student's t on clusters - 1 degrees of freedom.
"""

from __future__ import annotations

import numpy as np
import polars as pl

Z95 = 1.959963984540054
"""97.5 % quantile of the normal distribution."""
Z99 = 2.5758293035489004
"""99.5 % quantile: a two-sided 99 % bound."""


def wilson(num: pl.Expr, den: pl.Expr, z: float = Z95) -> tuple[pl.Expr, pl.Expr]:
    """Lower and upper bound of ``num / den`` successes; null where ``den`` is 0."""
    n = pl.when(den > 0).then(den).cast(pl.Float64)
    p = num / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).sqrt()
    low = pl.when(num == 0).then(0.0 * n).otherwise(middle - half)
    high = pl.when(num == den).then(1.0 + 0.0 * n).otherwise(middle + half)
    return low, high


def cluster_half_width(num: pl.Expr, den: pl.Expr, clusters: pl.Expr, yy: pl.Expr, ym: pl.Expr, mm: pl.Expr) -> pl.Expr:
    """Half the 95 % interval of the mean ``num / den``; null with fewer than two clusters.

    ``yy``, ``ym``, ``mm`` are Σy², Σym, Σm² over clusters of y (summed value) and m (rounds).
    """
    c = pl.when((clusters > 1) & (den > 0)).then(clusters)
    mean = num / den
    squares = (yy - 2 * mean * ym + mean * mean * mm).clip(lower_bound=0)
    error = (c / (c - 1) * squares).sqrt() / den
    return _t975(c - 1) * error


def _t975(degrees: pl.Expr) -> pl.Expr:
    def quantile(values: pl.Series) -> pl.Series:
        from scipy.special import stdtrit  # only pages that show means pay for scipy

        df = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
        return pl.Series(values.name, stdtrit(df, 0.975)).fill_nan(None)

    return degrees.map_batches(quantile, return_dtype=pl.Float64, is_elementwise=True)
