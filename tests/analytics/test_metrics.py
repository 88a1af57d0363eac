"""Every metric a second time, in Polars from the rows that made the store."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analytics.catalog import catalog, metric
from analytics.marts import Marts, open_marts
from analytics.metrics import ALL, PARTS, Filters, measure, rounds_behind, wide
from analytics.rounds import Behind, choices, finding_list, huxi, ledger, overview, quarantine, round_list
from ingest.codes import Source
from replay.version import ENGINE_VERSION
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
)


class Second:
    """The rounds that filters keep, judged again from plain dicts."""

    def __init__(self, data: Rows) -> None:
        verdicts = {v["round_id"]: v for v in data.verdicts if v["engine_version"] == ENGINE_VERSION}
        scores = {s["round_id"]: s for s in data.scores if s["engine_version"] == ENGINE_VERSION}
        self.rounds = [self._judge(r, verdicts.get(r["round_id"]), scores.get(r["round_id"])) for r in data.rounds]
        by_id = {r["round_id"]: r for r in self.rounds}
        self.findings = [f | {"round": by_id[f["round_id"]]} for f in data.findings]

    @staticmethod
    def _judge(r: dict[str, Any], verdict: dict[str, Any] | None, score: dict[str, Any] | None) -> dict[str, Any]:
        name = verdict["verdict"] if verdict else "not_replayed"
        decided = name in {"clean", "violations"} and score is not None and score.get("winner") is not None
        return r | {
            "verdict": name,
            "ruleset": verdict["ruleset"] if verdict else r["ruleset"],
            "reasons": verdict["undecidable"] if verdict else [],
            "replayed": name in {"clean", "violations", "undecidable"},
            "decided": decided,
            "score": score if decided else None,
        }

    def kept(self, f: Filters) -> list[dict[str, Any]]:
        return [r for r in self.rounds if self._fits(r, f)]

    def sits(self, f: Filters) -> list[dict[str, Any]]:
        """Rounds kept in which the player (in the role) sat."""
        return [r for r in self.kept(f) if f.player is None or self._sat(r, f)]

    @staticmethod
    def _fits(r: dict[str, Any], f: Filters) -> bool:
        return (
            f.platform in {None, r["platform"]}
            and f.ruleset in {None, r["ruleset"]}
            and (f.day_from is None or (r["day"] != "" and r["day"] >= f.day_from))
            and (f.day_to is None or (r["day"] != "" and r["day"] <= f.day_to))
        )

    @staticmethod
    def _sat(r: dict[str, Any], f: Filters) -> bool:
        seats = [s for s, name in enumerate(r["players"]) if name == f.player]
        return any(f.role in {None, "dealer" if s == r["dealer"] else "idle"} for s in seats)

    @staticmethod
    def seat_fits(r: dict[str, Any], seat: int, f: Filters) -> bool:
        role = "none" if seat < 0 else "dealer" if seat == r["dealer"] else "idle"
        name = r["players"][seat] if seat >= 0 else None
        return f.player in {None, name} and f.role in {None, role}

    def seats(self, f: Filters) -> list[dict[str, Any]]:
        out = []
        for r in self.kept(f):
            for seat, name in enumerate(r["players"]):
                if not self.seat_fits(r, seat, f):
                    continue
                s, dealer, decided = r["score"], seat == r["dealer"], r["decided"]
                win = decided and s["winner"] == seat
                out.append(
                    {"platform": r["platform"], "player": name, "round_id": r["round_id"], "cluster": cluster(r)}
                    | {"recorded_rounds": (1, None), "decided_rounds": (int(decided), None)}
                    | {"win_rate": (int(win), int(decided))}
                    | {"dealer_win_rate": (int(win and dealer), int(decided and dealer))}
                    | {"idle_win_rate": (int(win and not dealer), int(decided and not dealer))}
                    | {"zimo_share": (int(win and s["source"] == Source.OWN_DRAW), int(win))}
                    | {"huxi_per_win": (s["huxi"] if win else 0, int(win))}
                    | {"points_per_round": (s["points"][seat] if decided else 0, int(decided))}
                )
        return out

    def wins(self, f: Filters) -> list[dict[str, Any]]:
        won = [r for r in self.kept(f) if r["decided"] and r["score"]["winner"] >= 0]
        return [r for r in won if self.seat_fits(r, r["score"]["winner"], f)]


def general(reasons: list[str]) -> set[str]:
    return {re.sub("[0-9]+", "#", reason) for reason in reasons}


def cluster(r: dict[str, Any]) -> tuple[str, ...]:
    bare = r["room"] == "" and r["session"] == ""
    return (r["round_id"],) if bare else (r["platform"], r["room"], r["session"])


@pytest.fixture(scope="session")
def second(data: Rows) -> Second:
    return Second(data)


PLAYER_METRICS = [name for name, m in catalog().metrics.items() if m.grain == "player"]


def expected(second: Second, name: str, f: Filters) -> dict[tuple[str, ...], tuple[int, int | None]]:
    m = metric(name)
    out: dict[tuple[str, ...], tuple[int, int | None]] = {}
    if m.grain == "player":
        frame = pl.DataFrame(
            [(s["platform"], s["player"], *s[name]) for s in second.seats(f)],
            schema={"platform": pl.String, "player": pl.String, "num": pl.Int64, "den": pl.Int64},
            orient="row",
        )
        grouped = frame.group_by("platform", "player").agg(pl.col("num").sum(), pl.col("den").sum())
        return {(p, n): (num, None if m.kind == "count" else den) for p, n, num, den in grouped.iter_rows()}
    rounds, wins = second.sits(f), second.wins(f)
    replayed = sum(r["replayed"] for r in rounds)
    found = [x for x in second.findings if second._fits(x["round"], f) and second.seat_fits(x["round"], x["seat"], f)]
    pairs: list[tuple[str, str]] = []
    den: int | None = None
    if name == "fan_share":
        pairs = [(n["name"], r["round_id"]) for r in wins for n in r["score"]["fan"] or [{"name": "平胡"}]]
        den = len(wins)
    elif name == "verdict_share":
        pairs, den = [(r["verdict"], r["round_id"]) for r in rounds], len(rounds)
    elif name == "undecidable_share":
        pairs = [(x, r["round_id"]) for r in rounds if r["verdict"] == "undecidable" for x in general(r["reasons"])]
        den = replayed
    elif name == "finding_rate":
        pairs, den = sorted({(x["code"], x["round_id"]) for x in found}), replayed
    elif name == "finding_count":
        pairs = [(x["code"], x["round_id"]) for x in found]
    elif name == "finding_roots":
        codes = {x["code"] for x in found}
        return {(c,): (sum(x["code"] == c and x["follows_from"] is None for x in found), None) for c in codes}
    elif name == "huang_rate":
        for ruleset in {r["ruleset"] for r in rounds}:
            mine = [r for r in rounds if r["ruleset"] == ruleset and r["decided"]]
            out[(ruleset,)] = (sum(r["score"]["winner"] == -1 for r in mine), len(mine))
        return out
    else:
        raise AssertionError(f"no second computation for {name}")
    for key, _ in pairs:
        out[(key,)] = (out.get((key,), (0, den))[0] + 1, den)
    return out


@pytest.mark.parametrize(("name", "number"), list(itertools.product(catalog().metrics, range(len(FILTERS)))))
def test_metric_equals_second_computation(name: str, number: int, marts: Marts, second: Second) -> None:
    keys = metric(name).keys
    frame = measure(marts, [name], FILTERS[number])
    got = {tuple(row[k] for k in keys): (row["num"], row["den"]) for row in frame.iter_rows(named=True)}
    assert got == expected(second, name, FILTERS[number])
    if number == 0:
        assert got, "the generated rows must exercise every metric"
    assert frame.equals(frame.sort(keys)), "sorted by key"


@pytest.mark.parametrize("name", catalog().metrics)
def test_rounds_behind_are_the_rows_summed(name: str, marts: Marts) -> None:
    m = metric(name)
    row = measure(marts, [name]).row(0, named=True)
    keys = {key: row[key] for key in m.keys}
    ids = rounds_behind(marts, name, keys=keys)
    assert ids == sorted(set(ids))
    if m.kind == "count":
        assert 0 < len(ids) <= row["num"]
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
    decided = sum(r["decided"] for r in second.rounds)
    huang = measure(marts, ["huang_rate"], overall=True).row(0, named=True)
    assert total["recorded_rounds"][0] == 3 * len(data.rounds)
    assert total["win_rate"] == (decided - huang["num"], 3 * decided)
    assert total["points_per_round"][0] == 0, "every round is zero-sum"
    assert total["dealer_win_rate"][0] + total["idle_win_rate"][0] == total["win_rate"][0]
    assert total["dealer_win_rate"][1] + total["idle_win_rate"][1] == total["win_rate"][1]
    assert measure(marts, ["verdict_share"])["num"].sum() == len(data.rounds)
    assert measure(marts, ["finding_count"])["num"].sum() == len(data.findings)
    hist = huxi(marts)
    assert hist["wins"].sum() == total["win_rate"][0]
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
