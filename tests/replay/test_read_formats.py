"""Legal rounds written in every format, read back and replayed: what a format cannot tell must raise no finding."""

from __future__ import annotations

import io
from collections import Counter

import pytest

from ingest.adapters import adapters
from ingest.convert import dump
from ingest.limits import Fault
from ingest.reader import read_stream
from ingest.record import Record
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.replayer import replay_round, rules_of
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions

PLAYERS = [Player("甲"), Player("乙", peng=90, chi=90), Player("丙", hu=80, chi=90)]
WRITTEN = {adapter.name: adapter for adapter in adapters() if adapter.write is not None}
RULES = {"guilin_log": "guilin"}
"""Formats of one ruleset only."""


@pytest.fixture(scope="module")
def played() -> dict[str, list[Record]]:
    return {
        name: list(sessions(engine(RULESETS[name], compiled()), 9, 120, PLAYERS, platform="平台"))
        for name in ("hu15", "guilin", "qq")
    }


@pytest.mark.parametrize("name", WRITTEN)
def test_no_finding_comes_of_what_a_format_cannot_tell(played, name):
    ruleset = RULES.get(name, "hu15")
    params = {"ruleset": ruleset, "order": "listed"}
    told = [f"{key}={value}" for key, value in params.items() if key in WRITTEN[name].params]
    given = f"{name}:{','.join(told)}"
    verdicts: Counter[str] = Counter()
    for record in played[ruleset]:
        try:
            raw = dump([record], given)
        except Fault:
            continue
        for found in read_stream(io.BytesIO(raw), f"x{WRITTEN[name].extensions[0]}", given):
            assert isinstance(found, Record), found
            replay = replay_round(found, engine(rules_of(found), compiled()))
            wrong = [finding for finding in replay.findings if finding.severity > 0]
            assert not wrong, (name, wrong[:3], replay.undecidable)
            verdicts[replay.verdict] += 1
    assert verdicts.total() >= 30
