"""The one registry of metrics and mart columns, read from ``sql/catalog.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec

Kind = str
KINDS = ("rate", "mean", "count")


class Metric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A metric: names, definition, and the mart columns its whole numbers are summed from.

    ``numerator`` and ``denominator`` are ``mart.column``; a count has no denominator.
    """

    zh: str
    en: str
    definition_zh: str
    definition_en: str
    unit: str
    grain: str
    kind: Kind
    keys: list[str]
    numerator: str
    denominator: str | None = None
    share: bool = False
    numerator_rounds: bool = False


class Mart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mart: what a row is, and ``column -> [zh, en]``."""

    zh: str
    en: str
    columns: dict[str, tuple[str, str]]


class Catalog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All metrics and marts by name."""

    metrics: dict[str, Metric]
    marts: dict[str, Mart]


@cache
def catalog() -> Catalog:
    """The catalogue; a malformed entry raises ``msgspec.ValidationError`` that names it."""
    text = resources.files("analytics").joinpath("sql/catalog.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Catalog)


def metric(name: str) -> Metric:
    """The metric ``name``; ``KeyError`` when the catalogue has none."""
    return catalog().metrics[name]


def markdown() -> str:
    """docs/metrics.md: every metric and every column, in both languages."""
    out = [
        "# 指标与数据表 · Metrics and marts",
        "",
        "由 `analytics/sql/catalog.toml` 生成：`python -m analytics.catalog > docs/metrics.md`。",
        "Made from `analytics/sql/catalog.toml`; do not edit by hand.",
        "",
        "每项都给出分子、分母与 95 % 区间：比率用 Wilson 区间，均值用按场次聚类的区间（`analytics/intervals.py`）。",
        "Everything comes with its numerator, denominator and 95 % interval: Wilson's for rates,",
        "clustered by session for means (`analytics/intervals.py`).",
        "只有复盘结论可判定的局计入与得分有关的指标，且一律使用重算的得分。",
        "Only rounds with a decidable verdict count in metrics that depend on the outcome; recomputed scores are used.",
        "四人桌上不行牌者（醒家、坐底，role 为 sitter）只在「记录局数」与「得分合计」里；",
        "筛选 `seats` 把两人、三人行牌的局分开。",
        "Who does not play at a table of four (醒家, 坐底; role sitter) is only in the rounds recorded and the points",
        "in all; the filter `seats` keeps rounds played by two and by three apart.",
        "",
        "## 指标 · Metrics",
        "",
    ]
    for name, m in catalog().metrics.items():
        over = f" / `{m.denominator}`" if m.denominator else ""
        out += [
            f"### `{name}` {m.zh} · {m.en}",
            "",
            m.definition_zh,
            "",
            m.definition_en,
            "",
            f"* 单位 unit: {m.unit}; 粒度 grain: {m.grain}; 类型 kind: {m.kind}",
            f"* `{m.numerator}`{over}, 按 by {', '.join(f'`{key}`' for key in m.keys)}",
            "",
        ]
    out += ["## 数据表 · Marts", ""]
    for name, mart in catalog().marts.items():
        out += [
            f"### `{name}`",
            "",
            f"{mart.zh} · {mart.en}",
            "",
            "| 列 column | 说明 | description |",
            "|---|---|---|",
        ]
        out += [f"| `{column}` | {zh} | {en} |" for column, (zh, en) in mart.columns.items()]
        out.append("")
    return "\n".join(out)


if __name__ == "__main__":
    print(markdown(), end="")
