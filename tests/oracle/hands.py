"""Hands to try: seeded random ones, near-complete ones, and hands padded to seven groups. Oracle cards throughout."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement
from typing import NamedTuple

from tests.oracle.cards import CHARACTERS, KINDS, from_text, is_red, order
from tests.oracle.hand import Value, evaluate
from tests.oracle.split import TRIPLES, Group

SOURCES = ("own_draw", "other_draw", "discard", "liang", None)


class Hand(NamedTuple):
    """A hand to judge; ``win_card`` None: the concealed cards are whole."""

    cards: tuple[str, ...]
    melds: tuple[str, ...] = ()
    win_card: str | None = None
    source: str | None = None

    def value(self, ruleset: str = "qq", **options: object) -> Value:
        return evaluate(self.cards, self.melds, self.win_card, self.source, ruleset, **options)  # type: ignore[arg-type]


def cards_of(text: str) -> list[str]:
    """Read "b5×3 s1 s2" or characters such as "一二三"."""
    if not any(letter in text for letter in "sb"):
        return from_text(text)
    cards: list[str] = []
    for piece in text.split():
        kind, _, times = piece.partition("×")
        cards += [kind] * int(times or 1)
    return cards


def meld_text(text: str) -> str:
    """The oracle's "碰 s9" as the public interface reads it, "碰 九"."""
    form, *cards = text.split()
    return form + " " + "".join(CHARACTERS[card] for card in cards)


def deck() -> list[str]:
    return [kind for kind in KINDS for _ in range(4)]


def random_hand(rng: random.Random) -> Hand:
    """21 cards of a shuffled deck: 20 and one more, from anywhere."""
    drawn = rng.sample(deck(), 21)
    source = rng.choice(SOURCES)
    if source is None:
        return Hand(order(drawn))
    return Hand(order(drawn[1:]), (), drawn[0], source)


def complete_hand(
    rng: random.Random, kinds: Iterable[str] = KINDS, same_only: bool = False, quads: int | None = None
) -> Hand | None:
    """Seven groups of legal cards with one card taken out as the winning card; None if the random groups clash."""
    allowed = set(kinds)
    if quads is None:
        quads = rng.choices((0, 1, 2, 3), (50, 35, 12, 3))[0]
    triples = 7 - quads - (quads > 0)
    chi = [triple for triple in TRIPLES if allowed.issuperset(triple.cards)]
    pool = order(allowed)
    total: Counter[str] = Counter()
    concealed: list[str] = []
    melds: list[str] = []
    openable = quads > 0 or rng.random() < 0.8
    for _ in range(quads):
        kind = rng.choice(pool)
        total[kind] += 4
        if rng.random() < 0.15:
            concealed += [kind] * 4
        else:
            melds.append(f"{rng.choice('跑提')} {kind}")
    for _ in range(triples):
        if same_only or not chi or rng.random() < 0.35:
            kind = rng.choice(pool)
            total[kind] += 3
            form = rng.choice(("坎", "碰", "偎", "臭偎")) if openable else "坎"
            if form == "坎":
                concealed += [kind] * 3
            else:
                melds.append(f"{form} {kind}")
        else:
            triple = rng.choice(chi)
            total.update(triple.cards)
            if openable and rng.random() < 0.4:
                melds.append("吃 " + " ".join(triple.cards))
            else:
                concealed += triple.cards
    if quads:
        kind = rng.choice(pool)
        total[kind] += 2
        concealed += [kind] * 2
    if max(total.values()) > 4:
        return None
    return _take_winning_card(rng, concealed, melds)


def _take_winning_card(rng: random.Random, concealed: list[str], melds: list[str]) -> Hand:
    laid = [text for text in melds if text[0] in "跑提"]
    source = rng.choice(SOURCES)
    if source is None:
        return Hand(order(concealed), tuple(melds))
    if laid and rng.random() < 0.3:  # the winning card is the fourth of a quad
        quad = rng.choice(laid)
        card = quad.split()[1]
        melds.remove(quad)
        if rng.random() < 0.5:
            concealed += [card] * 3
        else:
            melds.append(f"{rng.choice(('碰', '偎', '臭偎'))} {card}")
    elif concealed:
        card = rng.choice(concealed)
        concealed.remove(card)
    else:
        return Hand((), tuple(melds))
    if source == "liang" and melds:
        source = "other_draw"
    return Hand(order(concealed), tuple(melds), card, source)


