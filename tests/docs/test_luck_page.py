"""The tables of docs/luck.md: the expectations are those of the files, the measures reach what was asked for."""

from __future__ import annotations

import re

from replay.fit_luck import tables_of
from replay.luck import FORESIGHTS, REASONS, foresight, table_key
from replay.rulesets import RULESETS
from tests.docs.tables import ROOT, rows

PAGE = ROOT / "docs" / "luck.md"
LEAST = (("steady + steady + steady", 1, 0.45), ("value + steady + greedy", 2, 0.30))
"""R in `qq`: all of the luck at a table of the reference player, three quarters of it at a mixed one."""


def test_expectations_are_those_of_the_files() -> None:
    tables = [cells for cells in rows(PAGE, columns=6) if cells[0] in RULESETS and " + " not in cells[1]]
    told = {(cells[0], cells[1]): cells[2:5] for cells in tables}
    assert len(told) == sum(len(tables_of(ruleset)) for ruleset in RULESETS.values())
    for path in FORESIGHTS.glob("*.json"):
        for key, roles in foresight(path.stem)["expectations"].items():
            assert told[path.stem, key] == [f"{role / 1e6:+.3f}" if role else "–" for role in roles]


def test_every_table_has_an_expectation() -> None:
    for path in FORESIGHTS.glob("*.json"):
        kept = foresight(path.stem)
        keys = {table_key(seats, int(paid)) for seats, paid in tables_of(RULESETS[path.stem])}
        assert set(kept["expectations"]) == set(kept["sums"]) == keys


def test_reasons_are_told() -> None:
    listed = {cells[0] for cells in rows(PAGE, columns=2)}
    assert {f"`{reason}`" for reason in REASONS if reason} <= listed


def test_enough_variance_is_taken_off() -> None:
    measured = {cells[0]: cells for cells in rows(PAGE, columns=8) if " + " in cells[0]}
    for players, column, least in LEAST:
        found = re.match(r"(0\.\d+)", measured[players][column])
        assert found is not None
        assert float(found[1]) >= least
