"""The check that the importer cannot make itself: are the ruleset and its options known, and the seats as it plays?"""

from __future__ import annotations

from ingest.adapters.registry import Reject
from ingest.record import Record
from replay.rulesets import RulesetError, resolve


def accept(record: Record) -> Reject | None:
    """A reject with its reason, or None when the record can be replayed."""
    try:
        ruleset = resolve(record.ruleset, record.options)
    except RulesetError as error:
        return Reject(error.code, str(error))
    playing = len(record.players) - (record.sitter is not None)
    if playing not in ruleset.seats:
        seats = " or ".join(map(str, ruleset.seats))
        return Reject("BAD_SEAT", f"ruleset {record.ruleset} is played by {seats} seats, the record has {playing}")
    if record.sitter is not None and (ruleset.sitter == "none" or playing != 3):
        return Reject("BAD_SEAT", f"ruleset {record.ruleset} has no person who sits out with {playing} who play")
    if record.dealer == record.sitter:
        return Reject("BAD_SEAT", f"person {record.dealer} cannot both deal and sit out")
    return None
