"""The check that the importer cannot make itself: are the ruleset and its options known, and the seats as it plays?"""

from __future__ import annotations

from ingest.adapters.registry import Reject
from ingest.limits import both
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
        seats = [str(n) for n in ruleset.seats]
        zh = f"规则 {record.ruleset} 由 {'、'.join(seats)} 家打，这里有 {playing} 家"
        en = f"ruleset {record.ruleset} is played by {' or '.join(seats)} seats, the record has {playing}"
        return Reject("BAD_SEAT", both(zh, en))
    if record.sitter is not None and (ruleset.sitter == "none" or playing != 3):
        zh = f"规则 {record.ruleset} 有 {playing} 家打时没有不上场的人"
        en = f"ruleset {record.ruleset} has no person who sits out with {playing} who play"
        return Reject("BAD_SEAT", both(zh, en))
    if record.dealer == record.sitter:
        zh, en = f"座位 {record.dealer} 不能既坐庄又不上场", f"person {record.dealer} cannot both deal and sit out"
        return Reject("BAD_SEAT", both(zh, en))
    return None
