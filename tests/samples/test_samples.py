"""The sample rounds of data/samples: each is read, replayed and written again, and is what its expectation says."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import replay
from ingest import notation
from ingest.adapters import jsonl
from ingest.adapters.registry import Reject
from ingest.naming import round_id
from ingest.reader import read_path
from ingest.record import Provenance, Record
from replay.accept import accept
from replay.session import session_findings
from replay.violations import VIOLATIONS

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
FILES = sorted(SAMPLES.glob("*.phz"))
BAD = SAMPLES / "bad"
LEAST_ROUNDS = 250


@cache
def read(path: Path) -> tuple[Record | Reject, ...]:
    return tuple(read_path(path))


def bare(record: Record) -> Record:
    """The record without the place where it was read."""
    return msgspec.structs.replace(record, source=Provenance(note=record.source.note))


@cache
def expected(path: Path) -> list[dict[str, Any]]:
    """What each round must give; ``session``: findings that only the rounds beside it show."""
    rounds = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
    return [{"session": [], **one} for one in rounds]


def rounds() -> Iterator[tuple[Path, int]]:
    for path in FILES:
        for index in range(len(expected(path))):
            yield path, index


ROUNDS = list(rounds())
EVERY_ROUND = pytest.mark.parametrize(
    ("path", "index"), ROUNDS, ids=[str(expected(path)[index]["sample"]) for path, index in ROUNDS]
)


def record_at(path: Path, index: int) -> Record:
    record = read(path)[index]
    assert isinstance(record, Record), record
    return record


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_round_is_read_and_has_an_expectation(path: Path) -> None:
    names = [one.tags["sample"] if isinstance(one, Record) else one for one in read(path)]
    assert names == [one["sample"] for one in expected(path)]
    assert [one for one in read(path) if isinstance(one, Record) and accept(one) is not None] == []


@EVERY_ROUND
def test_a_sample_replays_to_what_is_expected(path: Path, index: int) -> None:
    outcome = replay.replay_round(record_at(path, index))
    score = outcome.score
    said = {
        "verdict": outcome.verdict,
        "findings": [[found.seq, found.code, found.seat] for found in outcome.findings],
        "undecidable": list(outcome.undecidable),
        "score": None
        if score is None
        else {
            "winner": score.winner,
            "huxi": score.huxi,
            "units": score.units,
            "fan": score.fan,
            "points": list(score.points),
        },
    }
    wanted = {key: value for key, value in expected(path)[index].items() if key != "session"}
    assert {"sample": record_at(path, index).tags["sample"], **said} == wanted


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_only_a_session_shows(path: Path) -> None:
    records = [record_at(path, index) for index in range(len(expected(path)))]
    found = session_findings(records, [replay.replay_round(record) for record in records])
    assert [[[f.seq, f.code, f.seat] for f in each] for each in found] == [one["session"] for one in expected(path)]


@EVERY_ROUND
def test_a_sample_says_what_it_shows(path: Path, index: int) -> None:
    tags = record_at(path, index).tags
    assert all(tags.get(key) for key in ("zh", "en", "rule")), tags


@EVERY_ROUND
def test_writing_and_reading_again_changes_nothing(path: Path, index: int) -> None:
    record = bare(record_at(path, index))
    again = [bare(one) for one in notation.loads(notation.dumps([record])) if isinstance(one, Record)]
    assert again == [record]
    lines = io.BytesIO(jsonl.dump_line(record))
    again = [bare(one) for one in jsonl.read_lines(lines, "") if isinstance(one, Record)]
    assert again == [record]
    assert {round_id(one) for one in again} == {round_id(record)}


def test_the_samples_are_many_and_all_different() -> None:
    ids = Counter(round_id(record_at(path, index)) for path, index in ROUNDS)
    assert len(ROUNDS) >= LEAST_ROUNDS
    assert [times for times in ids.values() if times > 1] == []


def test_every_finding_has_a_sample_and_no_other_is_expected() -> None:
    wanted = [expected(path)[index] for path, index in ROUNDS]
    codes = {found[1] for one in wanted for found in (*one["findings"], *one["session"])}
    assert codes == set(VIOLATIONS)


def test_every_ruleset_has_clean_faulty_and_undecidable_samples() -> None:
    seen = {(record_at(path, index).ruleset, expected(path)[index]["verdict"]) for path, index in ROUNDS}
    verdicts = ("clean", "violations", "undecidable")
    assert seen == {(ruleset, verdict) for ruleset in replay.RULESETS for verdict in verdicts}


@cache
def refusals() -> dict[str, list[dict[str, Any]]]:
    return dict(json.loads((BAD / "expected.json").read_text(encoding="utf-8")))


def refused(one: Record | Reject) -> dict[str, Any]:
    """What the importer makes of one entry: the name of an accepted sample, or code and line of the refusal."""
    if isinstance(one, Reject):
        assert one.reason
        return {"code": one.code, "line": one.line}
    reject = accept(one)
    if reject is None:
        return {"sample": one.tags["sample"]}
    assert reject.reason
    return {"code": reject.code, "line": one.source.line}


@pytest.mark.parametrize("name", refusals())
def test_bad_files_are_refused_where_they_are_bad(name: str) -> None:
    found = read(BAD / name)
    assert [refused(one) for one in found] == refusals()[name]
    assert [one.index if isinstance(one, Reject) else one.source.index for one in found] == list(range(len(found)))


def test_every_bad_file_is_expected() -> None:
    assert {path.name for path in BAD.iterdir()} == {*refusals(), "expected.json"}
