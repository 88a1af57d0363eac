"""Is this a win, and what is it worth? Rulesets ``qq``, ``hu15``, ``guilin``; rules C.3, D.0, D.2, D.3, J."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.oracle.cards import KINDS, is_red
from tests.oracle.split import Group, best_partial, best_split, chi_group, same

QUADS = ("跑", "提")
LAID = ("碰", "坎", "偎", "臭偎", "跑", "提")
MIN_XI = {"qq": 15, "hu15": 15, "guilin": 10}
WINS_ON = {
    "qq": ("liang", "own_draw", "other_draw"),
    "hu15": ("liang", "own_draw", "other_draw"),
    "guilin": ("liang", "own_draw", "other_draw", "discard"),
}


@dataclass(frozen=True)
class Value:
    complete: bool
    wins: bool = False
    huxi: int = 0
    groups: tuple[Group, ...] = ()
    duidui: bool = False
    red: int = 0
    fan: dict[str, int] = field(default_factory=dict)
    f: int = 1  # the factor that the fan come to
    units: int = 0  # x: 等 with 自摸 added, before 番; guilin: 子
    points: tuple[int, ...] = ()  # winner first


def meld(text: str) -> Group:
    """Read "碰 s9", "吃 b2 b7 b10", "臭偎 s5"."""
    form, *cards = text.split()
    if form == "吃":
        group = chi_group(cards)
        if group is None:
            raise ValueError(f"no 吃 group: {text}")
        return group
    if form not in LAID or len(cards) != 1:
        raise ValueError(f"no meld: {text}")
    return same(form, cards[0])


def deng(xi: int) -> int:
    return (xi - 12) // 3


Way = tuple[list[Group], list[str]]


def ways(held: Counter[str], table: list[Group], card: str, source: str, dealer: bool) -> Iterator[Way]:
    """Each way of using the winning card: the groups that are then fixed, and the cards that stay loose.

    A 坎 or 提 of the hand is locked (four of a kind in the hand is a 提). What is forced leaves one way only: own draw
    on a pair (偎), on a 坎 or on a tabled 偎 (提); likewise the dealer with the 亮张, which makes a 坎 of a pair.
    """
    locked = [same("坎" if n == 3 else "提", kind) for kind, n in held.items() if n >= 3]
    loose = [kind for kind, n in held.items() if n < 3 for _ in range(n)]
    tabled = next((group for group in table if group.form in LAID and group.cards[0] == card), None)
    others = [group for group in table if group is not tabled]
    own = source == "own_draw" or (source == "liang" and dealer)

    if held[card] == 3:
        without = [group for group in locked if group.cards[0] != card]
        yield [*table, *without, same("提" if own else "跑", card)], loose
        if own:
            return
    elif tabled is not None and tabled.form in ("偎", "臭偎"):
        yield [*others, same("提" if own else "跑", card), *locked], loose
        if own:
            return
    elif tabled is not None and tabled.form == "碰" and source != "discard":
        yield [*others, same("跑", card), *locked], loose
    elif held[card] == 2:
        without_pair = [kind for kind in loose if kind != card]
        form = "碰" if not own else "坎" if source == "liang" else "偎"
        yield [*table, *locked, same(form, card)], without_pair
        if own:
            return
    yield [*table, *locked], [*loose, card]


def evaluate(
    hand: Iterable[str],
    melds: Iterable[str] = (),
    win_card: str | None = None,
    source: str | None = None,
    ruleset: str = "qq",
    *,
    dealer: bool = False,
    last_card: bool = False,
    tianhu: bool = False,
    zi_shu: int = 5,
    zimo: str = "plus_one",
) -> Value:
    """``source``: own_draw | other_draw | discard | liang | None (the hand is whole without a further card).

    ``tianhu``: claim the 天胡 of three 提 or five 坎, which needs no shape. ``zi_shu`` and ``zimo`` are guilin's
    room options.
    """
    held = Counter(hand)
    table = [meld(text) for text in melds]
    total = held + Counter(card for group in table for card in group.cards)
    if win_card is not None:
        total[win_card] += 1
    if any(kind not in KINDS for kind in total) or max(total.values()) > 4:
        raise ValueError("no such cards")
    red = sum(n for kind, n in total.items() if is_red(kind))

    if tianhu and ruleset != "guilin":
        full = held + Counter([win_card] if win_card else [])
        quads = [kind for kind, n in full.items() if n == 4]
        kans = [kind for kind, n in full.items() if n == 3]
        if len(quads) >= 3 or len(quads) + len(kans) >= 5:
            fixed = [same("提", kind) for kind in quads] + [same("坎", kind) for kind in kans]
            rest = [kind for kind, n in full.items() if n < 3 for _ in range(n)]
            xi = sum(group.huxi for group in fixed) + best_partial(rest)
            fan, f = fan_of(red, False, False)
            x = ((2 * xi if ruleset == "qq" else xi) - 12) // 3 + 1
            return Value(False, True, xi, tuple(fixed), False, red, fan, f, x, pay(ruleset, x, f))

    if win_card is None:
        locked = [same("坎" if n == 3 else "提", kind) for kind, n in held.items() if n >= 3]
        tries = [([*table, *locked], [kind for kind, n in held.items() if n < 3 for _ in range(n)])]
    else:
        tries = list(ways(held, table, win_card, source or "", dealer))

    best: tuple[int, bool, tuple[Group, ...]] | None = None
    for fixed, loose in tries:
        quad = any(group.form in QUADS for group in fixed)
        found = best_split(loose, quad)
        if found is None:
            continue
        groups = (*fixed, *found[1])
        if len(groups) != 7:
            continue
        xi = sum(group.huxi for group in groups)
        duidui = all(group.form in (*LAID, "将") for group in groups)
        if best is None or (xi, duidui) > best[:2]:
            best = xi, duidui, groups
    if best is None:
        return Value(False, red=red)

    xi, duidui, groups = best
    allowed = win_card is None or source in WINS_ON[ruleset]
    if ruleset == "guilin" and source == "liang" and not dealer:
        allowed = False
    if not allowed or xi < MIN_XI[ruleset]:
        return Value(True, False, xi, groups, duidui, red)
    if ruleset == "guilin":
        zi = 1 + (xi - MIN_XI[ruleset]) // zi_shu
        if source == "liang":
            zi *= 2
        elif source == "own_draw":
            zi = zi * 2 if zimo == "double" else zi + 1
        points = (2 * zi, 0, -2 * zi) if source == "discard" else (2 * zi, -zi, -zi)
        return Value(True, True, xi, groups, duidui, red, {}, 1, zi, points)
    fan, f = fan_of(red, duidui, last_card)
    x = deng(2 * xi) + 1 if source == "liang" and ruleset == "qq" else deng(xi) + (source in ("liang", "own_draw"))
    return Value(True, True, xi, groups, duidui, red, fan, f, x, pay(ruleset, x, f))


def fan_of(red: int, duidui: bool, last_card: bool) -> tuple[dict[str, int], int]:
    """Names with their 番, and the factor. 乌胡 with 对对胡 makes 10; 海底 counts beside another name only."""
    fan = {}
    if red == 0:
        fan["乌胡"] = 5
    elif red == 1:
        fan["点胡"] = 3
    elif 10 <= red <= 12:
        fan["红胡"] = 2
    elif red >= 13:
        fan["红乌"] = 4
    if duidui:
        fan["对对胡"] = 4
    f = 10 if red == 0 and duidui else sum(fan.values())
    if last_card and fan:
        fan["海底"] = 2
        f += 2
    return fan, f or 1


def pay(ruleset: str, x: int, f: int) -> tuple[int, ...]:
    d = 3 if ruleset == "qq" else 1
    return 2 * x * f * d, -x * f * d, -x * f * d
