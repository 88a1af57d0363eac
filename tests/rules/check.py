"""What a replayed round says, for tests."""

from __future__ import annotations

from typing import Any

import pytest

import replay
from ingest.record import Record
from ingest.validate import check_found

BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])
THREE = pytest.mark.parametrize("ruleset", ["qq", "hu15", "guilin"])


def findings(record: Record) -> list[Any]:
    """All findings of a record that the importer would accept."""
    assert check_found(record) is None
    return list(replay.replay_round(record).findings)


def codes(record: Record) -> set[str]:
    """Codes of all findings, information included."""
    return {found.code for found in findings(record)}


def faults(record: Record) -> set[tuple[str, int]]:
    """(code, seat) of every finding that is more than information."""
    return {(found.code, found.seat) for found in findings(record) if found.severity > 0}


def seen(record: Record) -> set[tuple[str, int]]:
    """As ``faults``, at the last event only up to what follows from the first one: the root findings."""
    return {
        (found.code, found.seat)
        for found in findings(record)
        if found.severity > 0 and getattr(found, "follows_from", None) is None
    }


def clean(record: Record) -> None:
    """No fault at all, and nothing that could not be decided in play."""
    assert faults(record) == set()


def settled(record: Record) -> Any:
    """The score of a faultless, finished round."""
    clean(record)
    outcome = replay.replay_round(record)
    assert outcome.verdict == "clean", outcome.undecidable
    assert outcome.score is not None
    return outcome.score
