"""The events of a woaiwyhty round, received and sent, and what each tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ingest.adapters.fields import Fields, Where, array, bad, brief, extra_keys, integer, need, obj, word
from ingest.adapters.told import count
from ingest.adapters.woaiwyhty_told import (
    FORMS,
    LAID,
    MOST_ROUNDS,
    SEATS,
    SIZES,
    WISHES,
    Told,
    card,
    card_or_back,
    hand_of,
    me_of,
    seat,
)
from ingest.cards import UNKNOWN
from ingest.codes import NO_CARD, NO_SEAT, Action
from ingest.limits import Fault
from ingest.record import Group, Ratio, Result

_FORCED = frozenset({"status", "type", "op_seat_id", "opCard", "cards", "from_wei_or_peng", "from_wei", "xi"})


def own_hand(told: Told, body: Fields, where: Where) -> None:
    """The own hand as dealt, the first time it is told, and the 亮张."""
    if told.hand is None and "cardsOnHand" in body:
        told.hand = hand_of(body["cardsOnHand"], (*where, "cardsOnHand"))
    if body.get("card21st"):
        told.liang = card(body["card21st"], (*where, "card21st"))


def begin(told: Told, body: Fields, where: Where) -> None:
    """The deal. ``number_of_wang`` counts the rounds before it that ended without a winner."""
    told.start = body
    own_hand(told, body, where)
    for key in ("number_of_wang", "current_played_games", "total_games"):
        if key in body:
            integer(body[key], (*where, key), 0, MOST_ROUNDS)
    hu = body.get("tianHuResult")
    if isinstance(hu, dict) and hu.get("status") is True:
        told.tags["tianhu"] = "offered"


def _need_shoot(told: Told, body: Fields, where: Where) -> None:
    told.others["turns"] += 1
    shooter = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    told.own_turn = shooter == me_of(told)


def _dealt(told: Told, body: Fields, where: Where) -> None:
    told.discarded(UNKNOWN)
    drawer = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    drawn = card(need(body, "dealed_card", where), (*where, "dealed_card"))
    told.move(drawer, Action.DRAW, drawn)
    forced = obj(body.get("ti_wei_pao_result", {}), (*where, "ti_wei_pao_result"))
    if forced.get("status") is True:
        _forced(told, forced, (*where, "ti_wei_pao_result"))
    _xi(told, body, where)


def _other_shoot(told: Told, body: Fields, where: Where) -> None:
    shooter = _other(told, body, where)
    told.discarded(UNKNOWN)
    told.move(shooter, Action.DISCARD, card(need(body, "opCard", where), (*where, "opCard")))
    if body.get("paoResult") is not None:
        _forced(told, obj(body["paoResult"], (*where, "paoResult")), (*where, "paoResult"))


def _forced(told: Told, body: Fields, where: Where) -> None:
    """What must be done with a card, told with the card: it is done."""
    count(told.extras, *extra_keys(body, _FORCED, f"{where[-1]}."))
    _lay(told, body, where)


def _other(told: Told, body: Fields, where: Where) -> int:
    actor = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    if actor == told.session.me:
        raise Fault("BAD_SEAT", "自己的座位不会这样报", "events of others do not name the own seat", *where)
    told.seen.add(actor)
    return actor


def _other_action(told: Told, body: Fields, where: Where) -> None:
    _other(told, body, where)
    _act(told, body, where)


def _self_result(told: Told, body: Fields, where: Where) -> None:
    actor = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    if told.session.me is None:
        told.session.me = actor
    if actor != told.session.me:
        raise Fault("BAD_SEAT", "不是自己的座位", "not the own seat", *where, "op_seat_id")
    if body.get("type") == "hu":
        _win(told, body, where)
    else:
        _act(told, body, where)


def _act(told: Told, body: Fields, where: Where) -> None:
    kind = need(body, "type", where)
    if kind == "guo":
        told.move(seat(need(body, "op_seat_id", where), where), Action.PASS)
    elif kind == "chi":
        _chi(told, body, where)
    else:
        _lay(told, body, where)
    _xi(told, body, where)


def _lay(told: Told, body: Fields, where: Where) -> None:
    """A 提, 偎, 跑 or 碰; told again, it is an echo."""
    kind = need(body, "type", where)
    if not isinstance(kind, str) or kind not in LAID:
        raise Fault("BAD_MOVE", f"未知的动作 {kind!r:.40}", f"unknown action {kind!r:.40}", *where, "type")
    actor = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    laid = [card_or_back(one, (*where, "cards")) for one in array(need(body, "cards", where), (*where, "cards"))]
    kinds = set(laid) - {UNKNOWN}
    if "opCard" in body:
        kinds.add(card(body["opCard"], (*where, "opCard")))
    if len(laid) != SIZES[kind] or len(kinds) > 1:
        raise Fault("BAD_MOVE", "牌与动作不合", "the cards do not fit the action", *where, "cards")
    action = LAID[kind]
    last = told.moves[-1] if told.moves else None
    drawn = last is not None and (last.seat, last.action) == (actor, Action.DRAW)
    if not kinds and last is not None and drawn:
        kinds = {last.card}  # 偎 and 提 are of the card just drawn
    same = kinds.pop() if kinds else UNKNOWN
    origin = integer(body.get("from_wei_or_peng", body.get("from_wei", 0)), (*where, "from_wei_or_peng"), 0, 2)
    if action == Action.TI and origin == 0 and not (drawn and last is not None and last.card == same):
        action = Action.TI_OPEN
    if last is not None and (last.seat, last.card) == (actor, same) and last.action in (action, LAID[kind]):
        told.others["echoes"] += 1
        return
    told.discarded(same)
    if origin:
        told.note("from", f"{len(told.moves)}:{origin}")
    told.move(actor, action, same)


def _chi(told: Told, body: Fields, where: Where) -> None:
    actor = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    groups = []
    for place, one in enumerate(array(need(body, "manyCards", where), (*where, "manyCards"))):
        at: Where = (*where, "manyCards", place)
        groups.append([card(value, at) for value in array(one, at)])
    if not 1 <= len(groups) <= 3 or any(len(group) != 3 for group in groups):
        raise Fault("BAD_MOVE", "吃的组不对", "wrong groups of a 吃", *where, "manyCards")
    named = card(body["opCard"], (*where, "opCard")) if "opCard" in body else None
    told.discarded(UNKNOWN if named is None else named)
    opened = told.opened()
    eaten = named if named is not None else UNKNOWN if opened is None else opened.card
    if eaten == UNKNOWN:
        told.note("chi_groups", f"{len(told.moves)}:{len(groups)}")
        told.move(actor, Action.CHI, UNKNOWN, UNKNOWN, UNKNOWN)
        for _ in groups[1:]:
            told.move(actor, Action.BI, UNKNOWN, UNKNOWN, UNKNOWN)
        return
    for place, group in enumerate(groups):
        if eaten not in group:
            raise Fault(
                "BAD_MOVE", "组里没有吃的牌", "a group does not hold the eaten card", *where, "manyCards", place
            )
        group.remove(eaten)
        told.move(actor, Action.BI if place else Action.CHI, eaten, *group)


def _xi(told: Told, body: Fields, where: Where) -> None:
    if "xi" in body:
        told.note("xi", f"{len(told.moves) - 1}:{integer(body['xi'], (*where, 'xi'), 0, 1000)}")


def _unclaimed(told: Told, body: Fields, where: Where) -> None:
    opened = card(need(body, "opCard", where), (*where, "opCard"))
    owner = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    if owner == me_of(told):
        told.discarded(opened)
    told.move(NO_SEAT, Action.UNCLAIMED, opened)


def _shot(told: Told, body: Fields, where: Where) -> None:
    """The own discard, as sent or as made by the server when time was over."""
    told.own_turn = False
    told.move(NO_SEAT, Action.DISCARD, card(need(body, "opCard", where), (*where, "opCard")))


def _timer(told: Told, body: Fields, where: Where) -> None:
    action = need(body, "action", where)
    if action == "shoot":
        _shot(told, body, where)
        told.note("timer", f"{len(told.moves) - 1}")
    elif action == "guo":
        told.move(NO_SEAT, Action.PASS)
        told.note("timer", f"{len(told.moves) - 1}")
    else:
        raise Fault("BAD_MOVE", f"未知的动作 {action!r:.40}", f"unknown action {action!r:.40}", *where, "action")


def _sent_act(kind: str) -> Callable[[Told, Fields, Where], None]:
    """A 提, 偎 or 跑 that the client sent: nobody answers it, it is done."""

    def take(told: Told, body: Fields, where: Where) -> None:
        same = need(body, "opCard", where)
        me = me_of(told)
        if me is None:
            raise Fault("BAD_SEAT", "不知道自己的座位", "the own seat is not known", *where)
        keys = {key: body[key] for key in ("from_wei_or_peng",) if key in body}
        _lay(told, {"type": kind, "op_seat_id": me, "opCard": same, "cards": [same] * SIZES[kind], **keys}, where)

    return take


def _wish(kind: str) -> Callable[[Told, Fields, Where], None]:
    def take(told: Told, _: Fields, __: Where) -> None:
        told.move(NO_SEAT, Action.CLAIM, NO_CARD, int(WISHES[kind]), NO_CARD)

    return take


def _guo(told: Told, body: Fields, _: Where) -> None:
    """A pass of the player is one; most are sent by the client when there is nothing to do."""
    if body.get("isDoneByUser") is True:
        told.move(NO_SEAT, Action.PASS)
    else:
        told.others["auto_passes"] += 1


def _win(told: Told, body: Fields, where: Where) -> None:
    winner = seat(need(body, "op_seat_id", where), (*where, "op_seat_id"))
    if winner != told.session.me:
        told.seen.add(winner)
    told.discarded(UNKNOWN)
    told.move(winner, Action.HU)
    lost = _maybe(body, "loseMark", where)
    units = _maybe(body, "tun", where)
    groups = array(body.get("cardsGroups") or [], (*where, "cardsGroups"))
    told.result = Result(
        winner=winner,
        groups=tuple(_group(one, (*where, "cardsGroups", place)) for place, one in enumerate(groups)) or None,
        huxi=_maybe(body, "xi", where),
        units=None if units is None else Ratio(units),
        points=None if lost is None else tuple(2 * lost if one == winner else -lost for one in range(SEATS)),
    )
    _over(told, body, where)


def _huang(told: Told, body: Fields, where: Where) -> None:
    told.discarded(UNKNOWN)
    told.move(NO_SEAT, Action.HUANG)
    told.result = Result(winner=NO_SEAT)
    _over(told, body, where)


def _over(told: Told, body: Fields, where: Where) -> None:
    assert told.result is not None
    totals = body.get("afterScore")
    if totals is not None:
        totals = tuple(integer(one, (*where, "afterScore")) for one in array(totals, (*where, "afterScore")))
    rest = body.get("holeCards")
    if rest is not None:
        rest = tuple(card(one, (*where, "holeCards")) for one in array(rest, (*where, "holeCards")))
    told.result = msgspec.structs.replace(told.result, totals=totals, rest=rest)
    if "fan" in body:
        told.tags["fan"] = str(integer(body["fan"], (*where, "fan")))
    for key in ("huInfo", "nicknames"):
        if body.get(key):
            texts = [word(one, (*where, key)) for one in array(body[key], (*where, key))]
            told.tags["hu_info" if key == "huInfo" else key] = brief(texts)
    if body.get("lastGame") is True:
        told.tags["last_game"] = "true"
    told.ended = True


def _maybe(body: Fields, key: str, where: Where) -> int | None:
    return integer(body[key], (*where, key)) if key in body else None


def _group(value: Any, where: Where) -> Group:
    """A group of the winner; the backs of four or three equal cards are those cards."""
    body = obj(value, where)
    kind = need(body, "type", where)
    if not isinstance(kind, str) or kind not in FORMS:
        raise bad((*where, "type"), f"未知的组合 {kind!r:.40}", f"unknown group {kind!r:.40}")
    laid = [card_or_back(one, (*where, "cards")) for one in array(need(body, "cards", where), (*where, "cards"))]
    known = set(laid) - {UNKNOWN}
    if kind in LAID and len(known) == 1:
        laid = [known.pop()] * len(laid)
    return Group(tuple(laid), FORMS[kind], _maybe(body, "xi", where))


HANDLERS: dict[str, Callable[[Told, Fields, Where], None]] = {
    "game_start": begin,
    "cardsOnHand_result": own_hand,
    "check_dihu": own_hand,
    "need_shoot": _need_shoot,
    "dealed_card": _dealt,
    "other_player_shoot": _other_shoot,
    "other_player_action": _other_action,
    "self_action_result": _self_result,
    "discarded_dealed_card": _unclaimed,
    "timer_passed": _timer,
    "other_player_hu": _win,
    "wang_hu": _huang,
    "shootCard": _shot,
    "ti": _sent_act("ti"),
    "wei": _sent_act("wei"),
    "pao": _sent_act("pao"),
    "peng": _wish("peng"),
    "chi": _wish("chi"),
    "hu": _wish("hu"),
    "guo": _guo,
}
"""Events of the play, received and sent."""
