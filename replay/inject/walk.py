"""A legal round with the state of the engine before each of its events: where faults find their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from ingest.codes import NO_CARD, Action
from ingest.record import Move, Record
from replay.engine import Engine, engine
from replay.inject.spot import Spot
from replay.kernels import layout
from replay.kernels.layout import DEAL0, DEAL_SIZE, STATE0, STATE_END
from replay.replayer import replay_round, rules_of, steps
from replay.score import Score
from replay.seating import Seating, seated
from replay.simulate import MOST_EVENTS, Player, Stream, choose, events_of_move, legal_moves, play_events

T = TypeVar("T")
Option = tuple[int, int, int, int]
"""A legal move: seat, action, card, 吃 code."""
Where = tuple[int, str, int]
"""A finding: event, code, person."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A round with one fault: the finding ``code`` must be laid to ``seat`` at event ``seq`` of ``record``.

    ``seq`` -1: the deal, the number of events: the settlement; ``seat`` a person of the record, -1 nobody. ``also``:
    the offences without which the planted one cannot be. ``before``: the rounds of the session before this one.
    """

    record: Record
    seq: int
    seat: int
    code: str
    also: tuple[Where, ...] = ()
    before: tuple[Record, ...] = ()


Hook = Callable[[Spot, list[Option]], Option | list[Move] | None]
"""Chooses at each state: one of the legal moves, events of its own, after which the round stops, or None to stop."""


@dataclass(slots=True)
class Round:
    """``record`` is legal; ``states`` has the state before each event and after the last."""

    record: Record
    seating: Seating
    machine: Engine
    states: list[Any]
    deal: list[int]
    _score: list[Score | None] = field(default_factory=list)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The events by seats that play."""
        return self.seating.record.moves

    @property
    def clean(self) -> bool:
        """Nothing is found in the play, not even for information."""
        return int(self.states[-1][layout.N_FOUND - STATE0]) == 0

    @property
    def players(self) -> list[Player]:
        """Somebody at every seat who takes most of what may be taken."""
        return [Player("")] * len(self.seating.persons)

    @property
    def score(self) -> Score | None:
        """What the round is worth."""
        if not self._score:
            self._score.append(replay_round(self.record, self.machine).score)
        return self._score[0]

    def at(self, seq: int) -> Spot:
        """Put the engine before event ``seq``."""
        self.machine.state[DEAL0 : DEAL0 + DEAL_SIZE] = self.deal
        self.machine.state[STATE0:STATE_END] = self.states[seq]
        return Spot(seq, self.machine)

    def spots(self, stream: Stream) -> Iterator[Spot]:
        """Every state but the end and those within a deal or a 吃, in a random order; the engine is put there."""
        for seq in stream.shuffled(range(len(self.states))):
            within = seq < len(self.moves) and self.moves[seq].action in (Action.BI, Action.BU)
            if not within and self.states[seq][layout.PHASE - STATE0] != layout.OVER:
                yield self.at(seq)

    def opened(self, stream: Stream) -> Iterator[Spot]:
        """The states right after a card came to lie open, in a random order."""
        for seq in stream.shuffled(range(1, len(self.moves))):
            if self.moves[seq - 1].action in (Action.DISCARD, Action.DRAW):
                spot = self.at(seq)
                if spot.phase == layout.SHOWN:
                    yield spot

    def acts(self, stream: Stream, *actions: int) -> Iterator[Spot]:
        """The states before an event of one of the actions, in a random order."""
        found = [seq for seq, move in enumerate(self.moves) if move.action in actions]
        for seq in stream.shuffled(found):
            yield self.at(seq)

    def _told(self, move: Move) -> Move:
        seat = self.seating.person(move.seat)
        return Move(seat, int(move.action), move.card, int(move.a), move.b, move.face, move.t_ms)

    def told(self, moves: Sequence[Move], **parts: Any) -> Record:
        """The record with other events, their seats as persons, and other parts."""
        named = tuple(self._told(move) for move in moves)
        return msgspec.structs.replace(self.record, moves=named, **parts)

    def stops(self, code: str, seat: int, seq: int, events: Sequence[Move], at: int = 0) -> Planted:
        """The round up to event ``seq``, then the events, then nothing more is recorded."""
        record = self.told((*self.moves[:seq], *events), result=None, complete=False)
        return Planted(record, seq + at, self.seating.person(seat), code)

    def ends(self, code: str, seat: int, seq: int, events: Sequence[Move], at: int = 0) -> Planted:
        """The round up to event ``seq``, then the events, with which it is over."""
        record = self.told((*self.moves[:seq], *events), result=None, complete=True)
        return Planted(record, seq + at, self.seating.person(seat), code)

    def goes_on(
        self, code: str, seat: int, seq: int, events: Sequence[Move], stream: Stream, at: int = 0
    ) -> Planted | None:
        """The round up to event ``seq``, then the events, then legal play to the end."""
        spot = self.at(seq)
        moves = [*self.moves[:seq]]
        play_events(spot.machine, moves, events)
        if not continue_round(spot.machine, moves, stream, self.players):
            return None
        record = self.told(moves, result=None, complete=True)
        return Planted(record, seq + at, self.seating.person(seat), code)

    def resumes(self, code: str, seat: int, seq: int, moves: Sequence[Move], stream: Stream) -> Planted | None:
        """The given events up to ``seq``, with its 比, stepped through from the deal, then legal play to the end."""
        end = seq + 1
        while end < len(moves) and moves[end].action == Action.BI:
            end += 1
        spot = self.at(0)
        done: list[Move] = []
        play_events(spot.machine, done, moves[:end])
        if not continue_round(spot.machine, done, stream, self.players):
            return None
        return Planted(self.told(done, result=None, complete=True), seq, self.seating.person(seat), code)

    def changed(self, code: str, seat: int, seq: int, events: Sequence[Move], drop: int = 0) -> Planted:
        """The round with events in place of ``drop`` of its own from ``seq`` on, else as it was."""
        record = self.told((*self.moves[:seq], *events, *self.moves[seq + drop :]))
        return Planted(record, seq, self.seating.person(seat), code)


