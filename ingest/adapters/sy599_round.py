"""One sy599 round: the entries of its ``playLog`` and what the wrapper around it tells, as a record."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ingest.adapters.fields import (
    Fields,
    Where,
    array,
    bad,
    counted,
    decode,
    extra_keys,
    integer,
    moment,
    need,
    obj,
    tag_text,
    word,
)
from ingest.adapters.registry import Params
from ingest.adapters.sy599_codes import CLOSING, FORMS, KEPT, PLATFORM, PLAYER, TEXTS, WRAPPER
from ingest.adapters.sy599_play import Play, dealer_of, read_play
from ingest.cards import DECK, UNKNOWN
from ingest.codes import NO_SEAT, Action
from ingest.encodings import ENCODINGS, Encoding, distinct
from ingest.limits import Fault, halves
from ingest.record import HAND, Cards, Group, Move, Provenance, Ratio, Record, Result

_NUMBERS = {name: code for name, code in ENCODINGS.items() if isinstance(code.names[0][0], int)}


def encoding_of(params: Params) -> Encoding:
    """The encoding that the parameter ``cards`` names; ``Fault`` for an unknown one."""
    code = _NUMBERS.get(params["cards"])
    if code is None:
        known = "、".join(_NUMBERS)
        raise bad(("cards",), f"没有牌号 {params['cards']!r:.40}，有 {known}", f"no such numbers, but {known}")
    return code


def bare_round(text: str, params: Params, source: Provenance) -> Record:
    """A round of which only the text is there: nobody's name, no result."""
    play = read_play(text, None, encoding_of(params))
    players = tuple(f"seat{seat}" for seat in range(len(play.hands)))
    ended = any(move.action == Action.HU for move in play.moves)
    return _record(play, players, {}, None, None, {}, ended, params, source)


def wrapped_round(told: Fields, params: Params, source: Provenance) -> Record:
    """A round in its JSON wrapper; raises ``Fault`` where a field is missing or wrong."""
    code = encoding_of(params)
    people = _people(need(told, "resList", ()))
    play = read_play(_text(need(told, "play", ()), ("play",)), len(people), code)
    closing = _inner(told["closingMsg"], ("closingMsg",)) if told.get("closingMsg") else None
    extra = extra_keys(told, WRAPPER, "") + (extra_keys(closing, CLOSING, "closingMsg.") if closing else [])
    for person in people:
        extra += extra_keys(person, PLAYER, "resList.")
    tags = {f"sy599_{key}": tag_text(told[key]) for key in TEXTS if told.get(key)}
    for key in KEPT:
        if closing and closing.get(key):
            tags[f"closing_{key}"] = tag_text(closing[key])
    names = [str(person["name"]) for person in people if isinstance(person.get("name"), str)]
    if names:
        tags["names"] = tag_text(" ".join(names))
    if extra:
        tags["extra_fields"] = counted(Counter(extra))
    players = tuple(_id_of(person, seat) for seat, person in enumerate(people))
    broken = bool(closing and closing.get("isBreak"))
    result = None if closing is None else _result(closing, people, code, broken)
    ended = closing is not None and not (broken and (result is None or result.winner is None))
    return _record(play, players, told, closing, result, tags, ended, params, source)


