"""Hands at random moments of random legal rounds, and hands made up: for tests of what a hand can become."""

from __future__ import annotations

from typing import Any

import numpy as np

from replay.engine import Engine, engine
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.kernels.jit import compiled
from replay.kernels.layout import A_BI, A_CHI, DEAL0, DEAL_SIZE, SEAT0, SEAT_SIZE
from replay.kernels.play import EVENT
from replay.ruleset import Ruleset
from replay.simulate import Stream
from tests.replay.generated import batch, tables_of

Block = list[int]
"""A seat's slots, ``layout.SEAT_SIZE`` ints."""


def put_block(machine: Engine, block: Block) -> None:
    """Make it seat 0 of the engine."""
    for i, value in enumerate(block):
        machine.state[SEAT0 + i] = value


def moments(ruleset: Ruleset, seed: int, n: int) -> list[Block]:
    """``n`` seats, each at a random moment of another random round."""
    machine = engine(ruleset, compiled())
    stream = Stream(seed)
    seats, paid = tables_of(ruleset)[-1]
    deals, events, spans = batch(machine, np.array([seed + 1, seed + 7], dtype=np.int64), seats, paid, n)
    found = []
    for r in range(n):
        machine.state[DEAL0 : DEAL0 + DEAL_SIZE] = deals[DEAL_SIZE * r : DEAL_SIZE * (r + 1)]
        machine.kernels.begin(machine.state)
        rows = events[EVENT * spans[r] : EVENT * spans[r + 1]].reshape(-1, EVENT)
        last = stream.below(len(rows))
        for seq in range(last):
            machine.state[layout.SEQ] = seq
            machine.kernels.step(machine.state, machine.table, *(int(x) for x in rows[seq]))
            if rows[seq, 1] in (A_CHI, A_BI) and rows[seq + 1, 1] != A_BI:
                machine.kernels.finish_chi(machine.state)
        at = SEAT0 + stream.below(seats) * SEAT_SIZE
        found.append([int(x) for x in machine.state[at : at + SEAT_SIZE]])
    return found


def lay(block: Block, form: str, cards: list[int], params: Any) -> None:
    """Lay a group on the table of a made-up seat: 吃, 碰, 偎 or 提."""
    p = layout
    block[p.MELDS] += 1
    block[p.TABLE] += len(cards)
    for card in cards:
        block[p.LAID] += 1 << (3 * card)
    card = cards[0]
    column = (card >= 10) + 2 * (card % 10 in (1, 6, 9))
    unit = 1 << (2 * card)
    if form == "吃":
        block[p.RUNS] = 1
        low = sorted(cards)
        if low[2] - low[0] == 2 and low[0] in (0, 10):
            block[p.XI] += params[p.P_RUN_123 + (low[0] == 10)]
        elif low[0] % 10 == 1 and low[2] - low[0] == 8:
            block[p.XI] += params[p.P_RUN_2710 + (low[0] >= 10)]
    elif form == "碰":
        block[p.PENGS] |= unit
        block[p.XI] += params[p.P_PENG + column]
    elif form == "偎":
        block[p.WEIS] |= unit
        block[p.XI] += params[p.P_KAN + column]
    else:
        block[p.N_QUADS] += 1
        block[p.FOURS] |= unit
        block[p.XI] += params[p.P_TI + column]


def made_up(machine: Engine, seed: int, n: int) -> list[Block]:
    """``n`` seats that play seldom brings about: groups of all forms on the table, few cards left, many alike.

    They own the cards of a seat at rest, or one more, or one less (rules 2.14, 2.18).
    """
    stream = Stream(seed)
    found: list[Block] = []
    while len(found) < n:
        deck = [4] * 20
        block = [0] * SEAT_SIZE
        block[layout.KNOWN] = 1
        block[layout.WAIVED] = int(stream.below(20) == 0)
        for _ in range(stream.below(7)):
            form = ("吃", "吃", "碰", "偎", "提")[stream.below(5)]
            kind = stream.below(20)
            cards = list(GROUPS[stream.below(38)]) if form == "吃" else [kind] * (4 if form == "提" else 3)
            if any(deck[card] < cards.count(card) for card in cards):
                continue
            for card in cards:
                deck[card] -= 1
            lay(block, form, cards, machine.state)
        held: list[int] = []
        owned = block[layout.TABLE]
        close = stream.below(2)
        while True:
            quads = block[layout.N_QUADS] + sum(held.count(kind) == 4 for kind in set(held))
            rest = 20 + max(0, quads - 1) + block[layout.WAIVED]
            if owned + len(held) >= rest:
                break
            kind = stream.below(20)
            if close and held and stream.below(3):
                kind = min(19, max(0, held[stream.below(len(held))] + stream.below(3) - 1))
            if deck[kind]:
                deck[kind] -= 1
                held.append(kind)
        if stream.below(4) == 0:
            kind = stream.below(20)
            if deck[kind]:
                held.append(kind)
        elif stream.below(10) == 0 and quads > 1 and held:
            held.pop()
        if len(held) + owned > 24:
            continue
        for kind in set(held):
            count = held.count(kind)
            if count == 4:
                block[layout.QUADS] |= 1 << (2 * kind)
            else:
                block[layout.HAND] += count << (2 * kind)
        found.append([int(slot) for slot in block])
    return found
