"""What a win is worth and who pays: rules D, B.2 (天胡), J (子, 醒), and the notes on 宁乡."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ingest.cards import RED, is_big
from ingest.codes import NO_SEAT, Source
from tests.oracle.groups import EQUAL
from tests.oracle.hu import Shape
from tests.oracle.rules import Rules

Result = dict[str, Any]
QUAD, TRIPLE = 4, 3
TIANHU = ("tianhu", "tianhu_quads")


@dataclass(frozen=True)
class Win:
    """A win that may be claimed: where its card came from, and every layout that wins."""

    seat: int
    source: Source
    shapes: tuple[Shape, ...]
    special: str = ""  # tianhu: complete with the 亮张; tianhu_quads: by count; dihu
    discarder: int = NO_SEAT
    last: bool = False  # on the last wall card
    laid_quads: int = 0


def is_zimo(rules: Rules, win: Win, dealer: int) -> bool:
    """A, D.0: drawn by the winner; whether a 天胡 counts as 自摸 is the ruleset's (G9)."""
    if win.special in TIANHU:
        return bool(rules["tianhu_is_zimo"] == "all" or (rules["tianhu_is_zimo"] == "dealer" and win.seat == dealer))
    return win.source == Source.OWN_DRAW


def colour(rules: Rules, shape: Shape) -> dict[str, int]:
    """番 of the number of red cards, D.2, D.5; 宁乡: 三扁, 四扁, 双漂, 十红."""
    red = sum(card in RED for card in shape.cards)
    fan = {}
    if red == 0:
        fan["乌胡"] = rules["fan_wu"]
    elif red == 1:
        fan["点胡"] = rules["fan_dian"]
    elif 10 <= red <= 12:
        fan["红胡"] = rules["fan_hong"]
    elif red >= 13:
        fan["红胡" if rules["name"] == "luzhou" else "红乌"] = rules["fan_hong_wu"]
    if red >= 10 and rules["fan_shihong"]:
        fan["十红"] = rules["fan_shihong"] + rules["fan_more"] * (red - 10)
    sizes = [len(group.cards) for group in shape.groups if len(group.cards) >= TRIPLE and _equal_red(group.cards)]
    if red == TRIPLE and sizes == [TRIPLE]:
        fan["三扁"] = rules["fan_sanbian"]
    if red == QUAD and sizes == [QUAD]:
        fan["四扁"] = rules["fan_sibian"]
    if len(sizes) == 2 and sum(sizes) == red:
        fan["双漂"] = rules["fan_shuangpiao"]
    return fan


def _equal_red(cards: Sequence[int]) -> bool:
    return len(set(cards)) == 1 and cards[0] in RED


def fan_of(rules: Rules, win: Win, shape: Shape, dealer: int) -> tuple[dict[str, int], int]:
    """D.2–D.5: the names with their 番, and the factor that they come to."""
    if rules["fan_level"] == "none":
        return {}, 1
    half = rules["fan_level"] == "half"
    fan = colour(rules, shape)
    big = sum(map(is_big, shape.cards))
    for name, n in (("十八大", big), ("十八小", len(shape.cards) - big)):
        if n >= 18:
            value = rules["fan_shiba_da" if name == "十八大" else "fan_shiba_xiao"]
            fan[name] = value + rules["fan_more"] * (n - 18) if value else 0
    if big in (0, len(shape.cards)):
        fan["清一色"] = rules["fan_qingyise"]
    duidui = all(group.form in EQUAL for group in shape.groups)
    if duidui and half and sum(len(group.cards) for group in shape.groups) == len(shape.cards):
        fan["对对胡"] = rules["fan_duidui"]
    if win.special in TIANHU:
        fan["天胡"] = rules["fan_tianhu"]
    if win.special == "dihu":
        fan["地胡"] = rules["fan_dihu"]
    if is_zimo(rules, win, dealer):
        fan["自摸"] = rules["fan_zimo"]
        if rules["zimo"] == "one_fan":
            fan["自摸"] = 1
    fan = {name: value for name, value in fan.items() if value}
    values = list(fan.values())
    if rules["fan_wu_duidui"] and {"乌胡", "对对胡"} <= fan.keys():
        values = [value for name, value in fan.items() if name not in ("乌胡", "对对胡")] + [rules["fan_wu_duidui"]]
    if win.last and half and rules["fan_haidi"] and (fan or rules["haidi_alone"] > 1):
        fan["海底"] = rules["fan_haidi"] if fan else rules["haidi_alone"]
        values.append(fan["海底"])
    return fan, (prod(values) if rules["fan_combine"] == "product" else sum(values)) or 1


