"""One kernel source, two ways to run it: the same bytes from both, and again from the cache of another process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from replay.bulk import audit_arrays, run_audit
from replay.engine import engine
from replay.kernels.audit import SUMMARY_SIZE, audit_rounds
from replay.kernels.jit import compiled, plain
from replay.kernels.layout import MAX_FOUND
from replay.replayer import replay_round
from replay.rulesets import RULESETS
from replay.seating import seated
from replay.simulate import Player, sessions

ROOT = Path(__file__).resolve().parent.parent.parent
PLAYERS = [Player("a"), Player("b", peng=90, chi=90), Player("c", hu=80, chi=40), Player("d", lone=30)]
DIGEST = """
import hashlib
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from ingest.convert import dumps
digest = hashlib.sha256()
for ruleset in RULESETS.values():
    rounds = sessions(engine(ruleset, compiled()), 5, 60, [Player("a"), Player("b"), Player("c", hu=80)])
    digest.update(dumps(rounds, "jsonl").encode())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("name", RULESETS)
def test_compiled_and_plain_audit_give_the_same_ints(name: str) -> None:
    records = list(sessions(engine(RULESETS[name]), 3, 120, PLAYERS))
    seatings = [seated(record, RULESETS[name]) for record in records]
    deals, events, spans, wholes = audit_arrays(seatings)
    # Faults too must be the same: every third round loses an event's card.
    events = events.copy()
    for r in range(0, len(records), 3):
        at = 5 * int((spans[r] + spans[r + 1]) // 2)
        events[at + 2] = (events[at + 2] + 7) % 20 if events[at + 2] >= 0 else events[at + 2]
    summaries, findings = run_audit(engine(RULESETS[name], compiled()), deals, events, spans, wholes)
    slow = engine(RULESETS[name], plain())
    plain_summaries = [0] * (SUMMARY_SIZE * len(records))
    plain_findings = [0] * (6 * 64 * len(records))
    lists = [part.tolist() for part in (deals, events, spans, wholes)]
    n = audit_rounds(slow.state, slow.table, len(records), 64 * len(records), *lists, plain_summaries, plain_findings)
    assert n > 0
    assert np.array_equal(summaries.ravel(), np.array(plain_summaries))
    assert findings.tolist() == plain_findings[: 6 * n]


def test_second_process_reads_the_cache_and_agrees() -> None:
    """A cached kernel that calls itself would crash here, and a stale cache would disagree with the source."""
    digests = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": "."},
        )
        assert run.returncode == 0, run.stderr
        digests.append(run.stdout.strip())
    from ingest.convert import dumps

    here = hashlib.sha256()
    for ruleset in RULESETS.values():
        rounds = sessions(engine(ruleset), 5, 60, [Player("a"), Player("b"), Player("c", hu=80)])
        here.update(dumps(rounds, "jsonl").encode())
    assert digests == [here.hexdigest()] * 2


def test_small_commands_load_neither_numba_nor_polars(tmp_path: Path) -> None:
    from ingest.convert import dumps

    source = tmp_path / "one.phz"
    source.write_text(dumps(list(sessions(engine(RULESETS["qq"]), 1, 1, PLAYERS)), "phz"), encoding="utf-8")
    code = (
        "import sys\nfrom replay.cli import audit\n"
        f"assert audit([{str(source)!r}]) == 0\n"
        "print(sorted({'numba', 'numpy', 'polars', 'deltalake', 'duckdb', 'streamlit'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "[]"


def test_a_flood_of_findings_is_counted_and_said() -> None:
    record = next(sessions(engine(RULESETS["qq"]), 1, 1, PLAYERS))
    flood = record.moves + (record.moves[-1],) * 100
    replay = replay_round(msgspec.structs.replace(record, moves=flood, result=None))
    assert len(replay.findings) == MAX_FOUND
    assert replay.undecidable == (f"{100 - MAX_FOUND} further findings are not listed",)
    assert {finding.code for finding in replay.findings} == {"EVENT_AFTER_END"}
