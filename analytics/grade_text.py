"""What ``phz grade`` prints for people."""

from __future__ import annotations

import sys
from typing import Any

import polars as pl

from analytics import luck_table
from analytics.decision_summary import summary
from analytics.decisions import BANDS, KINDS, cuts, worst
from analytics.reasons import sentence
from ingest.cards import name as card_name
from ingest.limits import both, in_lang
from replay.judging import REASONS
from replay.kernels.luck import MICRO

DRAWS_TOLD = 3
"""So many draws of a round are told of, those that changed most."""


def print_decisions(found: pl.DataFrame, lang: str) -> None:
    """A line a decision, and what else could have been done."""
    zh = lang == "zh"
    for key, part in found.group_by("round_id", maintain_order=True):
        print(f"# {key[0]}  {part['evaluator'][0]}")
        for one in part.iter_rows(named=True):
            where = f"@{one['seq']:<3} {one['player']}"
            if one["why_not"]:
                print(f"{where}: {'不评' if zh else 'not judged'}: {REASONS[one['why_not']][0 if zh else 1]}")
                continue
            taken = one["choices"][one["taken"]]
            band = BANDS[one["band"] or 0][0 if zh else 1]
            loss = f"{one['loss']:+.2f} ±{1.96 * one['error']:.2f}"
            print(f"{where}: {taken['text']}  {'损失' if zh else 'loss'} {loss} {band}  {sentence(one, lang)}")
            ranked = sorted(enumerate(one["choices"]), key=lambda pair: pair[1]["behind"])
            for i, choice in ranked[:4]:
                mark = "*" if i == one["taken"] else " "
                points = choice["points"][one["seat"]]
                print(
                    f"   {mark} {choice['text']}: {points:+.2f}, −{choice['behind']:.2f} ±{1.96 * choice['error']:.2f}"
                )


def print_summary(found: pl.DataFrame, clusters: pl.DataFrame, lang: str) -> None:
    """Sums by player and kind, then the worst decisions."""
    zh = lang == "zh"
    for by in (("player",), ("player", "kind")):
        for one in summary(found, clusters, by).iter_rows(named=True):
            kind = "" if len(by) == 1 else " " + KINDS[one["kind"]][0 if zh else 1]
            bounds = _between(one["loss_low"], one["loss_high"])
            said = (
                f"每次损失 {one['loss']:.2f}{bounds} 分，n={one['decisions']}；每局 {one['loss_round']:.2f}；"
                f"与最好一致 {one['matches'] / one['decisions']:.0%}；失误 {one['mistakes']}"
                if zh
                else f"loss {one['loss']:.2f}{bounds} points a decision, n={one['decisions']}; "
                f"{one['loss_round']:.2f} a round; as the best {one['matches'] / one['decisions']:.0%}; "
                f"mistakes {one['mistakes']}"
            )
            print(f"{one['player']}{kind}: {said}")
    for one in worst(found).iter_rows(named=True):
        print(f"{one['round_id'][:12]}@{one['seq']} {one['player']}: {sentence(one, lang)}")
    left = found.filter(pl.col("why_not") != "")
    for reason, count in left.group_by("why_not").len().sort("why_not").iter_rows():
        told = REASONS[reason][0 if zh else 1]
        print(f"不评的决定 {count}：{told}" if zh else f"decisions that could not be judged: {count}: {told}")


def print_cuts(rulesets: set[str], lang: str) -> None:
    """From which loss on a decision is called a mistake."""
    for name, cut in cuts().items():
        if name not in rulesets:
            continue
        said = both(
            f"{name}：损失肯定超过 {cut.mistake} 分是失误，{cut.blunder} 分是大失误"
            f"（{cut.player} {cut.decisions} 次决定的分布）",
            f"{name}: a loss surely above {cut.mistake} points is a mistake, above {cut.blunder} a blunder "
            f"(from {cut.decisions} decisions of {cut.player})",
        )
        print(in_lang(said, lang), file=sys.stderr)


def _points(micros: int) -> str:
    return f"{micros / MICRO:+.2f}"


def print_ledgers(found: pl.DataFrame, lang: str) -> None:
    """Of each round the account of every person, and the draws that changed most."""
    zh = lang == "zh"
    for one in found.iter_rows(named=True):
        print(f"# {one['round_id']}  {'运气账' if zh else 'luck ledger'}  {one['evaluator']}")
        if one["why_not"]:
            print("没有账：" + luck_table.REASONS[one["why_not"]][0] if zh else luck_table.REASONS[one["why_not"]][1])
            continue
        for seat, player in enumerate(one["players"]):
            if one["payoff"][seat] is not None:
                print(f"{player}: {_account(one, seat, zh=zh)}")
        draws = [term for term in one["terms"] if term["kind"] != "decision"]
        for term in sorted(draws, key=lambda term: -max(abs(v) for v in term["points"] if v is not None))[:DRAWS_TOLD]:
            seats = zip(one["players"], term["points"], strict=True)
            worth = "  ".join(f"{player} {_points(value)}" for player, value in seats if value is not None)
            print(f"@{term['seq']:<3} {card_name(term['card'])}: {worth}")


def _account(one: dict[str, Any], seat: int, *, zh: bool) -> str:
    """The terms of one person, which sum to the points."""
    own = sum(term["points"][seat] for term in one["terms"] if term["kind"] == "decision" and term["seat"] == seat)
    others = sum(term["points"][seat] for term in one["terms"] if term["kind"] == "decision") - own
    draws = sum(term["points"][seat] for term in one["terms"] if term["kind"] != "decision")
    numbers = (one["payoff"], one["expectation"], one["deal"])
    paid, expected, deal = (_points(number[seat]) for number in numbers)
    rest = (_points(draws), _points(own), _points(others), _points(one["revision"][seat]))
    names = ("位置", "发牌", "摸牌", "自己的决定", "别家的决定", "修正") if zh else (
        "role", "deal", "draws", "own decisions", "others' decisions", "revision"
    )  # fmt: skip
    return f"{paid} = " + "  ".join(
        f"{name} {value}" for name, value in zip(names, (expected, deal, *rest), strict=True)
    )


def print_luck(found: pl.DataFrame, lucks: pl.DataFrame, clusters: pl.DataFrame, lang: str) -> None:
    """What each player made a round, less luck, and how much less that varies; of the ledgers ``found``, by person."""
    zh = lang == "zh"
    for one in luck_table.adjusted(lucks, clusters).iter_rows(named=True):
        r = "—" if one["r"] is None else f"{one['r']:.2f}{_between(one['r_low'], one['r_high'])}"
        paid = f"{one['paid']:+.2f}{_between(one['paid_low'], one['paid_high'])}"
        rest = f"{one['adjusted']:+.2f}{_between(one['adjusted_low'], one['adjusted_high'])}"
        print(
            f"{one['player']}: 每局 {paid} 分，去掉运气 {rest}，n={one['rounds']}，R={r}"
            if zh
            else f"{one['player']}: {paid} points a round, less luck {rest}, n={one['rounds']}, R={r}"
        )
    left = found.filter(pl.col("why_not") != "")
    for reason, count in left.group_by("why_not").len().sort("why_not").iter_rows():
        print(f"没有运气账的牌局 {count}：" + luck_table.REASONS[reason][0] if zh else (
            f"rounds without a luck ledger: {count}: {luck_table.REASONS[reason][1]}"))  # fmt: skip


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:.2f}, {high:.2f}]"
