"""Rounds as bodies of the Huyoo replay."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ingest.adapters import huyoo_codes as codes
from ingest.adapters.holding import Holding, no_unknown, tag_numbers, whole_hand
from ingest.adapters.registry import Params
from ingest.cards import UNKNOWN
from ingest.codes import Action, Form, Source
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import Cards, Move, Offer, Record, Result, dealt

_A = Action
_NIBBLE = ENCODINGS["nibble"]
_SUBS = {
    _A.TI: codes.TI,
    _A.TI_OPEN: codes.TI,
    _A.PAO: codes.PAO,
    _A.WEI: codes.WEI,
    _A.CHOU_WEI: codes.WEI,
    _A.PENG: codes.PENG,
}
_LOST = {_A.PASS, _A.UNCLAIMED, _A.CLAIM}
_BITS = {_A.TI: 0x1, _A.PAO: 0x2, _A.WEI: 0x4, _A.CHI: 0x20, _A.PENG: 0x80, _A.HU: 0x100}
_KINDS = {Form.TI: 0x1, Form.PAO: 0x2, Form.PENG: 0x80, Form.WEI: 0x4, Form.CHOU_WEI: 0x4, Form.KAN: 0x4}
_CHI = 0x20
_LONG = 2**63 - 1


def write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    """The bodies of the rounds one after the other; ``Fault`` for a round that cannot be written."""
    for record in records:
        try:
            yield b"".join(_body(record, params))
        except struct.error as error:
            raise Fault("BAD_FIELD", f"数太大：{error}", f"a number is too large: {error}") from error


def _byte(card: int) -> int:
    value = _NIBBLE.encode(card)
    assert isinstance(value, int)
    return value


def _bytes(cards: Sequence[int]) -> bytes:
    return bytes(map(_byte, cards))


def _body(record: Record, params: Params) -> Iterator[bytes]:
    long = int(params["long"])
    layouts = codes.layouts(long)
    counted = codes.HEADER.size if params["size"] == "message" else 0

    def message(sub: int, *values: Any, main: int = codes.GAME, payload: bytes | None = None) -> bytes:
        body = layouts[sub].pack(*values) if payload is None else payload
        return codes.HEADER.pack(0, len(body) + counted, main, sub) + body

    no_unknown(record)
    hands = {seat: whole_hand(record, seat) for seat in range(len(record.players)) if seat != record.sitter}
    yield from _beside(record, long, message)
    for seat, hand in hands.items():
        cell, first = _tag(record, "cell_score", 1), _tag(record, "first_seat", record.dealer)
        yield message(codes.START, record.dealer, first, cell, _bytes(hand), 0, seat)
    holding = Holding([hands.get(seat) for seat in range(len(record.players))])
    offers: dict[int, list[Offer]] = {}
    for offer in record.offers or () if params["asked"] == "resume" else ():
        offers.setdefault(offer.seq, []).append(offer)
    for seq in range(-1, len(record.moves)):
        if seq >= 0:
            yield from _move(record, seq, holding, message)
        for offer in offers.get(seq, ()):
            if offer.action not in _BITS:
                raise Fault("BAD_MOVE", "这种选项写不出来", "this option cannot be written", "offers")
            card = 0 if offer.card < 0 else _byte(offer.card)
            yield message(codes.NOTIFY, offer.seat, card, _BITS[_A(offer.action)], 0)
    if record.moves and record.moves[-1].action in (_A.HU, _A.HUANG):
        yield message(codes.END, *_end(record, holding))


def _beside(record: Record, long: int, message: Any) -> Iterator[bytes]:
    """Who sits where, where the file has to tell it, and which round it is."""
    ids = [int(p) if p.isascii() and p.isdigit() and 0 < int(p) < 1 << 32 else 0 for p in record.players]
    if any(ids) or record.sitter is not None:
        for seat, person in enumerate(ids):
            payload = codes.COME.pack(person, seat) + bytes(codes.COME_REST + long)
            yield message(codes.COME_SUB, main=codes.USER, payload=payload)
    if record.round_no is not None:
        if not 0 <= record.round_no < 1 << 16:
            raise Fault("BAD_FIELD", "局号太大", "the number of the round is too large", "round_no")
        payload = codes.TABLE.pack(_tag(record, "session_rounds", 0), record.round_no) + bytes(16 * long + 1)
        yield message(codes.TABLE_SUB, main=codes.USER, payload=payload)


def _move(record: Record, seq: int, holding: Holding, message: Any) -> Iterator[bytes]:
    move = record.moves[seq]
    left = holding.take(move, seq)
    last = seq == len(record.moves) - 1
    if move.action == _A.DISCARD:
        yield message(codes.OUT_NOTIFY, 1, move.seat)
        yield message(codes.OUT, move.seat, _byte(move.card))
    elif move.action == _A.DRAW:
        yield message(codes.SEND, _byte(move.card), holding.shows(move), move.seat)
    elif move.action == _A.CHI:
        groups = [move, *_bi(record.moves, seq + 1)]
        laid = b"".join(_bytes((one.card, one.a, one.b)) for one in groups)
        if len(laid) > 9:
            raise Fault("BAD_MOVE", "比多于两组", "more than two 比", "moves", seq)
        yield message(codes.CHI, move.seat, _byte(move.card), len(groups), laid)
    elif move.action in (_A.TI, _A.PAO, _A.TI_OPEN):
        yield message(_SUBS[_A(move.action)], move.seat, _byte(move.card), left or 1)
    elif move.action in _SUBS:
        yield message(_SUBS[_A(move.action)], move.seat, _byte(move.card))
    elif move.action == _A.BI:
        before = record.moves[seq - 1] if seq else None
        if before is None or before.seat != move.seat or before.action not in (_A.CHI, _A.BI):
            raise Fault("BAD_MOVE", "比没有跟着吃", "a 比 without its 吃", "moves", seq)
    elif move.action not in _LOST and not (last and move.action in (_A.HU, _A.HUANG)):
        raise Fault("BAD_MOVE", "这个事件写不出来", "this event cannot be written", "moves", seq)


def _bi(moves: Sequence[Move], start: int) -> Iterator[Move]:
    """The 比 that follow one another from there on."""
    for place in range(start, len(moves)):
        if moves[place].action != _A.BI:
            return
        yield moves[place]


def _end(record: Record, holding: Holding) -> Iterator[Any]:
    """The fields of the last message, in order."""
    result = record.result or Result()
    end = record.moves[-1]
    won = end.action == _A.HU
    units = result.units
    if won and (result.huxi is None or units is None or units.den != 1 or result.points is None):
        zh, en = "胡息、囤数、得分都要有", "胡息, whole units and points are needed"
        raise Fault("BAD_FIELD", zh, en, "result")
    provider = result.from_seat
    if provider is None:
        provider = end.seat if won and result.source == Source.OWN_DRAW else codes.NOBODY
    yield from (_tag(record, "reason", 0), _won_with(end.card, result.card))
    yield from (end.seat if won else codes.NOBODY, provider, _tag(record, "type_bits", 0), _tag(record, "fan_count", 0))
    yield from (result.huxi or 0, units.num if units else 0, _tag(record, "rate", 0), _tag(record, "tax", 0))
    points = result.points or ()
    yield from [*points, *[0] * (codes.MOST_PERSONS - len(points))]
    rest = _rest(record)
    yield from (len(rest), _bytes(rest))
    lefts = [holding.hand(seat) or () for seat in range(len(record.players))]
    counts = [*map(len, lefts), *[0] * (codes.MOST_PERSONS - len(lefts))]
    yield from (bytes(counts), b"".join(map(_bytes, lefts)), b"")
    counted = _tags(record, "xing_counts")
    turned = result.xing or ()
    if len(turned) > 2:
        raise Fault("BAD_FIELD", "醒牌多于两张", "more than two 醒 cards", "result", "xing")
    pairs = [(_byte(card), n) for card, n in zip(turned, [*counted, 0, 0], strict=False)]
    yield bytes(value for pair in pairs for value in pair)
    eyes = [group.cards[0] for group in result.groups or () if group.form == Form.JIANG]
    groups = [group for group in result.groups or () if group.form != Form.JIANG]
    if len(eyes) > 1 or len(groups) > codes.WEAVES:
        raise Fault("BAD_FIELD", "组合太多", "too many groups", "result", "groups")
    yield from (_byte(eyes[0]) if eyes else 0, _tag(record, "hand_huxi", result.huxi or 0), len(groups))
    yield b"".join(
        bytes((_KINDS.get(Form(group.form), _CHI) if group.form else _kind(group.cards), len(group.cards), 0))
        + _bytes(group.cards).ljust(4, b"\x00")
        for group in groups
    )
    yield from (0, b"", 0)
    yield from [*(_tags(record, "written") or [0] * codes.MOST_PERSONS), 0]


def _tags(record: Record, key: str) -> list[int]:
    return tag_numbers(record, codes.NAME, key, -_LONG, _LONG)


def _tag(record: Record, key: str, absent: int) -> int:
    return next(iter(_tags(record, key)), absent)


def _kind(cards: Cards) -> int:
    return 0x4 if len(set(cards)) == 1 else _CHI


def _rest(record: Record) -> Cards:
    """The cards left in the wall: as reported, or what the wall has behind the draws."""
    result = record.result
    if result is not None and result.rest is not None:
        return result.rest
    wall = dealt(record).wall
    if wall is None or UNKNOWN in wall:
        raise Fault("BAD_FIELD", "墩里剩下的牌不知道", "what is left of the wall is not known", "wall")
    return wall[sum(move.action == Action.DRAW for move in record.moves) :]


def _won_with(card: int, reported: int | None) -> int:
    known = next((one for one in (card, reported) if one is not None and one >= 0), None)
    return 0 if known is None else _byte(known)
