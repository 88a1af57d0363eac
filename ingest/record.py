"""A recorded round: what a source tells, facts only. Contract 1 of the architecture.

Every hidden part may be unknown: ``None`` for a whole part, ``cards.UNKNOWN`` for a single card. Nothing here is a
judgement; whether a fact breaks a rule is for ``replay`` to say.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ingest.cards import DECK, UNKNOWN
from ingest.codes import FACE_UNKNOWN, NO_CARD, Action

Cards = tuple[int, ...]
Option = bool | int | str | tuple[int | str, ...]
"""Value of an option of a ruleset."""

HAND = 20
"""Cards dealt to each playing seat, the dealer's 亮张 not counted."""


class Move(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """One event. ``seat`` is -1 for events of nobody, ``card``/``a``/``b`` are -2 where the action has none."""

    seat: int
    action: int
    card: int = NO_CARD
    a: int = NO_CARD
    b: int = NO_CARD
    face: int = FACE_UNKNOWN
    t_ms: int | None = None


class Offer(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """An option that the platform pushed to ``seat`` after move ``seq`` (-1: before the first move).

    ``cards``: for 吃 the two hand cards, then three cards for each 比; for 碰/跑/偎/提 the cards used; for 胡 none.
    """

    seq: int
    seat: int
    action: int
    card: int
    cards: Cards = ()


class Group(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A group of the winner's cards as reported. ``form`` is a ``codes.Form`` or None where the source has none."""

    cards: Cards
    form: int | None = None
    huxi: int | None = None


class Ratio(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An exact number; some platforms report fractions of a unit."""

    num: int
    den: int = 1


class Penalty(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A penalty as reported: the offender, its letter (罚则 A to E) and what each person gets or pays, by seat."""

    seat: int
    letter: str
    points: Cards


class Result(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the source reported at the end. ``winner`` -1 is 荒庄; ``None`` anywhere is "not reported"."""

    winner: int | None = None
    card: int | None = None
    source: int | None = None
    from_seat: int | None = None
    groups: tuple[Group, ...] | None = None
    huxi: int | None = None
    fan: dict[str, int] | None = None
    units: Ratio | None = None
    points: Cards | None = None
    totals: Cards | None = None
    xing: Cards | None = None
    xing_hits: int | None = None
    hands: tuple[Cards | None, ...] | None = None
    rest: Cards | None = None
    penalties: tuple[Penalty, ...] | None = None


class Provenance(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where this copy of the round was read; not part of its identity.

    ``index`` counts the file's records from 0, ``line`` its lines from 1 (0: the format has none). Only ``note`` is
    written to text; the reader fills the rest.
    """

    file: str = ""
    index: int = 0
    format: str = ""
    note: str = ""
    line: int = 0


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round.

    ``players``: 2 to 4 persons, of whom ``sitter`` does not play; seats count all of them.
    ``hands``: per seat the 20 dealt cards, in dealt order where known, None for the sitter; ``wall``: the undealt cards
    in draw order. Sources differ in where they list the 亮张: the dealer's hand may have it as a 21st card, the wall as
    its first; ``dealt`` reads them all alike. ``visible``: seats all of whose pushes were recorded, so that an absent
    offer means "no option"; None where the source logs no offers. ``omits``: the kinds of events (``codes.Action``,
    ascending) that the source never tells, so that their absence means nothing.
    """

    ruleset: str
    players: tuple[str, ...]
    dealer: int
    hands: tuple[Cards | None, ...]
    liang: int | None
    wall: Cards | None
    moves: tuple[Move, ...]
    options: dict[str, Option] = {}
    result: Result | None = None
    offers: tuple[Offer, ...] | None = None
    visible: Cards | None = None
    platform: str = ""
    room: str = ""
    session: str = ""
    round_no: int | None = None
    started_at: str | None = None
    sitter: int | None = None
    complete: bool = True
    omits: tuple[int, ...] = ()
    tags: dict[str, str] = {}
    source: Provenance = Provenance()


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The score sheet of a whole session: what each person won or lost in the end, nothing of the rounds.

    ``raw``: the points as written down at the table, ``points``: the final ones, both by person.
    """

    players: tuple[str, ...]
    points: Cards
    raw: Cards | None = None
    platform: str = ""
    room: str = ""
    session: str = ""
    started_at: str | None = None
    rounds: int | None = None
    tags: dict[str, str] = {}
    source: Provenance = Provenance()


class Deal(NamedTuple):
    """A deal as ``dealt`` reads it."""

    hands: tuple[Cards | None, ...]
    liang: int | None
    wall: Cards | None


def wall_size(record: Record) -> int:
    """Cards left after 20 for each playing seat, the 亮张 and the extra cards (补)."""
    playing = len(record.players) - (record.sitter is not None)
    return DECK - HAND * playing - 1 - [move.action for move in record.moves].count(Action.BU)


def dealt(record: Record) -> Deal:
    """The deal written one way: the 亮张 neither in the dealer's hand nor in the wall.

    A dealer's hand of 21 that holds the 亮张 loses it (its last copy); a wall of one card too many that begins with
    the 亮张 loses that card, or tells the 亮张 where it is not named elsewhere. Anything else stays as recorded, also
    what cannot be right; None as 亮张 with 21 cards in the dealer's hand means that no card was shown.
    """
    hands, liang, wall = record.hands, record.liang, record.wall
    whole = hands[record.dealer]
    full = whole is not None and len(whole) == HAND + 1
    untold = liang in (None, UNKNOWN) and not full
    if wall and (untold or wall[0] in (liang, UNKNOWN)) and len(wall) == wall_size(record) + 1:
        liang, wall = wall[0] if untold else liang, wall[1:]
    if whole is not None and full and liang is not None and liang in whole:
        at = len(whole) - 1 - whole[::-1].index(liang)
        hands = (*hands[: record.dealer], whole[:at] + whole[at + 1 :], *hands[record.dealer + 1 :])
    return Deal(hands, liang, wall)
