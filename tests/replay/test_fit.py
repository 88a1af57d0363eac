"""``replay.fit``: the ruleset and options that explain rounds, and that the quick way of judging is the slow one."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import phz
from ingest.codes import Action
from ingest.convert import dumps
from ingest.record import Group, Move, Option, Record
from replay.engine import engine
from replay.fit import Fit, fit
from replay.fit_judge import SESSION_OPTIONS, Judge
from replay.fit_variants import values_of, variant
from replay.kernels.jit import compiled
from replay.replayer import replay_round
from replay.rulesets import OPTIONS, RULESETS, resolve
from replay.simulate import Player, sessions

PLAYERS = [Player("甲", hu=70), Player("乙", hu=80, peng=40), Player("丙"), Player("丁", chi=50)]


def played(ruleset: str, options: dict[str, Option], rounds: int, persons: int = 3, seed: int = 4) -> list[Record]:
    """Rounds of the ruleset that do not say what they are."""
    machine = engine(resolve(ruleset, options), compiled())
    records = sessions(machine, seed, rounds, PLAYERS[:persons], persons=persons)
    return [msgspec.structs.replace(record, ruleset="unknown", options={}) for record in records]


def fitted(records: list[Record], ruleset: str | None = None, given: dict[str, Option] | None = None) -> Fit:
    return fit([("made.jsonl", record) for record in records], ruleset, given)


def tampered(records: list[Record]) -> list[Record]:
    """The rounds, each with another fault: events, results, hidden parts."""
    replace = msgspec.structs.replace
    results = [(record, record.result) for record in records if record.result is not None]
    won, result = next(pair for pair in results if pair[1].winner not in (None, -1))
    at = next(i for i, move in enumerate(won.moves) if move.action == Action.DISCARD)
    mover = won.moves[at].seat
    other = next(seat for seat, hand in enumerate(won.hands) if hand is not None and seat != result.winner)
    return [
        *records,
        replace(won, result=replace(result, points=tuple(2 * n for n in result.points or ()))),
        replace(won, result=replace(result, points=(1,) * len(won.players))),
        replace(won, result=replace(result, huxi=(result.huxi or 0) + 3)),
        replace(won, result=replace(result, winner=other)),
        replace(won, result=replace(result, fan={"海底": 7})),
        replace(won, result=replace(result, groups=(Group((0, 1, 2), 1, 3),), huxi=3)),
        replace(won, result=None),
        replace(won, moves=won.moves[:at] + won.moves[at + 1 :]),
        replace(won, moves=(*won.moves[:at], Move(mover, Action.LEAVE)), result=None),
        replace(won, moves=(*won.moves[:at], Move(mover, Action.LEAVE)), result=replace(result, winner=-1)),
        replace(won, moves=won.moves[:-1]),
        replace(won, hands=tuple(None if seat == other else hand for seat, hand in enumerate(won.hands))),
        replace(won, wall=None),
    ]


@pytest.mark.parametrize(("ruleset", "persons"), [("qq", 3), ("bisai", 4), ("guilin", 3), ("luzhou", 3)])
def test_judged_as_replayed(ruleset: str, persons: int) -> None:
    records = tampered(played(ruleset, {}, 6, persons, seed=3))
    judge = Judge(records, ruleset)
    which = range(len(records))
    tried = 0
    for option in OPTIONS:
        for value in (None, *values_of(option)[:4]):
            options = {} if value is None else variant(ruleset, {}, option, value)
            if options is None or (value is None and tried):
                continue
            machine = engine(resolve(ruleset, options), compiled())
            for index, one in judge.judged(options, which):
                replay = replay_round(judge.record(index, options), machine)
                said = [(f.seq, f.code, f.seat, f.severity, f.follows_from) for f in one.findings]
                due = [(f.seq, f.code, f.seat, f.severity, f.follows_from) for f in replay.findings]
                assert said == due, (option, value, index)
                assert one.undecidable == bool(replay.undecidable), (option, value, index)
            tried += 1
    assert tried > 90


def test_qq_with_changed_options_is_found() -> None:
    changed: dict[str, Option] = {"stale_mode": "separate", "zimo": "none", "base_points": 5, "fan_hong": 3}
    found = fitted(played("qq", changed, 80))
    best = found.candidates[0]
    assert (best.ruleset, best.options, best.findings) == ("qq", changed, 0)
    assert (best.clean, best.violations, best.undecidable, best.codes) == (80, 0, 0, {})
    assert all(one.findings > 0 or len(one.options) > len(changed) for one in found.candidates[1:])
    decided = {one.option: one for one in found.options if one.decided}
    assert changed.keys() <= decided.keys()
    points = decided["base_points"]
    assert (points.value, points.default) == (5, 3)
    assert {other.value for other in points.alternatives} == {1, 2, 3, 10}
    for other in points.alternatives:
        assert other.more == other.findings > 0
        assert len(other.examples) == 3
        assert {example.code for example in other.examples} == {"WRONG_SCORE"}
    # Nobody sat out and nothing was laid late: the rounds cannot say these.
    assert not {"xing_fee", "huang_fee", "ti_open", "chou_wei_hidden", "letters"} & decided.keys()


def test_equal_explanations_are_all_told() -> None:
    """qq so changed differs from hu15 in nothing that random rounds show but what the fit itself changes there."""
    changed: dict[str, Option] = {"chi_prev_draw": False, "stale_mode": "separate", "zimo": "none", "base_points": 1}
    found = fitted(played("qq", changed, 60))
    explained = {one.ruleset: one.options for one in found.candidates if one.findings == 0}
    assert explained["qq"] == changed
    best = found.candidates[0]
    assert (best.findings, len(best.options)) == min((0, len(options)) for options in explained.values())
    truth = resolve("qq", changed)
    for one in found.options:
        if one.decided:
            assert one.value == getattr(truth, one.option), one.option


def test_guilin_with_another_step_is_found() -> None:
    found = fitted(played("guilin", {"zi_step": 3}, 30))
    best = found.candidates[0]
    assert (best.ruleset, best.options, best.findings) == ("guilin", {"zi_step": 3}, 0)
    assert {"zi_step", "xing", "pay_discard", "min_huxi"} <= {one.option for one in found.options if one.decided}


def test_sitter_leaves_only_the_rulesets_that_know_one() -> None:
    found = fitted(played("bisai", {"base_points": 2}, 30, persons=4))
    assert {one.ruleset for one in found.candidates} == {"bisai", "luzhou"}
    assert (found.candidates[0].ruleset, found.candidates[0].options) == ("bisai", {"base_points": 2})


def test_rounds_that_a_ruleset_cannot_play_rank_it_last() -> None:
    records = played("qq", {}, 6) + played("luzhou", {}, 2, persons=2)
    found = fitted(records)
    refused = {one.ruleset: one.refused for one in found.candidates}
    assert refused["qq"] == 2
    assert [one.refused for one in found.candidates] == sorted(refused.values())
    assert fitted([]).candidates == ()


def test_given_options_are_held(tmp_path: Path) -> None:
    records = played("qq", {"base_points": 5}, 20)
    found = fitted(records, "qq", {"base_points": 1})
    assert [one.ruleset for one in found.candidates] == ["qq"]
    assert found.candidates[0].options["base_points"] == 1
    assert found.candidates[0].findings > 0
    held = next(one for one in found.options if one.option == "base_points")
    assert (held.alternatives, held.decided) == ((), False)


def test_dealers_decide_who_deals() -> None:
    found = fitted(played("qq", {}, 60), "qq")
    assert next(one for one in found.options if one.option == "dealer_next").value == "winner"
    keep = next(one for one in found.options if one.option == "huang_next")
    assert keep.value == "keep"
    assert {other.value for other in keep.alternatives if other.more} == {"next", "creator"}
    assert set(SESSION_OPTIONS) <= set(OPTIONS)


def test_same_rounds_same_fit() -> None:
    records = played("hu15", {"min_huxi": 18}, 20)
    assert fitted(records, "hu15") == fitted(records, "hu15")


def test_every_value_that_is_tried_is_one_of_the_option() -> None:
    for ruleset, option in itertools.product(RULESETS, OPTIONS):
        for value in values_of(option)[:4]:
            options = variant(ruleset, {}, option, value)
            if options is not None:
                assert getattr(resolve(ruleset, options), option) == value


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    path.write_text(dumps(played("qq", {"base_points": 5}, 30), "jsonl"), encoding="utf-8")
    result = CliRunner().invoke(phz.app, ["fit", str(path), "--json"])
    assert result.exit_code == 0, result.stderr
    said = json.loads(result.stdout)
    assert (said["rounds"], said["quarantined"], said["recorded"]) == (30, 0, {"unknown": 30})
    best = said["candidates"][0]
    assert (best["ruleset"], best["options"]) == ("qq", {"base_points": 5})
    house = tmp_path / "house.toml"
    house.write_text('ruleset = "qq"\n[options]\nbase_points = 3\n', encoding="utf-8")
    for lang, words in (("zh", "牌谱能判定的选项"), ("en", "options that the records decide")):
        result = CliRunner().invoke(phz.app, ["fit", str(path), "--options", str(house), "--lang", lang])
        assert result.exit_code == 1
        assert words in result.stdout
        assert f"{path}:1@" in result.stdout
    bad = tmp_path / "bad.toml"
    bad.write_text("base_points = 4", encoding="utf-8")
    result = CliRunner().invoke(phz.app, ["fit", str(path), "--options", str(bad), "--lang", "en"])
    assert result.exit_code == 2
    assert "allowed: 1, 2, 3, 5, 10" in result.stderr
    assert CliRunner().invoke(phz.app, ["fit", str(tmp_path / "none.jsonl")]).exit_code == 2
