"""Who could claim each card, who passed, who came too late, and by which clause."""

from __future__ import annotations

import pytest

from ingest.codes import Action
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.windows import windows
from tests.rules.build import deal


def test_r4_3_a_peng_before_a_chi_and_the_chi_is_no_guozhang() -> None:
    record = deal({1: "四六", 2: "五五"}, ["0 打 五", "2 碰", "2 打 九"], ruleset="hu15")
    (first, *_) = windows(record)
    assert (first["seq"], first["card"], first["person"], first["drawn"]) == (0, 4, 0, False)
    assert [(r["seat"], r["action"], r["fate"]) for r in first["rights"]] == [
        (1, Action.CHI, "preempted"),
        (2, Action.PENG, "taken"),
    ]
    assert first["rights"][1]["over"] == [{"seat": 1, "action": Action.CHI, "clause": "4.3"}]


def test_r7_1_who_leaves_the_card_has_declined() -> None:
    record = deal({1: "四六"}, ["0 打 五", "1 过", "1 摸 九"], ruleset="hu15")
    (first, *_) = windows(record)
    assert [(r["seat"], r["action"], r["fate"]) for r in first["rights"]] == [(1, Action.CHI, "declined")]


def test_r6_10_a_pao_that_was_not_made_has_failed() -> None:
    record = deal({2: "五五五"}, ["0 打 五", "1 摸 九"], ruleset="hu15")
    (first, *_) = windows(record)
    fates = [(r["seat"], r["action"], r["forced"], r["fate"]) for r in first["rights"]]
    assert (2, Action.PAO, True, "failed") in fates


@pytest.mark.parametrize("name", RULESETS)
def test_every_claim_of_a_legal_round_is_a_right_that_was_taken(name: str) -> None:
    ruleset = RULESETS[name]
    persons = 4 if ruleset.sitter != "none" else 3
    players = [Player("a"), Player("b", peng=90, chi=90), Player("c", hu=80, chi=40), Player("d", lone=30)]
    claims = 0
    for record in sessions(engine(ruleset), 31, 15, players, persons=persons):
        opened = windows(record)
        assert [w["seq"] for w in opened] == [
            seq
            for seq, move in enumerate(record.moves)
            if move.action == Action.DISCARD or (move.action == Action.DRAW and not ruleset.draw_to_hand)
        ]
        for window in opened:
            assert sum(right["fate"] == "taken" for right in window["rights"]) <= 1
            after = record.moves[window["seq"] + 1]
            taken = [(r["seat"], r["action"]) for r in window["rights"] if r["fate"] == "taken"]
            if after.action in (Action.CHI, Action.PENG, Action.PAO, Action.HU):
                assert taken == [(after.seat, after.action)]
                claims += 1
            assert all(right["fate"] != "failed" for right in window["rights"])
    assert claims > 30
