"""桂林字牌 server pushes: merged rounds (a round a line) and event streams (a push a line). See docs/formats.md."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

from ingest.adapters.guilin_fields import (
    Fields,
    Where,
    array,
    bad,
    brief,
    cards,
    decode,
    integer,
    need,
    obj,
    seat,
    word,
)
from ingest.adapters.guilin_pushes import COPY_MS, OPTIONS, WALL, Push, Told, take_all
from ingest.adapters.guilin_result import result_of, wall_of
from ingest.adapters.registry import Adapter, Reject
from ingest.limits import INT32, MAX_EVENTS, MAX_LINE, Fault
from ingest.record import Cards, Provenance, Record

NAME = "guilin"
PLATFORM = "guilin-2017"
DEAL = "onLordSelect"
MERGED = frozenset({"meta", "seats", "dealer", "hands", "wall", "events", "verify"})
STREAM = frozenset({"ts", "route", "to", "msg"})
HEADER = frozenset({"source", "first_line", "pseudonymised"})
EVENT = frozenset({"dt_ms", "route", "to", "msg"})
META = frozenset(
    {
        *("id", "source", "files", "first_line", "date", "platform", "pseudonymised"),
        *("hand_source", "wall_order", "seat_order_votes", "rules"),
    }
)
RULES = frozenset({"minHu", "ziShu", "ziMo", "fanXing", "juShu", "circle"})
ZIMO = {1: "double", 2: "plus_one"}
XING = {1: "shang", 2: "zhong", 3: "xia"}
LABELS = ("P0", "P1", "P2")
MAX_PUSHES = 4 * MAX_EVENTS

Options = dict[str, int | str | tuple[str, ...]]


def sniff(head: bytes) -> bool:
    """True for a file of this server's pushes; our own ``.jsonl`` (key ``phz``) is not one."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return (
        text.startswith(b"{")
        and re.match(rb'\{\s*"phz"\s*:', text) is None
        and re.search(rb'"on(LordSelect|PostCard|CurrPlayer|CurrAutoCard)"', text) is not None
    )


@dataclass
class _Stream:
    """A round of an event stream while its lines come in."""

    line: int
    offset: int
    pushes: list[tuple[int, Fields]] = field(default_factory=list)
    fault: Fault | None = None
    fault_line: int = 0
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))


def read(stream: BinaryIO, name: str) -> Iterator[Record | Reject]:
    """Every round of the file, accepted or refused, in file order."""
    index = 0
    header: Fields = {}
    current: _Stream | None = None
    for number, offset, raw, last in _lines(stream):
        found: Fields | Fault
        try:
            if len(raw) > MAX_LINE:
                raise Fault("LIMIT", f"一行超过 {MAX_LINE} 字节", f"a line of more than {MAX_LINE} bytes")
            found = decode(raw, last=last)
        except Fault as fault:
            found = fault
        if not isinstance(found, Fault) and len(MERGED & found.keys()) > 1:
            if current is not None:
                yield _close(current, header, name, index)
                index, current = index + 1, None
            yield _merged(found, raw, number, offset, name, index)
            index += 1
            continue
        if not isinstance(found, Fault) and not found.keys() & (STREAM - {"route"}) and found.keys() <= HEADER:
            header = found
            continue
        if not isinstance(found, Fault) and not STREAM & found.keys():
            there = ", ".join(sorted(map(str, found)))[:80]
            found = bad((), f"既不是一局也不是一条推送：{there}", f"neither a round nor a push: {there}")
        if current is not None and not isinstance(found, Fault) and _starts(found, current):
            yield _close(current, header, name, index)
            index, current = index + 1, None
        if isinstance(found, Fault) and current is None:
            yield Reject(found.code, found.reason, index, number, offset, _hash(raw))
            index += 1
            continue
        current = current or _Stream(number, offset)
        current.digest.update(raw)
        if len(current.pushes) >= MAX_PUSHES:
            found = Fault("LIMIT", f"一局超过 {MAX_PUSHES} 条推送", f"a round of more than {MAX_PUSHES} pushes")
        if not isinstance(found, Fault):
            current.pushes.append((number, found))
        elif current.fault is None:
            current.fault, current.fault_line = found, number
    if current is not None:
        yield _close(current, header, name, index)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, int, bytes, bool]]:
    """Number from 1, byte offset, bytes, and whether the file ends there without an end of line."""
    offset = 0
    number = 0
    while raw := stream.readline(MAX_LINE + 1):
        number += 1
        start, offset = offset, offset + len(raw)
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        ended = raw.endswith(b"\n")
        while not ended and len(raw) > MAX_LINE and (rest := stream.readline(MAX_LINE)):
            offset += len(rest)
            ended = rest.endswith(b"\n")
        if raw.strip():
            yield number, start, raw, not ended


