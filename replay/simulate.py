"""Legal rounds by random play: what may come next is asked of the engine, what is done is drawn from a seeded stream.

A player is a few whole percentages, so that a store of generated rounds has players of different habits. The stream
is our own (SplitMix64 over integers): the same seed gives the same rounds on every machine and version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ingest.cards import RED
from ingest.codes import NO_CARD, Action
from ingest.record import Move, Record
from replay import settlement
from replay.engine import Engine, carry_out, found, hand_cards
from replay.findings import from_rows
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.kernels.layout import MOVE, MOVES
from replay.replayer import steps
from replay.ruleset import Ruleset
from replay.score import result_of
from replay.seating import seated
from replay.table import Table, put

_MASK = (1 << 64) - 1
MOST_EVENTS = 400
"""Events after which a generated round is taken to be endless."""


class Stream:
    """SplitMix64 (Steele, Lea, Flood 2014): a 64-bit state, one multiply-xorshift mix a draw."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """The next 64-bit number."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Uniform in ``0..n-1``; draws that would favour small numbers are thrown away."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            value = self.next()
            if value < limit:
                return value % n

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """A random permutation (Fisher–Yates)."""
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


@dataclass(frozen=True, slots=True)
class Player:
    """Habits in percent: how often a 胡, 碰 or 吃 that may be taken is taken, and a lone card is thrown first."""

    name: str
    hu: int = 100
    peng: int = 60
    chi: int = 70
    lone: int = 80


