"""The loop of ``general``: a drawn card enters the hand. rules B.14, C.3, D.4, G10."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ingest.codes import Form
from tests.oracle.groups import EQUAL, Chain, Counts, Meld, equal, pairs_with, without
from tests.oracle.hu import Shape, whole
from tests.oracle.seats import Seat

SENTENCES = 6


@lru_cache(maxsize=200_000)
def one_size(counts: Counts, jiang: bool) -> tuple[Meld, ...] | None:
    """Cards of one size (ten counts) as 句 and, with ``jiang``, one pair: the way with most groups of equal cards."""
    first = next((place for place, n in enumerate(counts) if n), None)
    if first is None:
        return None if jiang else ()
    tries = [(equal(Form.KAN, first), jiang)]
    if jiang:
        tries.append((equal(Form.JIANG, first), False))
    if first < 8:
        tries.append((Meld(Form.SHUN, (first, first + 1, first + 2)), jiang))
    best = None
    for group, more in tries:
        left = without(counts, group.cards)
        rest = one_size(left, more) if left is not None else None
        if rest is not None and (best is None or _equals((group, *rest)) > _equals(best)):
            best = (group, *rest)
    return best


def _equals(groups: tuple[Meld, ...]) -> int:
    return sum(group.form in EQUAL for group in groups)


def sentences(counts: Counts) -> Iterator[tuple[Meld, ...]]:
    """Layouts of all 20 counts as 句 and one pair, which lies among the small or the big cards."""
    small_left, big_left = sum(counts[:10]) % 3, sum(counts[10:]) % 3
    if sorted((small_left, big_left)) != [0, 2]:
        return
    small = one_size(counts[:10], small_left == 2)
    big = one_size(counts[10:], big_left == 2)
    if small is not None and big is not None:
        yield (*small, *[Meld(group.form, tuple(card + 10 for card in group.cards)) for group in big])


def shapes(seat: Seat, claimed: int | None) -> list[Shape]:
    """G10: every layout with one card to spare. The spare comes from the hand; a claimed discard must be used."""
    held = list(seat.held)
    if claimed is not None:
        held[claimed] += 1
    found = []
    need = 3 * (SENTENCES - len(seat.melds)) + 2
    if sum(held) != need + 1:
        return []
    for spare, n in enumerate(held):
        if not n or (spare == claimed and n == 1):
            continue
        held[spare] -= 1
        found += [whole(0, (*seat.melds, *groups)) for groups in sentences(tuple(held))]
        held[spare] += 1
    return found


def chi(held: Counts, card: int) -> set[Chain]:
    """A 顺 with two hand cards; nothing is locked and there is no 比."""
    return {(pair,) for pair in pairs_with(card, True) if without(held, pair) is not None}