def _record(
    play: Play,
    players: tuple[str, ...],
    told: Fields,
    closing: Fields | None,
    result: Result | None,
    tags: dict[str, str],
    ended: bool,
    params: Params,
    source: Provenance,
) -> Record:
    code = play.code
    sitters = [seat for seat, hand in enumerate(play.hands) if not hand]
    if len(sitters) > 1 or (sitters and len(play.hands) < 4):
        raise Fault("DEAL_SIZE", f"{len(sitters)} 家没有牌", f"{len(sitters)} seats without cards", "play")
    dealer = dealer_of(play)
    wall, order = _wall(play, closing or {}, len(play.hands) - len(sitters))
    notes = counted(play.notes)
    counts = {f"entries_{kind}": str(n) for kind, n in sorted(play.kinds.items()) if n}
    more = {"ruleset_from": "format", "other_entries": notes, "wall_order": order} | counts
    first = (closing or {}).get("firstCard")
    moves = play.moves
    won = any(move.action == Action.HU for move in moves)
    if result is not None and result.winner == NO_SEAT and not won:
        moves = [*moves, Move(NO_SEAT, Action.HUANG)]  # The log has no entry for it, the closing message says so.
    return Record(
        ruleset=params["ruleset"],
        players=players,
        dealer=dealer,
        hands=tuple(tuple(code.decode(one) for one in hand) or None for hand in play.hands),
        liang=code.decode(first, "closingMsg", "firstCard") if first else UNKNOWN,
        wall=wall,
        moves=tuple(moves),
        result=result,
        offers=tuple(play.offers) if play.offers else None,
        platform=PLATFORM,
        room=str(told["tableId"])[:100] if isinstance(told.get("tableId"), int | str) else "",
        round_no=integer(told["playCount"], ("playCount",)) if told.get("playCount") is not None else None,
        started_at=_time(told["time"]) if told.get("time") else None,
        sitter=sitters[0] if sitters else None,
        complete=ended,
        omits=() if won or closing is not None else (int(Action.HUANG),),
        tags=tags | {key: value for key, value in more.items() if value},
        source=source,
    )


def _text(value: Any, where: Where) -> str:
    if not isinstance(value, str):
        raise bad(where, "应是文本", "expected a text")
    return value


def _inner(value: Any, where: Where) -> dict[str, Any]:
    """A JSON object, or the text of one."""
    if isinstance(value, str):
        try:
            return dict(decode(value.encode(), last=False))
        except Fault as fault:
            zh, en = halves(fault.reason)
            raise Fault(fault.code, f"里面的 JSON：{zh}", f"the JSON inside: {en}", *where) from fault
        except UnicodeEncodeError as error:
            raise Fault("NOT_UTF8", "有半个 UTF-16 字符", "half of a UTF-16 pair is no character", *where) from error
    return obj(value, where)


def _people(value: Any) -> list[dict[str, Any]]:
    """One object a seat, in the order of the seats."""
    found = [_inner(one, ("resList", place)) for place, one in enumerate(array(value, ("resList",)))]
    seats = [
        integer(need(one, "seat", ("resList", place)), ("resList", place, "seat")) for place, one in enumerate(found)
    ]
    if not 2 <= len(found) <= 4 or sorted(seats) != list(range(1, len(found) + 1)):
        raise Fault("BAD_SEAT", f"座位是 {seats}", f"the seats are {seats}", "resList")
    return [one for _, one in sorted(zip(seats, found, strict=True), key=lambda pair: pair[0])]


def _id_of(person: Fields, seat: int) -> str:
    value = person.get("userId", person.get("name"))
    if type(value) is int:
        return str(value)[:100]
    return word(value, ("resList", seat, "userId")) if value else f"seat{seat}"


def _time(value: Any) -> str:
    """``yyyy-MM-dd HH:mm[:ss[.f]]`` as the platform writes it, as an ISO time."""
    text = word(value, ("time",))
    return moment(text, ("time",)).isoformat(timespec="seconds")


def _cards(value: Any, code: Encoding, where: Where) -> Cards:
    return tuple(code.decode(one, *where, place) for place, one in enumerate(array(value, where)))


def _ids(value: Any, code: Encoding, where: Where) -> list[int]:
    _cards(value, code, where)
    return [int(one) for one in value]


