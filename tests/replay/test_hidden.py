"""What a record hides: the turn goes on as it would, and nothing is held against a hand that is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec
import pytest

from ingest import cards
from ingest.codes import Action
from ingest.record import Move, Record
from replay.engine import Engine, engine
from replay.kernels import layout
from replay.kernels.jit import plain
from replay.kernels.rights import discard_due, owned_of
from replay.replayer import replay_round, steps
from replay.rulesets import RULESETS
from replay.seating import seated
from replay.simulate import Player, sessions
from tests.rules.build import deal, with_moves

Change = Callable[[Record, Sequence[int]], Record]

PLAYERS = (Player("甲"), Player("乙", hu=70, peng=90, chi=95, lone=50), Player("丙", hu=50, peng=70))
ROUNDS = 8
LAID = (Action.CHI, Action.BI, Action.PENG, Action.WEI, Action.CHOU_WEI, Action.PAO, Action.TI, Action.TI_OPEN)


@cache
def machine_of(ruleset: str) -> Engine:
    return engine(RULESETS[ruleset], plain())


@cache
def rounds_of(ruleset: str) -> tuple[Record, ...]:
    records = sessions(machine_of(ruleset), 41, ROUNDS, PLAYERS, per_session=1, persons=3)
    return tuple(msgspec.structs.replace(record, result=None, offers=None) for record in records)


def without_hands(record: Record, hidden: Sequence[int]) -> Record:
    hands = tuple(None if seat in hidden else hand for seat, hand in enumerate(record.hands))
    return msgspec.structs.replace(record, hands=hands)


def without_laid(record: Record, hidden: Sequence[int]) -> Record:
    """The groups that some seats lay are not told; but for those that grow later, and what makes them grow."""
    laid = [(move.seat, move.card) for move in record.moves if move.action in LAID and move.action != Action.BI]

    def veiled(move: Move) -> Move:
        grows = move.action != Action.BI and laid.count((move.seat, move.card)) > 1
        if move.seat not in hidden or move.action not in LAID or grows:
            return move
        return msgspec.structs.replace(move, card=cards.UNKNOWN, a=cards.UNKNOWN, b=cards.UNKNOWN)

    return msgspec.structs.replace(record, moves=tuple(map(veiled, record.moves)))


def without_opened(record: Record, hidden: Sequence[int]) -> Record:
    """What some seats discard or draw is not told, where nobody takes it."""
    moves = list(record.moves)
    to_hand = RULESETS[record.ruleset].draw_to_hand
    for seq, move in enumerate(record.moves):
        following = record.moves[seq + 1 : seq + 2]
        left = not following or following[0].action in (Action.DRAW, Action.HUANG)
        left = left or (to_hand and move.action == Action.DRAW and following[0].action == Action.DISCARD)
        if move.seat in hidden and move.action in (Action.DISCARD, Action.DRAW) and left:
            moves[seq] = msgspec.structs.replace(move, card=cards.UNKNOWN)
    return msgspec.structs.replace(record, moves=tuple(moves))


def course(record: Record) -> Iterator[tuple[object, ...]]:
    """After each event: whose turn it is, and how many cards, groups and due discards each seat has."""
    machine = machine_of(record.ruleset)
    state = machine.state
    for seq, _ in steps(seated(record, RULESETS[record.ruleset]), machine):
        counts = []
        for seat in range(3):
            at = layout.SEAT0 + seat * layout.SEAT_SIZE
            laid = tuple(int(state[at + slot]) for slot in (layout.TABLE, layout.MELDS, layout.N_QUADS))
            counts.append((owned_of(state, seat), discard_due(state, seat), *laid))
        following = record.moves[seq + 1 : seq + 2]
        if seq >= 0 and not (following and following[0].action == Action.BI):  # a 吃 is whole with its last 比
            yield seq, int(state[layout.TURN]), int(state[layout.WALL_AT]), *counts


def told_by_hand(record: Record, hidden: Sequence[int]) -> bool:
    """Does what follows rest on cards that stay in a hand: a dealt 提, or a discard that is waived for its 坎?"""
    machine = machine_of(record.ruleset)
    for _ in steps(seated(record, RULESETS[record.ruleset]), machine):
        for seat in hidden:
            at = layout.SEAT0 + seat * layout.SEAT_SIZE
            if machine.state[at + layout.QUADS] or machine.state[at + layout.WAIVED]:
                return True
    return False


@pytest.mark.parametrize("hidden", [(0,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("change", [without_hands, without_laid, without_opened])
def test_the_turn_goes_on_without_the_cards(change: Change, ruleset: str, hidden: tuple[int, ...]) -> None:
    compared = 0
    for record in rounds_of(ruleset):
        less = change(record, hidden)
        if less != record and not told_by_hand(record, hidden):
            assert list(course(less)) == list(course(record))
            compared += 1
    assert compared > 1


def faults(change: Change, ruleset: str, hidden: tuple[int, ...]) -> list[tuple[str, int]]:
    found = []
    for record in rounds_of(ruleset):
        if not told_by_hand(record, hidden):
            outcome = replay_round(change(record, hidden), machine_of(ruleset))
            found += [(finding.code, finding.seat) for finding in outcome.findings if finding.severity]
            assert (outcome.verdict == "undecidable") or found or change(record, hidden) == record
    return found


@pytest.mark.parametrize("hidden", [(0,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("change", [without_hands, without_laid, without_opened])
def test_nothing_is_held_against_what_is_not_told(change: Change, ruleset: str, hidden: tuple[int, ...]) -> None:
    assert faults(change, ruleset, hidden) == []


FIFTH: dict[str, tuple[dict[int, str], list[str]]] = {
    "打": ({0: "五五", 2: "五五"}, ["0 打 九", "1 吃 九 七八", "1 打 五"]),
    "吃": ({0: "四五五", 2: "五五"}, ["0 打 四", "1 吃 四 五六"]),
    "比": ({0: "四五五", 2: "五五"}, ["0 打 四", "1 吃 四 二三", "1 比 四五六"]),
    "碰": ({0: "五", 2: "五五"}, ["0 打 五", "1 碰"]),
    "跑": ({0: "五", 2: "五"}, ["0 打 五", "1 跑"]),
    "偎": ({0: "五", 2: "五"}, ["0 打 九", "1 摸 五", "1 偎"]),
    "提": ({0: "五"}, ["0 打 九", "1 摸 五", "1 提"]),
    "亮提": ({0: "五"}, ["1 亮提 五"]),
}


@pytest.mark.parametrize("act", FIFTH)
def test_r1_1_a_hidden_hand_shows_a_fifth_copy(act: str) -> None:
    hands, moves = FIFTH[act]
    for copies in (4, 5):
        held = {seat: text if copies == 5 or seat != max(hands) else text[1:] for seat, text in hands.items()}
        first = [move for move in moves if move.startswith("0") or "摸" in move]
        whole = deal(held, first, avoid=dict.fromkeys(range(3), "五"), add_missing=False, complete=False)
        record = without_hands(with_moves(whole, moves), [1])
        found = [(f.code, f.seat, f.expected, f.actual) for f in replay_round(record).findings if f.severity]
        assert found == ([("FIFTH_COPY", 1, "4", "5")] if copies == 5 else []), (act, copies)


@pytest.mark.parametrize("place", [0, 10, 19])
def test_one_unknown_card_hides_the_hand(place: int) -> None:
    record = rounds_of("qq")[0]
    for seat, hand in enumerate(record.hands):
        assert hand is not None
        less = (*hand[:place], cards.UNKNOWN, *hand[place + 1 :])
        told = msgspec.structs.replace(record, hands=(*record.hands[:seat], less, *record.hands[seat + 1 :]))
        found = replay_round(told, machine_of("qq"))
        assert found.undecidable[0] == f"hand of seat {seat} is unknown"
        assert list(course(told)) == list(course(without_hands(record, [seat])))


@pytest.mark.parametrize("liang", [None, cards.UNKNOWN])
def test_without_the_liang_the_dealers_hand_is_hidden(liang: int | None) -> None:
    for record in rounds_of("qq"):
        told = msgspec.structs.replace(record, liang=liang)
        found = replay_round(told, machine_of("qq"))
        assert [f for f in found.findings if f.severity] == []
        assert found.undecidable[0] == "亮张 is unknown"
        if not told_by_hand(record, [record.dealer]):
            assert list(course(told)) == list(course(record))


@pytest.mark.parametrize("copies", [4, 5])
@pytest.mark.parametrize("hidden", [0, 1])
def test_r1_1_the_liang_is_one_of_the_four(hidden: int, copies: int) -> None:
    """Two of seat 2, the 亮张, and one or two more from the hidden hand."""
    throws = [
        "0 打 五",
        "1 摸 八",
        "2 摸 九",
        "0 摸 一",
        "0 吃 一 二三",
        "0 打 五",
        "1 摸 捌",
        "2 摸 玖",
        "0 摸 柒",
        "0 吃 柒 捌玖",
        "0 打 五",
    ]
    others = ["0 打 十", "1 吃 十 八九", "1 打 五", "2 摸 六", "0 摸 一", "1 吃 一 二三", "1 打 五"]
    moves = throws if hidden == 0 else others
    if copies == 4:
        moves = moves[: 6 if hidden == 0 else 3]
    whole = deal({2: "五五"}, [], liang="五", avoid=dict.fromkeys(range(3), "五"), add_missing=False)
    record = without_hands(with_moves(whole, moves), [hidden])
    found = [f.code for f in replay_round(msgspec.structs.replace(record, wall=None)).findings if f.severity]
    assert ("FIFTH_COPY" in found) == (copies == 5)


@pytest.mark.parametrize(("ruleset", "found"), [("qq", ["MISSING_DISCARD"]), ("guilin", [])])
def test_r3_7_a_discard_that_a_dealt_ti_may_excuse(ruleset: str, found: list[str]) -> None:
    """Where dealt 提 stay in hand nobody can say that a hidden hand owed a discard."""
    record = deal({1: "四六"}, ["0 打 五", "1 吃 五 四六", "2 摸 十"], ruleset=ruleset)
    for hidden in ([], [1]):
        outcome = replay_round(without_hands(record, hidden))
        assert [f.code for f in outcome.findings if f.severity] == (found if hidden else ["MISSING_DISCARD"])


def test_r1_1_a_wei_of_what_lies_as_a_peng_would_take_six_copies() -> None:
    moves = ["0 打 五", "1 碰", "1 打 九", "2 摸 十", "0 摸 八", "1 摸 五", "1 偎"]
    record = deal({1: "五五"}, moves, complete=False)
    found = [(f.code, f.actual) for f in replay_round(without_hands(record, [1])).findings if f.severity]
    assert found == [("FIFTH_COPY", "6")]


def test_r12_9_a_hidden_hand_lays_its_dealt_ti_with_the_first_pao() -> None:
    moves = ["0 打 五", "1 跑", "1 亮提 一", "2 摸 十"]
    record = deal({1: "五五五一一一一"}, moves, ruleset="guilin", complete=False)
    for hidden in ([], [1]):
        told = without_hands(record, hidden)
        assert [f for f in replay_round(told).findings if f.severity] == []
    owing = with_moves(record, ["0 打 五", "1 跑", "2 摸 十"], complete=False)
    found = [(f.code, f.seat, f.expected) for f in replay_round(owing).findings if f.severity]
    assert found[0] == ("MISSING_EVENT", 1, "1 亮提 一")