def continue_round(
    machine: Engine, moves: list[Move], stream: Stream, players: Sequence[Player], hook: Hook | None = None
) -> bool:
    """Legal play from the engine's state to the end of the round, appended to ``moves``; ``players`` by seat.

    False where no legal move is left before the end, or the ``hook`` chose None. With a hook's own events play stops.
    """
    while machine.state[layout.PHASE] != layout.OVER:
        options = legal_moves(machine)
        options = [option for option in options if option[1] != Action.PASS] or options
        if not options or len(moves) > MOST_EVENTS:
            return False
        choice = choose(machine, stream, players, options) if hook is None else hook(Spot(len(moves), machine), options)
        if choice is None:
            return False
        if isinstance(choice, list):
            play_events(machine, moves, choice)
            return True
        play_events(machine, moves, events_of_move(choice))
    return True


def walk(record: Record, machine: Engine | None = None) -> Round:
    """Step through a legal record all of whose cards are known. ``machine``: an engine of its ruleset to work with."""
    machine = machine or engine(rules_of(record))
    seating = seated(record, machine.ruleset)
    states = [copy(machine.state[STATE0:STATE_END]) for _ in steps(seating, machine)]
    deal = [int(value) for value in machine.state[DEAL0 : DEAL0 + DEAL_SIZE]]
    return Round(record, seating, machine, states, deal)


def draw(spot: Spot, seat: int) -> Move:
    """The seat draws the wall's next card."""
    return Move(seat, Action.DRAW, spot.wall_card())


def nobody_takes(spot: Spot, *, said: bool = False) -> list[Move]:
    """What follows when nobody takes the open card: the next draw, or 荒; ``said``: 无人要 before it."""
    word = [Move(-1, Action.UNCLAIMED, spot.card)] if said else []
    if spot.left == 0:
        return [*word, Move(-1, Action.HUANG, NO_CARD)]
    return [*word, draw(spot, spot.after(spot.owner))]


def pick(stream: Stream, items: Sequence[T]) -> T:
    """One of the items."""
    return items[stream.below(len(items))]
