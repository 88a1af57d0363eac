"""Variants of a ruleset: what values of an option are tried, and which options change together."""

from __future__ import annotations

import itertools
from typing import Any

from ingest.record import Option
from replay.ruleset import HUXI, RUN_HUXI, Ruleset, RulesetError
from replay.rulesets import OPTIONS, RULESETS, allowed, resolve

Options = dict[str, Option]
# Values that are refused alone, and what goes with them.
_TOGETHER: dict[tuple[str, Option], Options] = {
    ("win_discard", False): {"dihu": "off", "dihu_forced": False, "pay_discard": "all"},
    ("dihu", "any"): {"win_discard": True},
    ("dihu_forced", True): {"dihu": "any", "win_discard": True},
    ("pay_discard", "discarder_for_all"): {"win_discard": True},
    ("pay_discard", "discarder_alone"): {"win_discard": True},
    ("liang_win", "nobody"): {"liang_forced": False},
    ("penalties", False): {"letters": (), "void_win": "specific"},
    ("dihu", "off"): {"dihu_forced": False},
    ("dihu", "next"): {"dihu_forced": False},
    ("dihu", "first_round"): {"dihu_forced": False},
}


def values_of(option: str) -> tuple[Any, ...]:
    """The values that are tried: all that are allowed; of 胡息 of groups those of the rulesets; of letters none."""
    form = allowed(option)
    if form == (RUN_HUXI,):
        return tuple(itertools.product((0, 3, 6, 9, 12), repeat=2))
    if form == (HUXI,):
        return tuple(dict.fromkeys(getattr(ruleset, option) for ruleset in RULESETS.values()))
    if option == "xing":
        return tuple(kinds for n in range(len(form) + 1) for kinds in itertools.combinations(form, n))
    return () if option == "letters" else form


def variant(name: str, options: Options, option: str, value: Option) -> Options | None:
    """``options`` of a ruleset with one more changed, those it needs beside it too; None where that is no game."""
    for beside in ({}, _TOGETHER.get((option, value), {})):
        changed = {**options, **beside, option: value}
        try:
            rules = resolve(name, changed)
        except RulesetError:
            continue
        return changes(rules)
    return None


def changes(rules: Ruleset) -> Options:
    """The options of a ruleset that are not its own."""
    base = RULESETS[rules.name]
    return {option: getattr(rules, option) for option in OPTIONS if getattr(rules, option) != getattr(base, option)}
