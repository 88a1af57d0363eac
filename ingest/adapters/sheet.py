"""Score sheets of whole sessions: our own, as JSON or as a table, and those of a score keeper. See docs/formats.md."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ingest.adapters.csv_cells import whole
from ingest.adapters.csv_rows import Row, check_header, delimiter_of, fit, rows
from ingest.adapters.fields import (
    Fields,
    Where,
    array,
    bad,
    counted,
    decode,
    extra_keys,
    integer,
    key_text,
    moment,
    need,
    obj,
    tag_text,
    word,
)
from ingest.adapters.lines import Line, check_length, documents_read, guarded, or_nothing
from ingest.adapters.registry import Adapter, Params, Reject
from ingest.encoding import BOM, raw_hash
from ingest.limits import Fault, both
from ingest.record import Cards, Provenance, Sheet
from ingest.sniffing import peeked

NAME = "sheet"
PLATFORM = "hanz520"
VERSION_KEY = "phz_sheet"
MAX_PERSONS = 8

OWN = frozenset(
    {VERSION_KEY, "platform", "room", "session", "started_at", "rounds", "players", "points", "raw", "tags", "note"}
)
KEEPER = frozenset(
    {
        *("_id", "players", "mode", "teams", "winner", "mvp", "duration", "scoreRows", "scoreRecords"),
        *("createTime", "startTime", "settlement"),
    }
)
PERSON = frozenset({"name", "rawScore", "converted", "convertedScore", "finalScore", "rank", "isWinner"})
COLUMNS = ("platform", "room", "session", "started_at", "rounds", "note")
PERSON_COLUMNS = ("player", "points", "raw")
NEEDED = ("player1", "points1", "player2", "points2")

_NUMBERED = {f"{name}{n}": (name, n) for name in PERSON_COLUMNS for n in range(1, MAX_PERSONS + 1)}
_OWN_KEY = re.compile(rb'\{\s*"phz_sheet"\s*:')
_KEEPER_KEY = re.compile(rb'"rawScore"\s*:')


def sniff(head: bytes) -> bool:
    """True for an object with ``phz_sheet`` as its first key or with ``rawScore``, and for a header of our table."""
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(b"{"):
        return _OWN_KEY.match(text) is not None or (b'"players"' in text and _KEEPER_KEY.search(text) is not None)
    names = {name.strip(b'"\r') for name in re.split(rb"[,\t]", text.split(b"\n", 1)[0])}
    return names >= {name.encode() for name in NEEDED}


def read(stream: BinaryIO, name: str, _: Params) -> Iterator[Sheet | Reject]:
    """Every sheet of the file, accepted or refused, in file order."""
    stream, head = peeked(stream)
    as_json = head.removeprefix(BOM).lstrip()[:1] in (b"{", b"")
    found = documents_read(stream, partial(_document, name)) if as_json else _table(stream, head, name)
    yield from or_nothing(found, Reject("EMPTY", both("没有积分表", "there is no score sheet")))


def _document(name: str, line: Line, index: int) -> Sheet:
    check_length(line)
    fields = decode(line.raw, last=line.open_end)
    return _placed(_own(fields) if VERSION_KEY in fields else _kept(fields), name, index, line.number)


def _placed(sheet: Sheet, name: str, index: int, line: int) -> Sheet:
    return msgspec.structs.replace(sheet, source=Provenance(name, index, NAME, sheet.source.note, line))


def _extra(*found: tuple[str, Fields, frozenset[str]]) -> dict[str, str]:
    """The tag that names the fields that nothing is known of."""
    times = Counter(key for prefix, fields, known in found for key in extra_keys(fields, known, prefix))
    return {"extra_fields": counted(times)} if times else {}


def _numbers(value: Any, where: Where) -> Cards:
    return tuple(integer(one, (*where, place)) for place, one in enumerate(array(value, where)))


def _own(fields: Fields) -> Sheet:
    """A sheet in our own words."""
    if type(fields[VERSION_KEY]) is not int or fields[VERSION_KEY] != 1:
        raise Fault("WRONG_FORMAT", f"{VERSION_KEY} 应为 1", f"{VERSION_KEY} must be 1")
    players = tuple(word(one, ("players", n)) for n, one in enumerate(array(need(fields, "players", ()), ("players",))))
    told = {key: word(fields[key], (key,)) for key in ("platform", "room", "session", "started_at") if key in fields}
    tags = {key_text(key): word(value, ("tags", key_text(key))) for key, value in _tags(fields).items()}
    return Sheet(
        players=players,
        points=_numbers(need(fields, "points", ()), ("points",)),
        raw=_numbers(fields["raw"], ("raw",)) if "raw" in fields else None,
        rounds=integer(fields["rounds"], ("rounds",)) if "rounds" in fields else None,
        tags=tags | _extra(("", fields, OWN)),
        source=Provenance(note=word(fields.get("note", ""), ("note",))),
        **told,
    )


def _tags(fields: Fields) -> dict[str, Any]:
    return obj(fields.get("tags", {}), ("tags",))


def _kept(fields: Fields) -> Sheet:
    """A game as the score keeper saves it."""
    people = [obj(one, ("players", n)) for n, one in enumerate(array(need(fields, "players", ()), ("players",)))]
    names = tuple(word(need(one, "name", ("players", n)), ("players", n, "name")) for n, one in enumerate(people))
    raw = _column(people, "rawScore")
    points = _column(people, "finalScore") if any("finalScore" in one for one in people) else None
    tags = {key: tag_text(fields[key]) for key in ("mode", "teams", "winner", "mvp", "duration") if key in fields}
    for field, tag in (("convertedScore", "converted"), ("rank", "ranks"), ("isWinner", "winners")):
        if any(field in one for one in people):
            tags[tag] = tag_text([one.get(field) for one in people])
    played = array(fields["scoreRows"], ("scoreRows",)) if "scoreRows" in fields else None
    if played:
        tags["score_rows"] = tag_text([one.get("scores") if isinstance(one, dict) else one for one in played])
    settled = obj(fields.get("settlement", {}), ("settlement",))
    tags |= {f"settlement_{key}": tag_text(settled[key]) for key in ("algorithm", "totalZero") if key in settled}
    tags |= {key: tag_text(_moment(fields[key])) for key in ("createTime", "startTime") if key in fields}
    if points is None:
        tags["points_from"] = "rawScore"
    return Sheet(
        players=names,
        points=settle(raw) if points is None else points,
        raw=raw,
        platform=PLATFORM,
        session=word(fields.get("_id", ""), ("_id",)),
        started_at=_started(fields),
        rounds=None if played is None else len(played),
        tags=tags
        | _extra(
            ("", fields, KEEPER),
            *(("players.", one, PERSON) for one in people),
            ("settlement.", settled, frozenset({"algorithm", "totalZero", "details"})),
        ),
    )


def _column(people: list[dict[str, Any]], field: str) -> Cards:
    found = []
    for n, one in enumerate(people):
        where: Where = ("players", n)
        found.append(integer(need(one, field, where), (*where, field)))
    return tuple(found)


def settle(raw: Cards) -> Cards:
    """The final points of the score keeper: tens begun, times the others, less what the others have."""
    tens = [-(-points // 10) for points in raw]
    return tuple(own * len(tens) - sum(tens) for own in tens)


def _moment(value: Any) -> Any:
    """A time as the score keeper's database exports it."""
    return value["$date"] if isinstance(value, dict) and value.keys() == {"$date"} else value


