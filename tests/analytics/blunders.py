"""Planted blunders: positions of self-play in which a seat is made to choose what is plainly wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ingest.codes import Action
from ingest.record import Record
from replay.judging import EFFORTS, Hand, Task, _hand, ask, judge_task, judging_room, tasks
from replay.kernels import judge, layout, memo, search
from replay.kernels.bits import copies
from replay.rulesets import RULESETS
from replay.simulated import Run, session

LIVE = 4
"""Copies that a hand must wait for, and cards left to draw, so that what is given up is worth something."""

LATE = 8
"""Cards left in the wall with which nothing dearer is in reach of who declines a win."""


@dataclass(frozen=True)
class Blunder:
    """A decision with the wrong choice in it, and the reasons that say why it is wrong."""

    kind: str
    task: Task
    reasons: frozenset[str]


def _hands(task: Task) -> tuple[list[str], list[Hand | None], list[int], int]:
    """The choices in words, the hand after each, the cards thrown, and the 提 and 跑 that the seat has laid."""
    at, seat = judging_room(task), task.seating.persons.index(task.decision.seat)
    texts = ask(at, task, np.zeros(judge.V_CHAINS))
    quads = int(at.state[layout.SEAT0 + seat * layout.SEAT_SIZE + layout.N_QUADS])
    first = memo.CHOICES
    rows = [at.state[first + search.C_SIZE * i :][: search.C_SIZE].copy() for i in range(len(texts))]
    held = int(at.state[layout.SEAT0 + seat * layout.SEAT_SIZE + layout.HAND])
    pairs = [copies(held, int(row[search.C_CARD])) for row in rows]
    return texts, [_hand(at, task, seat, i, row) for i, row in enumerate(rows)], pairs, quads


def _wrong(task: Task, text: str) -> Task:
    decision = task.decision
    return replace(task, decision=replace(decision, taken=decision.options.index(text)))


def of_task(task: Task) -> Iterator[Blunder]:
    """The blunders that can be planted in a decision, one of a kind at most."""
    options = task.decision.options
    wall = sum(1 for card in task.deal[layout.D_WALL - layout.DEAL0 :] if card >= 0)
    left = wall - sum(1 for action in task.events[1 : 5 * task.decision.seq : 5] if action == Action.DRAW)
    if "胡" in options:
        if left <= LATE:
            yield Blunder("hu", _wrong(task, "过"), frozenset({"declined_hu"}))
        return
    if left < LIVE or not options[0].startswith("打"):
        return
    texts, hands, pairs, quads = _hands(task)
    known = [(text, hand, n) for text, hand, n in zip(texts, hands, pairs, strict=True) if hand is not None]
    steps = min((hand.steps for _, hand, _ in known if hand.steps >= 0), default=9)
    waits = max((hand.live for _, hand, _ in known if hand.steps == steps and hand.missing == 0), default=0)
    if steps != 1 or waits < LIVE:
        return
    for text, hand, _ in known:
        if hand.missing >= 3 and (hand.steps < 0 or hand.steps > steps):
            yield Blunder("huxi", _wrong(task, text), frozenset({"huxi", "dead"}))
            break
    for text, hand, n in known:
        if quads > 0 and n == 2 and hand.steps > steps and hand.missing == 0:
            yield Blunder("jiang", _wrong(task, text), frozenset({"steps", "outs", "huxi", "dead"}))
            break


def rounds(seed: int, player: str = "value", ruleset: str = "qq") -> Iterator[Record]:
    """Rounds of self-play without end."""
    run = Run(RULESETS[ruleset], (player,) * 3, 1 << 30, seed, per_session=20)
    for part in range(1 << 20):
        yield from session(run, part)


def blunders(seed: int, each: int, kinds: Sequence[str] = ("hu", "huxi", "jiang")) -> list[Blunder]:
    """``each`` of every kind, from rounds of self-play, one of a kind a round."""
    found: dict[str, list[Blunder]] = {kind: [] for kind in kinds}
    for record in rounds(seed):
        here: dict[str, Blunder] = {}
        for task in tasks(record):
            for one in of_task(task):
                here.setdefault(one.kind, one)
        for kind, one in here.items():
            if kind in found and len(found[kind]) < each:
                found[kind].append(one)
        if all(len(some) == each for some in found.values()):
            break
    return [one for some in found.values() for one in some]


def unlucky(seed: int, n: int) -> list[Task]:
    """``n`` decisions of self-play, one a round, that were the best of several choices, in rounds which that seat lost.

    That they were is found in worlds of their own: those of their grading are others.
    """
    found: list[Task] = []
    for record in rounds(seed):
        assert record.result is not None
        points = record.result.points or ()
        lost = [task for task in tasks(record) if points[task.decision.seat] < 0]
        if not lost:
            continue
        task = lost[lost[0].seed[0] % len(lost)]
        other = replace(task, seed=(task.seed[0] ^ 1, task.seed[1]))
        judged = judge_task(judging_room(other), other, EFFORTS["full"])
        if judged.taken == judged.best:
            found.append(task)
        if len(found) == n:
            break
    return found
