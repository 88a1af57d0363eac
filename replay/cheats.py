"""Players that cheat on purpose, by name, and the times that people and machines take to think (docs/cheats.md).

A cheat is a text that any table takes for a player: ``play_session(room, 1, 0, 20, [soft(1), "steady", "steady"])``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from ingest.codes import Action
from ingest.record import Record
from replay.engine import begin, carry_out, deal_of, engine
from replay.players import PlayerError, cheat_of
from replay.rulesets import resolve
from replay.seating import seated
from replay.simulate import Stream, legal_moves

SERVER_MS = 250
"""What the server takes between events that nobody thinks about."""
MACHINE_MS, MACHINE_SPREAD = 1200, 8
"""How long a machine thinks, and by how much that varies either way."""
FIRST_MS, OPTION_MS, MOST_OPTIONS = 900, 350, 12
"""How long people think in the middle: with no choice, for each option, and how many of these they look at."""
SPREAD = (
    226, 305, 378, 435, 485, 531, 575, 618, 661, 703, 745, 788, 832, 878, 924, 973, 1024,
    1078, 1134, 1195, 1260, 1330, 1407, 1492, 1587, 1696, 1823, 1974, 2163, 2412, 2776, 3437, 4645,
)  # fmt: skip
"""How much longer or shorter people think than in the middle, in 1/1024, in 32 steps equally likely: nearly a
log-normal distribution whose logarithm deviates by 0.65."""
_DECIDED = (Action.DISCARD, Action.CHI, Action.PENG, Action.HU, Action.PASS)


def soft(partner: int, strength: int = 1000, base: str = "steady") -> str:
    """Takes nothing that its partner, the player at that place from 0 on, draws or throws."""
    return f"{base}+soft:{strength}@{partner}"


def feed(partner: int, strength: int = 1000, base: str = "steady") -> str:
    """Throws what its partner can take, of such cards the one that costs itself least."""
    return f"{base}+feed:{strength}@{partner}"


def peek(strength: int = 1000, base: str = "steady") -> str:
    """Plays out its moves with the real hands of the others."""
    return f"{base}+peek:{strength}"


def clock(strength: int = 1000, base: str = "steady") -> str:
    """Plays honestly; ``think_times`` lets it think like a machine."""
    return f"{base}+clock:{strength}"


def stacked(way: str, strength: int = 1000, base: str = "steady") -> str:
    """Plays honestly, but of the deals so many are biased for it: ``way`` is ``kan``, ``red`` or ``wall``."""
    return f"{base}+stacked-{way}:{strength}"


def people_ms(stream: Stream, options: int) -> int:
    """How long a person thinks about so many options."""
    step, part = stream.below(len(SPREAD) - 1), stream.below(1024)
    share = SPREAD[step] * (1024 - part) + SPREAD[step + 1] * part
    return (FIRST_MS + OPTION_MS * min(options, MOST_OPTIONS)) * share >> 20


def machine_ms(stream: Stream) -> int:
    """How long a machine thinks."""
    return MACHINE_MS - MACHINE_SPREAD + stream.below(2 * MACHINE_SPREAD + 1)


def machine_share(spec: str) -> int:
    """At how many of a thousand decisions the player thinks like a machine."""
    if "+" not in spec:
        return 0
    _, vice, strength, _ = cheat_of(spec)
    return strength if vice.name == "clock" else 0


def think_times(record: Record, players: Sequence[str], seed: int) -> list[int]:
    """Milliseconds that pass before each event of a legal round whose cards are all known.

    ``players``: of every person. Where a seat has at least two options it thinks; a card that several may claim and
    nobody does waits for the slowest of them. Raises ``PlayerError`` where the players are not as many as the persons.
    """
    if len(players) != len(record.players):
        raise PlayerError(f"要 {len(record.players)} 名选手 / {len(record.players)} players are needed")
    seating = seated(record, resolve(record.ruleset, record.options))
    shares = [machine_share(players[person]) for person in seating.persons]
    machine = engine(resolve(record.ruleset, record.options))
    begin(machine, deal_of(seating))
    stream = Stream(seed)
    times: list[int] = []
    moves = seating.record.moves
    for number, move in enumerate(moves):
        options = [option[0] for option in legal_moves(machine)]
        asked = [move.seat] if move.action in _DECIDED else []
        if move.action in (Action.DRAW, Action.HUANG):
            asked = [seat for seat in range(len(shares)) if options.count(seat) > 1]
        waits = [SERVER_MS]
        for seat in asked:
            if options.count(seat) > 1:
                by_machine = stream.below(1000) < shares[seat]
                waits.append(machine_ms(stream) if by_machine else people_ms(stream, options.count(seat)))
        times.append(0 if move.action == Action.BI else max(waits))
        carry_out(machine, number, moves, number)
    return times


def timed(record: Record, players: Sequence[str], seed: int) -> Record:
    """The record with the time of every event on the round's clock, as ``think_times`` tells them."""
    clock_ms = accumulate(think_times(record, players, seed))
    moves = tuple(msgspec.structs.replace(move, t_ms=t) for move, t in zip(record.moves, clock_ms, strict=True))
    return msgspec.structs.replace(record, moves=moves)