def deng(rules: Rules, xi: int) -> int:
    """D.0, D.5, J: 等 (子, 底) counted from the least winning 胡息."""
    units = int(rules["unit_base"] + (xi - rules["min_huxi"]) // rules["zi_step"])
    return min(units, rules["deng_cap"]) if rules["deng_cap"] else units


def xing_hits(rules: Rules, shape: Shape, rest: Sequence[int]) -> int:
    """J.7: wall cards are turned until one gives fewer than four hits in every enabled kind.

    上 is the next rank up (十 to 一), 中 the card itself, 下 the next rank down, all of its size.
    """
    steps = {"shang": 1, "zhong": 0, "xia": -1}
    hits = 0
    for turned in rest if rules["xing"] else ():
        base = turned - turned % 10
        found = [shape.cards.count(base + (turned % 10 + steps[kind]) % 10) for kind in rules["xing"]]
        hits += sum(found)
        if max(found) < QUAD:
            break
    return hits


def units_of(rules: Rules, win: Win, shape: Shape, dealer: int, hits: int) -> int:
    """Units before 番: 等 with 自摸 (D.1–D.3), 子 with 醒 and doubling (J)."""
    xi = shape.huxi * (rules["tianhu_factor"] if win.special in TIANHU else 1)
    units = deng(rules, xi) + hits
    if is_zimo(rules, win, dealer):
        if rules["zimo"] == "plus_one":
            units += 1
        elif rules["zimo"] == "double":
            units *= 2
    return units * 2 if rules["special_double"] and win.special else units


def huang(rules: Rules, seats: int, dealer: int, sitter: bool, dealer_qianti: bool) -> Result:
    """D.1: 荒 costs the dealer a fee to the 醒家, where there is one."""
    points = [0] * (seats + sitter)
    _to_sitter(points, dealer, sitter, rules["huang_fee"] + rules["qianti_bonus"] * dealer_qianti)
    return {"winner": -1, "huxi": 0, "fan_names": {}, "factor": 1, "units": 0, "points": tuple(points), "special": ""}


def _to_sitter(points: list[int], seat: int, sitter: bool, fee: int) -> None:
    if sitter:
        points[seat] -= fee
        points[-1] += fee


def score(
    rules: Rules, seats: int, dealer: int, sitter: bool, win: Win, rest: Sequence[int] = (), dealer_qianti: bool = False
) -> Result:
    """The layout with most 胡息, then most 番 (C.3), and its payments. ``rest``: the wall cards not drawn."""
    shape = max(win.shapes, key=lambda one: (one.huxi, fan_of(rules, win, one, dealer)[1]))
    fan, factor = fan_of(rules, win, shape, dealer)
    hits = xing_hits(rules, shape, rest)
    units = units_of(rules, win, shape, dealer, hits)
    total = units * factor + rules["quad_units"] * win.laid_quads
    if rules["zimo"] == "plus_one_after_fan" and is_zimo(rules, win, dealer):
        total += 1
    fee = {"none": 0, "flat": 1, "per_fan": factor}[rules["xing_fee"]] if sitter else 0
    points = [0] * (seats + sitter)
    for loser in range(seats):
        if loser == win.seat:
            continue
        share = total
        if win.discarder != NO_SEAT and rules["pay_discard"] != "all":
            share = total if loser == win.discarder else 0
            if rules["pay_discard"] == "discarder_for_all":
                share *= seats - 1
        points[loser] -= share * rules["base_points"]
        points[win.seat] += share * rules["base_points"]
        _to_sitter(points, loser, sitter, fee * rules["base_points"])
    _to_sitter(points, dealer, sitter, rules["qianti_bonus"] * dealer_qianti)
    return {
        "winner": win.seat,
        "huxi": shape.huxi,
        "fan_names": fan,
        "factor": factor,
        "units": units,
        "points": tuple(points),
        "special": win.special,
        "source": win.source,
        "groups": shape.groups,
        "red": sum(card in RED for card in shape.cards),
        "xing_hits": hits,
    }