def _loneliness(card: int, held: Sequence[int]) -> int:
    """How little a card goes with the rest of the hand; larger is lonelier."""
    score = 0
    for other in held:
        if other == card:
            score -= 4
        elif other % 10 == card % 10 or (other // 10 == card // 10 and abs(other - card) <= 2):
            score -= 2
        elif other // 10 == card // 10 and {other % 10, card % 10} <= {1, 6, 9}:
            score -= 1
    return score


def _discard(stream: Stream, player: Player, options: Sequence[int], held: Sequence[int]) -> int:
    if stream.below(100) >= player.lone:
        return options[stream.below(len(options))]
    scored = [(_loneliness(card, held), card) for card in options]
    most = max(score for score, _ in scored)
    best = [card for score, card in scored if score == most]
    return best[stream.below(len(best))]


def legal_moves(machine: Engine) -> list[tuple[int, int, int, int]]:
    """What may come next: ``(seat, action, card, 吃 code)``, in the kernel's order."""
    n = machine.kernels.legal(machine.state, machine.table)
    flat = [int(value) for value in machine.state[MOVES : MOVES + MOVE * n]]
    return [(flat[i], flat[i + 1], flat[i + 2], flat[i + 3]) for i in range(0, MOVE * n, MOVE)]


def events_of_move(move: tuple[int, int, int, int]) -> list[Move]:
    """The events that carry a legal move out: one, and the 比 after a 吃."""
    seat, action, card, code = move
    if action != Action.CHI:
        return [Move(seat, action, NO_CARD if card < -1 else card)]
    rest = list(GROUPS[code & 63])
    rest.remove(card)
    events = [Move(seat, action, card, *rest)]
    for shift in (6, 12):
        if code >> shift & 63:
            extra = list(GROUPS[(code >> shift & 63) - 1])
            extra.remove(card)
            events.append(Move(seat, Action.BI, card, *extra))
    return events


def choose(
    machine: Engine, stream: Stream, players: Sequence[Player], options: list[tuple[int, int, int, int]]
) -> tuple[int, int, int, int]:
    """One of the legal moves, by the habits of the players in order of priority."""
    by_action: dict[int, list[tuple[int, int, int, int]]] = {}
    for option in options:
        by_action.setdefault(option[1], []).append(option)
    for option in by_action.get(Action.HU, []):
        if len(options) == 1 or stream.below(100) < players[option[0]].hu:
            return option
    for forced in (Action.TI_OPEN, Action.TI, Action.WEI, Action.CHOU_WEI, Action.PAO):
        if forced in by_action:
            return by_action[forced][0]
    for option in by_action.get(Action.PENG, []):
        if machine.ruleset.peng_forced or stream.below(100) < players[option[0]].peng:
            return option
    owner = int(machine.state[layout.OPEN_SEAT])
    eaters = {option[0] for option in by_action.get(Action.CHI, [])}
    for seat in sorted(eaters, key=lambda s: (s - owner) % int(machine.state[layout.N_SEATS])):
        if stream.below(100) < players[seat].chi:
            mine = [option for option in by_action[Action.CHI] if option[0] == seat]
            return mine[stream.below(len(mine))]
    if Action.DISCARD in by_action:
        seat = by_action[Action.DISCARD][0][0]
        cards = [option[2] for option in by_action[Action.DISCARD]]
        card = _discard(stream, players[seat], cards, hand_cards(machine, seat) or [])
        return (seat, Action.DISCARD, card, 0)
    for action in (Action.DRAW, Action.HUANG):
        if action in by_action:
            return by_action[action][0]
    return options[0]


def fresh_deal(ruleset: Ruleset, stream: Stream, persons: int, sitter: int | None, dealer: int) -> Record:
    """A record of a shuffled deck dealt, with the extra cards of 12.2 as its only events."""
    deck = stream.shuffled([kind for kind in range(20) for _ in range(4)])
    playing = [(dealer + i) % persons for i in range(persons) if (dealer + i) % persons != sitter]
    dealt = {seat: tuple(deck[20 * i : 20 * i + 20]) for i, seat in enumerate(sorted(playing))}
    extra = [seat for seat in playing if _quads(dealt[seat]) == 2 and ruleset.two_ti_extra]
    at = 20 * len(playing) + len(extra)
    wall = deck[at + 1 :]
    if not ruleset.last_wins and wall[-1] in RED:  # the bottom card is exchanged for a black one (rules 15.3)
        black = max(i for i, card in enumerate(wall) if card not in RED)
        wall[black], wall[-1] = wall[-1], wall[black]
    return Record(
        ruleset=ruleset.name,
        players=("",) * persons,
        dealer=dealer,
        hands=tuple(dealt.get(seat) for seat in range(persons)),
        liang=deck[at],
        wall=tuple(wall),
        moves=tuple(Move(seat, Action.BU, card) for seat, card in zip(extra, deck[60 : 60 + len(extra)], strict=True)),
        sitter=sitter,
    )


def play_round(
    machine: Engine,
    stream: Stream,
    players: Sequence[Player],
    dealer: int,
    *,
    sitter: int | None = None,
    log_passes: bool = False,
    **facts: object,
) -> Record:
    """One legal round from a fresh deck. ``facts`` go into the record; ``log_passes`` writes every 过 as an event."""
    record = fresh_deal(machine.ruleset, stream, len(players), sitter, dealer)
    record = msgspec.structs.replace(record, players=tuple(player.name for player in players), **facts)
    return play_on(machine, stream, players, record, log_passes=log_passes)


def play_events(machine: Engine, moves: list[Move], events: Sequence[Move], table: Table | None = None) -> None:
    """Carry the events out and append them to ``moves``, which the engine has carried out already."""
    for number, move in enumerate(events):
        carry_out(machine, len(moves), events, number)
        moves.append(move)
        if table is not None:
            put(table, move, machine.ruleset)


def play_on(
    machine: Engine, stream: Stream, players: Sequence[Player], record: Record, *, log_passes: bool = False
) -> Record:
    """Play a record that stops early, all of whose cards are known, to its end by legal moves, and settle it.

    ``players``: of every person. Raises ``RuntimeError`` where the result is not faultless.
    """
    seating = seated(record, machine.ruleset)
    active = [players[person] for person in seating.persons]
    moves = list(seating.record.moves)
    table = Table()
    for _, table in steps(seating, machine):  # noqa: B007 - the last table counts
        pass
    while machine.state[layout.PHASE] != layout.OVER:
        options = legal_moves(machine)
        if log_passes:
            passes = [option for option in options if option[1] == Action.PASS]
        else:
            passes = []
            options = [option for option in options if option[1] != Action.PASS] or options
        choice = choose(machine, stream, active, options)
        chosen = [
            Move(seat, Action.PASS, card) for seat, _, card, _ in passes if choice[1] in (Action.DRAW, Action.HUANG)
        ]
        play_events(machine, moves, (*chosen, *events_of_move(choice)), table)
        if len(moves) > MOST_EVENTS:
            raise RuntimeError("a generated round does not end")
    faults = [f for f in from_rows(found(machine)) if f.severity]
    if faults:
        raise RuntimeError(f"a generated round has a finding: {faults[0]}")
    score, _ = settlement.recompute(machine, table, seating)
    if score is None:
        raise RuntimeError("a generated round has no score")
    told = [msgspec.structs.replace(move, seat=seating.person(move.seat)) for move in moves]
    return msgspec.structs.replace(record, moves=tuple(told), result=result_of(score, machine.ruleset), complete=True)


def _quads(hand: Sequence[int]) -> int:
    return sum(1 for kind in range(20) if hand.count(kind) == 4)


def sessions(
    machine: Engine,
    seed: int,
    rounds: int,
    players: Sequence[Player],
    *,
    per_session: int = 20,
    platform: str = "",
    persons: int = 3,
) -> Iterator[Record]:
    """Rounds of whole sessions at tables of ``persons``, the winner dealing next (rules 11.5, 11.6).

    Of four the one opposite the dealer does not play (14.1, 14.13, 15.1). Tables are drawn from ``players``; times
    are counted from a fixed day, so nothing depends on the clock.
    """
    stream = Stream(seed)
    done = 0
    session = 0
    while done < rounds:
        table = [players[i] for i in stream.shuffled(range(len(players)))[:persons]]
        creator = dealer = stream.below(persons)
        drawn = 0
        for number in range(1, min(per_session, rounds - done) + 1):
            day = 1 + session % 28
            minute = 3 * number
            record = play_round(
                machine,
                stream,
                table,
                dealer,
                sitter=(dealer + 2) % 4 if persons == 4 else None,
                log_passes=session % 2 == 0,
                platform=platform,
                room=f"{machine.ruleset.name}-{session + 1}",
                session=f"{seed}-{session + 1}",
                round_no=number,
                started_at=f"2026-01-{day:02d}T{20 + minute // 60 % 4:02d}:{minute % 60:02d}:00",
            )
            winner = -1 if record.result is None or record.result.winner is None else record.result.winner
            rules = machine.ruleset
            drawn = drawn + 1 if winner < 0 else 0
            if winner >= 0:
                dealer = creator if rules.dealer_next == "creator" else winner
            elif rules.huang_next == "creator":
                dealer = creator
            elif drawn == 3 and rules.huang_three:
                dealer, drawn = (dealer + 1) % persons, 0
            if rules.dealer_next == "dice":
                dealer = stream.below(persons)
            done += 1
            yield record
        session += 1
