"""Tables of fronts: what the loose cards of one size can become, for the exact steps (docs/steps.md).

The loose cards of one size are ten counts of 0..2 (three alike are a 坎 and locked), so there are 3**10 hands. A front
says for every number of groups of three, without and with a 将, and for every number of these pieces that are whole
already, the most 胡息 that they bring; each other piece waits for one card. ``fronts`` builds all hands at once by
numpy; ``Fronts`` only those that are asked for, which a single hand needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from replay.kernels.hands import FIRST_2710, GROUPS
from replay.kernels.pieces import ELEMENTS, MOST_WHOLE, PIECES, POWERS, ROW, SLOTS, STATES
from replay.ruleset import Ruleset

RANKS = 10
PLACES = tuple(3**rank for rank in range(RANKS))
Piece = tuple[tuple[int, ...], int, int, int]
"""Ranks taken from the hand, 1 if it is whole, 胡息, the rank that it waits for (-1: none)."""

Worth = tuple[int, int, tuple[int, ...]]
"""胡息 of 一二三, of 二七十, and of each rank's 偎, in one size."""


@cache
def runs_from(rank: int, huxi_123: int, huxi_2710: int) -> tuple[Piece, ...]:
    """Every 顺 and 二七十 of one size, whole or short of one card, of whose cards in hand ``rank`` is the lowest."""
    found: list[Piece] = []
    for run in (*GROUPS[:8], GROUPS[FIRST_2710]):
        worth = huxi_123 if run[0] == 0 else huxi_2710 if run == GROUPS[FIRST_2710] else 0
        if run[0] == rank:
            found.append((run, 1, worth, -1))
        for missing in run:
            rest = tuple(card for card in run if card != missing)
            if rest[0] == rank:
                found.append((rest, 0, worth, missing))
    return tuple(found)


def worths(ruleset: Ruleset) -> tuple[Worth, Worth]:
    """What the fronts of a ruleset depend on, small and big."""
    kan = ruleset.huxi_kan
    found = []
    for size in range(2):
        pairs = tuple(kan[size + 2] if rank in GROUPS[FIRST_2710] else kan[size] for rank in range(RANKS))
        found.append((ruleset.huxi_123[size], ruleset.huxi_2710[size], pairs))
    return found[0], found[1]


