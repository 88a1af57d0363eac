"""docs/baselines.md, made of the baselines: ``python -m analytics.baselines_page > docs/baselines.md``."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import polars as pl

from analytics.baselines import load
from analytics.intervals import Z95, wilson
from replay.baselines import SESSION
from replay.rulesets import RULESETS
from replay.survey import NEVER, kinds

ROLES = {"dealer": "庄 dealer", "next": "下家 next", "previous": "上家 previous"}
SOURCES = {
    "own_draw": "自摸 own draw",
    "other_draw": "他摸 another's draw",
    "discard": "点炮 discard",
    "liang": "亮张 the 亮张",
    "dealt": "起手 dealt cards, no shape",
}
TAIL = 1000
"""The last rows of a distribution are one row, as long as together they are less than one of so many."""
AT_END = 1 << 10
"""The bin of those that never came to it, behind all turns."""
INTRO = """# 自对弈基线 · Baselines of self-play

由 `data/baselines.parquet` 生成：`python -m analytics.baselines_page > docs/baselines.md`；
那个文件由 `python -m replay.baselines RULESET…` 写出。
Made from `data/baselines.parquet`, which `python -m replay.baselines RULESET…` writes; do not edit by hand.

三人一桌，人人是同一个参考选手，一场 {session} 局，谁坐庄按规则。每一局都由复盘引擎检查，有一个问题就不出表；
胡息、番和得分都是引擎重算的。
Three at a table, all of them the same reference player, sessions of {session} rounds, who deals by the rules. The
engine audits every round, one finding stops the run; 胡息, 番 and points are those that it recomputes. Deals are fresh
and players remember nothing, so rounds are independent: shares have Wilson's 95 % interval, means the normal one. Real
players differ from a program: a difference from these numbers is a question, no finding.

* **座位 Seats** count from the dealer in the order of play: 下家 is the one after him, 上家 the one before.
* **步数 Steps** at the deal are exact ([steps.md](steps.md)), the 亮张 in the dealer's hand, dealt 提 as they lie,
  extra cards ([12.2](rules.md)) with their seats.
* **听 Listening** begins at the first moment at which a seat owes no discard and one card is wanting (or none: a hand
  that completed itself without winning). Only the seat's own cards count, not whether the cards that it waits for are
  still to be had or whether it may win on them. 未听 never: the round ended first.
* **巡 Turns** are told twice: all cards drawn from the wall so far, by anybody, and those that the seat drew itself.
  0: before any was drawn.
