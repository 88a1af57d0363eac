"""What the 桂林字牌 adapter refuses: each fault is named with its code and its place, and nothing else happens."""

from __future__ import annotations

import copy
import random
from typing import Any

import msgspec
import pytest

from ingest.adapters.registry import Reject
from ingest.record import Record
from ingest.validate import check_found
from tests.ingest.guilin_logs import deal, dumped, merged, play, read, refused, stream


def without(name: str, *path: Any) -> dict[str, Any]:
    """The round of ``play`` with one field renamed; ``path`` leads to the object that has it."""
    line = copy.deepcopy(merged(play()))
    at: Any = line
    for step in path:
        at = at[step]
    at[name + "_"] = at.pop(name)
    return line


@pytest.mark.parametrize(
    ("name", "path"),
    [
        *((name, ()) for name in ("meta", "seats", "dealer", "hands", "wall", "events")),
        ("rules", ("meta",)),
        *((name, ("meta", "rules")) for name in ("minHu", "ziShu", "ziMo", "fanXing")),
        ("next", ("seats", "P1")),
        *((name, ("events", 2)) for name in ("dt_ms", "to", "msg")),
        *((name, ("events", 0, "msg")) for name in ("route", "uid", "id", "remainNum")),
        *((name, ("events", 1, "msg")) for name in ("uid", "status")),
        *((name, ("events", 2, "msg")) for name in ("uid", "id")),
        *((name, ("events", 3, "msg", 0)) for name in ("type", "cardArr")),
        *((name, ("events", 4, "msg")) for name in ("uid", "cardArr", "type")),
        ("id", ("events", 9, "msg")),
        *((name, ("events", 11, "msg")) for name in ("uid", "id", "visible", "remainNum")),
        *((name, ("events", 13, "msg")) for name in ("uid", "id", "cardArr")),
        *((name, ("events", 14, "msg")) for name in ("id", "xing")),
        *(
            (name, ("events", 15, "msg"))
            for name in ("uid", "type", "id", "cardArr", "eachHu", "huShu", "xing", "remainCard")
        ),
    ],
)
def test_a_renamed_field_is_named(name: str, path: tuple[Any, ...]) -> None:
    refused(dumped(without(name, *path)), "BAD_FIELD", "route is missing" if name == "route" else f"no field {name!r}")


