"""番: the patterns of the rules, one entry each, in the order of the kernel's bits and parameters."""

from __future__ import annotations

from typing import NamedTuple

from replay.ruleset import Ruleset


class Fan(NamedTuple):
    """A pattern. ``key``: its option is ``fan_<key>``, the 番 it counts; ``clause``: where it is defined."""

    key: str
    zh: str
    en: str
    definition: str
    clause: str


FAN = (
    Fan("hong", "红胡", "red win", "10 to 12 red cards", "10.5"),
    Fan("dian", "点胡", "one red", "exactly one red card", "10.5"),
    Fan("hong_wu", "红乌", "very red", "13 or more red cards", "10.5"),
    Fan("wu", "乌胡", "all black", "no red card (黑胡)", "10.5"),
    Fan("duidui", "对对胡", "all alike", "no 顺, 二七十 or 绞 (碰碰胡)", "10.5"),
    Fan("wu_duidui", "乌对对", "black and all alike", "乌胡 and 对对胡 together", "10.9"),
    Fan("haidi", "海底", "last card", "won on the last wall card, beside another pattern", "10.10"),
    Fan("shihong", "十红", "ten red", "10 or more red cards", "17.11"),
    Fan("tianhu", "天胡", "heavenly win", "won on the dealt cards", "15.8"),
    Fan("dihu", "地胡", "earthly win", "won on the dealer's first discard, or in the first round", "15.9"),
    Fan("sanbian", "三扁", "three red alike", "three equal red cards in a group and no other red", "17.8"),
    Fan("sibian", "四扁", "four red alike", "four equal red cards in a group and no other red", "17.9"),
    Fan("shuangpiao", "双漂", "two red groups", "two groups of equal red cards and no other red", "17.10"),
    Fan("shiba_da", "十八大", "eighteen big", "18 or more big cards", "17.12"),
    Fan("shiba_xiao", "十八小", "eighteen small", "18 or more small cards", "17.12"),
    Fan("qingyise", "清一色", "one size", "all cards big or all small", "16.14"),
    Fan("zimo", "自摸", "own draw", "won on the own draw, 天胡 apart", "16.13"),
)
SPECIAL = {1: "三提五坎", 2: "天胡", 3: "地胡"}
PING_HU = "平胡"
SHIHONG, SHIBA_DA, SHIBA_XIAO = 7, 13, 14
"""The patterns that may grow with each card above their bound (``fan_more``)."""


def names(bits: int, ruleset: Ruleset, red: int, big: int, small: int) -> dict[str, int]:
    """Name → 番 of the patterns in ``bits``, in table order; the counts are those of the winner's cards."""
    words = dict(ruleset.words)
    over = {SHIHONG: red - 10, SHIBA_DA: big - 18, SHIBA_XIAO: small - 18}
    return {
        words.get(fan.key, fan.zh): ruleset.fan_value(f"fan_{fan.key}") + ruleset.fan_more * over.get(i, 0)
        for i, fan in enumerate(FAN)
        if bits >> i & 1
    }
