"""Records as long as may be are read in a time that grows with their length, not with its square."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable

import pyarrow as pa
import pytest

from ingest.adapters.registry import Reject
from ingest.limits import MAX_LINE
from ingest.notation import dotted_line, loads
from ingest.reader import read_stream
from tests.ingest.test_h5 import document
from tests.ingest.test_parquet import stored
from tests.ingest.test_sy599 import wrapper

MANY = 60_000
NAMES = [f"k{n}" for n in range(MANY)]
SECONDS = 6.0
"""The square of ``MANY`` steps takes more than this, ``MANY`` steps far less, on any machine."""


def object_with_many_keys(told: dict[str, object]) -> bytes:
    return json.dumps(told | dict.fromkeys(NAMES, 0), separators=(",", ":")).encode() + b"\n"


def key_twice() -> bytes:
    keys = ",".join(f'"{name}":0' for name in [*NAMES, NAMES[-1]])
    return b'{"initialCard":0,"actionList":0,' + keys.encode() + b"}\n"


def column_twice() -> bytes:
    return ",".join([*NAMES, NAMES[-1]]).encode() + b"\n"


def parquet_column_twice() -> bytes:
    names = [*NAMES[:20_000], NAMES[0]]
    return stored(pa.table([pa.array([0], pa.int8())] * len(names), names=names))


@pytest.mark.parametrize(
    ("make", "form", "says"),
    [
        (lambda: object_with_many_keys(document()), "h5", None),
        (lambda: object_with_many_keys(wrapper()), "sy599", None),
        (lambda: object_with_many_keys({"phz_sheet": 1, "players": ["a", "b"], "points": [0, 0]}), "sheet", None),
        (key_twice, "h5", "stands twice"),
        (column_twice, "sheet", "stands twice"),
        (parquet_column_twice, "parquet", "is there twice"),
    ],
)
def test_many_names(make: Callable[[], bytes], form: str, says: str | None) -> None:
    raw = make()
    assert form == "parquet" or len(raw) < MAX_LINE
    begin = time.process_time()
    (found,) = read_stream(io.BytesIO(raw), "x", form)
    assert time.process_time() - begin < SECONDS
    if says is None:
        assert not isinstance(found, Reject), found
        assert found.tags["extra_fields"].startswith("k0×1 k1×1 k10×1 ")
    else:
        assert isinstance(found, Reject), found
        assert says in found.reason


HIDDEN = "a." * 40_000 + "a = 1\n"
STARTS = ["", '# "\n', 'x = "#" # \'\n', 'x = """\n \' """\n', "x = '''\n \" '''\n", 'x = """\\""" \' """"\n']
INSIDE = ['x = {y = """\n \' """, ', "x = {y = '''\n \" '''', ", 'x = {y = """a"""", ']


@pytest.mark.parametrize(
    "text", [*(start + HIDDEN for start in STARTS), *(f"{one}{HIDDEN[:-1]}}}\n" for one in INSIDE)]
)
def test_a_key_of_many_dots_cannot_hide(text: str) -> None:
    assert dotted_line(text) == 1 + text[: text.index("a.a.")].count("\n")
    begin = time.process_time()
    (found, *_) = loads(f"phz = 1\n[[round]]\n{text}")
    assert time.process_time() - begin < SECONDS
    assert isinstance(found, Reject)
    assert found.code == "LIMIT"


@pytest.mark.parametrize(
    "text", ['x = """\n{}"""\n', "x = '''\n'{}'''\n", 'x = "{}"\n', "# {}\n", 'x = ["{}",\n"{}"]\n']
)
def test_dots_in_texts_are_no_dots_in_keys(text: str) -> None:
    assert dotted_line(text.replace("{}", "." * 200)) is None
