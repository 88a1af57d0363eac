"""What each choice of a decision is worth, judged by what the seat could know (docs/decision-quality.md).

Worlds that the seat cannot tell apart are drawn as in ``search``; in each of them every choice is made and played to
the end. Worlds come in chains, made one from another; a chain is one observation, and the differences of two choices
in the same chains have a standard error. Choices far behind get no more worlds.
"""

from __future__ import annotations

from replay.kernels.features import WEIGHT, about_table, live
from replay.kernels.jit import Floats, Ints, Words, kernel
from replay.kernels.layout import (
    A_BI,
    A_HU,
    A_PASS,
    D_WALL,
    HIDDEN,
    MOVE,
    MOVES,
    N_SEATS,
    OPEN,
    OPEN_SEAT,
    PHASE,
    SEQ,
    SHOWN,
    WALL_AT,
    WALL_N,
)
from replay.kernels.legal import legal
from replay.kernels.memo import (
    ANSWER,
    CHOICES,
    CLIP,
    EXPLORE,
    KIND,
    LEFT,
    NOTED,
    PLAYED,
    SAVED,
    WORLD_SAVED,
    remember_deal,
)
from replay.kernels.opening import begin
from replay.kernels.outcomes import OUTCOME, play_world
from replay.kernels.plans import L_WAITS, look
from replay.kernels.play import EVENT, draw_below
from replay.kernels.policies import FITTED, appraise, count_left, may_choose, think_of
from replay.kernels.reading import stir
from replay.kernels.rounds import ask_nobody, carry, make_move
from replay.kernels.search import C_ACTION, C_ALIVE, C_CARD, C_CODE, C_MOVE, C_PLAYED, C_SIZE, keep_state
from replay.kernels.state import shown_rights
from replay.kernels.worlds import clear_others, count_worlds, draw_world

MOST_CHOICES = 32
CHAIN = 8
"""Worlds of a chain."""
STEPS = 4
"""How much each world is stirred, see ``reading.stir``; the first of a chain half a chain's worth."""
BEHIND = 3.0
"""Standard errors behind the best after which a choice gets no more worlds."""
TOLERANCE = 0.1
"""The standard error of a loss may be this part of it, if that is more than what is asked for."""
V_VALUES = OUTCOME * MOST_CHOICES
"""Behind the outcomes of all choices: what the fitted value thinks of each, ..."""
V_CHAINS = V_VALUES + MOST_CHOICES
"""... and the seat's mean points in each chain, ``MOST_CHOICES`` floats a chain."""


@kernel
def walk_to(s: Ints, table: bytes, events: Ints, last: int) -> None:
    """Play the first ``last`` events of the round whose deal lies in ``s``, everybody remembering."""
    begin(s)
    remember_deal(s)
    s[SEQ] = -1
    s[NOTED] = -1
    s[EXPLORE] = 0
    i = 0
    while i < last:
        j = i + 1
        while j < last and events[EVENT * j + 1] == A_BI:
            j += 1
        carry(s, table, events, i, j)
        i = j


@kernel
def count_unseen(s: Ints, seat: int) -> None:
    """As ``policies.count_left``, without the card that the seat alone has seen: its draw, not shown yet."""
    count_left(s, seat)
    if s[PHASE] == HIDDEN and s[OPEN_SEAT] == seat:
        n = live(s, 1 << s[OPEN]) - 1
        for i in range(3):
            s[LEFT + i] = (s[LEFT + i] & ~(1 << s[OPEN])) | ((n >> i) & 1) << s[OPEN]


@kernel
def list_choices(s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, seat: int, out: Floats) -> int:
    """Write what the seat may do at ``CHOICES``, and the fitted value of each in points; returns their number.

    The value of a win is not known before the play-out and is left 0. Of more than ``MOST_CHOICES`` the last are left.
    """
    moves = legal(s, table)
    kind = s[KIND + seat]
    s[KIND + seat] = FITTED
    count_unseen(s, seat)
    about_table(s, net, seat)
    n = 0
    for i in range(moves):
        if n == MOST_CHOICES or not may_choose(s, seat, i):
            continue
        m = MOVES + MOVE * i
        at = CHOICES + C_SIZE * n
        s[at + C_ACTION] = s[m + 1]
        s[at + C_CARD] = s[m + 2]
        s[at + C_CODE] = s[m + 3]
        s[at + C_MOVE] = i
        s[at + C_PLAYED] = 0
        s[at + C_ALIVE] = 1
        out[V_VALUES + n] = 0.0
        if s[m + 1] != A_HU:
            out[V_VALUES + n] = appraise(s, plans, weights, net, seat, i) * s[CLIP]
        n += 1
    s[KIND + seat] = kind
    return n


