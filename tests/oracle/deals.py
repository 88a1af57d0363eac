"""Deals and positions for tests of the oracle, written as cards of ``ingest.cards.parse``, with ``b5×3`` for three."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ingest.cards import COPIES, KINDS, parse
from ingest.codes import FORM_CHARS, Action
from tests.oracle.game import Game
from tests.oracle.groups import FORM_OF, Meld, counts_of, equal
from tests.oracle.seats import Event, Seat

FORMS = {text: form for form, text in FORM_CHARS.items()}
Deal = tuple[list[list[int]], int, list[int]]


def cards(text: str) -> list[int]:
    found: list[int] = []
    for piece in text.split():
        kind, _, times = piece.partition("×")
        found += parse(kind) * int(times or 1)
    return found


def card(text: str) -> int:
    (found,) = cards(text)
    return found


def melds(text: str) -> list[Meld]:
    """``碰 s3, 吃 s2 s7 s10``."""
    found = []
    for piece in filter(None, text.split(",")):
        form, *named = piece.split()
        kinds = cards(" ".join(named))
        if form == "吃":
            laid = tuple(sorted(kinds))
            found.append(Meld(FORM_OF[laid], laid))
        else:
            found.append(equal(FORMS[form], kinds[0]))
    return found


def whole_deal(hands: Sequence[str], extra: str, wall: str = "") -> Deal:
    """A full deck: the named cards, each hand, the 亮张 and the wall filled up from the rest, spread thin."""
    named = [cards(hand) for hand in hands]
    front, extra21 = cards(wall), card(extra)
    left = [COPIES - n for n in counts_of([one for hand in named for one in hand] + [extra21, *front])]
    assert min(left) >= 0
    rest = [kind for kind in range(KINDS) for _ in range(left[kind])]
    spread = [one for step in range(7) for one in rest[step::7]]
    for hand in named:
        while len(hand) < 20:
            hand.append(spread.pop(0))
        assert len(hand) == 20
    return named, extra21, front + spread


def deal(
    ruleset: str,
    hands: Sequence[str],
    extra: str,
    wall: str = "",
    options: dict[str, Any] | None = None,
    dealer: int = 0,
) -> Game:
    return Game(ruleset, len(hands), dealer, *whole_deal(hands, extra, wall), options)


def position(
    ruleset: str,
    seats: Sequence[tuple[str, str]],
    wall: str = "",
    *,
    stage: str = "discard",
    turn: int = 0,
    options: dict[str, Any] | None = None,
    sitter: bool = False,
) -> Game:
    """A round under way, of (hand, melds) for each seat; the cards that nobody names are nowhere. Seat 0 deals."""
    filler = [kind for kind in range(KINDS) for _ in range(COPIES)]
    random.Random(5).shuffle(filler)
    n = len(seats)
    hands = [filler[20 * seat : 20 * seat + 20] for seat in range(n)]
    game = Game(ruleset, n, 0, hands, filler[20 * n], filler[20 * n + 1 :], options, sitter)
    game.extra_due = []
    game.seats = [Seat(counts_of(cards(hand)), melds(table)) for hand, table in seats]
    game.wall, game.drawn = cards(wall), 0
    game.stage, game.turn = stage, turn
    return game


def event(seat: int, action: Action, kind: str, *groups: str) -> Event:
    """A 吃 names its two hand cards first, then its 比."""
    first, *bi = [tuple(sorted(cards(group))) for group in groups] or [()]
    return Event(seat, action, card(kind), (first, *sorted(bi)) if groups else ())


def do(game: Game, seat: int, action: Action, kind: str, *groups: str) -> None:
    game.apply(event(seat, action, kind, *groups))


def actions(game: Game, seat: int) -> set[Action]:
    return {Action(one.action) for one in game.legal() if one.seat == seat}


def shuffled(rng: random.Random, n_seats: int, clumps: bool) -> Deal:
    """A random deal; with ``clumps`` each hand begins with up to three quads and some 坎."""
    kinds = list(range(KINDS))
    rng.shuffle(kinds)
    left = [COPIES] * KINDS
    hands: list[list[int]] = [[] for _ in range(n_seats)]
    for hand in hands if clumps else []:
        for size in [4] * rng.choice((0, 0, 1, 1, 2, 2, 3)) + [3] * rng.choice((0, 1, 2)):
            if kinds and len(hand) + size <= 20:
                kind = kinds.pop()
                hand += [kind] * size
                left[kind] -= size
    deck = [kind for kind in range(KINDS) for _ in range(left[kind])]
    rng.shuffle(deck)
    for hand in hands:
        while len(hand) < 20:
            hand.append(deck.pop())
    return hands, deck.pop(), deck
