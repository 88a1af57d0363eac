"""A settled round as people read it: winner, groups, 番, units, points; from the ints of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from ingest.codes import Source
from ingest.record import Ratio, Result
from replay import fan
from replay.engine import Engine
from replay.explain import Item, best_partial, sentence_groups
from replay.kernels import layout
from replay.kernels.audit import (
    S_CARD,
    S_FROM,
    S_HAND,
    S_QUADS,
    S_SOURCE,
    S_SPECIAL,
    S_VALUE,
    S_WALL,
    S_WINNER,
    SUMMARY_SIZE,
)
from replay.kernels.bits import kan_of
from replay.kernels.layout import (
    O_BIG,
    O_DENG,
    O_FAN,
    O_FAN_TOTAL,
    O_HITS,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_SMALL,
    O_TURNED,
    O_UNITS,
    SCORE0,
)
from replay.penalties import Charge
from replay.ruleset import Ruleset
from replay.seating import Seating
from replay.table import Meld, fixed_groups, winning_groups


@dataclass(frozen=True, slots=True)
class Score:
    """The recomputed score. ``winner`` -1: 荒庄, a void win or 逃跑 (``special``). ``units``: 底/子 after 番 and
    doubling; ``deng`` before 番; ``points``: of each person, the ``charges`` of 罚则 included. ``winner`` and
    ``from_seat`` are persons of the record.

    ``card``: the winning card, -1 unknown.
    """

    winner: int
    source: int
    from_seat: int | None
    huxi: int
    groups: tuple[Item, ...]
    fan: dict[str, int]
    fan_total: int
    deng: int
    units: int
    points: tuple[int, ...]
    special: str = ""
    card: int = -1
    xing: tuple[int, ...] = ()
    xing_hits: int = 0
    charges: tuple[Charge, ...] = ()


VOID, ESCAPE = "作废", "逃跑"
"""``Score.special`` of a round without a winner that is no 荒庄."""


def row_of(machine: Engine) -> list[int]:
    """The settled round as a row of ``kernels.audit.audit_rounds``."""
    row = copy(machine.state[:SUMMARY_SIZE])
    machine.kernels.summarise(machine.state, row, 0)
    return [int(value) for value in row]


def score_of(row: Sequence[int], seating: Seating, ruleset: Ruleset, groups: Sequence[Item]) -> Score:
    """The score in a row of the kernels, ``groups`` those of the win."""
    won = row[S_WINNER] >= 0
    rest = () if seating.record.wall is None else seating.record.wall[row[S_WALL] :]
    return Score(
        seating.person(row[S_WINNER]),
        row[S_SOURCE] if won else Source.NONE,
        seating.person(row[S_FROM]) if won and row[S_SOURCE] in (Source.OTHER_DRAW, Source.DISCARD) else None,
        row[O_HUXI - SCORE0],
        tuple(groups),
        _named(row, 0, ruleset),
        row[O_FAN_TOTAL - SCORE0],
        row[O_DENG - SCORE0],
        row[O_UNITS - SCORE0],
        seating.points(tuple(row[O_POINTS - SCORE0 : O_POINTS - SCORE0 + layout.SEATS + 1])),
        fan.SPECIAL.get(row[S_SPECIAL], "") if won else "",
        row[S_CARD],
        rest[: row[O_TURNED - SCORE0]],
        row[O_HITS - SCORE0],
    )


def result_of(score: Score, ruleset: Ruleset, totals: tuple[int, ...] | None = None) -> Result:
    """What a source that is right would report of the score; ``totals``: the points of the session so far."""
    if score.winner < 0:
        return Result(winner=-1, points=score.points, totals=totals)
    named = dict(score.fan) or {fan.PING_HU: 1}
    if score.special and score.special not in named:
        named = {score.special: 1, **named}
    return Result(
        winner=score.winner,
        card=score.card if score.source != Source.NONE else None,
        source=score.source,
        from_seat=score.from_seat,
        huxi=score.huxi,
        fan=named if ruleset.fan_level != "none" or score.special else None,
        units=Ratio(score.units),
        points=score.points,
        totals=totals,
        xing=score.xing if ruleset.xing else None,
        xing_hits=score.xing_hits if ruleset.xing else None,
    )


def groups_of_row(row: Sequence[int], tabled: list[Meld], ruleset: Ruleset, *, dealer: bool) -> list[Item]:
    """The groups of the win in a row; ``tabled``: the winner's, ``dealer``: who won deals."""
    return groups_of_win(
        ruleset,
        tabled,
        hand=row[S_HAND],
        quads=row[S_QUADS],
        card=row[S_CARD],
        source=row[S_SOURCE],
        special=row[S_SPECIAL],
        dealer=dealer,
        value=row[S_VALUE],
    )


def points_of(machine: Engine) -> tuple[int, ...]:
    """Points of the seats 0, 1, 2 and ``SITTER`` as settled."""
    return tuple(int(n) for n in machine.state[O_POINTS : O_POINTS + layout.SEATS + 1])


def fan_names(machine: Engine) -> dict[str, int]:
    """番 of the win as settled, by name."""
    return _named(machine.state, SCORE0, machine.ruleset)


def _named(ints: Sequence[int], first: int, ruleset: Ruleset) -> dict[str, int]:
    """番 by name, from the ints of ``settle``, which begin at ``first``."""
    bits, *counts = (int(ints[slot - SCORE0 + first]) for slot in (O_FAN, O_RED, O_BIG, O_SMALL))
    return fan.names(bits, ruleset, *counts)


def groups_of_win(
    ruleset: Ruleset,
    tabled: list[Meld],
    *,
    hand: int,
    quads: int,
    card: int,
    source: int,
    special: int,
    dealer: bool,
    value: int,
) -> list[Item]:
    """The groups of a win as scored; ``hand`` and ``quads`` packed, ``value`` as of ``hu_value``.

    A 天胡 by 提 and 坎 lists only those and the scoring runs beside them (rules 9.6).
    """
    if ruleset.draw_to_hand:
        return _sentences(ruleset, tabled, hand, quads, card, source, value)
    if special == layout.TIANHU_BY_QUADS:
        kan = kan_of(hand)
        items, _ = fixed_groups(ruleset, 3 * kan, quads, tabled, -1, Source.NONE, False)
        return items + best_partial(hand - 3 * kan, ruleset)
    if source == Source.LIANG and dealer:  # the 亮张 is in the dealer's hand
        card, source = -1, Source.OWN_DRAW
    return winning_groups(ruleset, hand, quads, tabled, card, source, bool(value & layout.VALUE_FORCED))


def _sentences(
    ruleset: Ruleset, tabled: list[Meld], hand: int, quads: int, card: int, source: int, value: int
) -> list[Item]:
    """The groups of a win in 句; an own draw is in the hand already (rules 16.11)."""
    concealed = [kind for kind in range(20) for _ in range((hand >> 2 * kind & 3) + 4 * (quads >> 2 * kind & 1))]
    if source == Source.DISCARD:
        concealed.append(card)
    due = (7 if ruleset.shape == "seven_sentences" else 6) - len(tabled)
    rest = sentence_groups(
        concealed,
        card,
        source == Source.DISCARD,
        bool(value & layout.VALUE_DUIDUI),
        bool(value & layout.VALUE_QING),
        due,
    )
    return [(meld.form, meld.cards, meld.huxi) for meld in tabled] + rest