def changed(value: Any, *path: Any) -> bytes:
    line = copy.deepcopy(merged(play()))
    at: Any = line
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return dumped(line)


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (changed(21, "events", 2, "msg", "id"), "UNKNOWN_CARD", "events[2].msg.id"),
        (changed([1, 0], "wall"), "UNKNOWN_CARD", "wall[1]"),
        (changed("P7", "events", 2, "msg", "uid"), "BAD_SEAT", "'P7'"),
        (changed("P1", "dealer"), "BAD_FIELD", "dealer"),
        (changed([3] * 19, "hands", "P1"), "DEAL_SIZE", "hands.P1"),
        (changed(5, "hands", "P0", 20), "BAD_FIELD", "亮张"),
        (changed([1] * 20, "wall"), "BAD_FIELD", "wall"),
        (changed(18, "events", 0, "msg", "remainNum"), "BAD_FIELD", "extra cards"),
        (changed(4, "events", 0, "msg", "remainNum"), "DEBUG_DECK", "4 cards"),
        (changed(2, "events", 11, "msg", "visible"), "BAD_FIELD", "from 0 to 1"),
        (changed(True, "events", 2, "msg", "id"), "BAD_FIELD", "card number"),
        (changed(1.5, "events", 2, "dt_ms"), "BAD_FIELD", "whole number"),
        (changed(3, "meta", "rules", "ziMo"), "BAD_FIELD", "ziMo"),
        (changed({"next": "P0"}, "seats", "P1"), "BAD_FIELD", "circle"),
        (changed([1, 2], "events", 4, "msg", "cardArr"), "BAD_FIELD", "copies of one card"),
        (changed([8, 18], "events", 7, "msg", "xiahuo"), "BAD_FIELD", "three cards"),
        (changed([9], "events", 7, "msg", "cardArr"), "BAD_FIELD", "two hand cards"),
        (changed(17, "events", 15, "msg", "type"), "BAD_FIELD", "kind of win"),
        (changed([1], "events", 15, "msg", "eachHu"), "BAD_FIELD", "eachHu"),
        (changed([1], "events", 14, "msg", "xing"), "BAD_FIELD", "differ in length"),
        (changed([], "events"), "BAD_FIELD", "onLordSelect"),
        (changed(play()[2:], "events"), "BAD_FIELD", "onLordSelect"),
        (changed([*play(), deal() | {"dt_ms": 9000}], "events"), "BAD_FIELD", "second onLordSelect"),
        (changed("28.4.2017", "meta", "date"), "BAD_FIELD", "no date"),
        (changed(["P0"] * 201, "events", 2, "to"), "LIMIT", "200"),
        (dumped(merged(play())).replace(b'"dealer"', b'"wall": [], "dealer"', 1), "SYNTAX", "'wall'"),
        (dumped(merged(play())).replace(b'"ziNum": 7', b'"ziNum": NaN'), "SYNTAX", "NaN"),
        (dumped(merged(play())).replace(b'"ziNum": 7', b'"ziNum": 1e999'), "BAD_FIELD", "expected a number"),
        (dumped(merged(play())).replace(b'"ziNum": 7', b'"ziNum": 1e99999999999999999999'), "SYNTAX", "JSON"),
        (dumped(merged(play())).replace(b"SYN-1", b"\\ud800"), "NOT_UTF8", "UTF-16"),
        (dumped(merged(play())).replace(b"SYN-1", b"\xff"), "NOT_UTF8", "UTF-8"),
        (dumped(merged(play())).replace(b'"dealer"', b"dealer", 1), "SYNTAX", "JSON"),
        (dumped(merged(play()))[:-1000], "TRUNCATED", "unfinished"),
        (dumped(merged(play()))[:-1000] + b"\n", "SYNTAX", "JSON"),
        (dumped(merged(play(), note="字")).replace(b"\\u5b57", "字".encode())[:-4], "TRUNCATED", ""),
        (b"[" * 5000 + b"\n", "LIMIT", "deep"),
        (b"[1]\n", "SYNTAX", "object"),
        (b'{"a": 1}\n', "BAD_FIELD", "neither"),
        (b'{"meta": "' + b"x" * 1_000_000 + b'"}\n', "LIMIT", "1000000"),
    ],
)
def test_refusals_name_the_fault(data: bytes, code: str, says: str) -> None:
    found = refused(data, code, says)
    assert (found.index, found.line, found.byte_offset) == (0, 1, 0)


NASTY: list[Any] = [None, -1, 0, 21, 2**70, "", "P9", "7", "x" * 400, [], {}, [[1]], [1, [2]], True, 1.5, "\udc00"]


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        found += spots(item, (*path, key))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_damaged_logs_are_accepted_or_refused_never_more(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = set()
    for turn in range(250):
        lines: list[Any] = copy.deepcopy([merged(play())] if turn % 2 else stream(play()))
        for path in rng.sample(spots(lines), 2):
            at: Any = lines
            try:
                for step in path[:-1]:
                    at = at[step]
                if rng.random() < 0.3:
                    del at[path[-1]]
                else:
                    at[path[-1]] = copy.deepcopy(rng.choice(NASTY))
            except (LookupError, TypeError):
                continue  # the first damage took the second's place away
        data = bytearray(dumped(*lines))
        if rng.random() < 0.3 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        for found in read(bytes(data)):
            outcomes.add(type(found))
            msgspec.json.encode(found)
            if isinstance(found, Record):
                assert check_found(found) is None or check_found(found).code in {"FIFTH_COPY", "BAD_MOVE"}
            else:
                assert found.code
                assert len(found.reason) < 2000
    assert outcomes == {Record, Reject}
