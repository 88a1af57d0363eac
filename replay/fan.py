"""番: the patterns of chapter 10 of the rules, one entry each, in the order of the kernel's bits."""

from __future__ import annotations

from typing import NamedTuple

from replay.kernels.layout import P_FAN_HONG, PARAM0


class Fan(NamedTuple):
    """A pattern; its value per ruleset is in the ruleset's parameters from ``P_FAN_HONG`` on."""

    zh: str
    en: str
    definition: str


FAN = (
    Fan("红胡", "red win", "10 to 12 red cards"),
    Fan("点胡", "one red", "exactly one red card"),
    Fan("红乌", "very red", "13 or more red cards"),
    Fan("乌胡", "all black", "no red card"),
    Fan("对对胡", "all alike", "no 顺, 二七十 or 绞"),
    Fan("乌对对", "black and all alike", "乌胡 and 对对胡 together"),
    Fan("海底", "last card", "won on the last wall card, beside another pattern"),
)
SPECIAL = {1: "三提五坎", 2: "天胡", 3: "地胡"}
PING_HU = "平胡"


def names(bits: int, params: tuple[int, ...]) -> dict[str, int]:
    """Name → 番 of the patterns in ``bits``, in table order."""
    return {fan.zh: params[P_FAN_HONG - PARAM0 + i] for i, fan in enumerate(FAN) if bits >> i & 1}
