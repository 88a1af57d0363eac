"""From records to the int arrays of the kernels, and a round to step through."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.record import Record
from replay.kernels import layout
from replay.kernels.audit import MAX_FOUND
from replay.kernels.hands import run_table
from replay.kernels.jit import Ints, ints, plain_cached
from replay.rulesets import Ruleset


@dataclass(slots=True)
class Engine:
    """One ruleset's parameters with the scratch space that kernels need. Not shared between threads."""

    ruleset: Ruleset
    kernels: types.SimpleNamespace
    params: Ints
    table: Ints
    scratch: Ints = field(repr=False)
    found: Ints = field(repr=False)
    state: Ints = field(repr=False)
    out: Ints = field(repr=False)
    deal: Ints = field(repr=False)


def engine(ruleset: Ruleset, kernels: types.SimpleNamespace | None = None) -> Engine:
    """An engine of plain Python kernels, or of the given (compiled) ones."""
    kernels = kernels or plain_cached()
    table: Ints = run_table(*ruleset.huxi_123[:1], ruleset.huxi_2710[0], ruleset.huxi_123[1], ruleset.huxi_2710[1])
    if kernels is not plain_cached():
        import numpy as np

        table = np.frombuffer(table, dtype=np.uint8)
    return Engine(
        ruleset,
        kernels,
        ints(ruleset.to_params(), kernels),
        table,
        ints([0] * 128, kernels),
        ints([0] * (MAX_FOUND * layout.ROW), kernels),
        ints([0] * layout.STATE_SIZE, kernels),
        ints([0] * 1024, kernels),
        ints([0] * layout.DEAL_SIZE, kernels),
    )


def deal_of(record: Record) -> list[int]:
    """The deal as ``layout.DEAL_SIZE`` ints; a hand with an unknown card counts as unknown."""
    deal = [UNKNOWN] * layout.DEAL_SIZE
    deal[layout.D_DEALER] = record.dealer
    deal[layout.D_LIANG] = UNKNOWN if record.liang is None else record.liang
    deal[layout.D_LOGS_UNCLAIMED] = int(any(move.action == Action.UNCLAIMED for move in record.moves))
    for seat, hand in enumerate(record.hands[: layout.SEATS]):
        if hand is not None and len(hand) == 20 and UNKNOWN not in hand:
            deal[layout.D_HANDS + 20 * seat : layout.D_HANDS + 20 * seat + 20] = hand
    if record.wall is not None:
        deal[layout.D_WALL_N] = min(len(record.wall), 20)
        deal[layout.D_WALL : layout.D_WALL + min(len(record.wall), 20)] = record.wall[:20]
    return deal


def events_of(record: Record) -> list[int]:
    """Five ints an event: seat, action, card, a, b."""
    flat: list[int] = []
    for move in record.moves:
        flat += (move.seat, move.action, move.card, move.a, move.b)
    return flat


def begin(machine: Engine, deal: Sequence[int]) -> Ints:
    """Set the engine's state up after the deal, which stays in ``machine.deal``; returns it as the kernels' array."""
    machine.deal = ints(deal, machine.kernels)
    machine.kernels.begin(machine.state, machine.params, machine.deal)
    return machine.deal


def step(machine: Engine, deal: Ints, seq: int, event: Sequence[int]) -> None:
    """Judge and carry out one event."""
    machine.state[layout.SEQ] = seq
    machine.kernels.step(machine.state, machine.params, machine.table, machine.scratch, machine.found, deal, *event)


def seat_slot(machine: Engine, seat: int, slot: int) -> int:
    """One slot of a seat's state."""
    return int(machine.state[layout.SEAT0 + seat * layout.SEAT_SIZE + slot])


def hand_cards(machine: Engine, seat: int) -> list[int] | None:
    """The seat's hidden cards, ascending; None when unknown."""
    if not seat_slot(machine, seat, layout.KNOWN):
        return None
    hand = seat_slot(machine, seat, layout.HAND)
    quads = seat_slot(machine, seat, layout.QUADS)
    cards: list[int] = []
    for card in range(20):
        cards += [card] * ((hand >> 2 * card & 3) + 4 * (quads >> 2 * card & 1))
    return cards


def chi_choices(machine: Engine, seat: int, card: int) -> list[tuple[int, int, int]]:
    """吃 options of the open card as group indices (first, 比, 比), -1 where none."""
    n = machine.kernels.chi_options(machine.state, machine.params, machine.out, seat, card)
    codes = [int(machine.out[i]) for i in range(n)]
    return [(code & 63, (code >> 6 & 63) - 1, (code >> 12 & 63) - 1) for code in codes]
