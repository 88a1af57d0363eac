"""Damaged files: whatever the damage, the outcome is a record or a reject with a known code, never an exception."""

from __future__ import annotations

import pytest

from ingest import notation
from ingest.adapters.jsonl import dump_line
from ingest.record import Group, Offer, Penalty, Result
from tests.ingest.damage import survived
from tests.ingest.guilin_logs import dumped, merged, play, stream
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


GUILIN = {"merged": dumped(merged(play()), merged(play())), "stream": dumped(*stream(play()), *stream(play()))}


@pytest.mark.parametrize("layout", GUILIN)
@pytest.mark.parametrize("seed", range(2))
def test_damaged_pushes_are_told_never_thrown(layout, seed):
    outcomes = survived(GUILIN[layout], "x.jsonl", 1250, seed, "guilin")
    assert min(outcomes.values()) > 100


@pytest.mark.slow
@pytest.mark.parametrize("layout", GUILIN)
@pytest.mark.parametrize("seed", range(2, 4))
def test_much_damaged_pushes_are_told_never_thrown(layout, seed):
    outcomes = survived(GUILIN[layout], "x.jsonl", 25_000, seed, "guilin")
    assert min(outcomes.values()) > 2_000


@pytest.mark.parametrize(("raw", "name"), [(NOTATION, "phz"), (LINES, "jsonl")])
@pytest.mark.parametrize("seed", range(4))
def test_damage_is_told_never_thrown(raw, name, seed):
    outcomes = survived(raw, f"x.{name}", 1250, seed)
    assert min(outcomes.values()) > 250


@pytest.mark.slow
@pytest.mark.parametrize(("raw", "name"), [(NOTATION, "phz"), (LINES, "jsonl")])
@pytest.mark.parametrize("seed", range(4, 8))
def test_much_damage_is_told_never_thrown(raw, name, seed):
    outcomes = survived(raw, f"x.{name}", 25_000, seed)
    assert min(outcomes.values()) > 5_000
