"""Each finding planted a few times with the kernels as plain Python, and what it says: what the mutation tests run."""

from __future__ import annotations

import re
from functools import cache

import pytest

import replay
from ingest.cards import name
from ingest.codes import ACTION_CHARS, Action
from ingest.record import Record
from replay.engine import Engine, begin, deal_of, engine, found
from replay.findings import Finding
from replay.inject import INJECTORS, Planted
from replay.kernels import layout
from replay.kernels.jit import plain
from replay.replayer import check_deal, steps
from replay.rulesets import RULESETS
from replay.seating import seated
from replay.simulate import Stream
from tests.replay.injections import SEED, Pool, applies, inject

PAIRS = [(code, ruleset) for code, rulesets in sorted(applies().items()) for ruleset in rulesets]
EACH = pytest.mark.parametrize(("code", "ruleset"), PAIRS)

EXPECTED = {
    "BAKUAI_DISCARD": "# 摸",
    "CHOUWEI_HIDDEN": "@ 臭偎 &",
    "CHOUWEI_SPURIOUS": "@ (偎|臭偎) &",
    "CLOSED_CLAIM": r"|\d &|@ 过 &|\?",
    "DOUBLE_CLAIM": r"\d &",
    "DOUBLE_DRAW": "# 摸",
    "DRAW_ORDER": "# 摸",
    "FALSE_HUANG": r"\d (摸|打)",
    "FIFTH_COPY": "4",
    "LIANG_SKIPPED": "@ 打",
    "LOST_BY_REFUSED_HU": "@ 跑 &",
    "MELD_KIND": "|@ (跑|提) &",
    "MISSED_HUANG": "荒",
    "MISSING_DISCARD": "@ 打",
    "MISSING_EVENT": "胡|@ 胡( .)?|@ 亮提 .|",
    "PENG_DECLINED": "@ 碰 &",
    "SHAO_BI": "0",
    "SHI_TI": "@ 提 &|@ 亮提 .",
    "SHI_WEI": "@ 偎 &",
    "TIANHU1_MISSED": "@ 胡",
    "WALL_MISMATCH": "@ 摸 .",
    "WINDOW_CUT": r"\d &",
    "WRONG_TURN": r"\d",
    "ZHA_HU_XI": r"\d+",
    "ZOU_PAO": "@ 跑 &",
}
"""What the rules wanted, by code; @: the seat of the finding, #: another seat, &: the card that lay open."""
NUMBERS = ("FIFTH_COPY", "SHAO_BI", "ZHA_HU_XI")
NOT_OF_THE_PLAY = ("OPTION_NOT_LEGAL", "OPTION_NOT_OFFERED", "WRONG_REVEAL")


@cache
def pool_of(ruleset: str) -> Pool:
    return Pool(ruleset, SEED, engine(RULESETS[ruleset], plain()))


@EACH
def test_what_is_planted_in_plain_kernels_is_found(code: str, ruleset: str) -> None:
    tally = inject(code, ruleset, 5, pool_of(ruleset), most_rounds=30, tries=150)
    assert (tally.missed, tally.false) == ([], [])
    assert tally.planted > 1


def planted(code: str, ruleset: str) -> list[Planted]:
    pool, stream = pool_of(ruleset), Stream(SEED)
    placed = [INJECTORS[code].place(pool.at(number), stream) for number in range(12)]
    return [one for one in placed if one is not None]


def event(record: Record, seq: int) -> str:
    move = record.moves[seq]
    named = [name(move.card)] if move.card >= -1 else []
    return " ".join([*([str(move.seat)] if move.seat >= 0 else []), ACTION_CHARS[Action(move.action)], *named])


def open_before(record: Record, seq: int) -> str:
    """The card that lay open last before an event, or nothing."""
    opened = [move.card for move in record.moves[:seq] if move.action in (Action.DISCARD, Action.DRAW)]
    return name(opened[-1]) if opened else ""


def check_words(record: Record, finding: Finding) -> None:
    card = open_before(record, finding.seq)
    form = EXPECTED.get(finding.code, "").replace("@", str(finding.seat)).replace("&", re.escape(card) or "x")
    wanted = form.replace("#", f"(?!{finding.seat})\\d")
    assert re.fullmatch(wanted, finding.expected), finding
    if finding.code in NUMBERS:
        assert re.fullmatch(r"\d+", finding.actual), finding
        assert finding.actual != finding.expected
    else:
        told = event(record, finding.seq) if finding.seq < len(record.moves) else ""
        passed = f"{finding.seat} 过 {card}"
        assert finding.actual in ("", card, told, told.removesuffix(f" {card}"), passed), finding


@EACH
def test_a_finding_tells_what_was_wanted_and_what_was_done(code: str, ruleset: str) -> None:
    for one in planted(code, ruleset):
        settled = len(one.record.moves)
        for finding in replay.replay_round(one.record, pool_of(ruleset).machine).findings:
            of_play = 0 <= finding.seq < settled or finding.code == "MISSING_EVENT"
            if of_play and finding.code not in NOT_OF_THE_PLAY:
                check_words(one.record, finding)


def audited(record: Record, machine: Engine) -> tuple[list[int], list[int]]:
    """Findings and score of the round as many rounds are judged, one event after the other without a look ahead."""
    seating = seated(record, machine.ruleset)
    moves = seating.record.moves
    events = [slot for move in moves for slot in (move.seat, move.action, move.card, move.a, move.b)]
    begin(machine, deal_of(seating))
    machine.kernels.audit_round(machine.state, machine.table, events, 0, len(moves), int(record.complete))
    return list(found(machine)), list(machine.state[layout.SCORE0 : layout.SCORE0 + layout.SCORE_SIZE])


def stepped(record: Record, machine: Engine) -> tuple[list[int], list[int]]:
    """The same as one round is replayed."""
    seating = seated(record, machine.ruleset)
    for _ in steps(seating, machine):
        pass
    machine.state[layout.SEQ] = len(seating.record.moves)
    if record.complete:
        machine.kernels.finish(machine.state)
    machine.kernels.settle(machine.state, -1)
    return list(found(machine)), list(machine.state[layout.SCORE0 : layout.SCORE0 + layout.SCORE_SIZE])


@EACH
def test_many_rounds_are_judged_as_one_is(code: str, ruleset: str) -> None:
    machine = pool_of(ruleset).machine
    for one in planted(code, ruleset):
        if not (one.record.options or check_deal(seated(one.record, machine.ruleset), machine.ruleset)):
            assert audited(one.record, machine) == stepped(one.record, machine)
