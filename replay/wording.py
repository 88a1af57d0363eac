"""Chinese for the texts that replay stores: reasons of what is undecided, and what findings expected and found.

Results keep one wording (English, with the game's own words in Chinese), so that they compare and count; people read
them through ``localised``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_N = r"(-?\d+|#)"
TEXTS: tuple[tuple[str, str], ...] = (
    (rf"hand of seat {_N} is unknown", r"座位 \1 手牌未知"),
    (r"亮张 is unknown", "亮张未知"),
    (r"wall is unknown", "墩牌未知"),
    (r"the source never tells (.+)", r"来源从不记录 \1"),
    (rf"record stops after event {_N}", r"记录在事件 \1 之后中断"),
    (rf"event {_N} has an unknown card", r"事件 \1 的牌未知"),
    (rf"score: the winner's hand \(seat {_N}\) is unknown", r"得分：胡家（座位 \1）手牌未知"),
    (rf"score: the hand of seat {_N} is unknown", r"得分：座位 \1 手牌未知"),
    (r"score: the card turned for 醒 is unknown", "得分：翻醒的牌未知"),
    (rf"seat {_N} left: the rules do not say what that costs", r"座位 \1 逃跑：规则没有说扣多少"),
    (r"dealer: the round before is missing", "庄家：缺上一局"),
    (r"dealer: earlier rounds are missing", "庄家：缺先前的局"),
    (r"dealer: how the round before ended is not known", "庄家：上一局如何结束未知"),
    (r"dealer: who opened the room is not known", "庄家：不知由谁开房"),
    (rf"{_N} further findings are not listed", r"另有 \1 个问题未列出"),
    (rf"sum of the groups {_N}", r"各组之和 \1"),
    (rf"total {_N}", r"总数 \1"),
    (r"without (\S+)", r"少 \1"),
    (r"with (\S+)", r"多 \1"),
    (rf"winner {_N}", r"胡家 \1"),
    (rf"source {_N}", r"来源 \1"),
    (rf"from {_N}", r"出自座位 \1"),
    (r"units (\S+)", r"底/子 \1"),
    (r"points all 0 \(荒庄\)", "得分皆 0（荒庄）"),
    (r"points (\[.*\])", r"得分 \1"),
    (rf"{_N} (\S+) in the groups", r"牌组中有 \1 张\2"),
    (rf"wall of {_N}", r"墩 \1 张"),
    (r"a black bottom card", "末张为黑牌"),
    (r"亮张 among the dealer's 21", "亮张在庄家的 21 张之中"),
    (r"not there", "不在其中"),
    (r"a wall that lists the 亮张 first", "墩的第一张为亮张"),
    (r"another card", "另一张牌"),
    (rf"dealer {_N}", r"庄家 \1"),
    (rf"dealer {_N} or {_N}", r"庄家 \1 或 \2"),
    (rf"sitter {_N}", r"不上场者 \1"),
    (r"totals (\[.*\])", r"累计 \1"),
)


def localised(text: str, lang: str) -> str:
    """``text`` in ``zh`` or ``en``; what is no phrase of ours (cards, numbers, events) stays as it is."""
    return translated(text, TEXTS) or text if lang == "zh" else text


def translated(text: str, phrases: Sequence[tuple[str, str]]) -> str | None:
    """The Chinese of a text that one of the ``(pattern, Chinese)`` phrases is, or None."""
    for pattern, zh in phrases:
        if found := re.fullmatch(pattern, text):
            return found.expand(zh)
    return None


def both(text: str) -> dict[str, str]:
    """``text`` in both languages, for pages that switch by themselves."""
    return {"zh": localised(text, "zh"), "en": text}
