"""Exact steps by brute force: every way to use every card, rank by rank, and every order of what comes.

Its own reading of docs/steps.md and docs/rules.md; it shares no table and no kernel with ``replay.kernels.steps``. What
a rest of the hand can become is one big int: a set bit for every (pairs made four, 将, groups, cards that come singly,
胡息) that can be had. Nothing is thrown out as worse, so nothing about what is better is taken for granted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from replay.kernels import layout
from replay.ruleset import Ruleset

XI, SINGLES, GROUPS, JIANG = 128, 8, 8, 3
ONE_SINGLE = XI
ONE_GROUP = XI * SINGLES
ONE_JIANG = ONE_GROUP * GROUPS
ONE_FOUR = ONE_JIANG * JIANG
NO_JIANG, PAIR, LONE = range(JIANG)
"""A 将 that is there, or one of whose cards must come: that one is the last of all."""
MOST_FOURS = 3
"""Three 提 alone bring 27 胡息 and more, above every minimum; a fourth pair that becomes four could stay three."""
RED = (1, 6, 9)


class Seat(NamedTuple):
    """What a seat owns; kinds 0..19. ``loose``: copies of 0..2; ``threes``: ``(kind, form)``, 坎 and 偎 are alike."""

    loose: tuple[int, ...]
    threes: tuple[tuple[int, str], ...]
    groups: int  # all that are made, quads included
    quads: int
    huxi: int
    own: tuple[int, ...]
    waived: int
    owned: int


def seat_of(block: list[int], rules: Ruleset) -> Seat:
    """What the slots of a seat say, read kind by kind."""

    def bits(slot: int, width: int) -> list[int]:
        return [block[slot] >> width * kind & (1 << width) - 1 for kind in range(20)]

    hand, quads, laid = bits(layout.HAND, 2), bits(layout.QUADS, 2), bits(layout.LAID, 3)
    kans = [kind for kind in range(20) if hand[kind] == 3]
    held = [kind for kind in range(20) if quads[kind]]
    tabled = [(slot, form) for slot, form in ((layout.WEIS, "偎"), (layout.PENGS, "碰"))]
    threes = [(kind, form) for slot, form in tabled for kind, n in enumerate(bits(slot, 2)) if n]
    search = Search(rules)
    return Seat(
        loose=tuple(0 if n == 3 else n for n in hand),
        threes=(*((kind, "坎") for kind in kans), *threes),
        groups=block[layout.MELDS] + len(kans) + len(held),
        quads=block[layout.N_QUADS] + len(held),
        huxi=block[layout.XI] + sum(map(search.three, kans)) + sum(map(search.four, held)),
        own=tuple(hand[kind] + 4 * quads[kind] + laid[kind] for kind in range(20)),
        waived=block[layout.WAIVED] - block[layout.OFFSET],
        owned=block[layout.TABLE] + sum(hand) + 4 * len(held),
    )


class Search:
    """One hand's search: what is found is kept for this hand only."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def column(self, kind: int) -> int:
        return (kind >= 10) + 2 * (kind % 10 in RED)

    def three(self, kind: int) -> int:
        return self.rules.huxi_kan[self.column(kind)]

    def four(self, kind: int) -> int:
        return self.rules.huxi_ti[self.column(kind)]

    def triples(self, kind: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """顺, 二七十 and 绞 that contain the kind, with their 胡息."""
        size, rank = kind // 10, kind % 10
        for low in (rank - 2, rank - 1, rank):
            if 0 <= low <= 7:
                worth = self.rules.huxi_123[size] if low == 0 else 0
                yield tuple(10 * size + low + i for i in range(3)), worth
        if rank in RED:
            yield tuple(10 * size + i for i in RED), self.rules.huxi_2710[size]
        twin = (kind + 10) % 20
        yield (kind, kind, twin), 0
        yield (kind, twin, twin), 0

    def become(self, held: tuple[int, ...], left: tuple[int, ...]) -> int:
        """All that the cards can become, each kind coming at most as often as ``left`` says.

        The lowest rank goes first, small before big, so that few rests are met more than once.
        """
        first = next((kind for kind in ORDER if held[kind]), None)
        if first is None:
            return 1
        left = useful(held, left)
        key = held, left
        found = self.known.get(key)
        if found is not None:
            return found
        rest = less(held, (first,))
        found = self.become(rest, left)  # thrown away
        if left[first]:  # alone as the 将, its twin is the last card
            found |= no_jiang(self.become(rest, less(left, (first,)))) << LONE * ONE_JIANG
        if held[first] == 2:
            pair = less(rest, (first,))
            found |= no_jiang(self.become(pair, left)) << PAIR * ONE_JIANG
            if left[first]:
                found |= self.become(pair, less(left, (first,))) << ONE_GROUP + ONE_SINGLE + self.three(first)
            if left[first] > 1:
                rests = self.become(pair, less(left, (first, first)))
                rests &= (1 << ONE_FOUR * MOST_FOURS) - 1
                found |= rests << ONE_FOUR + ONE_GROUP + ONE_SINGLE + self.four(first)
        seen = set()
        for triple, worth in self.triples(first):
            for cards, coming in ((triple, ()), *((without(triple, i), (triple[i],)) for i in range(3))):
                use = tuple(sorted(cards)), coming
                if first not in cards or use in seen or not enough(held, cards) or not enough(left, coming):
                    continue
                seen.add(use)
                delta = ONE_GROUP + worth + (ONE_SINGLE if coming else 0)
                found |= self.become(less(held, cards), less(left, coming)) << delta
        self.known[key] = found
        return found

    def steps(self, seat: Seat) -> int:
        """The least number of cards, -1 if there is none."""
        left = tuple(4 - n for n in seat.own)
        threes = [(kind, form) for kind, form in seat.threes if left[kind]]
        best = -1
        for n in range(len(threes) + 1):
            for chosen in combinations(threes, n):
                gain = sum(
                    self.rules.huxi_pao[self.column(kind)] - self.rules.huxi_peng[self.column(kind)]
                    if form == "碰"
                    else self.four(kind) - self.three(kind)
                    for kind, form in chosen
                )
                bits = self.become(seat.loose, less(left, tuple(kind for kind, _ in chosen)))
                need = max(0, self.rules.min_huxi - seat.huxi - gain)
                for fours, jiang, singles in WAYS:
                    quads = seat.quads + n + fours
                    groups = 7 - seat.groups - int(quads > 0)
                    cards = n + fours + singles + int(jiang == LONE)
                    if (jiang == NO_JIANG) != (quads == 0) or groups < 0 or singles < fours:
                        continue
                    if best >= 0 and cards >= best:
                        continue
                    at = fours * ONE_FOUR + jiang * ONE_JIANG + groups * ONE_GROUP + singles * ONE_SINGLE
                    if (bits >> at & (1 << XI) - 1) >> need == 0:
                        continue
                    coming = Coming(singles - fours, fours, 0, n, int(jiang == LONE))
                    if in_some_order(coming, seat.owned, seat.quads, seat.waived):
                        best = cards
        return best


WAYS = [(a, j, n) for a in range(MOST_FOURS + 1) for j in range(JIANG) for n in range(SINGLES)]
ORDER = [kind for rank in range(10) for kind in (rank, rank + 10)]
NEAR = [
    [
        near
        for near in range(20)
        if near // 10 == kind // 10 and (abs(near - kind) <= 2 or {near % 10, kind % 10} <= {*RED})
    ]
    for kind in range(20)
]
"""Kinds of the same size that stand in a group with the kind."""


def less(counts: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    if not cards:
        return counts
    rest = list(counts)
    for card in cards:
        rest[card] -= 1
    return tuple(rest)


def without(cards: tuple[int, ...], place: int) -> tuple[int, ...]:
    return cards[:place] + cards[place + 1 :]


def enough(counts: tuple[int, ...], cards: tuple[int, ...]) -> bool:
    return all(counts[card] >= cards.count(card) for card in cards)


def no_jiang(found: int) -> int:
    """Those of the ways that have no 将 yet."""
    kept = 0
    for fours in range(MOST_FOURS + 1):
        kept |= found & ((1 << ONE_JIANG) - 1) << fours * ONE_FOUR
    return kept


def useful(held: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...]:
    """``left`` without more copies than the cards could ever ask for: two cards of a group ask for one."""
    bound = []
    for kind, n in enumerate(left):
        asking = held[(kind + 10) % 20] + sum(held[near] for near in NEAR[kind])
        bound.append(min(n, (asking + held[kind] + 1) // 2 if asking or held[kind] else 0))
    return tuple(bound)


class Coming(NamedTuple):
    """Cards still to come: ``groups`` that stay three, ``pairs`` that become three and then four, ``open_`` ones that
    are three already, ``fours`` for what is three at first, the ``lone`` one for the 将."""

    groups: int
    pairs: int
    open_: int
    fours: int
    lone: int


@cache
def in_some_order(coming: Coming, owned: int, quads: int, waived: int) -> bool:
    """Whether they can come in an order in which the last leaves exactly the cards of a winner (rules 8.20).

    Before each a discard is made when 2.14 says so.
    """
    groups, pairs, open_, fours, lone = coming
    if not any(coming):
        return owned == (20 + quads if quads else 21)
    due = owned - 20 - max(0, quads - 1) - waived
    assert due <= 1
    owned += 1 - int(due == 1)
    moves = []
    if groups:
        moves.append((coming._replace(groups=groups - 1), quads))
    if pairs:
        moves.append((coming._replace(pairs=pairs - 1, open_=open_ + 1), quads))
    if open_:
        moves.append((coming._replace(open_=open_ - 1), quads + 1))
    if fours:
        moves.append((coming._replace(fours=fours - 1), quads + 1))
    if lone and not moves:
        moves.append((coming._replace(lone=0), quads))
    return any(in_some_order(rest, owned, now, waived) for rest, now in moves)
