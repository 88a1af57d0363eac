"""Every metric over real play under every ruleset, by 2, 3 and 4 persons, against its second computation."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from analytics.catalog import catalog
from analytics.marts import Marts, open_marts
from analytics.metrics import ALL, Filters, measure, rounds_behind
from analytics.rounds import huxi, round_list
from replay.rulesets import RULESETS
from tests.analytics.played import TABLES, played, rows_of, write_played
from tests.analytics.second import Second, agreed, ending

FILTERS = (
    ALL,
    *(Filters(ruleset=name) for name in TABLES),
    Filters(ruleset="luzhou", seats=2),
    Filters(seats=2),
    Filters(seats=3, player="甲"),
    Filters(role="sitter"),
    Filters(player="乙", role="sitter", ruleset="bisai"),
    Filters(player="丙", role="idle", platform="4 人"),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_played(tmp_path_factory.mktemp("played") / "store")


@pytest.fixture(scope="module")
def marts(store: Path) -> Marts:
    return open_marts(store)


@pytest.fixture(scope="module")
def second(store: Path) -> Second:
    return Second(rows_of(store))


def test_every_ruleset_and_number_of_persons_is_there(second: Second) -> None:
    assert set(TABLES) == set(RULESETS)
    found = {(r["ruleset"], len(r["players"])) for r in second.rounds if r["decided"] and ending(r) == "won"}
    assert found == {(name, n) for name, numbers in TABLES.items() for n in numbers}
    assert {ending(r) for r in second.rounds if r["decided"]} == {"won", "huang_rate", "void_rate", "escape_rate"}


@pytest.mark.parametrize(("name", "number"), list(itertools.product(catalog().metrics, range(len(FILTERS)))))
def test_metric_equals_second_computation(name: str, number: int, marts: Marts, second: Second) -> None:
    _, got = agreed(marts, second, name, FILTERS[number])
    if number == 0:
        assert got


@pytest.mark.parametrize("name", TABLES)
def test_a_ruleset_reconciles(name: str, marts: Marts, second: Second) -> None:
    only = Filters(ruleset=name)
    decided = [r for r in second.rounds if r["decided"] and r["ruleset"] == name]
    won = sum(r["score"]["winner"] >= 0 for r in decided)
    ended = measure(marts, ["huang_rate", "void_rate", "escape_rate"], only, overall=True)
    assert ended["num"].sum() + won == len(decided)
    rates = measure(marts, ["win_rate", "dealer_win_rate", "idle_win_rate"], only, overall=True)
    win, dealer, idle = ((row["num"], row["den"]) for row in rates.iter_rows(named=True))
    assert win == (won, sum(r["seats"] for r in decided))
    assert dealer[1] == len(decided), "one dealer a round"
    assert (dealer[0] + idle[0], dealer[1] + idle[1]) == win
    points = measure(marts, ["points_total"], only, overall=True)["num"][0]
    assert (points < 0) == (name == "qq"), "only a leaver's loss is received by nobody"


@pytest.mark.parametrize("seats", [2, 3])
def test_win_rate_by_seats_is_wins_over_seats(seats: int, marts: Marts, second: Second) -> None:
    decided = [r for r in second.rounds if r["decided"] and r["seats"] == seats]
    row = measure(marts, ["win_rate"], Filters(seats=seats), overall=True).row(0, named=True)
    won = sum(r["score"]["winner"] >= 0 for r in decided)
    assert (row["num"], row["den"]) == (won, seats * len(decided))
    assert 0 < row["value"] < 1 / seats


def test_who_sits_out_counts_in_no_rate_but_is_paid(marts: Marts, second: Second) -> None:
    sitting = Filters(role="sitter")
    per_player = [name for name, m in catalog().metrics.items() if m.grain == "player" and m.kind != "count"]
    frame = measure(marts, per_player, sitting)
    assert (frame["den"].sum(), frame["num"].sum()) == (0, 0)
    assert frame["value"].null_count() == frame.height > 0
    fees = sum(r["score"]["points"][r["sitter"]] for r in second.rounds if r["decided"] and r["sitter"] is not None)
    for name in ("bisai", "luzhou"):
        got = measure(marts, ["points_total"], Filters(role="sitter", ruleset=name), overall=True)["num"][0]
        assert got == (fees if name == "bisai" else 0), "a 坐底 is not paid"
    assert fees > 0
    sat_out = measure(marts, ["recorded_rounds", "decided_rounds"], sitting, overall=True)
    assert sat_out["num"].to_list() == [sum(record.sitter is not None for record in played()), 0]


def test_a_finding_of_who_sits_out_is_charged_to_the_sitter(marts: Marts, second: Second) -> None:
    got = measure(marts, ["finding_count"], Filters(role="sitter")).rows()
    acted = sum(f["code"] == "XING_ACTED" for f in second.findings)
    assert [row[1:3] for row in got] == [("XING_ACTED", acted)]
    assert acted > 0


def test_a_void_win_or_a_leaver_is_no_huang(marts: Marts, second: Second) -> None:
    ends = {name: set(rounds_behind(marts, name)) for name in ("huang_rate", "void_rate", "escape_rate")}
    for name, ids in ends.items():
        assert ids == {r["round_id"] for r in second.rounds if r["decided"] and ending(r) == name}
    listed = {row["round_id"]: row for row in round_list(marts, limit=10_000).iter_rows(named=True)}
    assert {listed[i]["special"] for i in ends["void_rate"]} == {"作废"}
    assert {listed[i]["special"] for i in ends["escape_rate"]} == {"逃跑"}
    assert {listed[i]["special"] for i in ends["huang_rate"]} == {""}
    sitters = {r["round_id"]: r["sitter"] for r in second.rounds}
    assert {i: row["sitter"] for i, row in listed.items()} == sitters
    assert set(sitters.values()) == {None, 0, 1, 2, 3}


def test_a_ruleset_without_huxi_has_none(marts: Marts) -> None:
    assert huxi(marts, Filters(ruleset="general")).is_empty()
    row = measure(marts, ["huxi_per_win"], Filters(ruleset="general"), overall=True).row(0, named=True)
    assert (row["num"], row["den"], row["value"]) == (0, 0, None)
    for name in set(TABLES) - {"general"}:
        least = huxi(marts, Filters(ruleset=name))["huxi"].min()
        assert least is not None
        assert least > 0