def _started(fields: Fields) -> str | None:
    """When the session began: told, or when it was saved less how long it took; None where that is not told."""
    told = _moment(fields.get("startTime"))
    if told is not None:
        return moment(told, ("startTime",), zone=True).isoformat()
    saved, took = _moment(fields.get("createTime")), fields.get("duration")
    if saved is None or took is None:
        return None
    seconds = datetime.timedelta(seconds=integer(took, ("duration",), 0, 10_000_000))
    try:
        return (moment(saved, ("createTime",), zone=True) - seconds).isoformat()
    except OverflowError:
        raise bad(("duration",), "早于公元 1 年", "before the year 1") from None


def _table(stream: BinaryIO, head: bytes, name: str) -> Iterator[Sheet | Reject]:
    """A row a sheet below a header; tabs where the header has one, else commas."""
    found = rows(stream, delimiter_of(head))
    first = next(found, None)
    if first is None:
        return
    try:
        header = _header(first)
    except Fault as fault:
        yield Reject(fault.code, fault.reason, 0, first.line, first.offset, raw_hash(first.raw))
        return
    for index, row in enumerate(found):
        yield guarded(partial(_row, row, header, name, index), index, row.line, row.offset, row.raw)


def _header(first: Row) -> list[str]:
    if isinstance(first.cells, Fault):
        raise first.cells
    check_header(first.cells)
    missing = [name for name in NEEDED if name not in first.cells]
    if missing:
        zh = f"积分表缺少列 {', '.join(missing)}"
        raise Fault("WRONG_FORMAT", zh, f"a score sheet has the columns {', '.join(missing)}")
    return first.cells


def _row(row: Row, header: list[str], name: str, index: int) -> Sheet:
    cells = fit(row, len(header))
    if isinstance(cells, Fault):
        raise cells
    told = {name: cell for name, cell in zip(header, cells, strict=True) if cell}
    people = 0
    for column in told:
        if column in _NUMBERED:
            people = max(people, _NUMBERED[column][1])
    raw = tuple(_whole(told, f"raw{n}") for n in range(1, people + 1) if f"raw{n}" in told)
    if raw and len(raw) != people:
        raise bad(("raw",), f"应有 {people} 家的分", f"points of {people} persons expected")
    sheet = Sheet(
        players=tuple(word(need(told, f"player{n}", ()), (f"player{n}",)) for n in range(1, people + 1)),
        points=tuple(_whole(told, f"points{n}") for n in range(1, people + 1)),
        raw=raw or None,
        rounds=_whole(told, "rounds") if "rounds" in told else None,
        tags=_extra(("", told, frozenset({*COLUMNS, *_NUMBERED}))),
        source=Provenance(note=told.get("note", "")),
        started_at=told.get("started_at"),
        **{fact: told[fact] for fact in ("platform", "room", "session") if fact in told},
    )
    return _placed(sheet, name, index, row.line)


def _whole(told: Fields, column: str) -> int:
    return whole(need(told, column, ()), column)


ADAPTER = Adapter(NAME, 1, "积分表 score sheet", (".json",), sniff, read)
