"""桂林字牌 server, second log ``fightDetail.log``: deals, discards, acts and draws as text. See docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from ingest.adapters.guilin_log_round import LogRound, log_round
from ingest.adapters.guilin_log_write import write
from ingest.adapters.lines import Line, check_length, lines, text_of
from ingest.adapters.registry import Adapter, Params, Reject, no_round
from ingest.encoding import BOM, raw_hash
from ingest.limits import Fault
from ingest.record import Provenance, Record

NAME = "guilin_log"
MOST = 1_000
"""Bytes of a line; the longest seen has 400."""
MOST_OPEN = 100
"""Rooms that may play at the same time; the one that was silent longest is closed first."""

_PREFIX = r"(?:\[(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3})\] \[\w+\] fightDetail - (?:\[[^\]]*\] )*)?"
_LINE = re.compile(
    _PREFIX + r"roomId:(?P<room>\S*) currCircle:(?P<circle>\d{1,9}) (?:playerName:(?P<name>.*) )?"
    r"(?:afterLorderRemainCard:(?P<wall>[\d,]*)|afterLorderHandList:(?P<hand>[\d,]*)|remainCardList:(?P<rest>[\d,]*)"
    r"|postID:(?P<post>\d+) afterPostHandList:(?P<posted>[\d,]*)"
    r"|actType:(?P<act>\d+) actCard:(?P<used>[\d,]*) afterActHandList:(?P<acted>[\d,]*))",
    re.ASCII,
)
_ROOM = re.compile(_PREFIX + r"roomId:(?P<room>\S*) ", re.ASCII)
_SNIFF = re.compile(
    rb"^(?:\[[^\n]*\] )?roomId:\S* currCircle:\d+ (?:playerName:[^\n]* )?"
    rb"(?:afterLorder(?:RemainCard|HandList)|postID|actType|remainCardList):",
    re.MULTILINE,
)


def sniff(head: bytes) -> bool:
    """True where a line of this log stands at the beginning of a line."""
    return _SNIFF.search(head.removeprefix(BOM)) is not None


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """Every round of the file, in the order in which they end: the rooms' lines are mixed."""
    index = 0
    rooms: dict[str, LogRound] = {}
    for line in lines(stream, MOST):
        room, found = _parsed(line)
        if isinstance(found, Fault) and room not in rooms:
            yield Reject(found.code, found.reason, index, line.number, line.offset, raw_hash(line.raw))
            index += 1
            if room is None:
                # Any of the rounds may have lost this line.
                for current in rooms.values():
                    current.add(line, found)
            continue
        assert room is not None
        deals = not isinstance(found, Fault) and found["wall"] is not None
        done = [rooms.pop(room)] if deals and room in rooms else []
        if room not in rooms:
            if len(rooms) >= MOST_OPEN:
                done.append(rooms.pop(next(iter(rooms))))
            rooms[room] = LogRound(line.number, line.offset, room=room)
        current = rooms[room] = rooms.pop(room)
        current.add(line, found)
        for ended in done:
            yield _finish(ended, params, name, index)
            index += 1
    for current in rooms.values():
        yield _finish(current, params, name, index)
        index += 1
    if index == 0:
        yield no_round()


def _parsed(line: Line) -> tuple[str | None, dict[str, str | None] | Fault]:
    """The room of a line, where it can be read, and the parts of the line."""
    room = None
    try:
        check_length(line, MOST)
        text = text_of(line.raw, last=line.open_end).rstrip("\r\n")
        begins = _ROOM.match(text)
        room = begins["room"] if begins else None
        found = _LINE.fullmatch(text)
        if found is None:
            code = "TRUNCATED" if line.open_end else "SYNTAX"
            raise Fault(code, "不是这种日志的一行", "not a line of this log")
    except Fault as fault:
        return room, fault
    return room, found.groupdict()


def _finish(done: LogRound, params: Params, name: str, index: int) -> Record | Reject:
    try:
        return log_round(done, params, Provenance(name, index, NAME, line=done.line))
    except Fault as fault:
        at = int(fault.path[1]) if fault.path[:1] == ("line",) else done.fault_line or done.line
        cut = done.open_end and (at == done.last or done.deal_only) and fault.code not in ("NOT_UTF8", "LIMIT")
        return Reject("TRUNCATED" if cut else fault.code, fault.reason, index, at, done.offset, done.hash())


ADAPTER = Adapter(NAME, 1, "桂林字牌 fightDetail.log", (".log",), sniff, read, write, params={"order": "seen"})
