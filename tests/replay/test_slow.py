"""Long runs, by hand (``-m slow``); their figures stand in docs/validation.md with the engine version."""

from __future__ import annotations

import pytest

from replay.bulk import audit_arrays, run_audit
from replay.engine import engine
from replay.kernels.audit import S_FOUND, S_PHASE
from replay.kernels.jit import compiled
from replay.kernels.layout import OVER
from replay.rulesets import RULESETS
from replay.seating import seated
from replay.simulate import Player, sessions

PLAYERS = [Player("a"), Player("b", peng=90, chi=90), Player("c", chi=40), Player("d", lone=30), Player("e", lone=95)]
ROUNDS = 100_000


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", RULESETS)
def test_no_false_alarm(name: str) -> None:
    """Every generated legal round replays without a finding and to its end."""
    machine = engine(RULESETS[name], compiled())
    audited = engine(RULESETS[name], compiled())
    batch = []
    for record in sessions(machine, 2026, ROUNDS, PLAYERS):
        batch.append(record)
        if len(batch) == 5_000:
            arrays = audit_arrays([seated(record, audited.ruleset) for record in batch])
            summaries, findings = run_audit(audited, *arrays)
            assert not len(findings)
            assert not summaries[:, S_FOUND].any()
            assert (summaries[:, S_PHASE] == OVER).all()
            batch.clear()
    assert not batch