@kernel
def hand_after(s: Ints, table: bytes, plans: Words, seat: int, choice: int) -> int:
    """Make the choice in the state that lies in ``s``, after a quick look at the hand that is left (``plans.look``);
    returns the copies not seen of the kinds that bring it on."""
    moves = legal(s, table)
    move = s[CHOICES + C_SIZE * choice + C_MOVE]
    count_unseen(s, seat)
    think_of(s, seat, move)
    look(s, plans, WEIGHT)
    if s[MOVES + MOVE * move + 1] != A_PASS and moves > 0:
        make_move(s, table, s, PLAYED // EVENT, move)
    return live(s, s[L_WAITS])


@kernel
def answer_with(s: Ints, table: bytes, seat: int, choice: int) -> None:
    """The seat makes the choice in the world that lies in ``s``; the others have not been asked."""
    at = CHOICES + C_SIZE * choice
    moves = legal(s, table)
    answer = -1
    for i in range(moves):
        m = MOVES + MOVE * i
        if s[m] == seat and s[m + 1] == s[at + C_ACTION] and s[m + 2] == s[at + C_CARD] and s[m + 3] == s[at + C_CODE]:
            answer = i
    ask_nobody(s)
    s[ANSWER + seat] = -1 if s[at + C_ACTION] == A_PASS else answer


@kernel
def play_choices(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, choices: int,
    chances: bool, chain: int, out: Floats,
) -> None:  # fmt: skip
    """Make every choice that is alive in the world in ``s`` and add what comes of it; all have the same luck."""
    if s[PHASE] == SHOWN:
        shown_rights(s, table)
    keep_state(s, WORLD_SAVED, 0)
    one = stream[0]
    two = stream[1]
    for i in range(choices):
        if s[CHOICES + C_SIZE * i + C_ALIVE] == 0:
            continue
        stream[0] = one
        stream[1] = two
        before = out[OUTCOME * i + seat]
        answer_with(s, table, seat, i)
        play_world(s, table, plans, weights, net, stream, seat, chances, out, OUTCOME * i)
        out[V_CHAINS + MOST_CHOICES * chain + i] += (out[OUTCOME * i + seat] - before) / CHAIN
        s[CHOICES + C_SIZE * i + C_PLAYED] += 1
        keep_state(s, WORLD_SAVED, 1)


@kernel
def gap(out: Floats, one: int, two: int, chains: int) -> float:
    """How much better choice ``one`` did than ``two``, the mean of the chains."""
    total = 0.0
    for i in range(chains):
        at = V_CHAINS + MOST_CHOICES * i
        total += out[at + one] - out[at + two]
    return total / chains


@kernel
def gap_error(out: Floats, one: int, two: int, chains: int) -> float:
    """The squared standard error of ``gap``."""
    mean = gap(out, one, two, chains)
    total = 0.0
    for i in range(chains):
        at = V_CHAINS + MOST_CHOICES * i
        off = out[at + one] - out[at + two] - mean
        total += off * off
    return total / (chains * (chains - 1))


@kernel
def leader(s: Ints, out: Floats, seat: int, choices: int) -> int:
    """The choice with the best mean among those alive, of equal ones the first."""
    best = -1
    most = 0.0
    for i in range(choices):
        if s[CHOICES + C_SIZE * i + C_ALIVE] == 1:
            mean = out[OUTCOME * i + seat] / s[CHOICES + C_SIZE * i + C_PLAYED]
            if best < 0 or mean > most:
                best = i
                most = mean
    return best


@kernel
def settled(s: Ints, out: Floats, seat: int, choices: int, taken: int, chains: int, aim: float) -> bool:
    """Drop the choices that lie clearly behind; is all known as well as asked for?

    That is: how far the one that was ``taken`` lies behind the best to a standard error of ``aim`` (or a part of it,
    ``TOLERANCE``), and how far every other that may still be the best.
    """
    best = leader(s, out, seat, choices)
    done = True
    for i in range(choices):
        if i == best or s[CHOICES + C_SIZE * i + C_ALIVE] == 0:
            continue
        behind = gap(out, best, i, chains)
        error = gap_error(out, best, i, chains)
        if i == taken:
            enough = max(aim, TOLERANCE * behind)
            done = done and error <= enough * enough
        elif behind * behind > BEHIND * BEHIND * error:
            s[CHOICES + C_SIZE * i + C_ALIVE] = 0
        else:
            done = done and error <= aim * aim
    return done


@kernel
def judge_choices(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, taken: int, choices: int,
    first: int, most: int, whole: int, aim: float, out: Floats,
) -> int:  # fmt: skip
    """Judge the listed choices by ``first`` chains of worlds, then twice as many, up to ``most``, until all is known to
    a standard error of ``aim`` points; returns the chains, 0 where the hands of the others cannot be counted.

    In the first ``whole`` chains who wins in the end is noted too.

    ``out``: an ``OUTCOME`` for each choice, summed over its worlds, the fitted values, then the chains, all 0 before.
    """
    if count_worlds(s, net, seat) == 0:
        return 0
    for q in range(s[N_SEATS]):
        s[KIND + q] = FITTED
    keep_state(s, SAVED, 0)
    chains = 0
    until = first
    while True:
        while chains < until:
            for world in range(CHAIN):
                steps = STEPS
                if world == 0:
                    keep_state(s, SAVED, 1)
                    clear_others(s)
                    draw_world(s, net, stream)
                    steps *= CHAIN // 2
                stir(s, plans, net, stream, steps)
                play_choices(s, table, plans, weights, net, stream, seat, choices, chains < whole, chains, out)
            chains += 1
        if settled(s, out, seat, choices, taken, chains, aim) or chains >= most:
            break
        until = min(2 * chains, most)
    keep_state(s, SAVED, 1)
    return chains


@kernel
def judge_known(
    s: Ints, table: bytes, plans: Words, weights: Ints, net: Floats, stream: Ints, seat: int, choices: int,
    chains: int, out: Floats,
) -> int:  # fmt: skip
    """Judge the listed choices that are alive with the hands as they really are, only the wall's order unknown."""
    for q in range(s[N_SEATS]):
        s[KIND + q] = FITTED
    keep_state(s, SAVED, 0)
    for chain in range(chains):
        for _ in range(CHAIN):
            keep_state(s, SAVED, 1)
            first = D_WALL + s[WALL_AT]
            for i in range(s[WALL_N] - s[WALL_AT] - 1, 0, -1):
                j = draw_below(stream, i + 1)
                card = s[first + i]
                s[first + i] = s[first + j]
                s[first + j] = card
            play_choices(s, table, plans, weights, net, stream, seat, choices, False, chain, out)
    keep_state(s, SAVED, 1)
    return chains
