"""Damaged files: whatever the damage, the outcome is a record or a reject with a known code, never an exception."""

from __future__ import annotations

import io
import random

import pytest

from ingest import notation
from ingest.adapters.jsonl import dump_line
from ingest.limits import REJECTS
from ingest.reader import read_stream
from ingest.record import Group, Offer, Penalty, Record, Result
from tests.ingest.made import A, plain

FULL = Result(
    0,
    3,
    2,
    1,
    (Group((1, 2, 3), 1, 3),),
    15,
    {"红胡": 2},
    None,
    (1, 2, -3),
    None,
    (3,),
    1,
    (None, (), (1,)),
    (),
    (Penalty(1, "C", (3, -6, 3)),),
)
RECORDS = [
    plain(n, result=FULL, offers=(Offer(0, 1, A.CHI, 3, (4, 5)),), options={"a": ("b", 2), "c": True}) for n in range(3)
]
NOTATION = notation.dumps(RECORDS).encode()
LINES = b"".join(map(dump_line, RECORDS))
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


@pytest.mark.parametrize(("raw", "name"), [(NOTATION, "phz"), (LINES, "jsonl")])
@pytest.mark.parametrize("seed", range(4))
def test_damage_is_told_never_thrown(raw, name, seed):
    dice = random.Random(seed)
    outcomes = {"record": 0, "reject": 0}
    for _ in range(250):
        damaged = damage(raw, dice)
        found = list(read_stream(io.BytesIO(damaged), f"x.{name}"))
        assert found
        for index, one in enumerate(found):
            if isinstance(one, Record):
                outcomes["record"] += 1
                assert one.source.index == index
            else:
                outcomes["reject"] += 1
                assert one.code in REJECTS
                assert one.index == index
                assert one.line is None or 1 <= one.line <= damaged.count(b"\n") + 1
    assert min(outcomes.values()) > 50
