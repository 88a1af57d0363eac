"""The findings that replay can raise, one entry each (docs/violations.md has a paragraph for every code)."""

from __future__ import annotations

from typing import NamedTuple

from replay.kernels import layout


class Violation(NamedTuple):
    """``severity``: 3 the log cannot be true, 2 an offence against the rules, 1 bookkeeping, 0 information."""

    code: str
    zh: str
    en: str
    severity: int
    clause: str


# Raised by the kernels, in the order of their numbers there.
_KERNEL = (
    Violation("ZOU_PAO", "走跑", "failed to 跑", 2, "6.10"),
    Violation("SHI_TI", "失提", "failed to lay a 提", 2, "2.13"),
    Violation("SHI_WEI", "失偎", "failed to 偎", 2, "6.10"),
    Violation("SHAO_BI", "烧比", "吃 without the 比 that was due", 2, "5.11"),
    Violation("CHOU_CHI", "吃臭张", "吃 of a passed or own discarded kind", 2, "7.1"),
    Violation("CHOU_PENG", "碰臭张", "碰 of a passed or own discarded kind", 2, "7.1"),
    Violation("CHAI_KAN", "拆坎", "a 坎 was broken up", 2, "5.6"),
    Violation("CHAI_TI", "拆提", "a 提 was broken up", 2, "5.6"),
    Violation("BAKUAI_DISCARD", "八块打牌", "discard although none was due", 2, "6.12"),
    Violation("MISSING_DISCARD", "该打未打", "the discard that was due is missing", 3, "3.7"),
    Violation("ZHA_HU_XI", "诈胡（息不足）", "win below the minimum 胡息", 2, "8.5"),
    Violation("ZHA_HU_SHAPE", "诈胡（牌型不符）", "win without a legal shape", 2, "8.3"),
    Violation("HU_BANNED", "失去胡牌资格", "win by a seat that had lost the right to win", 2, "7.13"),
    Violation("HU_SOURCE", "胡了不能胡的牌", "win on a card that may not be won", 2, "8.2"),
    Violation("PO_TI", "破提", "win that breaks a forced 提", 2, "8.13"),
    Violation("CHOU_HU", "臭胡", "win on a refused kind with unchanged 胡息", 2, "7.10"),
    Violation("CHOUWEI_HIDDEN", "该明偎而暗偎", "臭偎 laid hidden", 2, "6.4"),
    Violation("CHOUWEI_SPURIOUS", "臭偎与记录不符", "臭偎 without a passed 碰, or the reverse", 1, "6.4"),
    Violation("GE_SHAN", "吃隔山牌", "吃 of a card out of reach", 2, "5.5"),
    Violation("WRONG_PRIORITY", "优先次序错误", "a lower claim was served over a higher one", 3, "4.8"),
    Violation("WRONG_TURN", "不该此人打牌", "discard out of turn", 3, "3.1"),
    Violation("DOUBLE_DRAW", "连摸两张", "two draws in a row by one seat", 3, "3.9"),
    Violation("CARD_NOT_IN_HAND", "手中无此牌", "uses cards that the seat does not hold", 3, "3.14"),
    Violation("FIFTH_COPY", "第五张同样的牌", "a fifth copy of a kind", 3, "1.1"),
    Violation("WALL_MISMATCH", "与墩牌不符", "card differs from the wall, or the deal is not 80 cards", 3, "3.15"),
    Violation("DRAW_ORDER", "不该此人摸牌", "draw out of turn", 3, "3.9"),
    Violation("MELD_INVALID", "不成牌组", "the cards make no such group", 3, "5.13"),
    Violation("FALSE_HUANG", "未到荒庄", "荒庄 although a draw or discard was due", 3, "11.2"),
    Violation("MISSED_HUANG", "荒庄后摸牌", "draw from an empty wall", 3, "11.2"),
    Violation("MISSING_EVENT", "缺少事件", "an event that must be there is missing", 3, "3.17"),
    Violation("WINDOW_CUT", "未等回应即摸牌", "the next card came before the window closed", 1, "12.32"),
    Violation("EVENT_AFTER_END", "局终后还有事件", "event after the end of the round", 3, "11.1"),
    Violation("TIANHU1_MISSED", "天胡未胡", "compulsory 天胡 did not happen", 2, "2.7"),
    Violation("BAD_PASS", "无可过而过", "pass by a seat that had no choice", 1, "3.16"),
    Violation("CLOSED_CLAIM", "无此牌可要", "claim on a card that does not lie open", 3, "3.10"),
    Violation("DEAD_CLAIM", "死手吃碰", "吃 or 碰 that leaves nothing to discard", 2, "3.11"),
    Violation("MELD_KIND", "牌组名目错误", "the act has another name: 跑 for 提 and so on", 3, "6.15"),
    Violation("DOUBLE_CLAIM", "一牌两要", "two claims carried out on one card", 3, "3.10"),
    Violation("LIANG_SKIPPED", "庄家未打先摸", "first draw before the dealer's first discard", 3, "2.16"),
    Violation("LOST_BY_REFUSED_HU", "拒胡失跑", "a forced act was lost by a refused 胡", 0, "12.15"),
    Violation("PO_WEI", "破偎", "win that breaks a forced 偎", 2, "8.13"),
    Violation("PENG_DECLINED", "有碰不碰", "a compulsory 碰 was declined", 2, "15.6"),
    Violation("XING_ACTED", "醒家行牌", "the person who does not play acted", 3, "14.2"),
)
# Raised where a record is compared with what the kernels say.
_RECORD = (
    Violation("WRONG_REVEAL", "明暗不符", "cards lie face up or down against the rules", 1, "6.14"),
    Violation("WRONG_XI", "胡息错误", "reported 胡息 are wrong", 1, "9.4"),
    Violation("UNDERCLAIM", "少算胡息", "a better split was possible", 0, "9.8"),
    Violation("WRONG_FAN", "番错误", "reported 番 are wrong", 1, "10.5"),
    Violation("WRONG_SCORE", "得分错误", "reported units, 醒 or points are wrong", 1, "10.13"),
    Violation("NOT_ZERO_SUM", "积分不平", "reported points do not add up to zero", 1, "10.14"),
    Violation("WRONG_RESULT", "结果不符", "reported winner or source differs from the events", 3, "8.1"),
    Violation("FINAL_HAND", "终局手牌不符", "reported final hand differs", 3, "11.8"),
    Violation("OPTION_NOT_OFFERED", "未给出选项", "a legal option was not offered", 1, "12.33"),
    Violation("OPTION_NOT_LEGAL", "给出非法选项", "an offered option is not legal", 1, "12.33"),
    Violation("LIANG_MISMATCH", "亮张不符", "the 亮张 is not the dealer's 21st card", 3, "2.4"),
    Violation("WRONG_DEALER", "庄家不符", "another dealer than the last round gives", 1, "18.1"),
    Violation("WRONG_TOTAL", "累计分不符", "running totals do not add up", 1, "18.3"),
    Violation("PENALTY_MISAPPLIED", "罚分不符", "reported penalties are not those of the rules", 1, "14.11"),
    Violation("HAND_COUNT", "多牌/少牌", "the number of dealt cards is wrong", 3, "2.3"),
)
VIOLATIONS: dict[str, Violation] = {violation.code: violation for violation in (*_KERNEL, *_RECORD)}

BY_NUMBER: dict[int, Violation] = {getattr(layout, f"V_{violation.code}"): violation for violation in _KERNEL}
"""Kernel number → entry."""