* 番 may come together, so their shares may add up to more than 100 %. 平胡 has neither a 番 nor a special win."""


class _Of:
    """The measures of one ruleset."""

    def __init__(self, rows: pl.DataFrame) -> None:
        low, high = wilson(pl.col("n"), pl.col("of"))
        told = rows.with_columns(low.alias("low"), high.alias("high"))
        self.rows = {(row["measure"], row["key"]): row for row in told.iter_rows(named=True)}

    def bins(self, *measures: str) -> dict[int, tuple[int, int]]:
        """The bins of one or several histograms together, ascending: key → n and of all."""
        of = sum({name: row["of"] for (name, _), row in self.rows.items() if name in measures}.values())
        found: dict[int, int] = {}
        for (name, key), row in self.rows.items():
            if name in measures:
                at = AT_END if key == NEVER else int(key)
                found[at] = found.get(at, 0) + row["n"]
        return {at: (found[at], of) for at in sorted(found)}


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:], ""]


def _share(n: int, of: int | None) -> str:
    if not of:
        return "—"
    return f"{100 * n / of:.2f} %" if n == 0 or n / of >= 0.001 else f"{100 * n / of:.4f} %"


def _interval(row: dict[str, Any]) -> str:
    return "—" if row["low"] is None else f"{100 * row['low']:.3f}–{100 * row['high']:.3f} %"


def _mean(row: dict[str, Any] | None) -> str:
    return f"{row['sum'] / row['n']:.2f}" if row and row["n"] else "—"


def _points(row: dict[str, Any]) -> list[str]:
    n, total = row["n"], row["sum"]
    if n < 2:
        return ["—"] * 3
    variance = (n * row["sum_sq"] - total * total) / (n * (n - 1))
    half = Z95 * sqrt(variance / n)
    return [f"{total / n:+.3f}", f"{total / n - half:+.3f} … {total / n + half:+.3f}", f"{sqrt(variance):.2f}"]


def _outcomes(of: _Of) -> list[str]:
    keys = [(("win", role), f"{name} 胡 wins") for role, name in ROLES.items()]
    keys.append((("huang", ""), "荒庄 nobody wins"))
    rows = [
        (name, f"{row['n']:,}", _share(row["n"], row["of"]), _interval(row))
        for key, name in keys
        for row in [of.rows[key]]
    ]
    points = [(name, *_points(of.rows["points", role])) for role, name in ROLES.items()]
    sources = [(name, of.rows["source", key]) for key, name in SOURCES.items()]
    return [
        *_table(("结局 outcome", "局 rounds", "占比 share", "95 %"), rows),
        *_table(("座位 seat", "每局得分 points a round", "95 %", "标准差 standard deviation"), points),
        *_table(
            ("怎样胡 how won", "局 rounds", "占胡牌 of wins", "95 %"),
            [(name, f"{row['n']:,}", _share(row["n"], row["of"]), _interval(row)) for name, row in sources if row["n"]],
        ),
    ]


def _kinds(of: _Of, ruleset: str, rounds: int) -> list[str]:
    rows = []
    for name, (_, english) in kinds(RULESETS[ruleset]).items():
        row = of.rows["fan", name]
        means = _mean(of.rows.get(("fan_huxi", name))), _mean(of.rows["fan_points", name])
        shares = _share(row["n"], row["of"]), _interval(row), _share(row["n"], rounds)
        rows.append((f"{name} {english}", f"{row['n']:,}", *shares, *means))
    all_wins = of.rows["win_points", ""]
    means = _mean(of.rows.get(("win_huxi", ""))), _mean(all_wins)
    rows.append(("全部胡牌 all wins", f"{all_wins['n']:,}", "", "", _share(all_wins["n"], rounds), *means))
    head = (
        "番 kind of win",
        "局 rounds",
        "占胡牌 of wins",
        "95 %",
        "占全部局 of rounds",
        "平均胡息 mean",
        "胡家平均得分 mean points won",
    )
    return _table(head, rows)


def _turns(of: _Of, which: str) -> list[str]:
    columns = {"胡（占胡牌）win, of wins": of.bins(f"win_{which}")}
    if (f"ready_{which}_dealer", NEVER) in of.rows:
        dealer, others = f"ready_{which}_dealer", (f"ready_{which}_next", f"ready_{which}_previous")
        columns = {
            "庄听 dealer listens, of rounds": of.bins(dealer),
            "闲听 others listen, of rounds": of.bins(*others),
        } | columns
    rows = [
        (
            "未听 never" if key == AT_END else key,
            *(_share(*bins[key]) if key in bins else "" for bins in columns.values()),
        )
        for key in sorted({key for bins in columns.values() for key in bins})
    ]
    rows.append(("平均 mean", *(_mean_turn(bins) for bins in columns.values())))
    what = "翻开的墙牌 cards drawn by anybody" if which == "wall" else "自己翻的牌 own draws"
    return _table((what, *columns), rows)


def _mean_turn(bins: dict[int, tuple[int, int]]) -> str:
    known = {key: n for key, (n, _) in bins.items() if key != AT_END}
    total = sum(known.values())
    return f"{sum(key * n for key, n in known.items()) / total:.2f}" if total else "—"


def _distributions(of: _Of) -> list[str]:
    huxi = of.bins("huxi")
    rows, left = [], sum(n for n, _ in huxi.values())
    for key, (n, wins) in huxi.items():
        if left * TAIL < wins:
            rows.append((f"≥ {key}", f"{left:,}", _share(left, wins)))
            break
        rows.append((str(key), f"{n:,}", _share(n, wins)))
        left -= n
    dealer, others = of.bins("steps_dealer"), of.bins("steps_next", "steps_previous")
    steps = [
        ("死 dead" if key == -1 else key, *(_share(*bins[key]) if key in bins else "" for bins in (dealer, others)))
        for key in sorted({*dealer, *others}, key=int)
    ]
    return [
        *_table(("胡息", "局 rounds", "占胡牌 of wins"), rows),
        *_table(("起手步数 steps at the deal", "庄 dealer", "闲 others"), steps),
    ]


def _ruleset(name: str, rows: pl.DataFrame) -> list[str]:
    head, rules, of = rows.row(0, named=True), RULESETS[name], _Of(rows)
    told = {
        "局 rounds": f"{head['rounds']:,}",
        "场 sessions": f"{-(-head['rounds'] // SESSION):,}",
        "选手 player": f"{head['player']}-{head['version']}",
        "种子 seed": head["seed"],
        "引擎 engine": head["engine_version"],
    }
    return [
        f"## `{name}` {rules.zh} · {rules.en}",
        "",
        "; ".join(f"{what} {value}" for what, value in told.items()) + ".",
        "",
        *_outcomes(of),
        *_kinds(of, name, head["rounds"]),
        *([] if rules.draw_to_hand else _distributions(of)),
        *_turns(of, "wall"),
        *_turns(of, "own"),
    ]


def markdown(rows: pl.DataFrame) -> str:
    """The page of the baselines in ``rows``; it names the rulesets that have none."""
    measured = rows["ruleset"].unique(maintain_order=True).to_list()
    out = [INTRO.format(session=SESSION), ""]
    missing = [f"`{name}`" for name in RULESETS if name not in measured]
    if missing:
        out += [f"未测 Not measured: {', '.join(missing)}.", ""]
    for name in measured:
        out += _ruleset(name, rows.filter(pl.col("ruleset") == name))
    return "\n".join(out).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(markdown(load()), end="")
