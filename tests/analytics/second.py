"""Every metric a second time, in plain Python and Polars, from the rows that made the store."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from analytics.catalog import metric
from analytics.marts import Marts
from analytics.metrics import Filters, measure
from ingest.codes import Source
from replay.version import ENGINE_VERSION
from tests.analytics.stores import Rows


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
            "seats": len(r["players"]) - (r["sitter"] is not None),
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
            and f.seats in {None, r["seats"]}
            and (f.day_from is None or (r["day"] != "" and r["day"] >= f.day_from))
            and (f.day_to is None or (r["day"] != "" and r["day"] <= f.day_to))
        )

    @staticmethod
    def _sat(r: dict[str, Any], f: Filters) -> bool:
        return any(f.role in {None, role(r, s)} for s, name in enumerate(r["players"]) if name == f.player)

    @staticmethod
    def seat_fits(r: dict[str, Any], seat: int, f: Filters) -> bool:
        name = r["players"][seat] if seat >= 0 else None
        return f.player in {None, name} and f.role in {None, role(r, seat)}

    def seats(self, f: Filters) -> list[dict[str, Any]]:
        out = []
        for r in self.kept(f):
            for seat, name in enumerate(r["players"]):
                if not self.seat_fits(r, seat, f):
                    continue
                s, dealer = r["score"], role(r, seat) == "dealer"
                decided = r["decided"] and role(r, seat) != "sitter"
                win = decided and s["winner"] == seat
                known = win and r["ruleset"] != "general"
                out.append(
                    {"platform": r["platform"], "player": name, "round_id": r["round_id"], "cluster": cluster(r)}
                    | {"recorded_rounds": (1, None), "decided_rounds": (int(decided), None)}
                    | {"win_rate": (int(win), int(decided))}
                    | {"dealer_win_rate": (int(win and dealer), int(decided and dealer))}
                    | {"idle_win_rate": (int(win and not dealer), int(decided and not dealer))}
                    | {"zimo_share": (int(win and s["source"] == Source.OWN_DRAW), int(win))}
                    | {"huxi_per_win": (s["huxi"] if known else 0, int(known))}
                    | {"points_per_round": (s["points"][seat] if decided else 0, int(decided))}
                    | {"points_total": (s["points"][seat] if r["decided"] else 0, None)}
                )
        return out

    def wins(self, f: Filters) -> list[dict[str, Any]]:
        won = [r for r in self.kept(f) if r["decided"] and r["score"]["winner"] >= 0]
        return [r for r in won if self.seat_fits(r, r["score"]["winner"], f)]


def role(r: dict[str, Any], seat: int) -> str:
    if seat < 0:
        return "none"
    return "sitter" if seat == r["sitter"] else "dealer" if seat == r["dealer"] else "idle"


def ending(r: dict[str, Any]) -> str:
    """How a decided round ended."""
    special = r["score"].get("special") or ""
    if r["score"]["winner"] >= 0:
        return "won"
    return {"": "huang_rate", "作废": "void_rate", "逃跑": "escape_rate"}[special]


def general(reasons: list[str]) -> set[str]:
    return {re.sub("[0-9]+", "#", reason) for reason in reasons}


def cluster(r: dict[str, Any]) -> tuple[str, ...]:
    bare = r["room"] == "" and r["session"] == ""
    return (r["round_id"],) if bare else (r["platform"], r["room"], r["session"])


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
    elif name in {"huang_rate", "void_rate", "escape_rate"}:
        for ruleset in {r["ruleset"] for r in rounds}:
            mine = [r for r in rounds if r["ruleset"] == ruleset and r["decided"]]
            out[(ruleset,)] = (sum(ending(r) == name for r in mine), len(mine))
        return out
    else:
        raise AssertionError(f"no second computation for {name}")
    for key, _ in pairs:
        out[(key,)] = (out.get((key,), (0, den))[0] + 1, den)
    return out


def agreed(marts: Marts, second: Second, name: str, filters: Filters) -> tuple[pl.DataFrame, dict[Any, Any]]:
    """A metric measured and computed again from the rows: both must agree. The frame, and key → counts."""
    frame = measure(marts, [name], filters)
    keys = metric(name).keys
    got = {tuple(row[k] for k in keys): (row["num"], row["den"]) for row in frame.iter_rows(named=True)}
    assert got == expected(second, name, filters)
    return frame, got
