"""Sources that never tell some kinds of events: what is absent is no fault, what came before still is one."""

from __future__ import annotations

import msgspec
import pytest

from ingest.codes import Action
from ingest.record import Move, Record
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.omissions import reason
from replay.replayer import Replay, replay_round
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.wording import localised

CLAIMS = (Action.CHI, Action.BI, Action.PENG, Action.WEI, Action.CHOU_WEI, Action.PAO, Action.TI, Action.TI_OPEN)
PLAYERS = [Player("甲"), Player("乙", peng=90, chi=90), Player("丙", hu=80, chi=90)]


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return [
        record
        for name in ("qq", "guilin", "bisai")
        for record in sessions(engine(RULESETS[name], compiled()), 5, 150, PLAYERS)
    ]


def without(record: Record, *actions: Action) -> Record:
    moves = tuple(move for move in record.moves if move.action not in actions)
    return msgspec.structs.replace(record, moves=moves, omits=tuple(sorted(map(int, actions))))


def judged(record: Record) -> Replay:
    return replay_round(record, engine(RULESETS[record.ruleset], compiled()))


@pytest.mark.clause("3.17")
@pytest.mark.parametrize("actions", [(Action.BI,), CLAIMS, (*CLAIMS, Action.HU, Action.HUANG)])
def test_r3_17_what_a_source_never_tells_is_no_fault(played, actions):
    shown = 0
    for record in played:
        told = without(record, *actions)
        replay = judged(told)
        assert not [finding for finding in replay.findings if finding.severity]
        as_fault = judged(msgspec.structs.replace(told, omits=()))
        shown += as_fault.verdict == "violations"
        if as_fault.verdict == "violations":
            assert replay.verdict == "undecidable"
            assert reason(told) in replay.undecidable
        else:
            assert (replay.verdict, replay.score, replay.undecidable) == ("clean", as_fault.score, ())
    assert shown > 50


@pytest.mark.clause("3.17")
def test_r3_17_a_fault_before_the_first_gap_stays(played):
    found = 0
    for record in played:
        at = next((seq for seq, move in enumerate(record.moves) if move.action == Action.BI), None)
        if at is None or record.hands[record.dealer] is None:
            continue
        first = record.moves[0]
        strange = next(
            card for card in range(20) if card not in (record.hands[record.dealer] or ()) and card != record.liang
        )
        if first.action != Action.DISCARD:
            continue
        faulty = msgspec.structs.replace(record, moves=(Move(first.seat, first.action, strange), *record.moves[1:]))
        replay = judged(without(faulty, Action.BI))
        assert (replay.findings[0].seq, replay.findings[0].code) == (0, "CARD_NOT_IN_HAND")
        assert replay.verdict == "violations"
        found += 1
    assert found > 5


def test_the_reason_is_told_in_both_languages(played):
    text = reason(without(played[0], Action.BI, Action.PENG))
    assert text == "the source never tells 比 碰"
    assert localised(text, "zh") == "来源从不记录 比 碰"


def test_a_source_that_tells_every_chou_wei_as_wei(played):
    shown = 0
    for record in played:
        moves = tuple(
            msgspec.structs.replace(move, action=int(Action.WEI)) if move.action == Action.CHOU_WEI else move
            for move in record.moves
        )
        told = msgspec.structs.replace(record, moves=moves, omits=(int(Action.CHOU_WEI),))
        replay = judged(told)
        assert not [finding for finding in replay.findings if finding.severity]
        shown += replay.verdict == "undecidable"
        assert (replay.verdict == "clean") <= (moves == record.moves or record.ruleset == "guilin")
    assert shown > 20


def test_a_draw_that_is_hidden_from_us_may_lie_face_down(played):
    record = next(
        one for one in played if one.ruleset == "qq" and any(move.action == Action.DRAW for move in one.moves)
    )
    at = next(seq for seq, move in enumerate(record.moves) if move.action == Action.DRAW)
    moves = tuple(msgspec.structs.replace(move, face=1) if seq == at else move for seq, move in enumerate(record.moves))
    known = judged(msgspec.structs.replace(record, moves=moves))
    assert ("WRONG_REVEAL" in {finding.code for finding in known.findings}) == (
        record.moves[at + 1].action not in (Action.WEI, Action.TI)
    )
    hands = tuple(None if seat == record.moves[at].seat else hand for seat, hand in enumerate(record.hands))
    hidden = judged(msgspec.structs.replace(record, moves=moves, hands=hands))
    assert "WRONG_REVEAL" not in {finding.code for finding in hidden.findings}
