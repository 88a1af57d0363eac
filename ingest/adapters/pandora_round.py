"""One round as a pandora client saw it: from its messages to a record."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ingest.adapters import pandora_messages as pb
from ingest.adapters.fields import bad, decode, tag_text
from ingest.adapters.registry import Params
from ingest.adapters.told import ToldRound
from ingest.cards import COPIES, DECK, UNKNOWN, text
from ingest.codes import NO_CARD, NO_SEAT, Action, Source
from ingest.encodings import ENCODINGS
from ingest.limits import MAX_ITEMS, Fault
from ingest.record import HAND, Cards, Move, Option, Provenance, Ratio, Record, Result

NAME = "pandora"
SEATS = 3
WALL = DECK - SEATS * HAND - 1
_TILES = ENCODINGS["0..19"]

KINDS = {
    1: Action.CHI,
    2: Action.PENG,
    3: Action.WEI,
    4: Action.CHOU_WEI,
    5: Action.PAO,
    6: Action.TI,
    7: Action.CHI,
}
CODES = {1: (1, 7), 2: (2,), 3: (3, 4), 5: (5,), 6: (6,)}
"""Action code → the kinds of group it may lay."""
QUAD = 6
"""Action code of 提; the only one that is told before the deal."""
SIZES = {Action.CHI: 3, Action.PENG: 3, Action.WEI: 3, Action.CHOU_WEI: 3, Action.PAO: 4, Action.TI: 4}
WISHES = {1: Action.CHI, 2: Action.PENG, 4: Action.HU}
FAN = ("点胡", "小红", "大红", "乌胡", "十八小", "对对", "三提五坎")
"""Bits of ``ming_tang_mask`` from the lowest."""
_YEARS = (2020, 2100)


def tile(value: int, *where: str | int) -> int:
    """The kind of a tile that must be told."""
    return _TILES.decode(value, *where)


def seat_of(value: int, *where: str | int) -> int:
    """A seat of the three."""
    if not 0 <= value < SEATS:
        raise Fault("BAD_SEAT", f"没有座位 {value}", f"there is no seat {value}", *where)
    return value


@dataclass
class Told(ToldRound):
    """What the messages of one round have told so far. ``laid``: quads laid in the deal, which come before it."""

    start: Any = None
    laid: list[tuple[int, int]] = field(default_factory=list)
    melds: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    settle: Any = None
    snapshot: Counter[tuple[int, int, int]] | None = None
    """The groups that a reconnecting client is told again; None: it is not reconnecting."""
    stopped: bool = False

    def name_draw(self, seat: int, card: int) -> None:
        """A hidden draw whose card the next message tells: what it lays or wins with is the card just drawn."""
        last = self.moves[-1] if self.moves else None
        if last is not None and last == Move(seat, int(Action.DRAW), UNKNOWN, face=1):
            self.moves[-1] = Move(seat, int(Action.DRAW), card, face=1)

    def lay(self, made: Any) -> None:
        """A quad laid in the deal."""
        if len(self.laid) >= MAX_ITEMS:
            raise Fault("LIMIT", f"超过 {MAX_ITEMS} 项", f"more than {MAX_ITEMS} items")
        seat, _, card, _ = group_of(made)
        self.laid.append((seat, card))


def start(told: Told, made: Any) -> None:
    """The deal; the same one again is told to a client that reconnects."""
    if told.start is not None:
        if (told.start.self_seat, told.start.HasField("self_seat")) != (made.self_seat, made.HasField("self_seat")):
            zh, en = "文件里有几家的消息", "the file has the messages of several clients"
            raise Fault("BAD_SEAT", zh, en, "self_seat")
        told.snapshot = Counter()
        return
    if not made.HasField("self_seat"):
        raise bad(("self_seat",), "没有写自己的座位", "the own seat is not told")
    seat_of(made.self_seat, "self_seat")
    seat_of(made.banker_seat, "banker_seat")
    told.start = made
    for seat, card in told.laid:
        told.move(seat, Action.TI_OPEN, card)
        told.melds[seat, QUAD, card] += 1


def _turn(told: Told, made: Any) -> None:
    told.others["turns"] += 1
    left = told.start.wall_remain - told.draws
    if told.snapshot is not None:
        if told.snapshot != told.melds or made.wall_remain != left:
            told.stopped = True  # something happened while the client was away
            told.tags["stopped"] = "reconnect"
        told.snapshot = None
        return
    if made.wall_remain != left:
        told.note("gaps", f"{len(told.moves)}:{made.wall_remain}")
    if made.can_hu:
        opened = told.opened()
        told.offer(told.start.self_seat, Action.HU, NO_CARD if opened is None else opened.card)


def _draw(told: Told, made: Any) -> None:
    card = UNKNOWN if made.tile == UNKNOWN else tile(made.tile, "tile")
    told.move(seat_of(made.seat_id, "seat_id"), Action.DRAW, card, face=1)


def _reveal(told: Told, made: Any) -> None:
    seat, card = seat_of(made.seat_id, "seat_id"), tile(made.tile, "tile")
    last = told.moves[-1] if told.moves else None
    if told.snapshot is not None:
        _again(told, seat, card)
        return
    just = last is not None and (last.seat, last.action, last.face) == (seat, Action.DRAW, 1)
    if last is None or not just or last.card not in (UNKNOWN, card):
        raise Fault("BAD_MOVE", "示众之前没有摸这张牌", "a card is shown that was not just drawn", "tile")
    told.moves[-1] = Move(seat, int(Action.DRAW), card, face=2)


def _again(told: Told, seat: int, card: int) -> None:
    opened = told.opened()
    if opened is None or (opened.seat, opened.card) != (seat, card):
        told.stopped = True
        told.tags["stopped"] = "reconnect"


def _discard(told: Told, made: Any) -> None:
    seat, card = seat_of(made.seat_id, "seat_id"), tile(made.tile, "tile")
    if told.snapshot is not None:
        _again(told, seat, card)
    else:
        told.move(seat, Action.DISCARD, card)


def group_of(made: Any) -> tuple[int, int, int, list[int]]:
    """Seat, kind, card and the cards of a group that was laid; ``Fault`` where they do not fit together."""
    seat, card = seat_of(made.seat_id, "seat_id"), tile(made.tile, "tile")
    kind = made.meld_kind or next(iter(CODES.get(made.action, (0,))))
    if kind not in CODES.get(made.action, ()):
        zh, en = f"未知的动作 {made.action}/{kind}", f"unknown action {made.action} with group {kind}"
        raise Fault("BAD_MOVE", zh, en, "meld_kind")
    action = KINDS[kind]
    tiles = [tile(value, "tiles") for value in made.tiles[:MAX_ITEMS]]
    equal = action == Action.CHI or set(tiles) == {card}
    if len(made.tiles) != SIZES[action] or card not in tiles or not equal:
        raise Fault("BAD_MOVE", "牌与动作不合", "the cards do not fit the action", "tiles")
    return seat, kind, card, tiles


def _action(told: Told, made: Any) -> None:
    seat, kind, card, tiles = group_of(made)
    action = KINDS[kind]
    if told.snapshot is not None:
        told.snapshot[seat, kind, card] += 1
        return
    if action in (Action.WEI, Action.CHOU_WEI, Action.TI):
        told.name_draw(seat, card)
    opened = told.opened()
    if made.HasField("from_seat") and (opened is None or (opened.seat, opened.card) != (made.from_seat, card)):
        told.note("gaps", f"{len(told.moves)}:{made.from_seat}")
    for before in (2, 3, 4) if action in (Action.PAO, Action.TI) else ():
        told.melds.pop((seat, before, card), None)
    told.melds[seat, kind, card] += 1
    if action == Action.CHI:
        tiles.remove(card)
        told.move(seat, action, card, *tiles)
    else:
        told.move(seat, action, card)


def _wish(told: Told, made: Any) -> None:
    seat = told.start.self_seat
    if made.action == 0:
        told.move(seat, Action.PASS)
    elif made.action in WISHES:
        told.move(seat, Action.CLAIM, NO_CARD, int(WISHES[made.action]), NO_CARD)
        if made.chi_hand_tiles:
            pair = text(tile(value, "chi_hand_tiles") for value in made.chi_hand_tiles[:MAX_ITEMS])
            told.note("wishes", f"{len(told.moves) - 1}:{pair}")
    else:
        raise Fault("BAD_MOVE", f"未知的请求 {made.action}", f"unknown wish {made.action}", "action")


def _discard_wish(told: Told, _: Any) -> None:
    told.others["wishes"] += 1


def _settle(told: Told, made: Any) -> None:
    told.settle = made
    seat = seat_of(made.winner_seat, "winner_seat")
    card = NO_CARD if made.hu_tile == UNKNOWN else tile(made.hu_tile, "hu_tile")
    if made.is_draw_win and card != NO_CARD:
        told.name_draw(seat, card)
    told.move(seat, Action.HU, card)
    told.ended = True


def _liuju(told: Told, made: Any) -> None:
    told.move(NO_SEAT, Action.HUANG)
    if made.banker_seat != told.start.banker_seat:
        told.tags["liuju_banker"] = str(made.banker_seat)
    told.ended = True


HANDLERS: dict[int, Callable[[Told, Any], None]] = {
    pb.START: start,
    pb.TURN: _turn,
    pb.DRAW: _draw,
    pb.REVEAL: _reveal,
    pb.DISCARD_WISH: _discard_wish,
    pb.DISCARD: _discard,
    pb.ACTION_WISH: _wish,
    pb.ACTION: _action,
    pb.SETTLE: _settle,
    pb.LIUJU: _liuju,
}


def record_of(told: Told, params: Params, source: Provenance) -> Record:
    """The record; raises ``Fault`` where the messages do not make one."""
    if told.start is None:
        raise Fault("BAD_MOVE", "发牌之前的消息", "messages before the deal")
    made = told.start
    own = [card for seat, card in told.laid if seat == made.self_seat]
    hand = (*(tile(value, "self_hand") for value in made.self_hand[:MAX_ITEMS]), *own * COPIES)
    if len(made.self_hand) > MAX_ITEMS or len(hand) != HAND + (made.self_seat == made.banker_seat):
        size = len(made.self_hand) + COPIES * len(own)
        raise Fault("DEAL_SIZE", f"自己发了 {size} 张", f"{size} cards dealt to the own seat", "self_hand")
    draws = [move.card for move in told.moves if move.action == Action.DRAW][:WALL]
    options, tags = _options(made.cfg_snapshot)
    tags |= _tags(told)
    return Record(
        ruleset=params["ruleset"],
        players=_players(told),
        dealer=made.banker_seat,
        hands=tuple(hand if seat == made.self_seat else None for seat in range(SEATS)),
        liang=UNKNOWN,
        wall=(*draws, *[UNKNOWN] * (WALL - len(draws))),
        moves=tuple(told.moves),
        options=options,
        result=_result(told),
        offers=tuple(told.offers),
        platform=NAME,
        room=str(made.room_id or ""),
        session=str(made.round_id or ""),
        round_no=1 if made.round_id else None,
        started_at=_moment(made.round_id),
        complete=told.ended and not told.stopped and "gaps" not in told.notes,
        omits=(int(Action.BI),) if any(move.action == Action.CHI for move in told.moves) else (),
        tags={"ruleset_from": "format", **tags},
        source=source,
    )


def _players(told: Told) -> tuple[str, ...]:
    names = [f"seat{seat}" for seat in range(SEATS)]
    seen = set()
    for entry in told.settle.entries if told.settle is not None else ():
        seat = seat_of(entry.seat_id, "entries")
        if seat in seen:
            raise Fault("BAD_SEAT", f"座位 {seat} 重复", f"seat {seat} stands twice", "entries")
        seen.add(seat)
        if entry.uid:
            names[seat] = str(entry.uid)
    return tuple(names)


def _tags(told: Told) -> dict[str, str]:
    made = told.start
    notes = {
        "self_seat": str(made.self_seat),
        "template_id": str(made.template_id or ""),
        "base_score": str(made.base_score or ""),
        "wall_remain": str(made.wall_remain) if made.wall_remain != WALL else "",
    }
    if told.settle is not None:
        settle = told.settle
        bits = [place for place in range(32) if settle.ming_tang_mask >> place & 1]
        gold = {entry.seat_id: entry.delta_gold for entry in settle.entries}
        notes |= {
            "fan": str(settle.fan),
            "ming_tang": " ".join(FAN[place] if place < len(FAN) else f"bit{place}" for place in bits),
            "gold": " ".join(str(gold.get(seat, "?")) for seat in range(SEATS)),
            "settle_base": str(settle.base_score) if settle.base_score != made.base_score else "",
            "settle_round": str(settle.round_id) if settle.round_id != made.round_id else "",
        }
    return told.tags | told.texts() | {key: value for key, value in notes.items() if value}


def _options(snapshot: str) -> tuple[dict[str, Option], dict[str, str]]:
    """Options whose meaning is certain, and the snapshot as a tag."""
    if not snapshot:
        return {}, {}
    told = decode(snapshot.encode(), last=False)
    options: dict[str, Option] = {}
    if type(told.get("min_hu_xi")) is int:
        options["min_huxi"] = told["min_hu_xi"]
    if type(told.get("dian_pao")) is bool:
        options["win_discard"] = told["dian_pao"]
    if told.get("zimo_mode") == "tun_plus_1":
        options["zimo"] = "plus_one"
    return options, {"config": tag_text(snapshot)}


def _moment(round_id: int) -> str | None:
    """The start: the server numbers rounds by their milliseconds since 1970."""
    try:
        moment = datetime.datetime.fromtimestamp(round_id / 1000, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds") if _YEARS[0] <= moment.year < _YEARS[1] else None


def _result(told: Told) -> Result | None:
    settle = told.settle
    if settle is None:
        return Result(winner=NO_SEAT) if told.ended else None
    win = told.moves[-1]
    card = None if win.card == NO_CARD else win.card
    opened = told.opened()
    source = from_seat = None
    if settle.is_draw_win:
        source = Source.OWN_DRAW
    elif opened is not None and card is not None and opened.card == card:
        source = Source.DISCARD if opened.action == Action.DISCARD else Source.OTHER_DRAW
        from_seat = opened.seat
    gold: dict[int, int] = {entry.seat_id: entry.delta_gold for entry in settle.entries}
    return Result(
        winner=settle.winner_seat,
        card=card,
        source=source,
        from_seat=from_seat,
        huxi=settle.hu_xi,
        units=Ratio(settle.tun),
        points=_points(gold, settle.base_score),
    )


def _points(gold: dict[int, int], base: int) -> Cards | None:
    """Gold is points times the base score; not told where something was taken from it."""
    values = list(gold.values())
    if len(values) != SEATS or base < 1 or sum(values) != 0 or any(value % base for value in values):
        return None
    return tuple(gold[seat] // base for seat in range(SEATS))
