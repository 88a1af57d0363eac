"""Rounds between reference players, by the deal and by the session."""

from __future__ import annotations

from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    D_DEALER,
    DEAL0,
    DEAL_SIZE,
    O_FAN,
    O_FAN_TOTAL,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_UNITS,
    O_ZIMO,
    OVER,
    PHASE,
    WALL_AT,
    WALL_N,
    WIN_SOURCE,
    WIN_SPECIAL,
    WINNER,
)
from replay.kernels.legal import legal
from replay.kernels.memo import ANSWER, EXPLORE, KIND, NOTED, PARTNER, STRENGTH, VICE, WEIGHTS
from replay.kernels.play import MOST_EVENTS, deal_round, draw_below
from replay.kernels.rounds import agreed, ask_nobody, make_move, start
from replay.kernels.score import settle
from replay.kernels.vices import answer, bias_deal

(
    R_WINNER, R_POINTS, R_LEFT, R_EVENTS, R_DEALER, R_SITTER, R_HUXI, R_UNITS, R_FAN, R_FAN_TOTAL, R_ZIMO, R_SOURCE,
    R_SPECIAL, R_RED,
) = (0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)  # fmt: skip
RESULT = 17
"""Ints of a played round: the winner's seat (-1 荒庄), the points of the seats and the fourth person, cards left in
the wall, events, the dealer (a person in sessions), who sits out (-1 nobody); then what the win was, see ``score``."""
WHO = 5
"""Ints of a person, see ``seat_players``."""


@kernel
def seat_players(s: Ints, who: Ints, first: int, seats: int, sitter: int) -> None:
    """Who plays at each seat: ``WHO`` ints a person from ``first`` on: the kind of player and where its weights begin,
    how it cheats, how often, and the person for whom."""
    for seat in range(seats):
        person = seat + 1 if 0 <= sitter <= seat else seat
        at = first + WHO * person
        partner = who[at + 4]
        s[KIND + seat] = who[at]
        s[WEIGHTS + seat] = who[at + 1]
        s[VICE + seat] = 0 if partner >= 0 and partner == sitter else who[at + 2]
        s[STRENGTH + seat] = who[at + 3]
        s[PARTNER + seat] = partner - 1 if 0 <= sitter < partner else partner


@kernel
def think_out(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, events: Ints, n: int
) -> int:  # fmt: skip
    """As ``rounds.play_out``, where some of the seats may search or cheat."""
    last = n + MOST_EVENTS - 8
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > last:
            return -1
        ask_nobody(s)
        move = agreed(s, moves)
        while move < 0:
            s[ANSWER - 1 - move] = answer(s, table, plans, weights, net, stream, -1 - move, moves)
            move = agreed(s, moves)
        n = make_move(s, table, events, n, move)
    return n


@kernel
def tell(s: Ints, results: Ints, row: int, n: int, dealer: int, sitter: int) -> None:
    """Settle the round that is over and write its row."""
    settle(s, -1)
    at = RESULT * row
    results[at + R_WINNER] = s[WINNER]
    for i in range(4):
        results[at + R_POINTS + i] = s[O_POINTS + i]
    results[at + R_LEFT] = s[WALL_N] - s[WALL_AT]
    results[at + R_EVENTS] = n
    results[at + R_DEALER] = dealer
    results[at + R_SITTER] = sitter
    results[at + R_HUXI] = s[O_HUXI]
    results[at + R_UNITS] = s[O_UNITS]
    results[at + R_FAN] = s[O_FAN]
    results[at + R_FAN_TOTAL] = s[O_FAN_TOTAL]
    results[at + R_ZIMO] = s[O_ZIMO]
    results[at + R_SOURCE] = s[WIN_SOURCE]
    results[at + R_SPECIAL] = s[WIN_SPECIAL]
    results[at + R_RED] = s[O_RED]


