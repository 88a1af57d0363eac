"""What may be judged of a round whose source never tells some kinds of events (``Record.omits``).

A missing event shows as a fault of the play at the first event that does not fit without it. From there on nothing can
be told from a real fault, so nothing is; what was found before stands (rules 3.17 applies to what a source does tell).
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.codes import ACTION_CHARS, Action
from ingest.record import Record
from replay.findings import Finding

_SHOWS = {
    Action.BI: frozenset({"SHAO_BI"}),
    # Told as a 偎, which a 臭偎 is but for its open card.
    Action.CHOU_WEI: frozenset({"CHOUWEI_HIDDEN", "CHOUWEI_SPURIOUS", "HU_BANNED"}),
}
"""By which finding a missing event shows; of any other action, by any finding of the play."""


def reason(record: Record) -> str:
    """Why something stays undecided."""
    return "the source never tells " + " ".join(ACTION_CHARS[Action(action)] for action in record.omits)


def decidable(record: Record, findings: Sequence[Finding]) -> int:
    """The first event from which on nothing is decidable; one more than the settlement's number where all is."""
    suspects = (
        finding.seq
        for finding in findings
        if finding.seq >= 0
        and any(action not in _SHOWS or finding.code in _SHOWS[Action(action)] for action in record.omits)
    )
    return min(suspects, default=len(record.moves) + 1)
