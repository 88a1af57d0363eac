"""Damaged files for every adapter: the outcome is a record or a reject with a known code, never an exception."""

from __future__ import annotations

import io
import random
from typing import Any

from ingest.adapters.registry import Reject
from ingest.limits import REJECTS
from ingest.reader import read_stream

UNLIKELY: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x" * 400,
    [],
    [[]],
    {},
    {"a": 1},
    [1, "2", None],
    "\x00",
]
"""Values of JSON that stand where another was expected."""
BITS = [
    b"\x00",
    b"\xff",
    b"\n",
    b'"',
    b"'",
    b'"""',
    b"[",
    b"]",
    b"{",
    b"}",
    b"#",
    b"\\",
    b"?",
    b"-",
    b"1e999",
    b"9" * 30,
]
BITS += [
    b"[[round]]\n",
    "王".encode(),
    "吃".encode(),
    b"null",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\xef\xbf\xbd",
    b"\xe4\xb8",
]


def damage(raw: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randint(1, 4)):
        at, end = sorted((dice.randrange(len(raw) + 1), dice.randrange(len(raw) + 1)))
        kind = dice.randrange(5)
        if kind == 0:
            raw = raw[:at] + dice.choice(BITS) + raw[at:]
        elif kind == 1:
            raw = raw[:at] + raw[at + dice.randint(1, 9) :]
        elif kind == 2:
            raw = raw[:at] + bytes([dice.randrange(256)]) + raw[at + 1 :]
        elif kind == 3:
            raw = raw[:at] + raw[at : at + 40] + raw[at:]
        elif dice.random() < 0.2:
            raw = raw[:end]
        if not raw:
            return b" "
    return raw


def survived(raw: bytes, name: str, times: int, seed: int, form: str | None = None) -> dict[str, int]:
    """Read ``raw`` damaged in ``times`` ways; how many rounds were read and refused.

    ``name`` is the file's name, ``form`` the format to read it in. Every reject must have a known code and a place
    inside the file.
    """
    dice = random.Random(seed)
    outcomes = {"record": 0, "reject": 0}
    for _ in range(times):
        damaged = damage(raw, dice)
        found = list(read_stream(io.BytesIO(damaged), name, form))
        assert found
        for index, one in enumerate(found):
            if isinstance(one, Reject):
                outcomes["reject"] += 1
                assert one.code in REJECTS
                assert one.index == index
                assert one.line is None or 1 <= one.line <= damaged.count(b"\n") + 1
                assert one.byte_offset is None or 0 <= one.byte_offset <= len(damaged)
            else:
                outcomes["record"] += 1
                assert one.source.index == index
    return outcomes