def _wall(play: Play, closing: Fields, playing: int) -> tuple[Cards | None, str]:
    """The wall in draw order without the extra cards; a word where the closing message lists it in another order."""
    code = play.code
    left = DECK - HAND * playing - 1
    listed = _ids(closing.get("startLeftCards") or [], code, ("closingMsg", "startLeftCards"))
    if code.physical:
        distinct([*(one for hand in play.hands for one in hand), *listed], "closingMsg", "startLeftCards")
    if len(listed) > left:
        zh, en = f"墩里有 {len(listed)} 张", f"{len(listed)} cards in the wall"
        raise Fault("DEAL_SIZE", zh, en, "closingMsg", "startLeftCards")
    taken = [*play.draws]
    size = left - len(play.extra)
    if listed:
        wall = list(listed)
        for one in play.extra:
            if one in wall:
                wall.remove(one)
        if wall[: len(taken)] == taken:
            return _padded(wall, size, code), ""
        return _padded(taken, size, code), "startLeftCards are not in the order of the draws"
    rest = _ids(closing.get("leftCards") or [], code, ("closingMsg", "leftCards"))
    return _padded([*taken, *rest] if len(taken) + len(rest) == size else taken, size, code), ""


def _padded(ids: list[int], size: int, code: Encoding) -> Cards | None:
    """The known front part of a wall and unknown cards behind it."""
    return (*map(code.decode, ids), *[UNKNOWN] * (size - len(ids))) if ids else None


def _result(closing: Fields, people: list[dict[str, Any]], code: Encoding, broken: bool) -> Result:
    where: Where = ("closingMsg",)
    winner = integer(closing.get("huSeat") or 0, (*where, "huSeat"), 0, len(people))
    card = closing.get("huCard") or 0
    fan: dict[str, int] = {}
    for place, kind in enumerate(array(closing.get("fanTypes") or [], (*where, "fanTypes"))):
        number = str(integer(kind, (*where, "fanTypes", place)))
        fan[number] = fan.get(number, 0) + 1
    rest = closing.get("leftCards")
    return Result(
        winner=winner - 1 if winner else None if broken else NO_SEAT,
        card=code.decode(card, *where, "huCard") if winner and card else None,
        groups=_groups(closing.get("cards"), code, (*where, "cards")),
        huxi=_number(closing, "huxi", where),
        fan=fan or None,
        units=Ratio(tun) if (tun := _number(closing, "tun", where)) is not None else None,
        points=_by_seat(people, "point"),
        totals=_by_seat(people, "totalPoint"),
        hands=_last_hands(people, code),
        rest=None if rest is None else _cards(rest, code, (*where, "leftCards")),
    )


def _number(fields: Fields, name: str, where: Where) -> int | None:
    value = fields.get(name)
    return None if value is None else integer(_plain(value), (*where, name))


def _plain(value: Any) -> Any:
    """A number in quotes as the number."""
    if (
        isinstance(value, str)
        and value.removeprefix("-").isascii()
        and value.removeprefix("-").isdigit()
        and len(value) < 12
    ):
        return int(value)
    return value


def _by_seat(people: list[dict[str, Any]], name: str) -> Cards | None:
    """A number of each person; None where one has none."""
    values = [_number(person, name, ("resList", seat)) for seat, person in enumerate(people)]
    return None if None in values else tuple(value for value in values if value is not None)


def _last_hands(people: list[dict[str, Any]], code: Encoding) -> tuple[Cards | None, ...] | None:
    hands = [
        None if person.get("cards") is None else _cards(person["cards"], code, ("resList", seat, "cards"))
        for seat, person in enumerate(people)
    ]
    return None if all(hand is None for hand in hands) else tuple(hands)


def _groups(value: Any, code: Encoding, where: Where) -> tuple[Group, ...] | None:
    if not value:
        return None
    groups = []
    for place, one in enumerate(array(value, where)):
        at = (*where, place)
        fields = obj(one, at)
        kinds = _cards(fields.get("cards") or [], code, (*at, "cards"))
        action = integer(fields.get("action") or 0, (*at, "action"))
        if action in FORMS and len(set(kinds)) > 1:
            zh, en = (
                "应是同一种牌；牌号也许是另一种排法",
                "expected copies of one card; the ids may be of another layout",
            )
            raise Fault("BAD_FIELD", zh, en, *at)
        if kinds:
            groups.append(Group(kinds, FORMS.get(action), _number(fields, "huxi", at)))
    return tuple(groups) or None
