"""What the closing pushes of a 桂林字牌 round report, and the wall that all its pushes together tell."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.adapters.fields import bad, card, cards, groups, integer, need, ratio, seat
from ingest.adapters.guilin_codes import FAN, SOURCES, WALL, WINS
from ingest.adapters.guilin_pushes import Told
from ingest.cards import UNKNOWN
from ingest.codes import NO_SEAT
from ingest.limits import MAX_ITEMS
from ingest.record import Cards, Group, Result


def result_of(told: Told) -> Result | None:
    """The reported result; None where the log stops before any."""
    if told.settled:
        body, where = told.settled, told.settled_where
    elif told.win:
        body, where = told.win, told.win_where
    else:
        return Result(winner=NO_SEAT) if told.ended else None
    code = integer(need(body, "type", where), (*where, "type"))
    if code not in WINS:
        raise bad((*where, "type"), f"未知的胡法 {code}", f"unknown kind of win {code}")
    giver = body.get("fromUid" if told.settled else "from")
    fan = FAN.get(code)
    common = Result(
        winner=seat(need(body, "uid", where), told.seats, (*where, "uid")),
        card=card(need(body, "id", where), (*where, "id")),
        source=SOURCES[code],
        from_seat=None if giver is None else seat(giver, told.seats, (*where, "from")),
        fan={fan: 1} if fan else None,
        xing=tuple(told.flips) if told.hits else None,
        xing_hits=sum(told.hits) if told.hits else None,
        hands=_last_hands(told),
    )
    return _settle(told, common) if told.settled else common


def _settle(told: Told, common: Result) -> Result:
    body, where = told.settled, told.settled_where
    laid = groups(need(body, "cardArr", where), (*where, "cardArr"))
    each = need(body, "eachHu", where)
    if not isinstance(each, list) or len(each) != len(laid):
        raise bad((*where, "eachHu"), "eachHu 与 cardArr 个数不同", "eachHu and cardArr differ in length")
    huxi = [integer(value, (*where, "eachHu"), 0, MAX_ITEMS) for value in each]
    units = body.get("ziNum")
    return Result(
        winner=common.winner,
        card=common.card,
        source=common.source,
        from_seat=common.from_seat,
        groups=tuple(Group(group, huxi=value) for group, value in zip(laid, huxi, strict=True)),
        huxi=integer(need(body, "huShu", where), (*where, "huShu"), 0, 10_000),
        fan=common.fan,
        units=None if units is None else ratio(units, (*where, "ziNum")),
        xing=common.xing,
        xing_hits=integer(need(body, "xing", where), (*where, "xing"), 0, 10_000),
        hands=common.hands,
        rest=cards(need(body, "remainCard", where), (*where, "remainCard")),
    )


def _last_hands(told: Told) -> tuple[Cards | None, ...] | None:
    """Hands as ``onWin`` lists them; the winner's, where it is not listed, is its concealed groups."""
    body, where = told.win, told.win_where
    if not body:
        return None
    winner = seat(need(body, "uid", where), told.seats, (*where, "uid"))
    hands: list[Cards | None] = [None] * len(told.seats)
    concealed = groups(need(body, "cardArr", where), (*where, "cardArr"))
    hands[winner] = tuple(kind for group in concealed for kind in group)
    for name, ahead in (("rightHandList", 1), ("leftHandList", 2)):
        if name in body:
            hands[(winner + ahead) % 3] = cards(body[name], (*where, name))
    for name, number in told.seats.items():
        if name in body:
            hands[number] = cards(body[name], (*where, name))
    return tuple(hands)


def wall_of(told: Told, logged: Sequence[int]) -> Cards:
    """The 19 cards under the 亮张 in draw order: as logged, completed by draws, 醒 cards and the rest where they fit.

    Raises ``Fault`` where two different draws claim one place.
    """
    wall = [*logged, *[UNKNOWN] * (WALL - len(logged))]
    if UNKNOWN not in wall:
        return tuple(wall)
    taken: dict[int, int] = {}
    for left, kind in told.draws:
        place = WALL - 1 - left
        if taken.setdefault(place, kind) != kind:
            raise bad(("wall", place), "两次摸牌剩余张数相同", "two draws left the same number of cards")
    drawn = max(taken, default=-1) + 1
    after = [*told.flips, *(told.remain or ())]
    if told.remain is not None and drawn + len(after) != WALL:
        after = []
    for place, kind in [*taken.items(), *enumerate(after, drawn)]:
        if place < WALL and wall[place] == UNKNOWN:
            wall[place] = kind
    return tuple(wall)
