"""The check that the importer cannot make itself: are the ruleset and its options known, and the seats as it plays?"""

from __future__ import annotations

from ingest.adapters.registry import Reject
from ingest.record import Record
from replay.kernels.layout import SEATS
from replay.rulesets import RulesetError, resolve


def accept(record: Record) -> Reject | None:
    """A reject with its reason, or None when the record can be replayed."""
    try:
        resolve(record.ruleset, record.options)
    except RulesetError as error:
        return Reject(error.code, str(error))
    if len(record.players) != SEATS or record.sitter is not None:
        return Reject(
            "BAD_SEAT", f"ruleset {record.ruleset} is played by {SEATS} seats, the record has {len(record.players)}"
        )
    return None
