"""The ledger of a round: how much of what it paid was the deal, the draws and each seat's decisions (docs/luck.md).

All worths are whole millionths of a point, and the terms of a round add up to its payment exactly. What the evaluator
knows stands in ``foresights``, one file a ruleset, written by ``replay.fit_luck``.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ingest.codes import Action
from ingest.limits import both
from ingest.record import Record
from replay.engine import deal_of, events_of
from replay.kernels import foresee, layout, luck
from replay.kernels.jit import compiled, plain
from replay.kernels.ledger import (
    COMPLETE,
    L_DEAL,
    L_DECISIONS,
    L_DRAWS,
    L_EXPECTED,
    L_PAID,
    L_REVISION,
    LEDGER,
    MOST_TERMS,
    T_DECISION,
    T_DRAW,
    T_XING,
    TERM,
    TERM_VALUE,
)
from replay.kernels.luck import MICRO
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.kernels.policies import WEIGHT_SIZE
from replay.players import PLAYERS, SCALE, Room, stream_of
from replay.ruleset import Ruleset
from replay.rulesets import RULESETS
from replay.seating import seated

FORESIGHTS = Path(__file__).with_name("foresights")
VERSION = 1
"""Raised when a worth comes out differently for the same numbers."""
REFERENCE = "steady"
"""The player that moves for everybody between two draws."""
SEED = 20261201
DEALS = 200_000
"""Deals from which the expectations of the roles are taken; nobody plays them."""
FEW_DEALS = 20_000
"""As many for options of which no file tells."""
REASONS = ("", "unknown_cards", "faults", "unfinished", "left_early", "no_end")
"""Why a round has no ledger, by ``kernels.ledger.COMPLETE`` and those after it."""
PER_ROUND = 64
"""Room for the terms of a round, on average."""


class LuckError(ValueError):
    """There is no evaluator for the ruleset; the text says for which there is one."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What drawing this card and no other was worth to each seat, in millionths; a 醒 card has its winner for seat."""

    seq: int
    card: int
    seat: int
    luck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What it was worth to each seat that this one did not do what the reference player would have done."""

    seq: int
    seat: int
    effect: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """``payoff = expectation + deal + draws + decisions + revision`` for each seat that plays, in millionths."""

    expectation: tuple[int, ...]
    deal: tuple[int, ...]
    draws: tuple[Draw, ...]
    decisions: tuple[Decision, ...]
    revision: tuple[int, ...]
    payoff: tuple[int, ...]


@dataclass(slots=True)
class Books:
    """All that the ledgers of a table need: not shared between threads."""

    room: Room
    kernels: Any = field(repr=False)
    mind: Any = field(repr=False)
    book: Any = field(repr=False)
    roles: tuple[int, ...]


@lru_cache(maxsize=8)
def foresight(name: str) -> dict[str, Any]:
    """The file of a ruleset. Raises ``LuckError`` where there is none."""
    path = FORESIGHTS / f"{name}.json"
    if not path.exists():
        known = ", ".join(sorted(path.stem for path in FORESIGHTS.glob("*.json"))) or "–"
        zh = f"规则 {name} 没有运气账的估值；有的是 {known}"
        raise LuckError(both(zh, f"there is no luck ledger for {name}; there is one for {known}"))
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def table_key(seats: int, paid: int) -> str:
    """The name of a table among the expectations of a file."""
    return f"{seats}+1" if paid else str(seats)


def evaluator_hash(kept: dict[str, Any]) -> str:
    """What all worths follow from: the numbers, their scale and the reference player."""
    told = [kept[key] for key in ("version", "reference", "reference_version", "clip", "scale", "sums", "numbers")]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=8).hexdigest()


def reference(name: str = REFERENCE) -> tuple[int, int]:
    """The kind of a player and where its weights begin, see ``match.seat_players``."""
    return PLAYERS[name].kind, WEIGHT_SIZE * list(PLAYERS).index(name)


def bare_books(at: Room, kept: dict[str, Any]) -> Books:
    """Books with a file's network that know no expectations yet: all 0."""
    jit = at.kernels is not plain("players")
    mind = np.zeros(foresee.FORESIGHT)
    mind[: foresee.MIND_SIZE] = np.array(kept["numbers"], dtype=np.float64) / SCALE
    book = np.zeros(luck.BOOK_SIZE, dtype=np.int64)
    book[luck.CLIPPED] = kept["clip"]
    book[luck.SUM] = kept["sums"][table_key(at.seats, at.paid)]
    kernels = compiled("luck") if jit else plain("luck")
    return Books(at, kernels, mind if jit else mind.tolist(), book if jit else book.tolist(), (0, 0, 0))


