"""The engine against the oracle, event by event, on generated rounds of every ruleset and of changed options."""

from __future__ import annotations

from typing import Any

import pytest

from replay.kernels.jit import compiled
from replay.rulesets import RULESETS, resolve
from tests.oracle.agree import Tally, agreement

OF_RULESET: dict[str, dict[str, Any]] = {"guilin": {"xing": ("shang", "xia")}}
"""Options that the oracle must be told, since it leaves them out by default."""
CHANGED: list[tuple[str, dict[str, Any]]] = [
    ("qq", {"chi_prev_draw": False, "stale_mode": "separate", "zimo": "none"}),
    ("qq", {"tianhu_quads": "optional", "chouhu": False, "fan_level": "base", "min_huxi": 10}),
    ("qq", {"dead_forced": "waive_and_out", "own_bars_peng": False, "min_huxi": 6}),
    ("hu15", {"zimo": "plus_one_after_fan", "tianhu_factor": 2, "min_huxi": 9}),
    ("bisai", {"xing_fee": "flat", "zimo": "one_fan", "qianti_bonus": 2}),
    ("bisai", {"tianhu_is_zimo": "all", "fan_level": "half", "min_huxi": 6}),
    ("luzhou", {"zi_step": 1, "deng_cap": 2, "peng_forced": False}),
    ("luzhou", {"fan_level": "none", "dihu": "off", "last_wins": True}),
    ("general", {"dihu": "off", "pay_discard": "all", "quad_units": 0}),
    ("general", {"fan_level": "none"}),
    ("guilin", {"xing": ("zhong",), "zi_step": 3, "zimo": "double", "stale_mode": "joint"}),
    ("guilin", {"xing": (), "hu_pass_kills": False, "dead_chi_all": False, "own_bars_peng": True}),
    ("ningxiang", {"fan_more": 0, "dihu": "off", "min_huxi": 10}),
]


def check(tally: Tally, rounds: int) -> None:
    assert tally.faults == []
    assert tally.rounds == rounds
    assert set(tally.endings) == {"胡", "荒"}
    assert tally.events > 25 * rounds
    assert tally.moves > 2 * tally.events


@pytest.mark.parametrize("name", RULESETS)
def test_engine_and_oracle_agree_event_by_event(name: str) -> None:
    options = OF_RULESET.get(name, {})
    check(agreement(resolve(name, options), 2026, 1_000, compiled(), options), 1_000)


@pytest.mark.parametrize(("name", "options"), CHANGED)
def test_engine_and_oracle_agree_with_changed_options(name: str, options: dict[str, Any]) -> None:
    check(agreement(resolve(name, options), 11, 150, compiled(), options), 150)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", RULESETS)
def test_engine_and_oracle_agree_on_a_hundred_thousand_rounds(name: str, part: int) -> None:
    options = OF_RULESET.get(name, {})
    check(agreement(resolve(name, options), 1_000 + part, 10_000, compiled(), options), 10_000)