def _hash(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def _merged(line: Fields, raw: bytes, number: int, offset: int, name: str, index: int) -> Record | Reject:
    try:
        return _merged_round(line, Provenance(name, index, NAME))
    except Fault as fault:
        return Reject(fault.code, fault.reason, index, number, offset, _hash(raw))
    except RecursionError:
        return Reject("LIMIT", "nested too deep", index, number, offset, _hash(raw))


def _merged_round(line: Fields, source: Provenance) -> Record:
    meta = obj(need(line, "meta", ()), ("meta",))
    options, room = _rules(obj(need(meta, "rules", ("meta",)), ("meta", "rules")))
    players = _order(obj(need(line, "seats", ()), ("seats",)))
    seats = {player: number for number, player in enumerate(players)}
    events = _events(need(line, "events", ()))
    pushes, extra = [], []
    for place, event in enumerate(events):
        where: Where = ("events", place)
        fields = obj(event, where)
        extra += [f"event.{key}" for key in fields if key not in EVENT]
        t_ms = integer(need(fields, "dt_ms", where), (*where, "dt_ms"))
        pushes.append(_push(fields, seats, t_ms, where))
    extra += [key for key in line if key not in MERGED]
    extra += [f"meta.{key}" for key in meta if key not in META]
    extra += [f"meta.rules.{key}" for key in meta["rules"] if key not in RULES]
    told = _take(pushes, seats)
    if seat(need(line, "dealer", ()), seats, ("dealer",)) != told.dealer:
        raise bad(("dealer",), "与 onLordSelect 的庄家不同", "not the dealer of onLordSelect")
    wall = cards(need(line, "wall", ()), ("wall",))
    if len(wall) > WALL:
        raise bad(("wall",), f"{len(wall)} 张，多于 {WALL}", f"{len(wall)} cards, more than {WALL}")
    tags = {key: _text(meta[key], ("meta", key)) for key in sorted(META - {"rules"}) if key in meta}
    tags |= {key: str(value) for key, value in room.items() if key != "circle"}
    if "verify" in line:
        tags["verify"] = _text(line["verify"], ("verify",))
    date = meta.get("date")
    return _record(
        told,
        players,
        hands=_hands(obj(need(line, "hands", ()), ("hands",)), players, told),
        wall=wall_of(told, wall),
        options=options,
        round_no=room.get("circle"),
        started_at=None if date is None else _time(date, ("meta", "date")),
        tags=tags,
        extra=extra,
        source=source,
    )


def _events(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise bad(("events",), "应是数组", "expected an array")
    if len(value) > MAX_PUSHES:
        raise Fault("LIMIT", f"一局超过 {MAX_PUSHES} 条推送", f"a round of more than {MAX_PUSHES} pushes")
    return value


def _rules(rules: dict[str, Any]) -> tuple[Options, dict[str, int]]:
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


def _order(seats: dict[str, Any]) -> tuple[str, ...]:
    """The three players, each followed by the next in turn."""
    following = {key: need(obj(value, ("seats", key)), "next", ("seats", key)) for key, value in seats.items()}
    order = [min(following, default="")]
    while len(order) < 3 and isinstance(following.get(order[-1]), str):
        order.append(following[order[-1]])
    if len(following) != 3 or set(order) != following.keys() or following[order[2]] != order[0]:
        raise bad(("seats",), "三人不成一圈", "the three seats do not form a circle")
    return tuple(word(player, ("seats",)) for player in order)


def _hands(hands: dict[str, Any], players: Sequence[str], told: Told) -> tuple[Cards | None, ...]:
    dealt: list[Cards | None] = []
    for key in hands:
        seat(key, told.seats, ("hands",))
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


def _starts(line: Fields, current: _Stream) -> bool:
    """Whether this push opens a new round: a deal that is not a second copy of the current round's own."""
    if line.get("route") != DEAL:
        return False
    first = current.pushes[0][1] if current.pushes else {}
    if line.get("msg") != first.get("msg") or any(push.get("route") != DEAL for _, push in current.pushes):
        return True
    try:
        return abs(_since(line.get("ts"), first.get("ts"), ())) > COPY_MS
    except Fault:
        return True


def _close(current: _Stream, header: Fields, name: str, index: int) -> Record | Reject:
    try:
        if current.fault is not None:
            raise current.fault
        return _stream_round(current, header, Provenance(name, index, NAME))
    except Fault as fault:
        line = current.fault_line or (fault.path[1] if fault.path[:1] == ("line",) else current.line)
        return Reject(fault.code, fault.reason, index, int(line), current.offset, current.digest.hexdigest())
    except RecursionError:
        return Reject("LIMIT", "nested too deep", index, current.line, current.offset, current.digest.hexdigest())


def _stream_round(current: _Stream, header: Fields, source: Provenance) -> Record:
    start = current.pushes[0][1]
    if start.get("route") != DEAL:
        raise bad(("line", current.line), f"{DEAL} 之前的推送", f"pushes before any {DEAL}")
    players, how = _seen_order([push for _, push in current.pushes])
    seats = {player: number for number, player in enumerate(players)}
    begin = need(start, "ts", ("line", current.line))
    pushes, extra = [], []
    for number, line in current.pushes:
        where: Where = ("line", number)
        extra += [f"line.{key}" for key in line if key not in STREAM]
        t_ms = integer(_since(need(line, "ts", where), begin, (*where, "ts")), (*where, "ts"))
        pushes.append(_push(line, seats, t_ms, where))
    told = _take(pushes, seats)
    tags = {"seat_order": how} | {key: _text(header[key], ("header", key)) for key in sorted(header)}
    return _record(
        told,
        players,
        hands=(None, None, None),
        wall=wall_of(told, ()),
        options={},
        round_no=None,
        started_at=_time(begin, ("line", current.line, "ts")),
        tags=tags,
        extra=extra,
        source=source,
    )


def _seen_order(lines: Sequence[Fields]) -> tuple[tuple[str, ...], str]:
    """The players in turn order, and what tells it: ``seen`` in the play, or ``assumed`` where nothing does.

    A card that nobody takes passes the turn; 吃 of another's card is for the next seat alone.
    """
    labels: set[str] = set()
    votes: set[tuple[str, str]] = set()
    owner = passed = None
    for line in lines:
        msg, to = line.get("msg"), line.get("to")
        labels.update(label for label in to if isinstance(label, str)) if isinstance(to, list) else None
        taker = None
        if isinstance(msg, list):
            asks_chi = any(isinstance(option, dict) and option.get("type") == 4 for option in msg)
            if asks_chi and isinstance(to, list) and len(to) == 1:
                taker = to[0]
        elif isinstance(msg, dict):
            uid, route = msg.get("uid"), line.get("route")
            labels.update({uid} if isinstance(uid, str) else ())
            if route == "onCurrAutoCard":
                if passed is not None:
                    votes.add((passed, str(uid)))
                owner, passed = uid, None
            elif route == "onPostCard":
                owner, passed = uid, None
            elif route == "onNoneAct":
                owner, passed = None, owner
            elif route not in ("onCurrPlayer", "onShowCard"):
                taker = uid if msg.get("type") == 4 else None
                if isinstance(owner, str) and isinstance(taker, str) and taker != owner:
                    votes.add((owner, taker))
                owner = passed = taker = None
        if isinstance(owner, str) and isinstance(taker, str) and taker != owner:
            votes.add((owner, taker))
    labels = labels if len(labels - set(LABELS)) else set(LABELS)
    if len(labels) != 3:
        raise bad((), f"应有三个座位，却见 {len(labels)} 个", f"expected three seats, saw {len(labels)}")
    first, second, third = sorted(labels)
    circles = [(first, second, third), (first, third, second)]
    fits = [c for c in circles if all((c.index(b) - c.index(a)) % 3 == 1 for a, b in votes if {a, b} <= labels)]
    if not fits:
        raise bad((), "座位次序前后矛盾", "the play contradicts itself about the order of the seats")
    return fits[0], "seen" if len(fits) == 1 else "assumed"


def _push(line: Fields, seats: Mapping[str, int], t_ms: int, where: Where) -> Push:
    body = need(line, "msg", where)
    inner = body.get("route") if isinstance(body, dict) else OPTIONS
    outer = line.get("route", inner)
    if inner is None:
        inner = outer
    if not isinstance(inner, str) or inner != outer:
        raise bad((*where, "route"), "缺少 route 或前后不一", "route is missing or given twice with different names")
    to = [seat(label, seats, (*where, "to")) for label in array(need(line, "to", where), (*where, "to"))]
    return Push(word(inner, (*where, "route")), tuple(to), t_ms, body, (*where, "msg"))


def _take(pushes: Sequence[Push], seats: Mapping[str, int]) -> Told:
    if not pushes or pushes[0].route != DEAL:
        raise bad(("events", 0), f"第一条推送不是 {DEAL}", f"the first push is not {DEAL}")
    return take_all(pushes, seats)


def _record(
    told: Told,
    players: tuple[str, ...],
    *,
    hands: tuple[Cards | None, ...],
    wall: Cards,
    options: Options,
    round_no: int | None,
    started_at: str | None,
    tags: dict[str, str],
    extra: Sequence[str],
    source: Provenance,
) -> Record:
    asked = told.counts["offers"] > 0
    visible = sorted(set.intersection(*told.shown_to)) if asked and told.shown_to else []
    for name in extra:
        told.extra[name] += 1
    notes = {
        **{f"pushes_{kind}": str(told.counts[kind]) for kind in sorted(told.counts)},
        "pushes": str(told.counts.total()),
        "forced": brief(told.forced),
        "bi_unplaced": brief(told.drift),
        "draw_status": brief(told.odd_draws),
        "extra_fields": brief([f"{name}×{n}" for name, n in sorted(told.extra.items())]),
        "stopped": told.stopped,
        "xing_each": brief([str(n) for n in told.hits]) if len(told.hits) > 1 else "",
        "out_side": str(told.win.get("outSide") or ""),
    }
    return Record(
        ruleset=NAME,
        players=players,
        dealer=told.dealer,
        hands=hands,
        liang=told.liang,
        wall=wall,
        moves=tuple(told.moves),
        options=options,
        result=result_of(told),
        offers=tuple(told.offers) if asked else None,
        visible=tuple(visible) or None,
        platform=PLATFORM,
        round_no=round_no,
        started_at=started_at,
        complete=told.ended and not told.stopped,
        tags=tags | {key: value for key, value in notes.items() if value},
        source=source,
    )


def _time(value: Any, where: Where) -> str:
    text = word(value, where)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise bad(where, f"不是日期时间：{text}", f"no date or time: {text}") from error
    return text if len(text) <= 10 else moment.isoformat(timespec="milliseconds")


def _since(value: Any, begin: Any, where: Where) -> int:
    passed = datetime.fromisoformat(_time(value, where)) - datetime.fromisoformat(_time(begin, where))
    return max(-INT32, min(INT32, passed.days * 86_400_000 + passed.seconds * 1000 + passed.microseconds // 1000))


def _text(value: Any, where: Where) -> str:
    return word(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), where)


ADAPTER = Adapter(NAME, 1, "桂林字牌 server pushes", (".jsonl",), sniff, read)
