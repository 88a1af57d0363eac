"""The table of strengths in docs/players.md: of the players as they are now, each rung high enough."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from replay.players import PLAYERS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "players.md"
FLOORS = {"greedy": 4.5, "steady": 1.5, "value": 0.8, "search": 2.5}
"""Points a round over the next weaker player (`search`: over `steady`) in `qq`, 99 % lower bounds."""
ROW = re.compile(
    r"^\| (\w+) \| (\w+)-(\d+) − (\w+)-(\d+) \| [^|]+ \| ([+-][\d.]+) \| .* \| ([\d.]+)% \| ([\d,]+) × 6 \|$"
)


def _rows() -> list[tuple[str, ...]]:
    return [found.groups() for line in PAGE.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]


def test_the_players_are_those_of_today() -> None:
    for _, strong, its_version, weak, other_version, *_ in _rows():
        assert (PLAYERS[strong].version, PLAYERS[weak].version) == (int(its_version), int(other_version))


@pytest.mark.parametrize("ruleset", ["qq", "bisai", "guilin"])
def test_each_is_stronger_than_the_one_before(ruleset: str) -> None:
    found = {
        (strong, weak): (float(low), int(deals.replace(",", "")))
        for name, strong, _, weak, _, low, _, deals in _rows()
        if name == ruleset
    }
    pairs = [("greedy", "random"), ("steady", "greedy"), ("value", "steady"), ("search", "steady")]
    assert list(found) == pairs
    for strong, weak in pairs:
        low, deals = found[strong, weak]
        assert low >= (FLOORS[strong] if ruleset == "qq" else 0.0)
        assert strong == "search" or deals >= 20_000
