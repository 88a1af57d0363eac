"""Judging the decisions of a round: what each choice was worth by what the seat could know (docs/decision-quality.md).

Deterministic: worlds are drawn from a stream that follows from the round, the event and the seat, so the figures do not
depend on what else is judged, in which order or by how many threads.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ingest.cards import name as card_name
from ingest.codes import ACTION_CHARS, Action
from ingest.record import Record
from replay.corrections import correction
from replay.engine import deal_of, events_of
from replay.fronts import few_fronts, fronts
from replay.kernels import judge, layout, memo, outcomes, plans, search
from replay.kernels.hands import GROUPS
from replay.kernels.jit import source_hash
from replay.kernels.pieces import WORK_SIZE
from replay.players import PLAYERS, VALUES, Room, room, stream_of
from replay.replayer import Decision, cards_beside, replay_round, rules_of
from replay.ruleset import Ruleset
from replay.seating import Seating, seated
from replay.version import ENGINE_VERSION

CLIP_PARTS = 240
"""The standard error asked for is this part of the payment that counts as 1 in the fitted value: 0.3 points in `qq`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a decision is looked at: chains of worlds at first and at most, in how many of them it is seen who wins,
    and chains with the hands as they really were. A chain has ``kernels.judge.CHAIN`` worlds."""

    name: str
    first: int
    most: int
    whole: int
    known: int


EFFORTS = {
    effort.name: effort
    for effort in (Effort("quick", 4, 4, 2, 0), Effort("full", 8, 512, 16, 8), Effort("deep", 16, 4096, 64, 64))
}
"""``deep`` asks for half the standard error."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that the seat could do, and what came of it in the worlds it was tried in.

    ``points``: mean of each seat that plays (of a choice given up early the best's less ``behind``); ``win``,
    ``huang``, ``pays``: how likely the seat wins, nobody does, it pays; ``gives``: how likely another takes the card;
    None where nothing was seen of it. ``behind``: points less than the best, with its standard error; ``value``: what
    the fitted value thinks of it; ``known``: points with the hands as they were, None where it was not looked at.
    """

    text: str
    worlds: int
    points: tuple[float, ...]
    win: float | None
    huang: float | None
    pays: float | None
    gives: float
    behind: float
    error: float
    value: float
    known: float | None


@dataclass(frozen=True, slots=True)
class Hand:
    """The seat's hand after a choice: exact ``steps`` to a win (docs/steps.md; -1 dead), and of the quick look at it
    (docs/players.md) the 胡息 ``missing`` to the minimum, the kinds that bring it on and their copies not seen."""

    steps: int
    missing: int
    kinds: tuple[int, ...]
    live: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what it cost. ``seat`` is the person; ``taken``, ``best`` index ``choices``.

    ``loss``: points that another choice is worth more, that one chosen by one half of the worlds and measured in the
    other (cross-fitted, so it may be below 0); ``error`` its standard error; ``naive``: by the same worlds.
    ``value_loss``: the loss by the fitted value alone. ``known_loss``: what the best choice would have been worth more
    with the hands as they were. ``after``: the hand after the choice taken and after the best one; None for a win.
    ``why_not``: a reason (``REASONS``) when it was not judged; then there are no choices. ``wall``: cards left in it;
    ``role``: the seat's turn from the dealer, 0 the dealer.
    """

    seq: int
    seat: int
    role: int
    wall: int
    taken: int
    best: int
    loss: float
    error: float
    naive: float
    value_loss: float
    known_loss: float | None
    choices: tuple[Choice, ...]
    after: tuple[Hand | None, Hand | None]
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A decision to be judged: the round's deal and events, and where in it the seat chooses."""

    seating: Seating
    ruleset: Ruleset
    deal: tuple[int, ...]
    events: tuple[int, ...]
    decision: Decision
    seed: tuple[int, int]


@cache
def evaluator_id(ruleset_name: str, effort: str) -> str:
    """Name of what judges: the player whose play-outs count, the effort, and a hash of all that the figures follow
    from: the kernels, the engine, the fitted numbers, the corrections, the settings."""
    digest = hashlib.blake2b(digest_size=6)
    path = VALUES / f"{ruleset_name}.json"
    for part in (source_hash("judge"), ENGINE_VERSION, repr(EFFORTS[effort]), str(CLIP_PARTS)):
        digest.update(part.encode() + b"\0")
    digest.update(path.read_bytes() if path.exists() else b"")
    digest.update(repr(correction(ruleset_name)).encode())
    return f"value{PLAYERS['value'].version}-{effort}-{digest.hexdigest()}"


REASONS = {
    "hidden": ("有看不见的手牌", "a hand is not known"),
    "draws": ("摸牌进手的规则还不能评", "rulesets whose drawn cards enter the hand are not judged yet"),
    "value": ("这套规则没有拟合过估值", "the value was not fitted for the ruleset"),
    "bounds": ("前面的违规使别家手牌推不出来", "after a breach of the rules the others' hands cannot be told"),
    "options": ("平台给的选择和规则不符", "what was chosen is no choice by the rules"),
}
"""Why a decision was not judged."""


def choice_text(action: int, card: int, code: int, *, hidden: bool) -> str:
    """A choice in the words of ``replay_round``; who does not win on a card drawn ``hidden`` must lay it."""
    if hidden and action != Action.HU:
        return "过"
    if action == Action.DISCARD:
        return f"打 {card_name(card)}"
    if action != Action.CHI:
        return ACTION_CHARS[Action(action)]
    groups = [(code >> shift & 63) - 1 for shift in (6, 12)]
    extra = "".join(" 比 " + "".join(card_name(c) for c in GROUPS[group]) for group in groups if group >= 0)
    return f"吃 {cards_beside(code & 63, card)}{extra}"


def tasks(record: Record) -> list[Task]:
    """The decisions of a round whose choice is told. Raises ``RulesetError``."""
    ruleset = rules_of(record)
    replay = replay_round(record)
    seating = seated(record, ruleset)
    deal, events = tuple(deal_of(seating)), tuple(events_of(seating.record))
    first = int(replay.round_id[:15], 16)
    return [
        Task(seating, ruleset, deal, events, decision, (first, 8 * decision.seq + seating.persons.index(decision.seat)))
        for decision in replay.decisions
        if decision.taken is not None and len(decision.options) > 1
    ]


def asked_after(events: tuple[int, ...], seq: int) -> int:
    """How many events had happened when the seat that decided at event ``seq`` was asked: before others' answers."""
    while seq > 0 and events[5 * seq - 4] in (Action.PASS, Action.CLAIM):
        seq -= 1
    return seq


def _state(at: Room, first: int, size: int) -> list[int]:
    return [int(number) for number in at.state[first : first + size]]


def ask(at: Room, task: Task, out: Any) -> list[str]:
    """Play the round up to the decision; the choices there, in words, as they are listed in the room's state."""
    at.state[layout.DEAL0 : layout.DEAL0 + layout.DEAL_SIZE] = task.deal
    seat = task.seating.persons.index(task.decision.seat)
    events = np.array(task.events, dtype=np.int64)
    at.kernels.walk_to(at.state, at.table, events, asked_after(task.events, task.decision.seq))
    n = at.kernels.list_choices(at.state, at.table, at.plans, at.weights, at.net, seat, out)
    listed = _state(at, memo.CHOICES, search.C_SIZE * n)
    hidden = int(at.state[layout.PHASE]) == layout.HIDDEN
    return [choice_text(*listed[i : i + 3], hidden=hidden) for i in range(0, len(listed), search.C_SIZE)]


def _not_judged(task: Task, reason: str) -> Judged:
    return Judged(
        task.decision.seq, task.decision.seat, -1, -1, -1, -1, 0.0, 0.0, 0.0, 0.0, None, (), (None, None), reason
    )  # fmt: skip


def _cross_fitted(chains: Any, played: Any, taken: int) -> tuple[float, float]:
    """Loss of the taken choice and its standard error: the best by every other chain, measured in the ones between."""
    loss = variance = 0.0
    whole = np.flatnonzero(played == played.max())
    for half in (0, 1):
        best = int(whole[np.argmax(chains[half::2, whole].mean(axis=0))])
        if best != taken:
            gap = (chains[:, best] - chains[:, taken])[: min(played[best], played[taken])][1 - half :: 2]
            loss += float(gap.mean()) / 2
            variance += float(gap.var(ddof=1)) / len(gap) / 4
    return loss, variance**0.5


@dataclass(frozen=True, slots=True)
class Forecast:
    """What some worlds say of the choice taken: the deciding seat's points, the chances as in ``Choice``; nothing is
    put right."""

    points: float
    win: float
    huang: float
    pays: float


def forecasts(at: Room, task: Task, chains: int, times: int) -> list[Forecast]:
    """The choice taken alone, looked at ``times`` times in ``chains`` chains of worlds of their own, all played to the
    end; empty where the others' hands cannot be counted. ``at`` as for ``judge_task``."""
    seat, decision = task.seating.persons.index(task.decision.seat), task.decision
    found = []
    for look in range(times):
        out = np.zeros(judge.V_CHAINS + judge.MOST_CHOICES * chains)
        texts = ask(at, task, out)
        taken, n = texts.index(decision.options[decision.taken or 0]), len(texts)
        for i in range(n):
            at.state[memo.CHOICES + search.C_SIZE * i + search.C_ALIVE] = int(i == taken)
        stream = stream_of(task.seed[0], 8 * task.seed[1] + look)
        arrays = (at.state, at.table, at.plans, at.weights, at.net, stream)
        if at.kernels.judge_choices(*arrays, seat, taken, n, chains, chains, chains, 0.0, out) == 0:
            return []
        result = out[outcomes.OUTCOME * taken :][: outcomes.OUTCOME] / (chains * judge.CHAIN)
        found.append(Forecast(_rounded(result[seat]), *(_rounded(result[place]) for place in _CHANCES)))
    return found


def judge_task(at: Room, task: Task, effort: Effort) -> Judged:
    """Judge one decision; ``at``: a room of the task's ruleset with the kernels of the part ``judge``."""
    if task.ruleset.draw_to_hand:
        return _not_judged(task, "draws")
    if not (VALUES / f"{task.ruleset.name}.json").exists():
        return _not_judged(task, "value")
    if any(at_deal < 0 for at_deal in task.deal[layout.D_HANDS - layout.DEAL0 :][: 20 * len(task.seating.persons)]):
        return _not_judged(task, "hidden")
    seat, decision = task.seating.persons.index(task.decision.seat), task.decision
    out = np.zeros(judge.V_CHAINS + judge.MOST_CHOICES * effort.most)
    texts = ask(at, task, out)
    wanted = decision.options[decision.taken or 0]
    if wanted not in texts:
        return _not_judged(task, "options")
    n, taken = len(texts), texts.index(wanted)
    values = out[judge.V_VALUES : judge.V_VALUES + n].copy()
    aim = float(at.state[memo.CLIP]) / CLIP_PARTS / (2 if effort.name == "deep" else 1)
    arrays = (at.state, at.table, at.plans, at.weights, at.net, stream_of(*task.seed))
    found = at.kernels.judge_choices(*arrays, seat, taken, n, effort.first, effort.most, effort.whole, aim, out)
    if found == 0:
        return _not_judged(task, "bounds")
    listed = np.array(_state(at, memo.CHOICES, search.C_SIZE * n)).reshape(n, search.C_SIZE)
    worlds = listed[:, search.C_PLAYED]
    played = worlds // judge.CHAIN
    chains = out[judge.V_CHAINS : judge.V_CHAINS + judge.MOST_CHOICES * found].reshape(found, -1)[:, :n]
    results = out[: outcomes.OUTCOME * n].reshape(n, -1)
    right = correction(task.ruleset.name)
    open_ended = listed[:, search.C_ACTION] != Action.HU
    chains = chains + right.points * open_ended  # what a win pays is certain
    seats = len(task.seating.persons)
    points = _moved(results[:, : layout.SEATS] / worlds[:, None], seat, seats, right.points * open_ended)
    means = points[:, seat].copy()
    best = int(np.argmax(np.where(played == found, means, -np.inf)))
    loss, error = _cross_fitted(chains, played, taken)
    values = np.where(listed[:, search.C_ACTION] == Action.HU, means, values)
    whole = np.minimum(played, effort.whole) * judge.CHAIN
    known = _known(at, arrays, seat, n, {taken, best}, effort)
    gaps = [(chains[:, best] - chains[:, i])[: played[i]] for i in range(n)]
    # Of a choice that was given up early it is better known how far it lies behind than what it pays.
    points = _moved(points, seat, seats, means[best] - means - np.array([gap.mean() for gap in gaps]))
    choices = []
    for i, gap in enumerate(gaps):
        paid = (*points[i], 0.0)
        seen = right.chances(*(results[i, place] / whole[i] for place in _CHANCES)) if whole[i] else None
        win, huang, pays = (None, None, None) if seen is None else map(_rounded, seen)
        choices.append(
            Choice(
                texts[i], int(worlds[i]), tuple(_rounded(paid[p]) for p in _order(task.seating)), win, huang, pays,
                _rounded(results[i, outcomes.E_GIVES] / worlds[i]), _rounded(gap.mean()),
                _rounded(gap.std(ddof=1) / len(gap) ** 0.5), _rounded(values[i]), known.get(i),
            )
        )  # fmt: skip
    dealer, wall = int(at.state[layout.DEALER]), int(at.state[layout.WALL_N] - at.state[layout.WALL_AT])
    return Judged(
        seq=decision.seq,
        seat=decision.seat,
        role=(seat - dealer) % len(task.seating.persons),
        wall=wall,
        taken=taken,
        best=best,
        loss=_rounded(loss),
        error=_rounded(error),
        naive=_rounded(means[best] - means[taken]),
        value_loss=_rounded(values.max() - values[taken]),
        known_loss=_rounded(known[best] - known[taken]) if known else None,
        choices=tuple(choices),
        after=(_hand(at, task, seat, taken, listed[taken]), _hand(at, task, seat, best, listed[best])),
    )


def _moved(points: Any, seat: int, seats: int, by: Any) -> Any:
    """Points of each choice by seat with so much more for one seat, which the others pay in equal parts."""
    parts = np.array([0.0 if q >= seats else 1.0 if q == seat else -1.0 / (seats - 1) for q in range(layout.SEATS)])
    return points + np.multiply.outer(by, parts)


def _rounded(number: Any) -> float:
    """Four places: the last bits of a sum may differ between processors. No -0.0."""
    return round(float(number), 4) + 0.0


def _order(seating: Seating) -> list[int]:
    """For each person of the record the place of its points: its seat, ``layout.SITTER`` for the one who sits out."""
    people = len(seating.persons) + (seating.sitter is not None)
    seats = {person: seat for seat, person in enumerate(seating.persons)}
    return [seats.get(person, layout.SITTER) for person in range(people)]


def _hand(at: Room, task: Task, seat: int, choice: int, listed: Any) -> Hand | None:
    """The seat's hand after a choice; None for a win, after which there is nothing to come."""
    if listed[search.C_ACTION] == Action.HU:
        return None
    out = np.zeros(judge.V_CHAINS)
    ask(at, task, out)
    live = int(at.kernels.hand_after(at.state, at.table, at.plans, seat, choice))
    missing, kinds = int(at.state[plans.L_MISSING]), int(at.state[plans.L_WAITS])
    if isinstance(at.state, list):
        steps = at.kernels.steps_to_win(at.state, few_fronts(task.ruleset), [0] * WORK_SIZE, seat)
    else:
        steps = at.kernels.steps_to_win(at.state, fronts(task.ruleset), np.zeros(WORK_SIZE, dtype=np.int64), seat)
    return Hand(int(steps), missing, tuple(kind for kind in range(20) if kinds >> kind & 1), live)


_CHANCES = (outcomes.E_WIN, outcomes.E_HUANG, outcomes.E_PAYS)


def _known(at: Room, arrays: tuple[Any, ...], seat: int, n: int, wanted: set[int], effort: Effort) -> dict[int, float]:
    """Mean points of some choices with the hands as they really were, by choice."""
    if effort.known == 0:
        return {}
    for i in range(n):
        at.state[memo.CHOICES + search.C_SIZE * i + search.C_ALIVE] = int(i in wanted)
    out = np.zeros(judge.V_CHAINS + judge.MOST_CHOICES * effort.known)
    at.kernels.judge_known(*arrays, seat, n, effort.known, out)
    worlds = effort.known * judge.CHAIN
    return {i: _rounded(out[outcomes.OUTCOME * i + seat] / worlds) for i in sorted(wanted)}


_ROOMS = threading.local()


def judging_room(task: Task) -> Room:
    """The calling thread's room for the task's ruleset and table."""
    rooms = _ROOMS.__dict__.setdefault("rooms", {})
    key = (task.ruleset, len(task.seating.persons), task.seating.paid)
    if key not in rooms:
        rooms[key] = room(task.ruleset, key[1], paid=key[2], part="judge")
    found: Room = rooms[key]
    return found


def judge_rounds(
    records: Iterable[Record], effort: str = "full", jobs: int = 1
) -> Iterator[tuple[Record, list[Judged]]]:
    """Each round with its decisions, in order; ``jobs`` threads, for which the figures do not depend.

    Raises ``RulesetError``.
    """
    how = EFFORTS[effort]

    def work(task: Task) -> Judged:
        return judge_task(judging_room(task), task, how)

    with ThreadPoolExecutor(jobs) as pool:
        for record in records:
            wanted = tasks(record)
            if wanted:
                judging_room(wanted[0])  # compiled once, before the threads
            yield record, list(pool.map(work, wanted))
