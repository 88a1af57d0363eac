"""A woaiwyhty round as a record."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.adapters.fields import Fields, Where, array, need, obj, word
from ingest.adapters.registry import Params
from ingest.adapters.woaiwyhty_told import DEALER, NAME, SEATS, WALL, Session, Told, me_of, seat
from ingest.cards import UNKNOWN
from ingest.codes import NO_SEAT, Action
from ingest.limits import Fault
from ingest.record import HAND, Cards, Move, Provenance, Record


def session_event(session: Session, name: str, body: Fields, where: Where) -> Session:
    """Who sits where, in which room: a new session where the client comes to a room."""
    if name == "login":
        return Session(name=word(body.get("username", ""), (*where, "username")))
    if name == "login_result" and "seat_id" in body:
        session = Session(me=seat(body["seat_id"], (*where, "seat_id")), name=session.name)
        if session.name and session.me is not None:
            session.players[session.me] = session.name
        if "room_id" in body:
            session.room = word(str(body["room_id"]), (*where, "room_id"))
        listed = body.get("other_players", body.get("playersInfo", []))
        for place, one in enumerate(array(listed, (*where, "players"))):
            if one is not None:
                _player(session, obj(one, (*where, "players", place)), (*where, "players", place))
    elif name == "new_player_entered_room":
        _player(session, body, where)
    return session


def _player(session: Session, body: Fields, where: Where) -> None:
    if body.get("username"):
        session.players[seat(need(body, "seat_id", where), where)] = word(body["username"], (*where, "username"))


def record_of(told: Told, params: Params, source: Provenance) -> Record:
    """The record; raises ``Fault`` where the events do not make one."""
    me = me_of(told)
    hand = told.hand
    if me is None and hand is not None:
        raise Fault("BAD_SEAT", "不知道自己的座位", "the own seat is not told")
    if hand is not None and len(hand) != HAND + (me == DEALER):
        raise Fault("DEAL_SIZE", f"自己发了 {len(hand)} 张", f"{len(hand)} cards dealt to the own seat", "cardsOnHand")
    moves = tuple(_owned(move, me) for move in told.moves)
    draws = [move.card for move in moves if move.action == Action.DRAW][:WALL]
    left = told.result.rest if told.result is not None and told.result.rest is not None else ()
    if len(draws) + len(left) != WALL:
        left = (UNKNOWN,) * (WALL - len(draws))
    hands: list[Cards | None] = [None] * SEATS
    if me is not None:
        hands[me] = hand
    number = (told.start or {}).get("current_played_games")
    names = told.session.players
    return Record(
        ruleset=params["ruleset"],
        players=tuple(names.get(place, f"seat{place}") for place in range(SEATS)),
        dealer=DEALER,
        hands=tuple(hands),
        liang=UNKNOWN if told.liang is None else told.liang,
        wall=(*draws, *left),
        moves=moves,
        result=told.result,
        platform=NAME,
        room=told.session.room,
        round_no=number,
        complete=told.ended and not told.stopped,
        omits=(int(Action.CHOU_WEI),),
        tags={"ruleset_from": "format", **told.tags, **_tags(told, me)},
        source=source,
    )


def _owned(move: Move, me: int | None) -> Move:
    """The event with the own seat, which may have been told later than the event."""
    if move.seat != NO_SEAT or move.action in (Action.HUANG, Action.UNCLAIMED):
        return move
    if me is None:
        raise Fault("BAD_SEAT", "不知道自己的座位", "the own seat is not told")
    return Move(me, move.action, move.card, move.a, move.b)


def _tags(told: Told, me: int | None) -> dict[str, str]:
    wang, total = ((told.start or {}).get(key) for key in ("number_of_wang", "total_games"))
    notes: Mapping[str, str] = {
        "self_seat": "" if me is None else str(me),
        "huang_before": str(wang) if wang else "",
        "session_rounds": str(total) if total else "",
        **told.texts(),
    }
    return {key: text for key, text in notes.items() if text}
