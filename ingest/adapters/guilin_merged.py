"""Merged rounds of a 桂林字牌 server: one JSON object a round, with room rules, hands, wall and events."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.adapters.fields import (
    Fields,
    Where,
    array,
    bad,
    cards,
    extra_keys,
    integer,
    key_text,
    moment,
    need,
    obj,
    seat,
    tag_text,
    word,
)
from ingest.adapters.guilin_codes import MAX_PUSHES, WALL
from ingest.adapters.guilin_pushes import Told
from ingest.adapters.guilin_record import Options, push_of, record_of, told_by
from ingest.adapters.guilin_result import wall_of
from ingest.limits import Fault
from ingest.record import Cards, Provenance, Record

FIELDS = frozenset({"meta", "seats", "dealer", "hands", "wall", "events", "verify"})
EVENT = frozenset({"dt_ms", "route", "to", "msg"})
META = frozenset(
    {
        *("id", "source", "files", "first_line", "date", "platform", "pseudonymised"),
        *("hand_source", "wall_order", "seat_order_votes"),
    }
)
RULES = frozenset({"minHu", "ziShu", "ziMo", "fanXing", "juShu", "circle"})
ZIMO = {1: "double", 2: "plus_one"}
XING = {1: "shang", 2: "zhong", 3: "xia"}


def merged_round(line: Fields, source: Provenance) -> Record:
    """The round of one line; raises ``Fault`` where it is not as expected."""
    meta = obj(need(line, "meta", ()), ("meta",))
    rules = obj(need(meta, "rules", ("meta",)), ("meta", "rules"))
    options, room = _rules(rules)
    players = _order(obj(need(line, "seats", ()), ("seats",)))
    seats = {player: number for number, player in enumerate(players)}
    extra = extra_keys(line, FIELDS, "")
    extra += extra_keys(meta, META | {"rules"}, "meta.") + extra_keys(rules, RULES, "meta.rules.")
    pushes = []
    for place, event in enumerate(array(need(line, "events", ()), ("events",), MAX_PUSHES)):
        where: Where = ("events", place)
        fields = obj(event, where)
        extra += extra_keys(fields, EVENT, "event.")
        t_ms = integer(need(fields, "dt_ms", where), (*where, "dt_ms"), 0)
        pushes.append(push_of(fields, seats, t_ms, where))
    told = told_by(pushes, seats)
    if seat(need(line, "dealer", ()), seats, ("dealer",)) != told.dealer:
        raise bad(("dealer",), "与 onLordSelect 的庄家不同", "not the dealer of onLordSelect")
    wall = cards(need(line, "wall", ()), ("wall",))
    if len(wall) > WALL:
        raise bad(("wall",), f"{len(wall)} 张，多于 {WALL}", f"{len(wall)} cards, more than {WALL}")
    tags = {key: tag_text(meta[key]) for key in sorted(META) if key in meta}
    if "juShu" in room:
        tags["juShu"] = str(room["juShu"])
    if "verify" in line:
        tags["verify"] = tag_text(line["verify"])
    return record_of(
        told,
        players,
        hands=_hands(obj(need(line, "hands", ()), ("hands",)), players, told),
        wall=wall_of(told, wall),
        options=options,
        round_no=room.get("circle"),
        started_at=moment(meta["date"], ("meta", "date")).date().isoformat() if "date" in meta else None,
        tags=tags,
        extra=extra,
        source=source,
    )


def _rules(rules: Fields) -> tuple[Options, dict[str, int]]:
    where: Where = ("meta", "rules")
    zimo = integer(need(rules, "ziMo", where), (*where, "ziMo"))
    kinds = array(need(rules, "fanXing", where), (*where, "fanXing"))
    if zimo not in ZIMO or not all(type(kind) is int and kind in XING for kind in kinds):
        raise bad(where, "未知的 ziMo 或 fanXing", "unknown ziMo or fanXing")
    options: Options = {
        "min_huxi": integer(need(rules, "minHu", where), (*where, "minHu"), 0, 100),
        "zi_step": integer(need(rules, "ziShu", where), (*where, "ziShu"), 1, 100),
        "zimo": ZIMO[zimo],
        "xing": tuple(XING[kind] for kind in sorted(set(kinds))),
    }
    room: dict[str, int] = {
        key: integer(rules[key], (*where, key), 0, 10_000) for key in ("juShu", "circle") if key in rules
    }
    return options, room


def _order(seats: Fields) -> tuple[str, ...]:
    """The three players, each followed by the next in turn."""
    following = {}
    for key, value in seats.items():
        where = ("seats", key_text(key))
        following[word(key, where)] = need(obj(value, where), "next", where)
    order = [min(following, default="")]
    while len(order) < 3 and isinstance(following.get(order[-1]), str):
        order.append(following[order[-1]])
    if len(following) != 3 or set(order) != following.keys() or following[order[2]] != order[0]:
        raise bad(("seats",), "三人不成一圈", "the three seats do not form a circle")
    return tuple(order)


def _hands(hands: Fields, players: Sequence[str], told: Told) -> tuple[Cards | None, ...]:
    for key in hands:
        seat(key, told.seats, ("hands",))
    dealt: list[Cards | None] = []
    for number, player in enumerate(players):
        if player not in hands:
            dealt.append(None)
            continue
        where = ("hands", player)
        held = cards(hands[player], where)
        size = 21 if number == told.dealer else 20
        if len(held) != size:
            raise Fault("DEAL_SIZE", f"应有 {size} 张，却有 {len(held)}", f"{len(held)} cards, expected {size}", *where)
        if size == 21 and held[-1] != told.liang:
            raise bad(where, "最后一张不是亮张", "the last card is not the 亮张 of onLordSelect")
        dealt.append(held[:20])
    return tuple(dealt)
