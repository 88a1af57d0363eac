"""What a ``fightDetail.log`` does not say outright: the turn order, who draws, and the 比 of a 吃."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ingest.adapters.fields import bad
from ingest.adapters.threes import is_three
from ingest.codes import Action
from ingest.limits import Fault
from ingest.record import Move

SEATS = 3
OWN_DRAW = frozenset({Action.WEI, Action.CHOU_WEI, Action.TI})
CIRCLES = ((0, 1, 2), (0, 2, 1))


class Event(NamedTuple):
    """A discard, act or draw. ``who`` is the place in the list of hands, None for a draw."""

    moves: tuple[Move, ...]
    who: int | None
    code: int = 0


def bi_of(more: Counter[int], eaten: int, where: tuple[str | int, ...]) -> list[tuple[int, int, int]]:
    """The 比 among the cards laid beside a 吃, each with its copy of the eaten kind first."""
    held = sorted(more.elements())
    if len(held) == 6:
        ways = set()
        for first in combinations(range(6), 3):
            one = tuple(held[n] for n in first)
            two = tuple(held[n] for n in range(6) if n not in first)
            if eaten in one and eaten in two:
                ways.add((min(one, two), max(one, two)))
        # Only what the server could have offered, where the cards alone leave a choice.
        kept = ways if len(ways) == 1 else {way for way in ways if all(map(is_three, way))}
    else:
        kept = {(tuple(held),)} if held else {()}  # type: ignore[arg-type]
    if len(kept) != 1 or any(eaten not in three for three in next(iter(kept))):
        zh, en = "分不清手牌里的牌怎样组成比", "the cards laid beside the 吃 do not show one way to make 比 of them"
        raise bad((*where, "afterActHandList"), zh, en)
    laid = []
    for three in next(iter(kept)):
        others = list(three)
        others.remove(eaten)
        laid.append((eaten, others[0], others[1]))
    return laid


def who_acts(events: Sequence[Event], circle: Sequence[int], dealer: int) -> list[int]:
    """Who does each event: the wall card is turned by the seat after the one that acted last."""
    actors = []
    last = dealer
    for event in events:
        last = circle[(circle.index(last) + 1) % SEATS] if event.who is None else event.who
        actors.append(last)
    return actors


def turn_order(events: Sequence[Event], dealer: int, order: str) -> tuple[tuple[int, ...], str]:
    """The places of the hands in turn order, and how that is known: ``seen``, ``listed`` or ``assumed``."""
    if order not in ("seen", "listed"):
        zh, en = f"order 应为 seen 或 listed，而不是 {order!r:.20}", f"order is seen or listed, not {order!r:.20}"
        raise bad(("order",), zh, en)
    fits = [circle for circle in CIRCLES if _agrees(events, circle, who_acts(events, circle, dealer))]
    if order == "listed":
        fits = [circle for circle in fits if circle == CIRCLES[0]]
    if not fits:
        raise bad((), "座位次序前后矛盾", "the play contradicts itself about the order of the seats")
    if len(fits) == 1:
        return fits[0], order
    if any(event.who is None for event in events):
        zh = "看不出座位次序，不知道是谁摸牌；若手牌按座位次序列出，请写 order=listed"
        en = "the order of the seats, and so who draws, does not show; do the hands stand in turn order: order=listed"
        raise Fault("BAD_SEAT", zh, en)
    return CIRCLES[0], "assumed"


def _agrees(events: Sequence[Event], circle: Sequence[int], actors: Sequence[int]) -> bool:
    """A discard is 吃 for the next seat, a draw for its drawer too; 偎 and 提 are of an own draw."""
    turned, drawn = -1, False
    for event, who in zip(events, actors, strict=True):
        action = event.moves[0].action
        if action in (Action.DISCARD, Action.DRAW):
            turned, drawn = who, action == Action.DRAW
        else:
            after = (circle.index(who) - circle.index(turned)) % SEATS
            if (action in OWN_DRAW and (after or not drawn)) or (
                action == Action.CHI and after != 1 and not (drawn and after == 0)
            ):
                return False
    return True
