"""Exact steps to a win against brute force, against ``hu_value``, plain against compiled, and by the clauses."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from replay.engine import Engine, engine
from replay.fronts import few_fronts, fronts
from replay.hands import HandError, waits
from replay.kernels import layout
from replay.kernels.jit import compiled, plain
from replay.kernels.layout import HUXI_AT, P_MIN_HUXI, SEAT_SIZE, W_DISCARD, W_OTHER, W_OWN
from replay.kernels.pieces import ELEMENTS, MOST_WHOLE, ROW, STATES, WORK_SIZE
from replay.kernels.steps import DEAD, LAST_FOUR, LAST_PIECE, NEVER, NO_STEPS, last_card
from replay.rulesets import RULESETS
from replay.simulate import Stream
from replay.steps import steps_to_win
from tests.replay.moments import Block, made_up, moments, put_block
from tests.replay.steps_brute import Search, seat_of
from tests.replay.test_score import run

CHECKED = ("qq", "hu15", "guilin", "luzhou", "ningxiang")


def machine_of(name: str) -> Engine:
    return engine(RULESETS[name], compiled())


def compiled_steps(machine: Engine, blocks: list[Block]) -> list[int]:
    rows, work = fronts(machine.ruleset), np.zeros(WORK_SIZE, dtype=np.int64)
    found = []
    for block in blocks:
        put_block(machine, block)
        found.append(compiled("steps").steps_to_win(machine.state, rows, work, 0))
    return found


def agree(name: str, seed: int, n: int) -> Counter[int]:
    """``n`` states of play and ``n`` made up: the kernel and brute force say the same; returns the steps met."""
    machine = machine_of(name)
    blocks = moments(machine.ruleset, seed, n) + made_up(machine, seed, n)
    steps = compiled_steps(machine, blocks)
    for block, found in zip(blocks, steps, strict=True):
        seat = seat_of(block, machine.ruleset)
        assert found == Search(machine.ruleset).steps(seat), seat
    return Counter(steps)


@pytest.mark.parametrize("name", CHECKED)
def test_steps_are_those_of_brute_force(name: str) -> None:
    met = agree(name, 11, 205)
    assert met[DEAD] > 10
    assert all(met[n] > 0 for n in (1, 2, 3, 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_steps_are_those_of_brute_force_in_many_states(name: str) -> None:
    print(name, sorted(agree(name, 1_000_003, 2_100).items()))


@pytest.mark.parametrize("name", CHECKED)
def test_r8_1_one_step_is_ting(name: str) -> None:
    """0 exactly when the hand is complete, 1 exactly when some card of which it owns less than four wins."""
    machine = machine_of(name)
    state, least = machine.state, RULESETS[name].min_huxi
    assert state[P_MIN_HUXI] == least
    blocks = moments(machine.ruleset, 5, 3_000) + made_up(machine, 5, 3_000)
    met: Counter[int] = Counter()
    for block, steps in zip(blocks, compiled_steps(machine, blocks), strict=True):
        put_block(machine, block)

        def wins(card: int, source: int) -> bool:
            value = machine.kernels.hu_value(state, machine.table, 0, card, source)
            return bool(value >= 0 and value >> HUXI_AT >= least)

        assert (steps == 0) == wins(-1, W_OWN)
        seat = seat_of(block, machine.ruleset)
        due = seat.owned - 20 - max(0, seat.quads - 1) - seat.waived
        met[steps] += due <= 0
        if steps > 0 and due <= 0:
            open_ = [card for card in range(20) if seat.own[card] < 4]
            ting = any(wins(card, source) for card in open_ for source in (W_OWN, W_OTHER, W_DISCARD))
            assert (steps == 1) == ting, seat
    assert met[1] > 50


@pytest.mark.parametrize("name", CHECKED)
def test_compiled_and_plain_steps_are_the_same(name: str) -> None:
    machine, slow = machine_of(name), engine(RULESETS[name])
    blocks = moments(machine.ruleset, 21, 40) + made_up(machine, 21, 40)
    rows = few_fronts(machine.ruleset)
    for block, steps in zip(blocks, compiled_steps(machine, blocks), strict=True):
        put_block(slow, block)
        assert plain("steps").steps_to_win(slow.state, rows, [0] * WORK_SIZE, 0) == steps


@pytest.mark.parametrize("name", ["qq", "luzhou"])
def test_both_ways_to_make_a_front_agree(name: str) -> None:
    whole, few = fronts(RULESETS[name]), few_fronts(RULESETS[name])
    stream = Stream(3)
    for _ in range(150):
        at = ROW * stream.below(2 * STATES)
        assert [few[at + i] for i in range(ROW)] == whole[at : at + ROW].tolist()
        at = MOST_WHOLE + stream.below(2 * STATES)
        assert few[at] == whole[at]
    assert [few[at] for at in range(ELEMENTS, MOST_WHOLE)] == whole[ELEMENTS:MOST_WHOLE].tolist()
    assert len(whole) == MOST_WHOLE + 2 * STATES


def test_steps_do_not_depend_on_which_size_is_which() -> None:
    """Where small and big are worth the same, both may change places."""
    rules = RULESETS["qq"]
    same = {"huxi_peng": (1, 1, 1, 1), "huxi_kan": (3, 3, 3, 3), "huxi_pao": (6,) * 4, "huxi_ti": (9,) * 4}
    stream = Stream(8)
    for _ in range(25):
        cards = [kind // 4 for kind in stream.shuffled(range(80))[:20]]
        options = {**same, "huxi_123": (3, 3), "huxi_2710": (3, 3), "min_huxi": 6}
        turned = [(card + 10) % 20 for card in cards]
        assert steps_to_win(cards, (), rules.name, options) == steps_to_win(turned, (), rules.name, options)


# By the clauses; hands that can be counted by hand


FOUR_CHI = ("吃 四五六", "吃 四五六", "吃 肆伍陆", "吃 肆伍陆")


def test_r8_3_r8_5_seven_groups_and_enough_huxi() -> None:
    hand = "七八九十柒捌玖拾"  # 七八九 柒捌玖 and 十拾 bring nothing, 七十 waits for 3 胡息 and 柒拾 for 6
    found = [steps_to_win(hand, FOUR_CHI, "qq", {"min_huxi": least}) for least in (0, 6, 9, 15)]
    assert found == [1, 2, 3, DEAD]
    assert steps_to_win(hand + "十", FOUR_CHI, "qq", {"min_huxi": 0}) == 0
    assert steps_to_win(hand + "八", FOUR_CHI, "qq", {"min_huxi": 0}) == 1  # a card is thrown first


def test_r8_4_r8_6_the_first_four_ask_for_the_jiang() -> None:
    """The fourth 壹 is the last card: then the pair is the 将. Without a pair it is one of two."""
    melds = ("吃 一二三", "吃 二七十", "吃 四五六", "吃 四五六", "吃 七八九")
    assert steps_to_win("壹壹壹玖玖", melds, "qq") == 1
    assert {card for card, _ in waits("壹壹壹玖玖", melds, "qq")} == {"壹", "玖"}
    assert steps_to_win("壹壹壹伍玖", melds, "qq") == 2
    assert waits("壹壹壹伍玖", melds, "qq") == {}


def test_r8_8_r8_9_r8_10_groups_count_at_their_best() -> None:
    """A pair becomes 偎 (3), not 碰 (1); a 碰 on the table becomes 跑 (9)."""
    melds = ("吃 一二三", "吃 二七十", "吃 四五六", "碰 壹", "吃 七八九")  # 9 胡息
    assert steps_to_win("肆伍陆九九", melds, "qq", {"min_huxi": 9}) == 1
    assert steps_to_win("肆伍陆九九", melds, "qq") == 1  # the fourth 壹: 跑, 九九 the 将, 15 胡息
    assert steps_to_win("肆伍陆九八", melds, "qq") == 2
    options = {"huxi_pao": (6, 8, 6, 8)}
    assert steps_to_win("肆伍陆九九", melds, "qq", options) == 3  # 14 with 跑: so 九九 become 提, 肆 the 将


def test_r8_19_a_second_four_is_never_the_last_card() -> None:
    """Two 坎 whose fourths would bring the 胡息: after the first a discard is due, and every card is needed."""
    melds = ("吃 四五六", "吃 四五六", "吃 肆伍陆", "吃 肆伍陆")
    hand = "八八八九九九七七"
    assert steps_to_win(hand, melds, "qq", {"min_huxi": 10}) == 1  # one 提 and a 坎: 12
    # Both 提 are 18 and would be two cards. One 七 is thrown after the first, so the other's twin comes last.
    assert steps_to_win(hand, melds, "qq") == 3


def test_r1_1_a_kind_has_four_cards() -> None:
    """七九 wait for 八. Where four 八 lie on the own table, none can come."""
    melds = ("碰 八", "吃 一二三", "吃 二七十", "吃 贰柒拾")
    assert steps_to_win("肆伍陆七九", (*melds, "吃 四五六"), "qq", {"min_huxi": 9}) == 1
    assert steps_to_win("肆伍陆七九", (*melds, "吃 七八九"), "qq", {"min_huxi": 9}) == DEAD


def test_r2_18_a_debt_is_paid_before_the_last_card() -> None:
    # Two dealt 提 and 20 cards: one card less than a seat at rest has.
    hand = "一一一一二二二二伍伍陆柒玖玖拾捌肆三四五"
    assert steps_to_win(hand, (), "qq") == 2
    assert waits(hand, (), "qq") == {}


def test_r3_12_after_a_waived_discard_only_four_alike_complete_a_hand() -> None:
    assert last_card(cards=1, plain=1, fours=0, quads=1, waived=0, debt=0) == LAST_PIECE
    assert last_card(cards=1, plain=1, fours=0, quads=1, waived=1, debt=0) == NEVER
    assert last_card(cards=1, plain=0, fours=1, quads=1, waived=1, debt=0) == LAST_FOUR
    assert last_card(cards=1, plain=0, fours=1, quads=1, waived=0, debt=0) == NEVER
    assert last_card(cards=1, plain=0, fours=1, quads=0, waived=0, debt=0) == LAST_PIECE
    assert last_card(cards=1, plain=1, fours=0, quads=2, waived=0, debt=1) == NEVER
    assert last_card(cards=2, plain=2, fours=0, quads=2, waived=0, debt=1) == LAST_PIECE


def test_r12_3_a_dealer_who_is_one_card_short_never_wins() -> None:
    machine = machine_of("guilin")
    block = [0] * SEAT_SIZE
    for kind in (0, 1):
        block[layout.QUADS] |= 1 << 2 * kind
    for card in (4, 5, 6, 13, 14, 15, 16, 17, 18, 8, 9, 19):
        block[layout.HAND] += 1 << 2 * card
    block[layout.KNOWN] = 1
    assert compiled_steps(machine, [block])[0] == 2  # a debt of one card
    block[layout.OFFSET] = 1
    assert compiled_steps(machine, [block]) == [DEAD]


def test_r16_4_where_drawn_cards_enter_the_hand_there_are_no_steps() -> None:
    machine = machine_of("general")
    assert compiled_steps(machine, moments(machine.ruleset, 1, 3)) == [NO_STEPS] * 3
    assert steps_to_win("一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾", (), "general") is None


def test_a_number_of_cards_that_no_seat_owns_has_no_steps() -> None:
    assert steps_to_win("一二三") is None
    assert steps_to_win("一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾一二") is None
    with pytest.raises(HandError, match="X"):
        steps_to_win("X")


def test_the_calculator_tells_the_steps() -> None:
    hand = "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾"
    assert run("score", hand)[1] == "QQ 跑胡子：没有听牌，步数 2\n"
    assert run("score", hand, lang="en")[1] == "QQ paohuzi: waits for nothing, 2 steps to a win\n"
    assert run("score", hand + "玖")[1].startswith("QQ 跑胡子：这手牌不能胡，牌型不成，步数 2")
    dead = [piece for meld in FOUR_CHI for piece in ("--meld", meld)]
    assert run("score", "七八九十柒捌玖拾", *dead)[1] == "QQ 跑胡子：没有听牌，已成不了胡\n"
    assert run("score", "七八九十柒捌玖拾", *dead, lang="en")[1].endswith("no cards can complete it\n")
    answers = json.loads(run("score", hand, "--ruleset", "all", "--json")[1])["answers"]
    assert {answer["ruleset"]: answer["steps"] for answer in answers} == {
        name: steps_to_win(hand, (), name) for name in RULESETS
    }
