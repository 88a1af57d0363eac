"""Rounds as the events that one woaiwyhty client received and sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ingest.adapters.holding import Holding, no_unknown, tag_number, tag_numbers, three_seats, whole_hand, whole_hands
from ingest.adapters.registry import Params
from ingest.adapters.woaiwyhty_told import BACK, DEALER, MOST_ROUNDS, NAME, SIZES
from ingest.cards import KINDS, UNKNOWN
from ingest.codes import Action, Form
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import Group, Move, Record, Result, dealt

_A = Action
_CARDS = ENCODINGS["x/d"]
_KINDS = {_A.TI: "ti", _A.TI_OPEN: "ti", _A.WEI: "wei", _A.CHOU_WEI: "wei", _A.PAO: "pao", _A.PENG: "peng"}
_GROUPS = {
    Form.TI: "ti",
    Form.PAO: "pao",
    Form.WEI: "wei",
    Form.CHOU_WEI: "wei",
    Form.KAN: "wei",
    Form.PENG: "peng",
    Form.JIANG: "jiang",
}
_WISHES = {_A.PENG: "peng", _A.CHI: "chi", _A.HU: "hu"}
_ORIGINS: dict[int | None, int] = {_A.WEI: 1, _A.CHOU_WEI: 1, _A.PENG: 2}

Event = tuple[str, dict[str, Any]]


def write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    """The events as the client of that seat has them, a line each; ``Fault`` for a round that cannot be written."""
    for record in records:
        yield b"".join(_line(*event) for event in _events(record, int(params["seat"])))


def _line(name: str, body: dict[str, Any]) -> bytes:
    return json.dumps({"event": name, "data": body}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _name(card: int) -> str:
    return str(_CARDS.encode(card))


def _events(record: Record, me: int) -> Iterator[Event]:
    three_seats(record)
    if record.dealer != DEALER:
        raise Fault("BAD_SEAT", "庄家只能是座位 0", "the dealer is always seat 0", "dealer")
    no_unknown(record)
    yield from _session(record, me)
    hand = whole_hand(record, me)
    liang = dealt(record).liang
    start: dict[str, Any] = {
        "errcode": 0,
        "number_of_wang": _tag(record, "huang_before"),
        "total_games": _tag(record, "session_rounds"),
        "tianHuResult": {"status": "tianhu" in record.tags and record.platform == NAME},
        "cardsOnHand": [[_name(kind), hand.count(kind)] for kind in range(KINDS)],
    }
    if record.round_no is not None:
        start["current_played_games"] = record.round_no
    if liang is not None and liang != UNKNOWN:
        start["card21st"] = _name(liang)
    yield "game_start", start
    holding = Holding(whole_hands(record))
    skip = 0
    for seq, move in enumerate(record.moves):
        origin = _ORIGINS.get(holding.triple(move), 0)
        holding.take(move, seq)
        if skip:
            skip -= 1
            continue
        follows = record.moves[seq + 1 : seq + 2]
        if move.action in (_A.DRAW, _A.DISCARD):
            forced = _forced(move, follows, holding)
            skip = 1 if forced else 0
            yield from _opened(move, forced, me)
        else:
            yield from _done(record, seq, origin, me)


def _session(record: Record, me: int) -> Iterator[Event]:
    """Who sits where."""
    named = {place: name for place, name in enumerate(record.players) if name != f"seat{place}"}
    if me in named:
        yield "login", {"username": named[me]}
    body: dict[str, Any] = {"errcode": 0, "relogin": False, "seat_id": me}
    if record.room:
        body["room_id"] = record.room
    others = [{"username": name, "seat_id": place} for place, name in named.items() if place != me]
    yield "login_result", {**body, "other_players": others}


def _forced(opened: Move, follows: tuple[Move, ...], holding: Holding) -> dict[str, Any] | None:
    """A 提, 偎 or 跑 right after the card that it takes: the server tells both at once."""
    if not follows or follows[0].card != opened.card or follows[0].action not in (_A.TI, _A.WEI, _A.CHOU_WEI, _A.PAO):
        return None
    act = follows[0]
    if act.action != _A.PAO and (opened.action != _A.DRAW or act.seat != opened.seat):
        return None
    kind = _KINDS[_A(act.action)]
    shown = _name(act.card)
    cards = [shown] * 4 if kind == "pao" else [BACK] * (SIZES[kind] - 1) + [shown]
    origin = _ORIGINS.get(holding.triple(act), 0)
    return {"type": kind, "op_seat_id": act.seat, "opCard": shown, "cards": cards, "from_wei_or_peng": origin}


def _opened(move: Move, forced: dict[str, Any] | None, me: int) -> Iterator[Event]:
    shown = _name(move.card)
    if move.action == _A.DRAW:
        result = {"status": True, **forced} if forced else {"status": False}
        body = {"errcode": 0, "dealed_card": shown, "op_seat_id": move.seat, "ti_wei_pao_result": result}
        yield "dealed_card", body
        return
    yield "need_shoot", {"errcode": 0, "op_seat_id": move.seat}
    if move.seat == me:
        yield "shootCard", {"opCard": shown, "type": "onHand"}
        if forced:
            name = "self_action_result" if forced["op_seat_id"] == me else "other_player_action"
            yield name, {"errcode": 0, **forced}
    else:
        more = {"paoResult": forced} if forced else {}
        yield "other_player_shoot", {"errcode": 0, "op_seat_id": move.seat, "type": "onHand", "opCard": shown, **more}


def _done(record: Record, seq: int, origin: int, me: int) -> Iterator[Event]:
    move = record.moves[seq]
    last = seq == len(record.moves) - 1
    told = "self_action_result" if move.seat == me else "other_player_action"
    body: dict[str, Any] = {"errcode": 0, "op_seat_id": move.seat}
    if move.action in _KINDS:
        kind = _KINDS[_A(move.action)]
        cards = [_name(move.card)] * SIZES[kind]
        yield told, {**body, "type": kind, "opCard": cards[0], "cards": cards, "from_wei_or_peng": origin}
    elif move.action == _A.CHI:
        groups = [move]
        groups += [one for one in record.moves[seq + 1 : seq + 3] if (one.action, one.seat) == (_A.BI, move.seat)]
        many = [[_name(card) for card in (one.card, one.a, one.b)] for one in groups]
        yield told, {**body, "type": "chi", "opCard": _name(move.card), "manyCards": many}
    elif move.action == _A.UNCLAIMED and move.card >= 0:
        owner = next((one.seat for one in reversed(record.moves[:seq]) if one.action in (_A.DRAW, _A.DISCARD)), DEALER)
        yield "discarded_dealed_card", {**body, "op_seat_id": owner, "opCard": _name(move.card)}
    elif move.action in (_A.PASS, _A.CLAIM):
        if move.seat == me:
            yield _wished(move, seq)
    elif move.action == _A.HU and last:
        yield ("self_action_result" if move.seat == me else "other_player_hu"), {**body, **_won(record)}
    elif move.action == _A.HUANG and last:
        yield "wang_hu", {**body, "op_seat_id": -1, "type": "wang_hu", **_over(record)}
    elif move.action not in (_A.BI, _A.UNCLAIMED):
        raise Fault("BAD_MOVE", "这个事件写不出来", "this event cannot be written", "moves", seq)


def _wished(move: Move, seq: int) -> Event:
    if move.action == _A.PASS:
        return "guo", {"isDoneByUser": True}
    if move.a not in _WISHES:
        raise Fault("BAD_MOVE", "这种请求写不出来", "this claim cannot be written", "moves", seq)
    return _WISHES[_A(move.a)], {}


def _won(record: Record) -> dict[str, Any]:
    result = record.result or Result()
    body: dict[str, Any] = {"type": "hu", **_over(record)}
    body["cardsGroups"] = [
        {
            "type": _kind(group),
            "cards": [_name(card) for card in group.cards],
            **({} if group.huxi is None else {"xi": group.huxi}),
        }
        for group in result.groups or ()
    ]
    if result.huxi is not None:
        body["xi"] = result.huxi
    if result.units is not None:
        if result.units.den != 1:
            raise Fault("BAD_FIELD", "囤数不是整数", "no whole number of units", "result", "units")
        body["tun"] = result.units.num
    if result.points is not None:
        lost = -min(result.points)
        if sorted(result.points) != [-lost, -lost, 2 * lost] or result.points[record.moves[-1].seat] != 2 * lost:
            raise Fault("BAD_FIELD", "两家输的不一样多", "the losers do not lose alike", "result", "points")
        body["loseMark"] = lost
    if fan := tag_numbers(record, NAME, "fan"):
        body["fan"] = fan[0]
    if record.platform == NAME and record.tags.get("hu_info"):
        body["huInfo"] = record.tags["hu_info"].split()
    return body


def _kind(group: Group) -> str:
    if group.form is None:
        return "wei" if len(set(group.cards)) == 1 else "chi"
    return _GROUPS.get(Form(group.form), "chi")


def _over(record: Record) -> dict[str, Any]:
    result = record.result or Result()
    body: dict[str, Any] = {}
    if result.totals is not None:
        body["afterScore"] = list(result.totals)
    wall = dealt(record).wall
    rest = result.rest
    if rest is None and wall is not None:
        rest = wall[sum(move.action == _A.DRAW for move in record.moves) :]
    if rest is not None and UNKNOWN not in rest:
        body["holeCards"] = [_name(card) for card in rest]
    if record.platform == NAME and "last_game" in record.tags:
        body["lastGame"] = True
    return body


def _tag(record: Record, key: str) -> int:
    return tag_number(record, NAME, key, least=0, most=MOST_ROUNDS)
