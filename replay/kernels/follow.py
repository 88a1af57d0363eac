"""A player who does what the judge thinks best: whether the judge's losses are real shows in what it gains."""

from __future__ import annotations

from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.judge import MOST_CHOICES, V_CHAINS, judge_choices, leader, list_choices
from replay.kernels.layout import D_DEALER, N_SEATS, OVER, PHASE
from replay.kernels.legal import legal
from replay.kernels.match import deal_second, seat_players, seed_second, tell
from replay.kernels.memo import ANSWER, EXPLORE, KIND, NOTED
from replay.kernels.play import MOST_EVENTS, draw_below
from replay.kernels.policies import decide
from replay.kernels.rounds import agreed, ask_nobody, make_move, start
from replay.kernels.search import UNDECIDED, chosen, winning_move

NOBODY = -1


@kernel
def follow(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, moves: int, first: int,
    most: int, aim: float, out: Floats,
) -> int:  # fmt: skip
    """Which of the moves at ``MOVES`` the seat makes, as ``policies.decide``: the one that the judge values most."""
    at_once = winning_move(s, seat, moves)
    if at_once != UNDECIDED:
        return at_once
    kinds = 0
    for q in range(s[N_SEATS]):
        kinds |= s[KIND + q] << (4 * q)
    for i in range(V_CHAINS + MOST_CHOICES * most):
        out[i] = 0.0
    choices = list_choices(s, table, plans, weights, net, seat, out)
    best = 0
    if choices > 1 and judge_choices(
        s, table, plans, weights, net, stream, seat, NOBODY, choices, first, most, 0, aim, out
    ) > 0:  # fmt: skip
        best = leader(s, out, seat, choices)
    for q in range(s[N_SEATS]):
        s[KIND + q] = (kinds >> (4 * q)) & 15
    legal(s, table)
    return chosen(s, best)


@kernel
def follow_deals(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, deals: int, who: Ints, seats: int,
    paid: int, extra: int, first: int, most: int, aim: float, events: Ints, results: Ints, out: Floats,
) -> int:  # fmt: skip
    """Play each fresh deal ``seats + 1`` times: all as ``who`` says, then each seat in turn following the judge.

    The deals and the luck of a deal are those of ``match.play_deals`` with the same stream. ``results``: ``RESULT``
    ints a round; returns the rounds, -1 if one does not end.
    """
    s[NOTED] = -1
    s[EXPLORE] = 0
    row = 0
    for _ in range(deals):
        seed = draw_below(stream, 1 << 30)
        for follower in range(-1, seats):
            seed_second(stream, seed)
            deal_second(s, stream, -1, seats, paid, extra)
            seat_players(s, who, 0, seats, -1)
            n = start(s, table, events, 0, seats, extra)
            while s[PHASE] != OVER:
                moves = legal(s, table)
                if moves == 0 or n > MOST_EVENTS - 8:
                    return -1
                ask_nobody(s)
                move = agreed(s, moves)
                while move < 0:
                    seat = -1 - move
                    if seat == follower:
                        s[ANSWER + seat] = follow(
                            s, table, plans, weights, net, stream, seat, moves, first, most, aim, out
                        )
                    else:
                        s[ANSWER + seat] = decide(s, plans, weights, net, stream, seat, moves)
                    move = agreed(s, moves)
                n = make_move(s, table, events, n, move)
            tell(s, results, row, n, s[D_DEALER], -1)
            row += 1
    return row
