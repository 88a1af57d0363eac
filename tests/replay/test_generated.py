"""Legal rounds by the thousand: no finding in any, and the same rounds compiled and un-compiled."""

from __future__ import annotations

import numpy as np
import pytest

from replay.engine import engine
from replay.kernels import layout
from replay.kernels.jit import compiled
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.rulesets import RULESETS
from tests.replay.generated import audited, batch, tables_of


@pytest.mark.parametrize("name", RULESETS)
def test_ten_thousand_legal_rounds_have_no_finding(name: str) -> None:
    count = audited(RULESETS[name], 7, 10_000)
    assert count.rounds >= 10_000
    assert count.wins > 500
    assert count.events > 30 * count.rounds
    assert count.findings == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_a_million_legal_rounds_have_no_finding(name: str) -> None:
    count = audited(RULESETS[name], 1_000_003, 1_000_000, size=10_000)
    print(name, count)
    assert count.rounds >= 1_000_000
    assert count.findings == 0


@pytest.mark.parametrize("name", RULESETS)
def test_compiled_and_plain_play_the_same_rounds(name: str) -> None:
    fast, slow = engine(RULESETS[name], compiled()), engine(RULESETS[name])
    for seats, paid in tables_of(RULESETS[name]):
        rounds = 25
        deals, events, spans = batch(fast, np.array([5, 9], dtype=np.int64), seats, paid, rounds)
        plain_deals = [0] * (layout.DEAL_SIZE * rounds)
        plain_events = [0] * (EVENT * MOST_EVENTS * (rounds + 1))
        plain_spans = [0] * (rounds + 1)
        extra = int(RULESETS[name].two_ti_extra)
        stream = [5, 9]
        room = MOST_EVENTS * (rounds + 1)
        done = slow.kernels.random_rounds(
            slow.state, slow.table, stream, rounds, room, seats, paid, extra, plain_deals, plain_events, plain_spans
        )
        assert done == rounds
        assert spans.tolist() == plain_spans
        assert deals.tolist() == plain_deals
        assert events.tolist() == plain_events[: EVENT * plain_spans[-1]]
