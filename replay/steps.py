"""Steps to a win (步数): how many cards must still come to a hand so that it has won. Public API (docs/steps.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from replay.fronts import few_fronts
from replay.hands import seated_hand
from replay.kernels.pieces import WORK_SIZE
from replay.kernels.steps import DEAD
from replay.kernels.steps import steps_to_win as steps_kernel
from replay.ruleset import Ruleset
from replay.rulesets import resolve


def steps_to_win(
    cards: str | Iterable[int],
    melds: Iterable[str] = (),
    ruleset: str | Ruleset = "qq",
    options: Mapping[str, Any] | None = None,
) -> int | None:
    """The least number of cards that must still come to concealed ``cards`` and ``melds`` until the hand has won.

    0: it is complete as it is; 1: it waits (听); ``DEAD`` (-1): no cards can complete it. None where there is no such
    number: in a ruleset whose drawn cards enter the hand, and for a number of cards that no seat owns (rules 2.14).
    Only the seat's own cards count, not what others show. Raises ``HandError`` for a bad card or a fifth copy.
    """
    rules = resolve(ruleset, options) if isinstance(ruleset, str) else ruleset
    machine = seated_hand(cards, melds, rules)
    owned, due = machine.kernels.owned_of(machine.state, 0), machine.kernels.discard_due(machine.state, 0)
    if rules.draw_to_hand or owned < 20 or due > 1:
        return None
    return steps_kernel(machine.state, few_fronts(rules), [0] * WORK_SIZE, 0)


__all__ = ["DEAD", "steps_to_win"]
