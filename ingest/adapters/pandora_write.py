"""Rounds as one pandora client would have received them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ingest.adapters import pandora_messages as pb
from ingest.adapters.holding import Holding, known, tag_number, three_seats, whole_hand, whole_hands
from ingest.adapters.pandora_round import NAME
from ingest.adapters.registry import Params
from ingest.cards import UNKNOWN
from ingest.codes import NO_CARD, Action, Source
from ingest.limits import Fault
from ingest.record import Move, Record, Result, wall_size

_A = Action
_CODES = {
    _A.CHI: (1, 1),
    _A.PENG: (2, 2),
    _A.WEI: (3, 3),
    _A.CHOU_WEI: (3, 4),
    _A.PAO: (5, 5),
    _A.TI: (6, 6),
    _A.TI_OPEN: (6, 6),
}
"""Action code and kind of group."""
_COPIES = {_A.PENG: 3, _A.WEI: 3, _A.CHOU_WEI: 3, _A.PAO: 4, _A.TI: 4, _A.TI_OPEN: 4}
_CLAIMED = {_A.CHI, _A.PENG, _A.PAO}
_WISHES = {_A.CHI: 1, _A.PENG: 2, _A.HU: 4}
_LOST = {_A.UNCLAIMED, _A.BI}


def write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    """The frames of the rounds as the client of that seat saw them; ``Fault`` for a round that cannot be written."""
    for record in records:
        try:
            yield b"".join(_frames(record, int(params["seat"])))
        except (ValueError, TypeError) as error:
            if isinstance(error, Fault):
                raise
            raise Fault("BAD_FIELD", f"数太大：{error}", f"a number is too large: {error}") from error


def frame(number: int, body: bytes) -> bytes:
    """One frame: what follows the first number is its own id and the body."""
    return pb.HEAD.pack(pb.LENGTH + len(body), number) + body


def _say(number: int, **fields: object) -> bytes:
    return frame(number, pb.make(number, **fields))


def _frames(record: Record, me: int) -> Iterator[bytes]:
    three_seats(record)
    quads = next((n for n, move in enumerate(record.moves) if move.action != _A.TI_OPEN), len(record.moves))
    whole_hand(record, me)
    holding = Holding(whole_hands(record))
    for seq in range(quads):
        yield _group(record, seq, None)
        holding.take(record.moves[seq], seq)
    left = wall_size(record)
    mine = list(holding.hand(me) or ())
    ids = [int(text) if text.isascii() and text.isdigit() else 0 for text in (record.session, record.room)]
    yield _say(
        pb.START,
        round_id=ids[0],
        room_id=ids[1],
        template_id=_tag(record, "template_id"),
        banker_seat=record.dealer,
        self_hand=mine,
        wall_remain=left,
        self_seat=me,
        base_score=_tag(record, "base_score"),
        cfg_snapshot=record.tags.get("config", "") if record.platform == NAME else "",
    )
    yield _turn(record.dealer, "discard", left, mine if me == record.dealer else [], False)
    opened: Move | None = None
    offers = {offer.seq for offer in record.offers or () if (offer.seat, offer.action) == (me, _A.HU)}
    for seq in range(quads, len(record.moves)):
        move = record.moves[seq]
        if move.action in (_A.DRAW, _A.DISCARD):
            opened = move
            left -= move.action == _A.DRAW
        yield from _move(record, seq, me, holding, opened)
        holding.take(move, seq)
        if seq in offers:
            yield _turn(move.seat, "claim", left, [], True)


def _turn(seat: int, sub: str, left: int, hand: list[int], can_hu: bool) -> bytes:
    return _say(pb.TURN, seat_id=seat, sub=sub, timeout_s=15, wall_remain=left, self_hand=hand, can_hu=can_hu)


def _move(record: Record, seq: int, me: int, holding: Holding, opened: Move | None) -> Iterator[bytes]:
    move = record.moves[seq]
    if move.action == _A.DRAW:
        yield _say(pb.DRAW, seat_id=move.seat, tile=move.card if move.seat == me else UNKNOWN)
        if holding.shows(move):
            yield _say(pb.REVEAL, seat_id=move.seat, tile=known(move, seq))
    elif move.action == _A.DISCARD:
        yield _say(pb.DISCARD, seat_id=move.seat, tile=known(move, seq))
    elif move.action in _CODES and move.action != _A.TI_OPEN:
        before = record.moves[seq - 1] if seq else None
        if move.action == _A.TI and (before is None or (before.seat, before.action) != (move.seat, _A.DRAW)):
            raise Fault("BAD_MOVE", "提之前没有摸牌", "a 提 without its draw", "moves", seq)
        yield _group(record, seq, opened)
    elif move.action in (_A.PASS, _A.CLAIM):
        if move.seat == me:
            wish = 0 if move.action == _A.PASS else _WISHES.get(_A(move.a))
            if wish is None:
                raise Fault("BAD_MOVE", "这种请求写不出来", "this claim cannot be written", "moves", seq)
            yield _say(pb.ACTION_WISH, action=wish)
    elif move.action == _A.HUANG:
        yield _say(pb.LIUJU, banker_seat=record.dealer)
    elif move.action == _A.HU and seq == len(record.moves) - 1:
        yield _say(pb.SETTLE, **_settle(record, move))
    elif move.action not in _LOST:
        raise Fault("BAD_MOVE", "这个事件写不出来", "this event cannot be written", "moves", seq)


def _group(record: Record, seq: int, opened: Move | None) -> bytes:
    move = record.moves[seq]
    card = known(move, seq)
    action = _A(move.action)
    code, kind = _CODES[action]
    tiles = [card, move.a, move.b] if action == _A.CHI else [card] * _COPIES[action]
    origin = {"from_seat": opened.seat} if opened is not None and action in _CLAIMED else {}
    return _say(pb.ACTION, seat_id=move.seat, action=code, tile=card, tiles=tiles, meld_kind=kind, **origin)


def _settle(record: Record, move: Move) -> dict[str, object]:
    result = record.result or Result()
    units, points = result.units, result.points
    if result.huxi is None or units is None or units.den != 1 or points is None:
        zh, en = "胡息、囤数、得分都要有", "胡息, whole units and points are needed"
        raise Fault("BAD_FIELD", zh, en, "result")
    card = result.card if move.card == NO_CARD else move.card
    base = _tag(record, "base_score") or 1
    ids = [int(player) if player.isascii() and player.isdigit() else 0 for player in record.players]
    entries = [{"uid": person, "seat_id": seat, "delta_gold": base * points[seat]} for seat, person in enumerate(ids)]
    return {
        "round_id": int(record.session) if record.session.isascii() and record.session.isdigit() else 0,
        "winner_seat": move.seat,
        "hu_tile": UNKNOWN if card is None else card,
        "is_draw_win": result.source == Source.OWN_DRAW,
        "hu_xi": result.huxi,
        "tun": units.num,
        "fan": _tag(record, "fan"),
        "base_score": base,
        "entries": entries,
    }


def _tag(record: Record, key: str) -> int:
    return tag_number(record, NAME, key)
