"""The socket.io events of a woaiwyhty client, one a line. See docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ingest.adapters.fields import Fields, bad, decode, extra_keys, key_text, word
from ingest.adapters.lines import Line, check_length, lines
from ingest.adapters.registry import Adapter, Params, Reject
from ingest.adapters.told import count
from ingest.adapters.woaiwyhty_events import HANDLERS
from ingest.adapters.woaiwyhty_record import record_of, session_event
from ingest.adapters.woaiwyhty_told import NAME, Session, Told, body_of
from ingest.adapters.woaiwyhty_write import write
from ingest.encoding import raw_hash
from ingest.limits import Fault, both
from ingest.record import Provenance, Record

PARAMS = {"seat": "0", "ruleset": "hu15"}
CHOICES = {"seat": ("0", "1", "2")}
_PACKET = re.compile(rb"^\s*\d{1,4}(?=\[)")
"""What socket.io puts before an event on the wire."""
_FIRST = "game_start|dealed_card|need_shoot|other_player_shoot|other_player_action|cardsOnHand_result|check_dihu"
_SNIFF = re.compile(
    rf'^\s*(?:\d{{1,4}}\[\s*|\[\s*|\{{[^{{\[\n]{{0,200}}"event"\s*:\s*)"(?:{_FIRST})"'.encode(), re.MULTILINE
)
SESSION = frozenset({"login", "login_result", "new_player_entered_room", "other_player_exit"})
_LEAVE = SESSION | HANDLERS.keys()
"""What comes after the end of a round is of the next."""
BESIDE = frozenset(
    {
        *("connect", "disconnect", "reconnect", "ifGameReady", "askGameReady", "cardsOnHand", "tianhu_result"),
        *("request_shoot", "exit", "exit_result", "game_ping", "game_pong"),
    }
)
_ACT = frozenset(
    {"errcode", "op_seat_id", "type", "cards", "manyCards", "opCard", "xi", "from_wei_or_peng", "needsHide"}
)
_WON = frozenset(
    {
        *("errcode", "op_seat_id", "type", "cardsGroups", "xi", "fan", "tun", "loseMark", "afterScore", "nicknames"),
        *("huInfo", "holeCards", "lastGame"),
    }
)
_SENT = frozenset(
    {
        *("username", "token", "seat_id", "opCard", "cards", "manyCards", "needsHide", "sessionKey", "time", "type"),
        *("from_wei_or_peng", "isDoneByUser", "status", "fan", "xi", "tun", "huInfo", "cardsGroups"),
    }
)
_DEAL = {"errcode", "cardsOnHand", "card21st", "sessionKey"}
FIELDS: dict[str, frozenset[str]] = {
    "game_start": frozenset({*_DEAL, "number_of_wang", "current_played_games", "total_games", "tianHuResult"}),
    "cardsOnHand_result": frozenset(_DEAL),
    "check_dihu": frozenset(_DEAL),
    "need_shoot": frozenset({"errcode", "op_seat_id"}),
    "dealed_card": frozenset({"errcode", "dealed_card", "op_seat_id", "ti_wei_pao_result", "xi", "sessionKey"}),
    "other_player_shoot": frozenset({"errcode", "op_seat_id", "type", "opCard", "sessionKey", "paoResult"}),
    "other_player_action": _ACT,
    "self_action_result": _ACT | _WON,
    "discarded_dealed_card": frozenset({"errcode", "opCard", "op_seat_id"}),
    "timer_passed": frozenset({"errcode", "type", "action", "opCard"}),
    "other_player_hu": _WON,
    "wang_hu": _WON,
}


def sniff(head: bytes) -> bool:
    """True where an event of the play is named as one."""
    return _SNIFF.search(head) is not None


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """The rounds of a file; each begins with ``game_start``. What stands between rounds tells of the session."""
    session = Session()
    current: Told | None = None
    index = 0
    for line in lines(stream):
        event, body, fault = _event(line)
        if current is not None and (event == "game_start" or (current.ended and event in _LEAVE)):
            yield _finish(current, params, name, index)
            index, current = index + 1, None
        try:
            if fault is not None:
                raise fault
            where = ("line", line.number)
            if event in HANDLERS:
                current = current or Told(line.offset, line.number, session=session)
                _take(current, event, body, line)
            elif event in SESSION:
                if current is not None and event == "login_result" and not current.ended:
                    current.stopped = True  # the client was away, and does not know what happened
                    current.tags["stopped"] = "login"
                session = session_event(session, event, body, where)
            elif event not in BESIDE:
                raise Fault("BAD_MOVE", f"未知的事件 {key_text(event)}", f"unknown event {key_text(event)}")
            elif current is not None:
                current.others[event] += 1
        except Fault as error:
            if current is None:
                yield Reject(error.code, error.reason, index, line.number, line.offset, raw_hash(line.raw))
                index += 1
            else:
                current.refuse(error, current.at, line.number)
        if current is not None:
            current.digest.update(line.raw)
    if current is not None:
        yield _finish(current, params, name, index)
    elif index == 0:
        yield Reject("EMPTY", both("文件里没有对局", "there is no round in the file"))


def _event(line: Line) -> tuple[str, Fields, Fault | None]:
    """Name and fields of the event of a line, or why there is none."""
    try:
        check_length(line)
        raw = _PACKET.sub(b"", line.raw).strip()
        listed = raw.startswith(b"[")
        try:
            found: Any = decode(b'{"event":' + raw + b"}" if listed else raw, last=line.open_end)
        except Fault as fault:
            if listed and fault.code == "SYNTAX" and line.open_end and not raw.endswith(b"]"):
                raise Fault("TRUNCATED", "最后一行不完整", "the last line is unfinished") from fault
            raise
        if listed:
            pair = found["event"]
            if not isinstance(pair, list) or len(found) != 1 or not 1 <= len(pair) <= 2:
                raise bad((), "应是 [事件, 数据]", "expected [event, data]")
            found = dict(zip(("event", "data"), pair, strict=False))
        if "event" not in found:
            raise bad((), "没有 event", "no event is named")
        event = word(found["event"], ("event",))
        body = dict(body_of(found.get("data"), ("line", line.number, "data")))
        body.update({f"line.{key_text(key)}": None for key in found.keys() - {"event", "data"}})
    except Fault as fault:
        return "", {}, fault
    except RecursionError:
        return "", {}, Fault("LIMIT", "嵌套太深", "nested too deep")
    return event, body, None


def _take(told: Told, event: str, body: Fields, line: Line) -> None:
    """One event of the play; one that the server refused is none."""
    known = FIELDS.get(event, _SENT)
    count(told.extras, *extra_keys(body, known, f"{event}."))
    if told.stopped:
        told.others["unread"] += 1
    elif body.get("errcode", 0) != 0:
        told.others["errors"] += 1
    elif told.start is None and event not in ("game_start", "cardsOnHand_result"):
        raise Fault("BAD_MOVE", "发牌之前的事件", "an event before the deal", "line", line.number)
    else:
        told.start = {} if told.start is None else told.start
        HANDLERS[event](told, body, ("line", line.number))


def _finish(told: Told, params: Params, name: str, index: int) -> Record | Reject:
    return told.finish(index, lambda: record_of(told, params, Provenance(name, index, NAME, line=told.line or 0)))


ADAPTER = Adapter(NAME, 1, "woaiwyhty socket.io", (".jsonl",), sniff, read, write, PARAMS, choices=CHOICES)
