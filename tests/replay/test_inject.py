"""Each finding planted into legal rounds: found at the exact event and seat, and nothing else is found."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

import replay
from ingest.validate import check_found
from replay.inject import INJECTORS
from replay.rulesets import RULESETS
from replay.simulate import Stream
from replay.version import ENGINE_VERSION
from replay.violations import VIOLATIONS
from tests.docs.tables import ROOT, rows
from tests.replay.injections import BEGIN, END, SEED, Pool, applies, inject, machine_of, wanted

LEAST, TOTAL = 50, 200
BASE_ROUNDS, TRIES = 300, 3_000
APPLIES = applies()
PAIRS = [(code, ruleset) for code in sorted(APPLIES) for ruleset in APPLIES[code]]


@cache
def pool_of(ruleset: str) -> Pool:
    return Pool(ruleset, SEED)


def test_every_code_has_an_injector_and_every_injector_a_code() -> None:
    assert set(INJECTORS) == set(VIOLATIONS) == set(APPLIES)
    assert all(injector.code == code for code, injector in INJECTORS.items())


def test_clauses_are_in_the_rules() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for injector in INJECTORS.values():
        assert f'<a id="r{injector.clause.replace(".", "-")}"></a>' in text, injector


@pytest.mark.parametrize(("code", "ruleset"), PAIRS)
def test_what_is_planted_is_found_and_nothing_else(code: str, ruleset: str) -> None:
    want = wanted(APPLIES[code], LEAST, TOTAL)
    tally = inject(code, ruleset, want, pool_of(ruleset), most_rounds=BASE_ROUNDS, tries=TRIES)
    assert tally.missed[:3] == []
    assert tally.false[:3] == []
    assert (tally.found, tally.alarms) == (want, 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rounds_before_are_clean(ruleset: str) -> None:
    for number in range(30):
        played = pool_of(ruleset).at(number)
        outcome = replay.replay_round(played.record, machine_of(ruleset))
        assert (outcome.verdict, outcome.findings) == ("clean", ()), number


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_place_where_the_ruleset_has_no_such_finding(ruleset: str) -> None:
    stream = Stream(SEED)
    for code, injector in INJECTORS.items():
        if ruleset not in APPLIES[code]:
            assert [injector.place(pool_of(ruleset).at(number), stream) for number in range(8)] == [None] * 8, code


@pytest.mark.parametrize("code", sorted(INJECTORS))
def test_planted_rounds_can_be_imported_unless_the_deal_is_wrong(code: str) -> None:
    ruleset = APPLIES[code][-1]
    stream = Stream(SEED + 1)
    for number in range(10):
        planted = INJECTORS[code].place(pool_of(ruleset).at(number), stream)
        if planted is not None and not (planted.seq < 0 and code in ("HAND_COUNT", "FIFTH_COPY", "WALL_MISMATCH")):
            assert check_found(planted.record) is None


def test_the_same_stream_plants_the_same_fault() -> None:
    record = pool_of("qq").at(3).record
    for code in ("ZOU_PAO", "DEAD_CLAIM", "WRONG_SCORE"):
        first, again = (INJECTORS[code].plant(record, Stream(7), machine_of("qq")) for _ in range(2))
        plain = INJECTORS[code].plant(record, Stream(7))
        assert first == again == plain
        assert first is None or msgspec.msgpack.encode(first.record) == msgspec.msgpack.encode(plain and plain.record)


def test_the_page_has_a_row_for_every_code_and_every_fault_was_found() -> None:
    path = ROOT / "docs" / "validation.md"
    text = path.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert f"Engine version {ENGINE_VERSION}" in text
    measured = {cells[0]: cells[1:] for cells in rows(path, columns=1 + len(RULESETS)) if cells[0] in INJECTORS}
    assert set(measured) == set(INJECTORS)
    for code, counts in measured.items():
        for ruleset, count in zip(RULESETS, counts, strict=True):
            plain = count.replace(",", "").isdigit()
            assert plain if ruleset in APPLIES[code] else count == "–", (code, ruleset, count)
