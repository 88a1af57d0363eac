"""Re-execute recorded rounds: legal or not, by which rule, and what they score."""

from __future__ import annotations

from replay.findings import Finding
from replay.hands import ChiOption, HandError, HandValue, chi_options, evaluate_hand, waits
from replay.replayer import Decision, Replay, replay_round
from replay.rulesets import RULESETS, Ruleset, RulesetError

__all__ = [
    "RULESETS",
    "ChiOption",
    "Decision",
    "Finding",
    "HandError",
    "HandValue",
    "Replay",
    "Ruleset",
    "RulesetError",
    "chi_options",
    "evaluate_hand",
    "replay_round",
    "waits",
]
