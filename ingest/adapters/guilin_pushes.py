"""The pushes of one 桂林字牌 round, in order, as moves, offers and result.

Decided by the type code of an act, never by its route; docs/formats.md has the tables.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ingest.adapters.fields import (
    Fields,
    Where,
    array,
    bad,
    card,
    cards,
    groups,
    integer,
    key_text,
    need,
    obj,
    one_kind,
    seat,
    word,
)
from ingest.adapters.guilin_codes import (
    ACT_FIELDS,
    ACT_ROUTES,
    ACTS,
    COPY_MS,
    DRAW_STATUS,
    FORCED,
    KNOWN_FIELDS,
    OPTION_FIELDS,
    OPTIONS,
    WALL,
    WINS,
)
from ingest.adapters.guilin_options import chi_choices
from ingest.cards import UNKNOWN
from ingest.codes import NO_SEAT, Action
from ingest.limits import MAX_EVENTS, Fault
from ingest.record import Move, Offer


class Push(NamedTuple):
    """One line of a log: what was sent to whom, ``t_ms`` after the start of the round."""

    route: str
    to: tuple[int, ...]
    t_ms: int
    body: Any
    where: Where


@dataclass
class Told:
    """What the pushes read so far have told. Seats are numbers, cards are kinds."""

    seats: Mapping[str, int]
    dealer: int = NO_SEAT
    liang: int = UNKNOWN
    moves: list[Move] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    open_card: int = UNKNOWN
    asked: set[tuple[int, str]] = field(default_factory=set)
    recent: dict[str, tuple[int, set[int]]] = field(default_factory=dict)
    shown_to: list[set[int]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    draws: list[tuple[int, int]] = field(default_factory=list)
    status: str = ""
    odd_draws: list[str] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)
    drift: list[str] = field(default_factory=list)
    flips: list[int] = field(default_factory=list)
    hits: list[int] = field(default_factory=list)
    remain: tuple[int, ...] | None = None
    win: Fields = field(default_factory=dict)
    win_where: Where = ()
    out_side: int | None = None
    settled: Fields = field(default_factory=dict)
    settled_where: Where = ()
    ended: bool = False
    stopped: str = ""


def take_all(pushes: Sequence[Push], seats: Mapping[str, int]) -> Told:
    """Read a round's pushes, the first of them its ``onLordSelect``.

    Every push is counted once in ``counts``: deal, moves, offers, result, turns, echoes, copies, or unread after the
    first push that is not understood. Raises ``Fault`` where a field is missing or wrong.
    """
    told = Told(seats)
    for place, push in enumerate(pushes):
        kind = _take(told, push)
        if told.stopped:
            told.counts["unread"] = len(pushes) - place
            break
        told.counts[kind] += 1
        if len(told.moves) > MAX_EVENTS:
            raise Fault("LIMIT", f"超过 {MAX_EVENTS} 个动作", f"more than {MAX_EVENTS} events", *push.where)
    return told


def _take(told: Told, push: Push) -> str:
    if push.route == OPTIONS:
        return _options(told, push, array(push.body, push.where))
    body = obj(push.body, push.where)
    known = KNOWN_FIELDS.get(push.route)
    if known is None and push.route not in ACT_ROUTES and not ("cardArr" in body and "type" in body):
        told.stopped = f"unknown route {push.route}"
        return ""
    known = ACT_FIELDS if known is None else known
    for name in body:
        if name not in known and name != "route" and not (push.route == "onWin" and name in told.seats):
            told.extra[f"{push.route}.{key_text(name)}"] += 1
    if push.route == "onCurrPlayer":
        seat(need(body, "uid", push.where), told.seats, (*push.where, "uid"))
        told.status = word(need(body, "status", push.where), (*push.where, "status"))
        return "turns"
    if push.route == "onShowCard":
        card(need(body, "id", push.where), (*push.where, "id"))
        return "echoes"
    # Only the card it is about tells one onNoneAct from the next.
    key = _canonical([push.route, body, len(told.shown_to) if push.route == "onNoneAct" else 0])
    before = told.recent.get(key)
    if before is not None and abs(push.t_ms - before[0]) <= COPY_MS:
        before[1].update(push.to)
        return "copies"
    told.recent[key] = (push.t_ms, set(push.to))
    if push.route in ("onPostCard", "onCurrAutoCard"):
        told.shown_to.append(told.recent[key][1])
    return _HANDLERS.get(push.route, _act)(told, push, body)


_canonical = json.JSONEncoder(sort_keys=True, default=str).encode


def _options(told: Told, push: Push, options: list[Any]) -> str:
    key = _canonical(options)
    new = [to for to in push.to if (to, key) not in told.asked]
    for to in new:
        told.asked.add((to, key))
        for place, option in enumerate(options):
            where = (*push.where, place)
            _option(told, to, obj(option, where), where)
    return "offers" if new else "echoes"


def _option(told: Told, to: int, option: Fields, where: Where) -> None:
    for name in option:
        if name not in OPTION_FIELDS:
            told.extra[f"{OPTIONS}.{key_text(name)}"] += 1
    code = integer(need(option, "type", where), (*where, "type"))
    laid = groups(need(option, "cardArr", where), (*where, "cardArr"))
    seq = len(told.moves) - 1
    if code == 4:
        choices, drift = chi_choices(option, laid, told.open_card, where)
        told.offers += [Offer(seq, to, Action.CHI, told.open_card, choice) for choice in choices]
        if drift:
            told.drift.append(f"{seq}:{to}")
    elif code in ACTS:
        if len(laid) != 1:
            raise bad((*where, "cardArr"), f"应只有一组，却有 {len(laid)}", f"expected one group, found {len(laid)}")
        kind = one_kind(option["cardArr"][0], (*where, "cardArr", 0))
        told.offers.append(Offer(seq, to, ACTS[code], kind, laid[0]))
    elif code in WINS:
        told.offers.append(Offer(seq, to, Action.HU, card(need(option, "id", where), (*where, "id"))))
    else:
        told.extra[f"{OPTIONS}.type={code}"] += 1


def _deal(told: Told, push: Push, body: Fields) -> str:
    if told.moves or told.liang != UNKNOWN:
        raise bad(push.where, "一局里有两次 onLordSelect", "a second onLordSelect in one round")
    told.dealer = seat(need(body, "uid", push.where), told.seats, (*push.where, "uid"))
    left = integer(need(body, "remainNum", push.where), (*push.where, "remainNum"), 0)
    if left < WALL - 2:
        raise Fault(
            "DEBUG_DECK",
            f"发牌后只剩 {left} 张，不是 80 张的牌",
            f"only {left} cards are left after the deal: not the deck of 80",
            *push.where,
            "remainNum",
        )
    if left != WALL:
        raise bad(
            (*push.where, "remainNum"),
            f"剩 {left} 张：补了牌却没有记给谁",
            f"{left} cards left: extra cards were dealt, the log does not say to whom",
        )
    told.liang = card(need(body, "id", push.where), (*push.where, "id"))
    return "deal"


def _post(told: Told, push: Push, body: Fields) -> str:
    _turn_up(told, push, body, Action.DISCARD, 0)
    return "moves"


def _draw(told: Told, push: Push, body: Fields) -> str:
    shown = integer(need(body, "visible", push.where), (*push.where, "visible"), 0, 1)
    left = integer(need(body, "remainNum", push.where), (*push.where, "remainNum"), 0, WALL - 1)
    if told.status and told.status not in DRAW_STATUS:
        told.odd_draws.append(f"{len(told.moves)}:{told.status}")
    _turn_up(told, push, body, Action.DRAW, 1 + shown)
    told.draws.append((left, told.open_card))
    return "moves"


def _turn_up(told: Told, push: Push, body: Fields, action: Action, face: int) -> None:
    actor = seat(need(body, "uid", push.where), told.seats, (*push.where, "uid"))
    told.open_card = card(need(body, "id", push.where), (*push.where, "id"))
    told.moves.append(Move(actor, action, told.open_card, face=face, t_ms=push.t_ms))
    told.asked.clear()


def _none(told: Told, push: Push, body: Fields) -> str:
    kind = card(need(body, "id", push.where), (*push.where, "id"))
    told.moves.append(Move(NO_SEAT, Action.UNCLAIMED, kind, t_ms=push.t_ms))
    told.open_card = UNKNOWN
    return "moves"


def _act(told: Told, push: Push, body: Fields) -> str:
    where = push.where
    actor = seat(need(body, "uid", where), told.seats, (*where, "uid"))
    code = integer(need(body, "type", where), (*where, "type"))
    used = need(body, "cardArr", where)
    action = ACTS.get(code)
    if action is None:
        told.stopped = f"unknown type {code} of {push.route}"
        return ""
    if action == Action.CHI:
        _chi(told, push, actor, cards(used, (*where, "cardArr")), body.get("xiahuo", []))
    else:
        told.moves.append(Move(actor, action, one_kind(used, (*where, "cardArr")), t_ms=push.t_ms))
    if code in FORCED:
        told.forced.append(f"{len(told.moves) - 1}:{code}")
    for place, quad in enumerate(array(body.get("chongZhao", []), (*where, "chongZhao"))):
        kind = one_kind(quad, (*where, "chongZhao", place))
        told.moves.append(Move(actor, Action.TI_OPEN, kind, t_ms=push.t_ms))
    told.open_card = UNKNOWN
    return "moves"


def _chi(told: Told, push: Push, actor: int, pair: tuple[int, ...], laid: Any) -> None:
    if len(pair) != 2:
        raise bad((*push.where, "cardArr"), "吃应有两张手牌", "a 吃 needs two hand cards")
    eaten = told.open_card
    told.moves.append(Move(actor, Action.CHI, eaten, pair[0], pair[1], t_ms=push.t_ms))
    where = (*push.where, "xiahuo")
    flat = cards(laid, where)
    if len(flat) % 3:
        raise bad(where, f"比应每组三张，却有 {len(flat)} 张", f"a 比 has three cards, found {len(flat)}")
    for start in range(0, len(flat), 3):
        three = list(flat[start : start + 3])
        # The copy of the eaten kind first; where that kind is unknown or missing, the cards as they stand.
        first = three.pop(three.index(eaten) if eaten in three else 0)
        told.moves.append(Move(actor, Action.BI, first, three[0], three[1], t_ms=push.t_ms))


def _win(told: Told, push: Push, body: Fields) -> str:
    actor = seat(need(body, "uid", push.where), told.seats, (*push.where, "uid"))
    won = card(need(body, "id", push.where), (*push.where, "id"))
    told.moves.append(Move(actor, Action.HU, won, t_ms=push.t_ms))
    told.win, told.win_where = body, push.where
    out_side = body.get("outSide", 0)
    told.out_side = None if out_side == 0 else card(out_side, (*push.where, "outSide"))
    return "moves"


def _flip(told: Told, push: Push, body: Fields) -> str:
    where = push.where
    ids, hits = need(body, "id", where), need(body, "xing", where)
    ids, hits = (ids if isinstance(ids, list) else [ids]), (hits if isinstance(hits, list) else [hits])
    if len(ids) != len(hits):
        raise bad(where, "id 与 xing 个数不同", "id and xing differ in length")
    # An empty wall turns the card -1: no card.
    told.flips += [card(number, (*where, "id")) for number in ids if number != -1]
    told.hits += [integer(number, (*where, "xing"), 0, 100) for number in hits]
    if "remainCard" in body:
        told.remain = cards(body["remainCard"], (*where, "remainCard"))
    return "result"


def _each_result(told: Told, push: Push, body: Fields) -> str:
    told.settled, told.settled_where, told.ended = body, push.where, True
    return "result"


def _end_game(told: Told, push: Push, _body: Fields) -> str:
    told.moves.append(Move(NO_SEAT, Action.HUANG, t_ms=push.t_ms))
    told.ended = True
    return "moves"


_HANDLERS: dict[str, Callable[[Told, Push, Fields], str]] = {
    "onLordSelect": _deal,
    "onPostCard": _post,
    "onCurrAutoCard": _draw,
    "onNoneAct": _none,
    "onWin": _win,
    "onFanXing": _flip,
    "onEachResult": _each_result,
    "onEndGame": _end_game,
}
