"""Every metric against its second computation, and the lists behind them."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from analytics.catalog import catalog, metric
from analytics.marts import Marts, open_marts
from analytics.metrics import ALL, PARTS, Filters, measure, rounds_behind, wide
from analytics.rounds import Behind, choices, finding_list, huxi, ledger, overview, quarantine, round_list
from tests.analytics.second import Second, agreed, ending
from tests.analytics.stores import Rows, rows, write

FILTERS = (
    ALL,
    Filters(platform="某平台"),
    Filters(ruleset="guilin"),
    Filters(player="甲"),
    Filters(player="乙", role="dealer", platform=""),
    Filters(day_from="2024-01-02", day_to="2024-01-31"),
    Filters(role="idle", day_to="2024-01-01"),
    Filters(player="没有这个人"),
    Filters(ruleset="general", seats=2),
    Filters(player="丙", role="sitter"),
    Filters(role="sitter"),
    Filters(seats=3, day_from="2024-01-02"),
)


@pytest.fixture(scope="session")
def second(data: Rows) -> Second:
    return Second(data)


PLAYER_METRICS = [name for name, m in catalog().metrics.items() if m.grain == "player"]


@pytest.mark.parametrize(("name", "number"), list(itertools.product(catalog().metrics, range(len(FILTERS)))))
def test_metric_equals_second_computation(name: str, number: int, marts: Marts, second: Second) -> None:
    frame, got = agreed(marts, second, name, FILTERS[number])
    if number == 0:
        assert got, "the generated rows must exercise every metric"
    assert frame.equals(frame.sort(metric(name).keys)), "sorted by key"


@pytest.mark.parametrize("name", catalog().metrics)
def test_rounds_behind_are_the_rows_summed(name: str, marts: Marts) -> None:
    m = metric(name)
    row = measure(marts, [name]).row(0, named=True)
    keys = {key: row[key] for key in m.keys}
    ids = rounds_behind(marts, name, keys=keys)
    assert ids == sorted(set(ids))
    if m.kind == "count":
        assert ids
        assert len(ids) <= row["num"] or m.unit == "points"
    else:
        assert len(rounds_behind(marts, name, keys=keys, part="denominator")) == row["den"]
    if m.kind == "rate":
        assert len(ids) == row["num"]
    listed = round_list(marts, behind=Behind(name, keys), limit=100_000)
    assert sorted(listed["round_id"]) == ids
    assert listed["total"][0] == len(ids)


def test_rounds_behind_names_what_is_wrong(marts: Marts) -> None:
    with pytest.raises(KeyError, match="nothing"):
        rounds_behind(marts, "nothing")
    with pytest.raises(ValueError, match="part"):
        rounds_behind(marts, "win_rate", part="both")
    with pytest.raises(ValueError, match="drop"):
        rounds_behind(marts, "win_rate", keys={"drop": "table"})
    assert PARTS == ("numerator", "denominator")


def test_values_are_data_not_sql(marts: Marts) -> None:
    assert rounds_behind(marts, "win_rate", Filters(player="' or 1=1 --")) == []
    assert rounds_behind(marts, "win_rate", keys={"player": "x' or 'a'='a"}) == []


def test_means_are_clustered_by_session(marts: Marts, second: Second) -> None:
    from scipy.stats import t

    name = "points_per_round"
    got = measure(marts, [name], overall=False).row(0, named=True)
    mine = [s for s in second.seats(ALL) if (s["platform"], s["player"]) == (got["platform"], got["player"])]
    groups: dict[Any, list[int]] = {}
    for s in mine:
        y, n = s[name]
        if n:
            groups.setdefault(s["cluster"], []).append(y)
    n = sum(map(len, groups.values()))
    mean = sum(map(sum, groups.values())) / n
    squares = sum((sum(g) - mean * len(g)) ** 2 for g in groups.values())
    half = t.ppf(0.975, len(groups) - 1) * (len(groups) / (len(groups) - 1) * squares) ** 0.5 / n
    assert got["value"] == pytest.approx(mean)
    assert (got["low"], got["high"]) == pytest.approx((mean - half, mean + half))


def test_totals_reconcile(marts: Marts, data: Rows, second: Second) -> None:
    every = measure(marts, PLAYER_METRICS, overall=True)
    total = {row["metric"]: (row["num"], row["den"]) for row in every.iter_rows(named=True)}
    decided = [r for r in second.rounds if r["decided"]]
    ended = measure(marts, ["huang_rate", "void_rate", "escape_rate"], overall=True)
    assert set(ended["den"]) == {len(decided)}
    assert min(ended["num"]) > 0
    assert total["recorded_rounds"][0] == sum(len(r["players"]) for r in data.rounds)
    assert total["win_rate"] == (len(decided) - ended["num"].sum(), sum(r["seats"] for r in decided))
    lost = sum(sum(r["score"]["points"]) for r in decided if ending(r) == "escape_rate")
    sat_out = sum(r["score"]["points"][r["sitter"]] for r in decided if r["sitter"] is not None)
    assert lost < 0 < sat_out
    assert total["points_total"][0] == lost, "every round is zero-sum but for a leaver's loss"
    assert total["points_per_round"][0] == lost - sat_out
    assert total["dealer_win_rate"][0] + total["idle_win_rate"][0] == total["win_rate"][0]
    assert total["dealer_win_rate"][1] + total["idle_win_rate"][1] == total["win_rate"][1]
    assert measure(marts, ["verdict_share"])["num"].sum() == len(data.rounds)
    assert measure(marts, ["finding_count"])["num"].sum() == len(data.findings)
    hist = huxi(marts)
    assert hist["wins"].sum() == total["huxi_per_win"][1] < total["win_rate"][0], "general has no 胡息"
    assert (hist["huxi"] * hist["wins"]).sum() == total["huxi_per_win"][0]


def test_overview_and_ledger(marts: Marts, data: Rows, second: Second) -> None:
    seen = overview(marts)
    assert seen["rounds"] == len(data.rounds)
    assert seen["events"] == sum(r["n_events"] for r in data.rounds)
    assert seen["players"] == len({(r["platform"], p) for r in data.rounds for p in r["players"]})
    assert (seen["first_day"], seen["last_day"]) == ("2024-01-01", "2024-02-10")
    mine = overview(marts, Filters(player="甲", role="dealer"))
    assert mine["rounds"] == len(second.sits(Filters(player="甲", role="dealer")))
    book = ledger(marts)
    assert book["seen"] == book["accepted"] + book["already_known"] + book["quarantined"]
    assert book["quarantined"] == quarantine(marts, limit=10)["total"][0] == 2
    assert book["adds_up"] is True


def test_a_ledger_that_does_not_add_up_is_said(tmp_path: Path) -> None:
    bad = rows(1)
    bad.imports[0]["seen"] += 1
    assert ledger(open_marts(write(tmp_path, bad)))["adds_up"] is False


def test_lists_page_without_gap_or_overlap(marts: Marts, data: Rows) -> None:
    pages = [round_list(marts, limit=400, offset=400 * i)["round_id"].to_list() for i in range(4)]
    assert sorted(itertools.chain(*pages)) == sorted(r["round_id"] for r in data.rounds)
    pages = [
        finding_list(marts, limit=200, offset=200 * i).select("round_id", "idx").rows()
        for i in range(len(data.findings) // 200 + 1)
    ]
    assert sorted(itertools.chain(*pages)) == sorted((f["round_id"], f["idx"]) for f in data.findings)


def test_lists_filter(marts: Marts, second: Second) -> None:
    got = round_list(marts, verdict="violations", code="ZOU_PAO", limit=10_000)
    want = {f["round_id"] for f in second.findings if f["code"] == "ZOU_PAO" and f["round"]["verdict"] == "violations"}
    assert set(got["round_id"]) == want
    assert set(finding_list(marts, code="SHI_WEI", limit=10_000)["code"]) == {"SHI_WEI"}
    assert set(choices(marts)) == {"platform", "ruleset", "code", "player"}
    assert set(choices(marts)["platform"]) == {"", "某平台"}


def test_wide_keeps_every_number(marts: Marts) -> None:
    long = measure(marts, ["win_rate", "zimo_share"])
    turned = wide(long, ["platform", "player"])
    assert turned["win_rate_num"].to_list() == long.filter(metric="win_rate")["num"].to_list()
    assert turned["zimo_share_den"].to_list() == long.filter(metric="zimo_share")["den"].to_list()