def books(at: Room) -> Books:
    """The books of a room; for options of which no file tells the expectations are worked out first."""
    kept = foresight(at.ruleset.name)
    found = bare_books(at, kept)
    if at.ruleset == RULESETS.get(at.ruleset.name):
        found.roles = tuple(kept["expectations"][table_key(at.seats, at.paid)])
    else:
        found.roles = _expectations(at.ruleset, at.seats, at.paid)
    return found


@lru_cache(maxsize=64)
def _expectations(ruleset: Ruleset, seats: int, paid: int) -> tuple[int, ...]:
    from replay.players import room

    kept = foresight(ruleset.name)
    at = bare_books(room(ruleset, seats, paid=bool(paid)), kept)
    return expectations(at, FEW_DEALS)[0]


def expectations(at: Books, deals: int = DEALS, seed: int = SEED) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """What the dealer, the next and the one before may expect, in millionths, and the standard errors.

    0 for a seat that there is not.
    """
    values = np.zeros(3 * deals, dtype=np.int64)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    room = at.room
    done = at.kernels.deal_values(
        room.state, room.table, room.plans, room.weights, room.net, at.mind, stream_of(seed), deals, *reference(),
        room.seats, room.paid, int(room.ruleset.two_ti_extra), events, at.book, values,
    )  # fmt: skip
    if done != deals:
        raise RuntimeError("a round does not end")
    rows = values.reshape(deals, 3)
    means = tuple(int(total) // deals for total in rows.sum(axis=0))
    return means, tuple(float(one) for one in rows.std(axis=0) / deals**0.5)


def ledgers(
    at: Books, deals: Any, events: Any, spans: Any, *, terms: bool = False, player: str = REFERENCE
) -> tuple[Any, Any, Any]:
    """The ledgers of rounds as ``bulk.run_audit`` takes them: int64 ``(rounds, LEDGER)``, see ``kernels.ledger``.

    With ``terms`` also the terms ``(n, TERM)``, and where those of each round begin. ``player``: another reference
    player than the one of the expectations, to compare.
    """
    rounds = len(spans) - 1
    room = at.room
    space = MOST_TERMS + (PER_ROUND * rounds + MOST_TERMS if terms else 0)
    done = -1
    while done != rounds:
        space *= 1 if done < 0 else 2
        empty = (np.zeros(n, dtype=np.int64) for n in (LEDGER * rounds, TERM * space, rounds + 1))
        roles, deals, events, spans, out, rows, cuts = (
            _ints(room, one) for one in (at.roles, deals, events, spans, *empty)
        )
        done = at.kernels.ledgers(
            room.state, room.table, room.plans, room.weights, room.net, at.mind, stream_of(0), rounds,
            *reference(player), roles, deals, events, spans, at.book, out, rows, space, int(terms), cuts,
        )  # fmt: skip
    table, written, begins = (np.asarray(one, dtype=np.int64) for one in (out, rows, cuts))
    return table.reshape(rounds, LEDGER), written.reshape(-1, TERM)[: int(begins[-1])], begins


def _ints(room: Room, values: Any) -> Any:
    """An array of whole numbers as the kernels of the room take it."""
    if isinstance(room.state, np.ndarray):
        return np.asarray(values, dtype=np.int64)
    return [int(one) for one in values]


def ledger(at: Books, deal: Sequence[int], events: Sequence[int]) -> Ledger | str:
    """The ledger of one round (``engine.deal_of``, ``engine.events_of``), or the reason why it has none."""
    table, terms, _ = ledgers(at, deal, events, [0, len(events) // EVENT], terms=True)
    row = [int(number) for number in table[0]]
    if row[0] != COMPLETE:
        return REASONS[row[0]]
    n = at.room.seats
    draws: list[Draw] = []
    decisions: list[Decision] = []
    for term in terms.tolist():
        kind, seq, seat, card = term[:TERM_VALUE]
        value = tuple(term[TERM_VALUE : TERM_VALUE + n])
        if kind in (T_DRAW, T_XING):
            draws.append(Draw(seq, card, seat, value))
        elif kind == T_DECISION and seat >= 0:
            decisions.append(Decision(seq, seat, value))
    parts = [tuple(row[at : at + n]) for at in (L_EXPECTED, L_DEAL, L_REVISION, L_PAID)]
    return Ledger(parts[0], parts[1], tuple(draws), tuple(decisions), parts[2], parts[3])


def ledger_of(at: Books, record: Record) -> Ledger | str:
    """The ledger of a recorded round, or the reason why it has none; seats are those that play, in their order.

    A person who sits out and is paid has no terms: then those of the others sum to what they paid that person.
    """
    seating = seated(record, at.room.ruleset)
    deal, events = deal_of(seating), events_of(seating.record)
    if deal[2] < 0 and not at.room.ruleset.xing:
        deal = with_wall(deal, events, black_last=not at.room.ruleset.last_wins)
    return ledger(at, deal, events)


def with_wall(deal: Sequence[int], events: Sequence[int], *, black_last: bool) -> list[int]:
    """The deal with a wall where none is recorded: the cards drawn, then those that nobody had, in any order.

    As it was where a hand is not known or the cards do not fit. What was never drawn counts by its kinds only.
    """
    seats = deal[4]
    hands = [*deal[6 : 6 + 20 * seats], deal[1]]
    rows = [events[i : i + EVENT] for i in range(0, len(events), EVENT)]
    dealt = hands + [row[2] for row in rows if row[1] == Action.BU]
    drawn = [row[2] for row in rows if row[1] == Action.DRAW]
    left = Counter(dict.fromkeys(range(20), 4))
    left.subtract(dealt + drawn)
    if min(dealt + drawn) < 0 or min(left.values()) < 0:
        return list(deal)
    rest = sorted(left.elements(), key=lambda card: (black_last and card % 10 not in (1, 6, 9), card))
    wall = drawn + rest
    begin = layout.D_WALL - layout.DEAL0
    changed = [*deal[:begin], *wall, *[-1] * (layout.MAX_WALL - len(wall))]
    changed[layout.D_WALL_N - layout.DEAL0] = len(wall)
    return changed


def luck_of(table: Any, seats: int = 3) -> Any:
    """The luck of the deal and the draws, int64 ``(rounds, seats)`` in millionths."""
    return table[:, L_DEAL : L_DEAL + seats] + table[:, L_DRAWS : L_DRAWS + seats]


def luck_adjusted(table: Any, seats: int = 3, *, quarters: int = 4) -> Any:
    """What the rounds paid less the luck of deal and draws, int64 ``(rounds, seats)`` in millionths.

    ``quarters``: how many of four quarters of the luck are taken off; the mean is right with any number that was
    chosen beforehand, see docs/luck.md.
    """
    return table[:, L_PAID : L_PAID + seats] - luck_of(table, seats) * quarters // 4


def rest_of(table: Any, seats: int = 3) -> Any:
    """What the terms leave of the payments: 0 everywhere, int64 ``(rounds, seats)``."""
    decisions = table[:, L_DECISIONS : L_DECISIONS + 9].reshape(-1, 3, 3).sum(axis=1)[:, :seats]
    known = table[:, L_EXPECTED : L_EXPECTED + seats] + table[:, L_REVISION : L_REVISION + seats]
    return luck_adjusted(table, seats) - known - decisions


def variance_saved(
    table: Any, sessions: Any, seats: int = 3, *, quarters: int = 4, draws: int = 1000, seed: int = SEED
) -> tuple[float, float, float]:
    """``R = 1 - Var(adjusted) / Var(paid)`` over all seats with its 95 % interval, drawing whole sessions again.

    ``sessions``: the session of each round; ``quarters``: as in ``luck_adjusted``. Rows without a ledger are to be
    left out before.
    """
    _, group = np.unique(np.asarray(sessions), return_inverse=True)
    pair = (table[:, L_PAID : L_PAID + seats] / MICRO, luck_adjusted(table, seats, quarters=quarters) / MICRO)
    columns = np.column_stack([np.ones(len(table)), *pair, *(one * one for one in pair)])
    sums = np.zeros((int(group.max()) + 1, columns.shape[1]))
    np.add.at(sums, group, columns)

    def saved(totals: Any) -> Any:
        mean = totals[..., 1:] / totals[..., :1]
        first, second = mean[..., : 2 * seats], mean[..., 2 * seats :]
        spread = second - first * first
        return 1 - spread[..., seats:].sum(axis=-1) / spread[..., :seats].sum(axis=-1)

    times = np.random.default_rng(seed).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=draws)
    low, high = np.percentile(saved(times @ sums), (2.5, 97.5))
    return float(saved(sums.sum(axis=0))), float(low), float(high)
