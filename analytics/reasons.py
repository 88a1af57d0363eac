"""Why a choice was worse than another: one reason as a code, and a sentence for people in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingest.cards import name as card_name
from replay.judging import Choice, Hand
from replay.steps import DEAD

REASONS = {
    "": ("", ""),
    "declined_hu": ("能胡不胡", "a win was declined"),
    "dead": ("这样打，手牌再也胡不了", "the hand can no longer win"),
    "huxi": ("打散了胡息，离起胡更远", "胡息 for the minimum was given up"),
    "steps": ("离胡多了步数", "more steps to a win"),
    "outs": ("进张少了", "fewer cards bring it on"),
    "gives": ("给了别家要的牌", "the others can use the card"),
    "chances": ("胡牌的机会小了", "it wins less often"),
    "points": ("得分少了", "it is paid less"),
}
"""In this order: the first that holds is the reason."""
FEWER = 2
"""Copies fewer that count as a reason."""
GIVES = 0.15
"""How much likelier it must be that another takes the card."""
CHANCES = 0.02


def reason_of(taken: Choice, best: Choice, hand_taken: Hand | None, hand_best: Hand | None) -> str:
    """Code of ``REASONS``; "" when the best choice was taken."""
    if taken.text == best.text:
        return ""
    if hand_best is None:
        return "declined_hu"
    if hand_taken is not None:
        if hand_taken.steps == DEAD != hand_best.steps:
            return "dead"
        if hand_taken.missing > hand_best.missing and hand_taken.steps >= hand_best.steps:
            return "huxi"
        if hand_taken.steps > hand_best.steps:
            return "steps"
        if hand_taken.steps == hand_best.steps and hand_taken.live <= hand_best.live - FEWER:
            return "outs"
    if taken.gives > best.gives + GIVES:
        return "gives"
    if taken.win is not None and best.win is not None and taken.win < best.win - CHANCES:
        return "chances"
    return "points"


def _steps(hand: Mapping[str, Any], lang: str) -> str:
    steps = hand["steps"]
    if steps == DEAD:
        return "死牌" if lang == "zh" else "dead"
    if steps < 0:
        return "—"
    return f"{steps} 步" if lang == "zh" else f"{steps} step{'s' * (steps != 1)}"


def _outs(hand: Mapping[str, Any], lang: str) -> str:
    kinds = "".join(card_name(kind) for kind in hand["kinds"]) or "—"
    return f"{kinds}，{hand['live']} 张" if lang == "zh" else f"{kinds}, {hand['live']} left"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def sentence(row: Mapping[str, Any], lang: str = "zh") -> str:
    """One sentence on a row of the table of decisions: what would have been better, by how much, and why."""
    if row["why_not"]:
        return ""
    taken, best = row["choices"][row["taken"]], row["choices"][row["best"]]
    zh = lang == "zh"
    if row["reason"] == "":
        return "就是最好的一手" if zh else "the best choice"
    why = REASONS[row["reason"]][0 if zh else 1]
    now, then = row["hand_taken"], row["hand_best"]
    more = ""
    if row["reason"] in ("dead", "steps", "huxi") and now and then:
        more = f"{_steps(now, lang)} / {_steps(then, lang)}"
        if row["reason"] == "huxi":
            more += f"，还差 {now['missing']} / {then['missing']} 息" if zh else (
                f", {now['missing']} / {then['missing']} 胡息 missing"
            )  # fmt: skip
    elif row["reason"] == "outs" and now and then:
        more = f"{_outs(now, lang)} / {_outs(then, lang)}"
    elif row["reason"] == "gives":
        more = f"{_percent(taken['gives'])} / {_percent(best['gives'])}"
    elif row["reason"] == "points":
        more = " / ".join(f"{choice['points'][row['seat']]:+.1f}" for choice in (taken, best))
    elif taken["win"] is not None:
        more = f"{_percent(taken['win'])} / {_percent(best['win'])}"
    gap = f"{taken['behind']:.1f} ±{1.96 * taken['error']:.1f}"
    if zh:
        return f"“{taken['text']}”比“{best['text']}”差 {gap} 分：{why}" + (f"（{more}）" if more else "")
    return f"“{taken['text']}” is {gap} points worse than “{best['text']}”: {why}" + (f" ({more})" if more else "")
