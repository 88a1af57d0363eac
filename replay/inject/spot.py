"""One state of a round and what its seats hold and may do, as the engine has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.codes import Action
from ingest.record import Move
from replay.engine import Engine, chi_choices, hand_cards, seat_slot
from replay.kernels import layout
from replay.kernels.hands import GROUPS


@dataclass(frozen=True, slots=True)
class Spot:
    """The state before event ``seq``, which ``machine`` holds; seats are those that play."""

    seq: int
    machine: Engine

    def _slot(self, slot: int) -> int:
        return int(self.machine.state[slot])

    @property
    def phase(self) -> int:
        """What must come next, as in ``kernels.layout``."""
        return self._slot(layout.PHASE)

    @property
    def card(self) -> int:
        """The open card, -1 if there is none."""
        return self._slot(layout.OPEN)

    @property
    def owner(self) -> int:
        """The seat before which the open card lies."""
        return self._slot(layout.OPEN_SEAT)

    @property
    def drawn(self) -> bool:
        """The open card came from the wall."""
        return self._slot(layout.ORIGIN) == layout.FROM_WALL

    @property
    def turn(self) -> int:
        """The seat that discards or draws next, where one must."""
        return self._slot(layout.TURN)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self._slot(layout.DEALER)

    @property
    def seats(self) -> range:
        """The seats that play."""
        return range(self._slot(layout.N_SEATS))

    @property
    def left(self) -> int:
        """Cards left in the wall."""
        return self._slot(layout.WALL_N) - self._slot(layout.WALL_AT)

    @property
    def opening(self) -> bool:
        """Neither a discard nor a draw has been made."""
        return self._slot(layout.OPENING) == 1

    @property
    def laid(self) -> bool:
        """No dealt 提 that must be laid is still in a hand."""
        hidden = any(self.held(seat, card) == 4 for seat in self.seats for card in range(20))
        return self.machine.ruleset.ti_open == "none" or not hidden

    @property
    def last_intake(self) -> int:
        """The seat that has just melded, or -1."""
        return self._slot(layout.LAST_INTAKE)

    def after(self, seat: int, n: int = 1) -> int:
        """The ``n``-th seat after ``seat``."""
        return (seat + n) % len(self.seats)

    def wall_card(self, n: int = 0) -> int:
        """The wall's card after ``n`` more."""
        return self._slot(layout.D_WALL + self._slot(layout.WALL_AT) + n)

    def slot(self, seat: int, slot: int) -> int:
        """A slot of a seat's state."""
        return seat_slot(self.machine, seat, slot)

    def rights(self, seat: int) -> int:
        """What the seat may do with the open card (``layout.R_HU`` and so on)."""
        return self.slot(seat, layout.RIGHTS)

    def held(self, seat: int, card: int) -> int:
        """Copies of a kind in the seat's hand."""
        if self.slot(seat, layout.QUADS) >> 2 * card & 1:
            return 4
        return self.slot(seat, layout.HAND) >> 2 * card & 3

    def hand(self, seat: int) -> list[int]:
        """The seat's hidden cards, ascending."""
        return hand_cards(self.machine, seat) or []

    def free(self, seat: int) -> list[int]:
        """The seat's cards that are locked in no 坎 or 提, ascending."""
        packed = int(self.machine.kernels.free_cards(self.machine.state, seat))
        return [card for card in range(20) for _ in range(packed >> 2 * card & 3)]

    def tabled(self, seat: int, card: int, slot: int) -> bool:
        """True if the seat has a 碰 (``layout.PENGS``) or 偎 (``layout.WEIS``) of the kind on the table."""
        return bool(self.slot(seat, slot) >> 2 * card & 1)

    def value(self, seat: int, card: int, source: int) -> int:
        """胡息 of the best way to win on the card, -1 without one; the minimum is not applied."""
        value = int(self.machine.kernels.hu_value(self.machine.state, self.machine.table, seat, card, source))
        return -1 if value < 0 else value >> layout.HUXI_AT

    def source(self, seat: int) -> int:
        """Where the open card would come from for a win of the seat."""
        if not self.drawn:
            return layout.W_DISCARD
        return layout.W_OWN if seat == self.owner else layout.W_OTHER

    def chi(self, seat: int) -> list[list[Move]]:
        """Every whole 吃 of the open card by the seat's hand, with its 比, whether or not it may 吃."""
        found = []
        for choice in chi_choices(self.machine, seat, self.card):
            first, *bi = (GROUPS[group] for group in choice if group >= 0)
            found.append([group_move(seat, Action.CHI, self.card, first)])
            found[-1] += [group_move(seat, Action.BI, self.card, group) for group in bi]
        return found

    def reach(self, seat: int) -> bool:
        """True if the seat may 吃 cards that come from where the open card came from (rules 5.3 to 5.5)."""
        if seat == self.owner:
            return self.drawn
        follows = seat == self.after(self.owner)
        return follows and (not self.drawn or self.machine.ruleset.chi_prev_draw)

    def barred(self, seat: int, card: int, slot: int) -> bool:
        """True if the kind is in a set of the seat's, as ``layout.STALE_CHI``, ``OWN`` or ``PENG_PASSED``."""
        return bool(self.slot(seat, slot) >> card & 1)

    def may_claim(self, seat: int) -> bool:
        """True if nothing that the seat did before keeps it from claiming."""
        return not self.slot(seat, layout.IS_OUT) and not self.slot(seat, layout.BANNED)

    def due(self, seat: int) -> int:
        """Discards that the seat owes (rules 2.14, 16.5)."""
        owned = len(self.hand(seat)) + self.slot(seat, layout.TABLE)
        laid, waived = self.slot(seat, layout.N_QUADS), self.slot(seat, layout.WAIVED)
        if self.machine.ruleset.draw_to_hand:
            return owned - 20 - laid - waived
        quads = laid + sum(self.held(seat, card) == 4 for card in range(20))
        return owned - 20 - max(0, quads - 1) - waived + self.slot(seat, layout.OFFSET)

    @property
    def calm(self) -> bool:
        """A card lies open, and nothing on it is forced or goes before 吃 and 碰: no 跑, no win that stops the rest."""
        if self.phase != layout.SHOWN or self.card < 0:
            return False
        above = layout.R_PAO
        if self.machine.ruleset.hu_pass_kills:
            above |= layout.R_HU
        if self.machine.ruleset.peng_forced:
            above |= layout.R_PENG
        return not any(self.rights(seat) & above for seat in self.seats)


def group_move(seat: int, action: int, card: int, group: Sequence[int]) -> Move:
    """The 吃 or 比 that lays a group with ``card`` in it."""
    rest = list(group)
    rest.remove(card)
    return Move(seat, action, card, *rest)


def partners(card: int) -> list[tuple[int, int]]:
    """The pairs that make a 顺, 二七十 or 绞 with the card."""
    found = []
    for group in GROUPS:
        if card in group:
            rest = list(group)
            rest.remove(card)
            found.append((rest[0], rest[1]))
    return found
