"""``.jsonl``: a round a line, strictly."""

from __future__ import annotations

import io
import json

import pytest

from ingest.adapters.jsonl import dump_line, read_lines
from ingest.adapters.registry import Reject
from ingest.record import Record
from tests.ingest.made import plain, refused, taken

GOOD = dump_line(plain())


def read(raw: bytes) -> list[Record | Reject]:
    return list(read_lines(io.BytesIO(raw), "x.jsonl"))


def with_line(line: bytes) -> Reject:
    """The reject of a bad line between two good ones, which must be read."""
    found = read(GOOD + line + b"\n" + GOOD)
    assert [isinstance(one, Record) for one in found] == [True, False, True]
    reject = found[1]
    assert isinstance(reject, Reject)
    assert (reject.index, reject.line) == (1, 2)
    assert len(GOOD) <= (reject.byte_offset or 0) <= len(GOOD) + len(line)
    assert len(reject.raw_hash) == 32
    return reject


def changed(old: str, new: str) -> bytes:
    text = GOOD.decode().strip()
    assert text.count(old) == 1
    return text.replace(old, new).encode()


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (changed('"dealer":0', '"dealer":0,"dealer":1'), "SYNTAX", "dealer"),
        (changed('"huxi":15', '"huxi":15,"huxi":16'), "SYNTAX", "huxi"),
        (changed('"dealer":0', '"dealer":NaN'), "SYNTAX", "JSON"),
        (changed('"dealer":0', '"dealer":0.0'), "BAD_FIELD", "dealer"),
        (changed('"dealer":0', '"dealer":"0"'), "BAD_FIELD", "dealer"),
        (changed('"dealer":0', '"dealr":0'), "BAD_FIELD", "dealr"),
        (changed('"huxi":15', '"huxy":15'), "BAD_FIELD", "huxy"),
        (changed('"dealer":0,', ""), "BAD_FIELD", "dealer"),
        (changed('"huxi":15', '"huxi":' + "9" * 5000), "BAD_FIELD", "huxi"),
        (changed('"ruleset":"qq"', '"ruleset":"\\ud800"'), "SYNTAX", "surrogate"),
        (changed('"phz":1,', ""), "WRONG_FORMAT", "phz"),
        (changed('"phz":1', '"phz":2'), "WRONG_FORMAT", "phz"),
        (changed("甲", "甲\ufffd"), "NOT_UTF8", "U+FFFD"),
        (changed('"qq"', '"q\\u0000q"'), "BAD_FIELD", "U+0000"),
        (GOOD.strip()[:-40], "SYNTAX", "JSON"),
        (b'{"phz":1}', "BAD_FIELD", "ruleset"),
        (b"[]", "BAD_FIELD", "object"),
        (b"null", "BAD_FIELD", "object"),
        (b"hello", "SYNTAX", "JSON"),
        (b"[" * 100_000, "LIMIT", "64"),
        (b'{"phz":1,"x":' + b"[" * 70 + b"]" * 70 + b"}", "LIMIT", "64"),
        (b"{" + b" " * 1_000_001 + b"}", "LIMIT", "1000000"),
        (changed("甲", "甲").replace("甲".encode(), "甲".encode("gb18030")), "NOT_UTF8", "0xBC"),
    ],
)
def test_a_bad_line_costs_itself_only(line, code, said):
    from ingest.validate import check_found

    if code == "BAD_FIELD" and said == "U+0000":
        # Such text is JSON; the general check of records refuses it.
        (record,) = taken(read(line))
        reject = check_found(record)
        assert reject is not None
    else:
        reject = with_line(line)
    assert reject.code == code
    assert said in reject.reason


def test_a_cut_last_line_is_truncated():
    for end in (len(GOOD) - 2, len(GOOD) // 2, GOOD.index("甲".encode()) + 1):
        found = read(GOOD + GOOD[:end])
        assert isinstance(found[0], Record)
        assert [(one.code, one.index, one.line) for one in refused(found)] == [("TRUNCATED", 1, 2)]


def test_blank_lines_bom_and_line_ends_do_not_matter():
    raw = b"\xef\xbb\xbf" + GOOD + b"\n  \n" + GOOD.replace(b"\n", b"\r\n") + GOOD.strip()
    found = read(raw)
    assert taken(found) == [plain()] * 3
    assert [one.source.line for one in found if isinstance(one, Record)] == [1, 4, 5]


def test_keys_in_another_order_and_spaces_are_read():
    fields = json.loads(GOOD)
    line = json.dumps(dict(reversed(fields.items())), indent=None, ensure_ascii=True).encode()
    assert taken(read(line)) == [plain()]


def test_an_empty_file_is_one_reject():
    for raw in (b"", b"\n\n  \n"):
        assert [one.code for one in refused(read(raw))] == ["EMPTY"]


def test_the_reader_fills_file_and_index_and_refuses_them_in_the_text():
    assert with_line(changed('"hands":', '"source":{"file":"x"},"hands":')).code == "BAD_FIELD"


def test_true_and_one_are_different_values_of_an_option():
    for value in (True, False, 1, 0, "true", (1, "1"), ()):
        (back,) = taken(read(dump_line(plain(options={"x": value}))))
        assert (back.options["x"], type(back.options["x"])) == (value, type(value))


@pytest.mark.parametrize("value", ["1.0", "null", "[true]", "[[1]]", "{}"])
def test_other_values_of_an_option_are_refused(value):
    line = dump_line(plain(options={"x": 7})).replace(b'"x":7', f'"x":{value}'.encode())
    assert with_line(line).code == "BAD_FIELD"
