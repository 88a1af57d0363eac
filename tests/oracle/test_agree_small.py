"""A short agreement of engine and oracle with the kernels as plain Python: what the mutation tests run."""

from __future__ import annotations

from typing import Any

import pytest

from replay.kernels.jit import plain
from replay.rulesets import RULESETS, resolve
from tests.oracle.agree import agreement
from tests.oracle.test_agree import CHANGED, OF_RULESET

CASES: list[tuple[str, dict[str, Any]]] = [(name, OF_RULESET.get(name, {})) for name in RULESETS] + CHANGED


@pytest.mark.parametrize("rounds", [3, 30])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_plain_kernels_agree_with_the_oracle(name: str, options: dict[str, Any], rounds: int) -> None:
    tally = agreement(resolve(name, options), 7 * rounds, rounds, plain(), options)
    assert tally.faults == []
    assert tally.rounds == rounds
