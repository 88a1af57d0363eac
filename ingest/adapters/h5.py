"""H5PaohuziServer: ``playback`` documents of its database, one a line or one a file. See docs/formats.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from ingest.adapters.fields import (
    Fields,
    Where,
    array,
    bad,
    counted,
    decode,
    extra_keys,
    integer,
    need,
    obj,
    tag_text,
    word,
)
from ingest.adapters.h5_write import CHI, CLAIMS, DISCARD, DRAW, HU, TI, write
from ingest.adapters.lines import Line, check_length, documents_read, or_nothing
from ingest.adapters.registry import Adapter, Params, Reject, no_round
from ingest.cards import DECK, UNKNOWN
from ingest.codes import NO_CARD, NO_SEAT, Action
from ingest.encoding import BOM
from ingest.encodings import ENCODINGS
from ingest.limits import INT32, MAX_EVENTS, Fault
from ingest.record import HAND, Cards, Move, Provenance, Record, Result

NAME = "h5"
PLATFORM = "h5paohuzi"
SEATS = 3
WALL = DECK - HAND * SEATS - 1
OPENING = frozenset({Action.TI_OPEN})
HIDDEN = frozenset({Action.WEI, Action.CHOU_WEI})
TOLD = frozenset({Action.CHI, Action.BI, Action.PENG, Action.PAO, Action.TI})
ENDS = frozenset({Action.HU, Action.HUANG})

_DOCUMENT = frozenset({"_id", "id", "data", "time", "__v"})
_DATA = frozenset({"roomdata", "initialCard", "userList", "actionList"})
_ROOM = frozenset({"roomid", "roomType", "zDeskStation"})
_USER = frozenset({"uid", "nickName", "uname", "iconUrl", "sexNum", "isbot", "currency", "roomcard", "ip"})
_ENTRY = frozenset({"action", "pos", "cardVal", "playPos", "resPai", "resChi"})
_CODE = ENCODINGS["0..19"]
_NUMBER = re.compile(r"-?[0-9]{1,11}", re.ASCII)


def sniff(head: bytes) -> bool:
    """True for a JSON object with ``initialCard`` and ``actionList``."""
    text = head.removeprefix(BOM).lstrip()
    own = text[1:].lstrip().startswith(b'"phz')
    return text.startswith(b"{") and b'"initialCard"' in text and b'"actionList"' in text and not own


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """Every document of the file, accepted or refused, in file order."""

    def one(line: Line, index: int) -> Record:
        return _round(line, params, Provenance(name, index, NAME, line=line.number))

    return or_nothing(documents_read(stream, one), no_round())


def _round(line: Line, params: Params, source: Provenance) -> Record:
    check_length(line)
    told = decode(line.raw, last=line.open_end)
    data = obj(need(told, "data", ()), ("data",))
    room = obj(need(data, "roomdata", ("data",)), ("data", "roomdata"))
    dealer = _seat(need(room, "zDeskStation", ("data", "roomdata")), ("data", "roomdata", "zDeskStation"))
    extra = extra_keys(told, _DOCUMENT, "") + extra_keys(data, _DATA, "data.") + extra_keys(room, _ROOM, "roomdata.")
    hands = _hands(need(data, "initialCard", ("data",)), dealer)
    players, names = _players(data.get("userList"), extra)
    moves, result = _moves(need(data, "actionList", ("data",)), dealer, extra)
    draws = tuple(move.card for move in moves if move.action == Action.DRAW)
    room_id = room.get("roomid", "")
    tags = {"playback": tag_text(told.get("id", told.get("_id", ""))), "room_type": tag_text(room.get("roomType", ""))}
    tags |= {"names": names, "hand_order": "sorted", "ruleset_from": "format"}
    tags["extra_fields"] = counted(Counter(extra))
    return Record(
        ruleset=params["ruleset"],
        players=players,
        dealer=dealer,
        hands=hands,
        liang=UNKNOWN,
        wall=(*draws, *[UNKNOWN] * (WALL - len(draws))) if draws else None,
        moves=tuple(moves),
        result=result,
        platform=PLATFORM,
        room=str(room_id) if type(room_id) is int else word(room_id, ("data", "roomdata", "roomid")),
        complete=result is not None,
        omits=_omits(moves),
        tags={key: value for key, value in tags.items() if value},
        source=source,
    )


def _omits(moves: Sequence[Move]) -> tuple[int, ...]:
    """What this document does not tell. Builds log draws and discards alone, or some claims, or all but the opening."""
    there = {Action(move.action) for move in moves}
    omitted = set(OPENING - there)
    if not there & (TOLD | HIDDEN):
        omitted |= TOLD | HIDDEN
    elif not there & HIDDEN:
        omitted |= HIDDEN
    if any(move.action == Action.CHI and UNKNOWN in (move.a, move.b) for move in moves):
        omitted.add(Action.BI)
    if not there & ENDS:
        omitted |= ENDS
    return tuple(sorted(int(action) for action in omitted - there))


def _whole(value: Any, where: Where, low: int, high: int) -> int:
    """A whole number, also as the database exports one exactly."""
    if isinstance(value, dict) and len(value) == 1:
        key, text = next(iter(value.items()))
        if key in ("$numberInt", "$numberLong") and isinstance(text, str) and _NUMBER.fullmatch(text):
            value = int(text)
    return integer(value, where, low, high)


def _seat(value: Any, where: Where) -> int:
    found = _whole(value, where, -INT32, INT32)
    if not 1 <= found <= SEATS:
        raise Fault("BAD_SEAT", f"座位 {found} 不在 1..{SEATS}", f"seat {found} is outside 1..{SEATS}", *where)
    return found - 1


def _card(value: Any, where: Where) -> int:
    """A card 0..19, or an object with ``type`` 1 small, 2 big, and ``number`` 1..10."""
    if isinstance(value, dict) and "type" in value:
        size = _whole(value["type"], (*where, "type"), -INT32, INT32)
        number = _whole(need(value, "number", where), (*where, "number"), -INT32, INT32)
        if size not in (1, 2) or not 1 <= number <= 10:
            raise Fault("UNKNOWN_CARD", f"没有牌 {size}/{number}", f"no card {size}/{number}", *where)
        return 10 * (size - 1) + number - 1
    if isinstance(value, dict):
        value = _whole(value, where, -INT32, INT32)
    if isinstance(value, str):
        raise bad(where, "牌应是数", "a card is a number")
    return _CODE.decode(value, *where)


def _cards(value: Any, where: Where) -> list[int]:
    return [_card(one, (*where, place)) for place, one in enumerate(array(value, where))]


def _players(value: Any, extra: list[str]) -> tuple[tuple[str, ...], str]:
    users = obj(value, ("data", "userList")) if value is not None else {}
    ids, names = [], []
    for key in users:
        if key not in ("1", "2", "3"):
            raise Fault("BAD_SEAT", f"没有座位 {key!r:.20}", f"no seat {key!r:.20}", "data", "userList")
    for seat in range(SEATS):
        where = ("data", "userList", str(seat + 1))
        user = obj(users.get(str(seat + 1), {}), where)
        extra += extra_keys(user, _USER, "userList.")
        uid = user.get("uid", "")
        ids.append((str(uid) if type(uid) is int else word(uid, (*where, "uid"))) or f"seat{seat}")
        names.append(word(user.get("nickName", ""), (*where, "nickName")))
    return tuple(ids), tag_text(" ".join(filter(None, names)))


def _hands(value: Any, dealer: int) -> tuple[Cards, ...]:
    told = obj(value, ("data", "initialCard"))
    if sorted(told) != ["1", "2", "3"]:
        raise Fault("DEAL_SIZE", "应有三手牌", "three hands expected", "data", "initialCard")
    hands = [_cards(told[str(seat + 1)], ("data", "initialCard", str(seat + 1))) for seat in range(SEATS)]
    for seat, hand in enumerate(hands):
        size = HAND + (seat == dealer)
        if len(hand) != size:
            zh, en = f"应有 {size} 张，却有 {len(hand)}", f"{len(hand)} cards, expected {size}"
            raise Fault("DEAL_SIZE", zh, en, "data", "initialCard", str(seat + 1))
    return tuple(map(tuple, hands))


def _moves(value: Any, dealer: int, extra: list[str]) -> tuple[list[Move], Result | None]:
    found = array(value, ("data", "actionList"), MAX_EVENTS)
    entries = [obj(one, ("data", "actionList", place)) for place, one in enumerate(found)]
    played = _Play(dealer, draws=any(entry.get("action") == DRAW for entry in entries))
    for place, entry in enumerate(entries):
        extra += extra_keys(entry, _ENTRY, "actionList.")
        played.take(entry, ("data", "actionList", place), place == len(entries) - 1)
    return played.moves, played.result


class _Play:
    """The entries read so far."""

    def __init__(self, dealer: int, draws: bool) -> None:
        self.draws = draws
        self.moves: list[Move] = []
        self.result: Result | None = None
        self.open: int | None = None
        self.opener = -1
        self.drawn = False
        self.due: int | None = dealer

    def take(self, entry: Fields, where: Where, last: bool) -> None:
        action = _whole(need(entry, "action", where), (*where, "action"), -99, 999)
        if self.result is not None:
            raise Fault("BAD_MOVE", "胡或荒庄之后还有动作", "an entry after the end of the round", *where)
        if action == HU or (action == TI and entry.get("resPai") is None and (last or entry.get("pos") == -1)):
            self._end(entry, action, where)
            return
        seat = _seat(need(entry, "pos", where), (*where, "pos"))
        card = _card(need(entry, "cardVal", where), (*where, "cardVal"))
        if action in (DISCARD, DRAW):
            self._turn_up(seat, card, action == DRAW, where)
        elif action == CHI:
            self._chi(seat, card, entry, where)
        elif action in CLAIMS:
            self._claim(seat, card, CLAIMS[action], entry, where)
        else:
            raise Fault("BAD_MOVE", f"未知的动作 {action}", f"unknown action {action}", *where, "action")

    def _turn_up(self, seat: int, card: int, drawn: bool, where: Where) -> None:
        if not (drawn or self.draws or self.due == seat):
            # Some builds write draws as 100, too: then only what follows an own claim is a discard for certain.
            zh = "全部是 100 而没有 101：这个版本把摸牌也写成 100，分不清是出牌还是摸牌"
            en = "100 alone, no 101: builds that write draws as 100, too, do not tell a discard from a draw"
            raise Fault("BAD_MOVE", zh, en, *where)
        self.moves.append(Move(seat, Action.DRAW if drawn else Action.DISCARD, card))
        self.open, self.opener, self.drawn, self.due = card, seat, drawn, None

    def _answers(self, card: int, where: Where) -> None:
        if self.open is not None and self.open != card:
            zh, en = "不是桌上的那张牌", "not the open card"
            raise Fault("BAD_MOVE", zh, en, *where, "cardVal")

    def _claim(self, seat: int, card: int, action: Action, entry: Fields, where: Where) -> None:
        laid = _cards(entry["resPai"], (*where, "resPai")) if entry.get("resPai") is not None else [card]
        if set(laid) != {card} or len(laid) > 4:
            zh, en = "应是同一种牌", "expected copies of the one card"
            raise Fault("BAD_MOVE", zh, en, *where, "resPai")
        if action == Action.TI and not (self.open == card and self.drawn and self.opener == seat):
            action = Action.TI_OPEN
        else:
            self._answers(card, where)
            self.open, self.due = None, seat
        self.moves.append(Move(seat, action, card))

    def _chi(self, seat: int, card: int, entry: Fields, where: Where) -> None:
        self._answers(card, where)
        laid = _cards(entry["resPai"], (*where, "resPai")) if entry.get("resPai") is not None else []
        pair = _cards(entry["resChi"], (*where, "resChi")) if entry.get("resChi") is not None else []
        if laid and (len(laid) % 3 or card not in laid[:3]):
            raise Fault(
                "BAD_MOVE", "应每组三张，第一组有吃的牌", "threes, the first with the eaten card", *where, "resPai"
            )
        own = laid[:3]
        if own:
            own.remove(card)
        if pair and (len(pair) != 2 or (own and sorted(pair) != sorted(own))):
            raise Fault(
                "BAD_MOVE", "与 resPai 不合，或不是两张", "not two cards, or not those of resPai", *where, "resChi"
            )
        a, b = pair or own or (UNKNOWN, UNKNOWN)
        self.open, self.due = None, seat
        self.moves.append(Move(seat, Action.CHI, card, a, b))
        for start in range(3, len(laid), 3):
            three = laid[start : start + 3]
            first = three.pop(three.index(card) if card in three else 0)
            self.moves.append(Move(seat, Action.BI, first, three[0], three[1]))

    def _end(self, entry: Fields, action: int, where: Where) -> None:
        pos = _whole(need(entry, "pos", where), (*where, "pos"), -INT32, INT32)
        if pos == -1:
            self.moves.append(Move(NO_SEAT, Action.HUANG))
            self.result = Result(winner=NO_SEAT)
            return
        if action == TI:
            zh, en = "没有 resPai 的最后一个 4：提，或旧版的胡", "a last 4 without resPai: 提, or 胡 of older builds"
            raise Fault("BAD_MOVE", zh, en, *where)
        seat = _seat(pos, (*where, "pos"))
        told = entry.get("cardVal", -1)
        card = None if told == -1 else _card(told, (*where, "cardVal"))
        giver = entry.get("playPos", 0)
        self.moves.append(Move(seat, Action.HU, NO_CARD if card is None else card))
        self.result = Result(
            winner=seat, card=card, from_seat=_seat(giver, (*where, "playPos")) if giver not in (0, -1) else None
        )


ADAPTER = Adapter(NAME, 1, "H5PaohuziServer playback", (".json",), sniff, read, write, {"ruleset": "hu15"})
