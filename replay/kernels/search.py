"""The player `search`: play-outs by `value` from worlds that the seat cannot tell apart, for each of its best moves."""

from __future__ import annotations

from replay.kernels.features import about_table, worth
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_DRAW,
    A_HU,
    A_PASS,
    D_WALL,
    MAX_WALL,
    MOVE,
    MOVES,
    N_SEATS,
    O_POINTS,
    OVER,
    PHASE,
    SHOWN,
    STATE0,
    STATE_END,
)
from replay.kernels.legal import legal
from replay.kernels.memo import (
    ANSWER,
    CHOICES,
    CLIP,
    KIND,
    MEMO,
    PLAYED,
    REMEMBERED,
    SAVED,
    WEIGHTS,
    WORLD_SAVED,
)
from replay.kernels.plans import after_nothing
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.kernels.policies import FITTED, appraise, count_left, may_choose
from replay.kernels.reading import stir
from replay.kernels.rounds import ask_nobody, decided, make_move
from replay.kernels.score import settle
from replay.kernels.state import shown_rights
from replay.kernels.worlds import clear_others, count_worlds, draw_world

W_BUDGET, W_CHOICES, W_PRIOR, W_MARGIN, W_WORLDS, W_DRAWS, W_STEPS = range(7)
"""Weights: play-outs for a decision, most moves looked at, how many play-outs the fitted value is worth, how far behind
the best one a move may be to be looked at (points), worlds between two looks at which moves are clearly worse, draws of
a play-out, how much each world is stirred (``reading.stir``)."""
C_ACTION, C_CARD, C_CODE, C_PLAYED, C_MOVE, C_ALIVE = range(6)
C_SIZE = 6
"""Ints of a choice."""
S_POINTS, S_VALUE, S_SQUARES = range(3)
S_SIZE = 3
"""Floats of a choice at ``SUMS``: its play-outs' sum of points, its fitted value, the sum of their squares."""
CLEAR = 1.5
"""Standard errors by which a choice lies behind the best when no more play-outs are spent on it."""
CHAIN = 8
"""Worlds that are made one from another before the next is drawn afresh."""
SUMS = 11_000
UNDECIDED = -2


@kernel
def keep_state(s: Ints, at: int, back: int) -> None:
    """Save the state, the wall and what all remember at slot ``at``, or (``back`` 1) bring them back."""
    for i in range(STATE0, STATE_END):
        if back == 1:
            s[i] = s[at]
        else:
            s[at] = s[i]
        at += 1
    for i in range(MAX_WALL):
        if back == 1:
            s[D_WALL + i] = s[at]
        else:
            s[at] = s[D_WALL + i]
        at += 1
    for i in range(MEMO, MEMO + REMEMBERED):
        if back == 1:
            s[i] = s[at]
        else:
            s[at] = s[i]
        at += 1


@kernel
def roll_out(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, draws: int
) -> float:  # fmt: skip
    """Points of the seat when all play on like `value`: at the round's end, or what it thinks after so many draws.

    What the seat thinks after a while says nearly as much as how the round ends, and varies far less.
    """
    n = PLAYED // EVENT
    while s[PHASE] != OVER:
        moves = legal(s, table)
        if moves == 0 or n > PLAYED // EVENT + MOST_EVENTS - 8:
            return 0.0
        move = decided(s, plans, weights, net, stream, moves)
        if s[MOVES + MOVE * move + 1] == A_DRAW:
            if draws == 0:
                count_left(s, seat)
                about_table(s, net, seat)
                after_nothing(s, seat)
                return worth(s, plans, net, seat, A_PASS) * s[CLIP]
            draws -= 1
        n = make_move(s, table, s, n, move)
        ask_nobody(s)
    settle(s, -1)
    return float(s[O_POINTS + seat])


@kernel
def play_choice(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, choice: int, draws: int
) -> float:  # fmt: skip
    """Points of the seat when it makes the choice in the world that lies in ``s``, see ``roll_out``."""
    at = CHOICES + C_SIZE * choice
    moves = legal(s, table)
    answer = -1
    for i in range(moves):
        m = MOVES + MOVE * i
        if s[m] == seat and s[m + 1] == s[at + C_ACTION] and s[m + 2] == s[at + C_CARD] and s[m + 3] == s[at + C_CODE]:
            answer = i
    ask_nobody(s)
    s[ANSWER + seat] = -1 if s[at + C_ACTION] == A_PASS else answer
    return roll_out(s, table, plans, weights, net, stream, seat, draws)


@kernel
def gather_choices(
    s: Ints, plans: Words, weights: Ints, net: Floats, seat: int, moves: int, margin: float, most: int
) -> int:  # fmt: skip
    """Write the seat's best moves, as it appraises them itself, at ``CHOICES``; returns their number."""
    count_left(s, seat)
    about_table(s, net, seat)
    n = 0
    for i in range(moves):
        m = MOVES + MOVE * i
        if not may_choose(s, seat, i):
            continue
        value = appraise(s, plans, weights, net, seat, i) * s[CLIP]
        place = n
        while place > 0 and net[SUMS + S_SIZE * (place - 1) + S_VALUE] < value:
            place -= 1
        if place >= most:
            continue
        n = min(n + 1, most)
        for j in range(n - 1, place, -1):
            for k in range(C_SIZE):
                s[CHOICES + C_SIZE * j + k] = s[CHOICES + C_SIZE * (j - 1) + k]
            net[SUMS + S_SIZE * j + S_VALUE] = net[SUMS + S_SIZE * (j - 1) + S_VALUE]
        at = CHOICES + C_SIZE * place
        s[at + C_ACTION] = s[m + 1]
        s[at + C_CARD] = s[m + 2]
        s[at + C_CODE] = s[m + 3]
        s[at + C_MOVE] = i
        net[SUMS + S_SIZE * place + S_VALUE] = value
    while n > 1 and net[SUMS + S_SIZE * (n - 1) + S_VALUE] < net[SUMS + S_VALUE] - margin:
        n -= 1
    for i in range(n):
        s[CHOICES + C_SIZE * i + C_PLAYED] = 0
        s[CHOICES + C_SIZE * i + C_ALIVE] = 1
        net[SUMS + S_SIZE * i + S_POINTS] = 0.0
        net[SUMS + S_SIZE * i + S_SQUARES] = 0.0
    return n