@kernel
def play_deals(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, deals: int, seatings: int,
    who: Ints, seats: int, paid: int, extra: int, events: Ints, results: Ints,
) -> int:  # fmt: skip
    """Play each of ``deals`` fresh deals once for each seating; returns the rounds played, -1 if one does not end.

    ``stream``: four ints, two generators: each deal has a seed of the first one, from which it is dealt in every
    seating alike, and what the players draw comes from it too. ``who``: for each seating see ``seat_players``;
    ``results``: ``RESULT`` ints a round; ``events``: room for one round.
    """
    row = 0
    s[NOTED] = -1
    s[EXPLORE] = 0
    for _ in range(deals):
        seed = draw_below(stream, 1 << 30)
        for seating in range(seatings):
            seed_second(stream, seed)
            deal_second(s, stream, -1, seats, paid, extra)
            seat_players(s, who, WHO * seats * seating, seats, -1)
            bias_deal(s, plans, stream, seats)
            n = start(s, table, events, 0, seats, extra)
            n = think_out(s, table, plans, weights, net, stream, events, n)
            if n < 0:
                return -1
            tell(s, results, row, n, s[D_DEALER], -1)
            row += 1
    return row


@kernel
def seed_second(stream: Ints, seed: int) -> None:
    """Begin the second generator of the stream; the first numbers of near seeds are alike and are left out."""
    stream[2] = seed + 1
    stream[3] = seed + 7


@kernel
def deal_second(s: Ints, stream: Ints, dealer: int, seats: int, paid: int, extra: int) -> None:
    """Shuffle and deal from the second generator, the first one standing still."""
    one = stream[0]
    two = stream[1]
    stream[0] = stream[2]
    stream[1] = stream[3]
    for _ in range(10):
        draw_below(stream, 2)
    deal_round(s, stream, dealer, seats, paid, extra)
    stream[0] = one
    stream[1] = two


@kernel
def start_alike(
    s: Ints, table: bytes, stream: Ints, events: Ints, kind: int, begin: int, seats: int, paid: int, extra: int
) -> int:  # fmt: skip
    """Deal the next round of the stream to seats that all play alike (``kind``, ``begin``: see ``seat_players``);
    returns the number of the first event to come, see ``rounds.start``."""
    seed_second(stream, draw_below(stream, 1 << 30))
    deal_second(s, stream, -1, seats, paid, extra)
    for seat in range(seats):
        s[KIND + seat] = kind
        s[WEIGHTS + seat] = begin
    return start(s, table, events, 0, seats, extra)


@kernel
def play_session(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, rounds: int, who: Ints,
    persons: int, seats: int, paid: int, extra: int, next_dealer: int, next_huang: int, huang_three: int,
    deals: Ints, events: Ints, room: int, spans: Ints, results: Ints,
) -> int:  # fmt: skip
    """Play a session: who deals next follows from who won (rules 11.5, 11.6); returns the rounds played.

    ``persons`` 4 with 3 ``seats``: the one opposite the dealer sits out (14.1, 14.13, 15.1). ``next_dealer``: 0 the
    winner, 1 the creator of the room, 2 dice; ``next_huang``: after 荒庄 0 the same dealer, 1 the next person, 2 the
    creator; ``huang_three`` 1: after the third one in a row the next person. Returns fewer rounds when ``events``
    (``room`` of them) is full, -1 when one does not end. ``deals``, ``spans``: as ``audit.audit_rounds`` reads them.
    """
    s[NOTED] = -1
    s[EXPLORE] = 0
    creator = draw_below(stream, persons)
    dealer = creator
    drawn = 0
    spans[0] = 0
    for r in range(rounds):
        if spans[r] + MOST_EVENTS > room:
            return r
        sitter = (dealer + 2) % 4 if persons == 4 else -1
        seat = dealer - 1 if 0 <= sitter < dealer else dealer
        deal_round(s, stream, seat, seats, paid, extra)
        seat_players(s, who, 0, seats, sitter)
        bias_deal(s, plans, stream, seats)
        for i in range(DEAL_SIZE):
            deals[DEAL_SIZE * r + i] = s[DEAL0 + i]
        n = start(s, table, events, spans[r], seats, extra)
        n = think_out(s, table, plans, weights, net, stream, events, n)
        if n < 0:
            return -1
        tell(s, results, r, n - spans[r], dealer, sitter)
        spans[r + 1] = n
        winner = s[WINNER]
        drawn = drawn + 1 if winner < 0 else 0
        if winner >= 0:
            dealer = winner + 1 if 0 <= sitter <= winner else winner
            if next_dealer == 1:
                dealer = creator
        elif next_huang == 2:
            dealer = creator
        elif next_huang == 1 or (drawn == 3 and huang_three == 1):
            dealer = (dealer + 1) % persons
            drawn = 0
        if next_dealer == 2:
            dealer = draw_below(stream, persons)
    return rounds