def one_size(worth: Worth) -> Any:
    """The fronts of one size: ``(3**10, 2, 8, 8)`` bytes by hand, with a 将, groups and whole pieces.

    A byte is 1 + the most 胡息, 0 where there is no way.
    """
    import numpy as np

    huxi_123, huxi_2710, pairs = worth
    table = np.zeros((STATES, 2, PIECES, PIECES), dtype=np.uint8)
    table[0, 0, 0, 0] = 1

    def add(best: Any, rest: Any, whole: int, huxi: int) -> None:
        # One group more: both counts move up, what is none stays none.
        more = table[rest][:, :, :-1, : PIECES - whole]
        np.maximum(best[:, :, 1:, whole:], np.where(more > 0, more + np.uint8(huxi), 0), out=best[:, :, 1:, whole:])

    for rank in reversed(range(RANKS)):
        for count in (1, 2):
            place = PLACES[rank]
            hands = count * place + 3 * place * np.arange(3 ** (RANKS - 1 - rank))
            best = table[hands - place]  # the card thrown away
            np.maximum(best[:, 1], table[hands - place, 0], out=best[:, 1])  # or alone, for its twin to come
            if count == 2:
                add(best, hands - 2 * place, 0, pairs[rank])
                np.maximum(best[:, 1, :, 1:], table[hands - 2 * place, 0, :, :-1], out=best[:, 1, :, 1:])
            for taken, whole, huxi, _ in runs_from(rank, huxi_123, huxi_2710):
                fits = np.flatnonzero(np.all([hands // PLACES[other] % 3 > 0 for other in taken], axis=0))
                some = best[fits]
                add(some, hands[fits] - sum(PLACES[other] for other in taken), whole, huxi)
                best[fits] = some
            table[hands] = best
    return table


def _pieces(of_both: tuple[Worth, Worth]) -> list[int]:
    """The constants behind the fronts: the pieces of ``runs_from`` and the powers of three.

    A piece is its cards as packed counts (0: no more), their place, the 胡息 times 2 plus 1 if whole, and the kind it
    waits for.
    """
    flat: list[int] = []
    for size, (huxi_123, huxi_2710, _) in enumerate(of_both):
        for rank in range(RANKS):
            slots = [
                (sum(1 << 2 * one for one in taken), sum(PLACES[one] for one in taken), 2 * huxi + whole, waits)
                for taken, whole, huxi, waits in runs_from(rank, huxi_123, huxi_2710)
            ]
            for packed, place, worth, waits in [*slots, *[(0, 0, 0, -1)] * (SLOTS - len(slots))]:
                flat += (packed, place, worth, waits + 10 * size if waits >= 0 else -1)
    assert len(flat) == POWERS - ELEMENTS
    return [*flat, *PLACES]


def fronts(ruleset: Ruleset) -> Any:
    """The whole table as one int32 array, see ``kernels.pieces``."""
    return _whole(worths(ruleset))


@lru_cache(maxsize=4)
def _whole(of_both: tuple[Worth, Worth]) -> Any:
    import numpy as np

    sizes = [one_size(worth) for worth in of_both]
    most = [(np.arange(PIECES) * (table > 0).any(axis=2)).max(axis=2) @ (1, 1 << 8) for table in sizes]
    flat = [table.reshape(-1).view("<i4") for table in sizes]
    return np.concatenate([*flat, np.array(_pieces(of_both)), *most], dtype=np.int32, casting="unsafe")


def few_fronts(ruleset: Ruleset) -> Fronts:
    """``fronts`` made as far as they are asked for."""
    return _few(worths(ruleset))


@lru_cache(maxsize=4)
def _few(of_both: tuple[Worth, Worth]) -> Fronts:
    return Fronts(of_both)


class Fronts:
    """The same ints one by one, each front made when it is first asked for: for the plain kernels and few hands."""

    def __init__(self, of_both: tuple[Worth, Worth]) -> None:
        self.worth = of_both
        self.pieces = _pieces(of_both)
        self.rows: list[dict[int, list[int]]] = [{}, {}]
        self.found: list[dict[int, dict[tuple[int, int, int], int]]] = [{0: {(0, 0, 0): 0}} for _ in range(2)]

    def __getitem__(self, index: int) -> int:
        """The ``index``-th int of ``fronts``."""
        if index >= MOST_WHOLE:
            front = self._front(*divmod(index - MOST_WHOLE, STATES))
            return sum(max((u for j, _, u in front if j == form), default=0) << 8 * form for form in range(2))
        if index >= ELEMENTS:
            return self.pieces[index - ELEMENTS]
        size, at = divmod(index, STATES * ROW)
        hand, at = divmod(at, ROW)
        row = self.rows[size].get(hand)
        if row is None:
            row = self.rows[size][hand] = self._row(size, hand)
        return row[at]

    def _row(self, size: int, hand: int) -> list[int]:
        held = bytearray(2 * PIECES * PIECES)
        for (jiang, groups, whole), huxi in self._front(size, hand).items():
            held[(jiang * PIECES + groups) * PIECES + whole] = 1 + huxi
        return [int.from_bytes(held[at : at + 4], "little", signed=True) for at in range(0, len(held), 4)]

    def _front(self, size: int, hand: int) -> dict[tuple[int, int, int], int]:
        """(将, groups, whole pieces) → most 胡息."""
        known = self.found[size].get(hand)
        if known is not None:
            return known
        rank = next(rank for rank in range(RANKS) if hand // PLACES[rank] % 3)
        best: dict[tuple[int, int, int], int] = {}
        for rest, jiang, group, whole, huxi in self._ways(size, hand, rank):
            for (with_, groups, pieces), worth in self._front(size, rest).items():
                key = (with_ + jiang, groups + group, pieces + whole)
                if key[0] < 2 and key[1] < PIECES and key[2] < PIECES:
                    best[key] = max(best.get(key, -1), worth + huxi)
        self.found[size][hand] = best
        return best

    def _ways(self, size: int, hand: int, rank: int) -> Iterator[tuple[int, int, int, int, int]]:
        """What becomes of the lowest card: the rest, then what is added of 将, groups, whole pieces and 胡息."""
        huxi_123, huxi_2710, pairs = self.worth[size]
        place = PLACES[rank]
        yield hand - place, 0, 0, 0, 0
        yield hand - place, 1, 0, 0, 0
        if hand // place % 3 == 2:
            yield hand - 2 * place, 0, 1, 0, pairs[rank]
            yield hand - 2 * place, 1, 0, 1, 0
        for taken, whole, huxi, _ in runs_from(rank, huxi_123, huxi_2710):
            if all(hand // PLACES[other] % 3 for other in taken):
                yield hand - sum(PLACES[other] for other in taken), 0, 1, whole, huxi
