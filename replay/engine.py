"""From records to the int arrays of the kernels, and a round to step through."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.record import Move, Record
from replay.kernels import layout
from replay.kernels.hands import run_table
from replay.kernels.jit import Ints, plain
from replay.kernels.rights import CONSTANTS
from replay.ruleset import Ruleset
from replay.seating import Seating


@dataclass(slots=True)
class Engine:
    """One ruleset with the memory that kernels work in (``kernels.layout``). Not shared between threads."""

    ruleset: Ruleset
    kernels: types.SimpleNamespace
    table: Ints = field(repr=False)
    state: Ints = field(repr=False)


def engine(ruleset: Ruleset, kernels: types.SimpleNamespace | None = None) -> Engine:
    """An engine of plain Python kernels, or of the given (compiled) ones."""
    kernels = kernels or plain()
    table: Ints = run_table(ruleset.huxi_123[0], ruleset.huxi_2710[0], ruleset.huxi_123[1], ruleset.huxi_2710[1])
    memory = [0] * layout.STATE_SIZE
    params = ruleset.to_params()
    memory[layout.PARAM0 : layout.PARAM0 + len(params)] = params
    memory[layout.GROUP :] = CONSTANTS
    if kernels is plain():
        return Engine(ruleset, kernels, table, memory)
    import numpy as np

    return Engine(ruleset, kernels, np.frombuffer(table, dtype=np.uint8), np.array(memory, dtype=np.int64))


def deal_of(seating: Seating) -> list[int]:
    """The deal as ``layout.DEAL_SIZE`` ints; a hand with an unknown card counts as unknown."""
    record = seating.record
    # Only a source that logs its windows (the options it offers) says by a missing 无人要 that one was cut.
    closes = int(record.offers is not None and any(move.action == Action.UNCLAIMED for move in record.moves))
    wall = () if record.wall is None else record.wall[: layout.MAX_WALL]
    deal = [
        record.dealer,
        UNKNOWN if record.liang is None else record.liang,
        UNKNOWN if record.wall is None else len(wall),
        closes,
        len(record.hands),
        int(seating.paid),
    ]
    hands = (*record.hands, *[None] * layout.SEATS)[: layout.SEATS]
    for hand in hands:
        known = hand is not None and len(hand) == 20 and UNKNOWN not in hand
        deal += hand if known and hand is not None else [UNKNOWN] * 20
    return deal + [*wall] + [UNKNOWN] * (layout.MAX_WALL - len(wall))


def events_of(record: Record) -> list[int]:
    """Five ints an event: seat, action, card, a, b."""
    flat: list[int] = []
    for move in record.moves:
        flat += (move.seat, move.action, move.card, move.a, move.b)
    return flat


def begin(machine: Engine, deal: Sequence[int]) -> None:
    """Set the engine's state up after the deal."""
    machine.state[layout.DEAL0 : layout.DEAL0 + layout.DEAL_SIZE] = deal
    machine.kernels.begin(machine.state)


def step(machine: Engine, seq: int, event: Sequence[int]) -> None:
    """Judge and carry out one event: seat, action, card, a, b."""
    machine.state[layout.SEQ] = seq
    machine.kernels.step(machine.state, machine.table, *event)


def carry_out(machine: Engine, seq: int, moves: Sequence[Move], number: int) -> None:
    """Judge and carry out event ``number`` of ``moves`` as event ``seq``; a 吃 is over with the last of its 比."""
    move = moves[number]
    step(machine, seq, (move.seat, move.action, move.card, move.a, move.b))
    bi_follows = number + 1 < len(moves) and moves[number + 1].action == Action.BI
    if machine.state[layout.CHI_SEAT] >= 0 and not bi_follows:
        machine.kernels.finish_chi(machine.state)


def found(machine: Engine) -> list[int]:
    """The finding rows so far, ``layout.ROW`` ints each."""
    n = min(int(machine.state[layout.N_FOUND]), layout.MAX_FOUND)
    return [int(value) for value in machine.state[layout.FOUND : layout.FOUND + layout.ROW * n]]


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
    n = machine.kernels.chi_options(machine.state, seat, card, 0)
    codes = [int(code) for code in machine.state[layout.CHI : layout.CHI + n]]
    return [(code & 63, (code >> 6 & 63) - 1, (code >> 12 & 63) - 1) for code in codes]