@kernel
def winning_move(s: Ints, seat: int, moves: int) -> int:
    """The move by which the seat wins, -1 where it has none at all, ``UNDECIDED`` where it has a choice."""
    found = -1
    for i in range(moves):
        if may_choose(s, seat, i):
            found = UNDECIDED
            if s[MOVES + MOVE * i + 1] == A_HU:
                return i
    return found


@kernel
def chosen(s: Ints, choice: int) -> int:
    """The choice as ``policies.decide`` tells it: a move, -1 for 过."""
    at = CHOICES + C_SIZE * choice
    return -1 if s[at + C_ACTION] == A_PASS else s[at + C_MOVE]


@kernel
def judged(s: Ints, net: Floats, choice: int, prior: int) -> float:
    """What is thought of a choice: the play-outs, and the fitted value as if it were ``prior`` more of them."""
    played = s[CHOICES + C_SIZE * choice + C_PLAYED]
    at = SUMS + S_SIZE * choice
    return (net[at + S_POINTS] + prior * net[at + S_VALUE]) / (played + prior)


@kernel
def best_choice(s: Ints, net: Floats, choices: int, prior: int) -> int:
    """The choice thought most of among those not dropped, of equal ones the first."""
    best = -1
    for i in range(choices):
        if s[CHOICES + C_SIZE * i + C_ALIVE] == 1 and (
            best < 0 or judged(s, net, i, prior) > judged(s, net, best, prior)
        ):
            best = i
    return best


@kernel
def error_of(s: Ints, net: Floats, choice: int) -> float:
    """The squared standard error of a choice's mean."""
    n = s[CHOICES + C_SIZE * choice + C_PLAYED]
    mean = net[SUMS + S_SIZE * choice + S_POINTS] / n
    return max(0.0, net[SUMS + S_SIZE * choice + S_SQUARES] / n - mean * mean) / n


@kernel
def drop_clear(s: Ints, net: Floats, choices: int, prior: int) -> int:
    """Drop the choices that are clearly worse than the best one; returns how many are left."""
    best = best_choice(s, net, choices, prior)
    most = judged(s, net, best, prior)
    left = 0
    for i in range(choices):
        if s[CHOICES + C_SIZE * i + C_ALIVE] == 1:
            behind = most - judged(s, net, i, prior)
            if i != best and behind * behind > CLEAR * CLEAR * (error_of(s, net, i) + error_of(s, net, best)):
                s[CHOICES + C_SIZE * i + C_ALIVE] = 0
            else:
                left += 1
    return left


@kernel
def search(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, moves: int
) -> int:  # fmt: skip
    """Which of the moves at ``MOVES`` the seat makes, as ``policies.decide``: by play-outs, of which those moves
    get no more that are clearly worse than the best."""
    w = s[WEIGHTS + seat]
    at_once = winning_move(s, seat, moves)
    if at_once != UNDECIDED:
        return at_once
    kinds = 0
    for q in range(s[N_SEATS]):
        kinds |= s[KIND + q] << (4 * q)
        s[KIND + q] = FITTED
    choices = gather_choices(s, plans, weights, net, seat, moves, float(weights[w + W_MARGIN]), weights[w + W_CHOICES])
    prior = weights[w + W_PRIOR]
    if choices > 1 and count_worlds(s, net, seat) == 1:
        keep_state(s, SAVED, 0)
        alive = choices
        spent = 0
        while alive > 1 and spent < weights[w + W_BUDGET]:
            for world in range(weights[w + W_WORLDS]):
                steps = weights[w + W_STEPS]
                if world % CHAIN == 0:
                    keep_state(s, SAVED, 1)
                    clear_others(s)
                    draw_world(s, net, stream)
                    steps *= CHAIN // 2
                stir(s, plans, net, stream, steps)
                keep_state(s, WORLD_SAVED, 0)
                one = stream[0]
                two = stream[1]
                for i in range(choices):
                    if s[CHOICES + C_SIZE * i + C_ALIVE] == 0:
                        continue
                    stream[0] = one
                    stream[1] = two
                    if s[PHASE] == SHOWN:
                        shown_rights(s, table)
                    points = play_choice(s, table, plans, weights, net, stream, seat, i, weights[w + W_DRAWS])
                    net[SUMS + S_SIZE * i + S_POINTS] += points
                    net[SUMS + S_SIZE * i + S_SQUARES] += points * points
                    s[CHOICES + C_SIZE * i + C_PLAYED] += 1
                    spent += 1
                    keep_state(s, WORLD_SAVED, 1)
            alive = drop_clear(s, net, choices, prior)
        keep_state(s, SAVED, 1)
        legal(s, table)
    for q in range(s[N_SEATS]):
        s[KIND + q] = (kinds >> (4 * q)) & 15
    return chosen(s, best_choice(s, net, choices, prior))