def swap(rng: random.Random, hand: Hand, times: int) -> Hand:
    """The same hand with ``times`` concealed cards exchanged for others."""
    cards = list(hand.cards)
    for _ in range(min(times, len(cards))):
        cards.pop(rng.randrange(len(cards)))
    seen = Counter(cards) + Counter(card for text in hand.melds for card in meld_cards(text))
    seen[hand.win_card or ""] += 1
    while len(cards) < len(hand.cards):
        card = rng.choice(KINDS)
        if seen[card] < 4:
            seen[card] += 1
            cards.append(card)
    return hand._replace(cards=order(cards))


def meld_cards(text: str) -> list[str]:
    form, *cards = text.split()
    return cards if form == "吃" else cards * (4 if form in "跑提" else 3)


def near_complete_hand(rng: random.Random) -> Hand:
    while True:
        hand = complete_hand(rng)
        if hand is not None:
            return swap(rng, hand, rng.choices((0, 1, 2), (60, 25, 15))[0])


def find_hand(
    wanted: Callable[[Hand, Value], bool], ruleset: str = "qq", seed: int = 1, tries: int = 200_000, **shape: object
) -> Hand:
    """The first seeded random complete hand that is as wanted; ``shape`` as for ``complete_hand``."""
    rng = random.Random(seed)
    for _ in range(tries):
        hand = complete_hand(rng, **shape)  # type: ignore[arg-type]
        if hand is not None:
            value = hand.value(ruleset)
            if value.complete and wanted(hand, value):
                return hand
    raise AssertionError("no such hand found")


def chi_hand(rng: random.Random) -> tuple[tuple[str, ...], str]:
    """A hand of 2 to 20 cards crowded into few kinds, and a card that is not a fifth copy."""
    size = rng.choice("sb")
    ranks = sorted(rng.sample(range(1, 11), rng.randint(3, 8)))
    kinds = [f"{size}{rank}" for rank in ranks] + rng.sample(KINDS, rng.randint(1, 8))
    pool = [kind for kind in sorted(set(kinds)) for _ in range(4)]
    rng.shuffle(pool)
    hand = pool[1 : 1 + rng.randint(2, 20)]
    return order(hand), pool[0]


def pads(cards: Iterable[str], groups: int, quad: bool, avoid: Iterable[str] = (), least: int = 0) -> list[Group]:
    """吃 groups that fill a part of a hand up to seven; with ``quad`` one of the seven is a tabled 提.

    They keep away from ``cards`` and ``avoid``, leave a copy of every kind, and are worth at least ``least``.
    """
    cards = list(cards)
    seen = Counter(cards)
    near = set(cards) | set(avoid)
    need = 7 - groups - quad
    chosen: list[Group] = []
    if quad:
        kind = next(kind for kind in reversed(KINDS) if kind not in near)
        chosen.append(Group("提", (kind,) * 4, 12 if kind[0] == "b" else 9))
        seen[kind] += 4
    pool = sorted(TRIPLES, key=lambda group: (sum(card in near for card in group.cards), group.cards))[:14]
    pool += [group for group in TRIPLES if group.huxi and group not in pool]
    for combination in combinations_with_replacement(pool, need):
        total = seen + Counter(card for group in combination for card in group.cards)
        roomy = all(n <= 3 or n == seen[kind] for kind, n in total.items())
        if roomy and sum(group.huxi for group in combination) + 12 * quad >= least:
            return chosen + list(combination)
    raise AssertionError(f"nothing pads {sorted(seen)}")


def as_melds(groups: Iterable[Group]) -> list[str]:
    return [
        f"{group.form} {group.cards[0]}" if len(set(group.cards)) == 1 else "吃 " + " ".join(group.cards)
        for group in groups
    ]


def red_palette(red: int) -> list[str]:
    """Kinds to make hands of, so that few or many red cards come up soon."""
    if red <= 1:
        return [kind for kind in KINDS if not is_red(kind)] + (["s2", "b2"] if red else [])
    return list(KINDS) if red <= 9 else cards_of("s1 s2 s3 s7 s10 b1 b2 b3 b7 b10")


def hand_with_reds(reds: tuple[int, int], duidui: bool) -> Hand:
    """A winning hand on a drawn card with that many red cards, both numbers included, of equal groups or not."""
    return find_hand(
        lambda hand, value: (
            value.wins
            and reds[0] <= value.red <= reds[1]
            and value.duidui == duidui
            and hand.source in ("own_draw", "other_draw")
        ),
        kinds=red_palette(reds[0]),
        same_only=duidui,
    )
