"""What the adapters of messages share: counts that stay small, places of faults, the way to the next mark."""

from __future__ import annotations

import io
from collections import Counter

import pytest

from ingest.adapters.byte_window import BLOCK, Window
from ingest.adapters.registry import Reject
from ingest.adapters.told import ToldRound, count
from ingest.codes import Action
from ingest.limits import MAX_EVENTS, MAX_ITEMS, MAX_OFFERS, MAX_TEXT, Fault
from ingest.record import Move, Record
from tests.ingest.made import plain


def test_counts_of_any_number_of_keys_stay_small() -> None:
    counts: Counter[str] = Counter()
    count(counts, *map(str, range(10_000)), "3", "9999")
    assert len(counts) == MAX_ITEMS + 1
    assert (counts["3"], counts["…"]) == (2, 10_001 - MAX_ITEMS)
    told = ToldRound(0)
    for number in range(10_000):
        told.note("gaps", str(number))
    count(told.others, *map(str, range(10_000)))
    assert set(told.texts()) == {"gaps", "other_messages"}
    assert max(map(len, told.texts().values())) <= MAX_TEXT
    assert len(told.notes["gaps"]) < 1000


def test_events_and_offers_have_their_limits() -> None:
    told = ToldRound(0)
    assert told.opened() is None
    for number in range(MAX_EVENTS):
        told.move(0, Action.DRAW if number % 2 else Action.PASS, number % 20)
    assert told.draws == MAX_EVENTS // 2
    assert told.opened() == Move(0, Action.DRAW, (MAX_EVENTS - 1) % 20)
    with pytest.raises(Fault, match="events"):
        told.move(0, Action.PASS)
    for _ in range(MAX_OFFERS):
        told.offer(0, Action.HU, 3)
    with pytest.raises(Fault, match="offers"):
        told.offer(0, Action.HU, 3)


def test_the_first_fault_is_kept_with_its_place() -> None:
    def make() -> Record:
        raise Fault("BAD_FIELD", "坏", "bad")

    told = ToldRound(7, 3)
    assert told.finish(2, plain) == plain()
    found = told.finish(2, make)
    assert isinstance(found, Reject)
    assert (found.code, found.index, found.line, found.byte_offset) == ("BAD_FIELD", 2, 3, 7)
    told.refuse(Fault("SYNTAX", "一", "one"), 20, 5)
    told.refuse(Fault("LIMIT", "二", "two"), 30, 6)
    found = told.finish(2, make)
    assert isinstance(found, Reject)
    assert (found.code, found.line, found.byte_offset) == ("SYNTAX", 5, 20)


@pytest.mark.parametrize("at", [0, 3, 4, 5, *range(BLOCK - 9, BLOCK + 9), 3 * BLOCK + 1])
def test_the_next_mark_is_found_wherever_it_stands(at: int) -> None:
    """Four bytes before the mark count as part of it; the first byte of all is always passed over."""
    data = bytes(at) + b"okokMARK" + b"x" * 9
    window = Window(io.BytesIO(data))
    assert window.skip_to(b"MARK", 4) == data[:1]
    assert window.at == (at if at else len(data))
    refusing = Window(io.BytesIO(data))
    refusing.skip_to(b"MARK", 4, lambda head: head != b"okok")
    assert (refusing.at, refusing.peek(1)) == (len(data), b"")
    twice = Window(io.BytesIO(b"\0" + b"no  MARK" + data))
    twice.skip_to(b"MARK", 4, lambda head: head == b"okok")
    assert twice.at == 9 + at
