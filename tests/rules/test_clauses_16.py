"""The clauses of chapter 16 of docs/rules.md, one by one: the general rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import replay
from ingest.codes import Action
from ingest.record import Record
from ingest.validate import check_found
from replay.engine import engine
from replay.rulesets import resolve
from replay.session import check_session
from replay.simulate import Player, sessions
from tests.rules.build import deal
from tests.rules.check import clean, faults, seen, settled
from tests.rules.legal import legal
from tests.rules.seats import for_two
from tests.rules.worth import worth

RUNS = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"  # six 句 and the 将
READY = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十肆"  # waits for 十, 肆 and what completes 肆伍陆柒


def general(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    return deal(hands, moves, ruleset="general", **more)


def test_r16_1_two_or_three_players() -> None:
    clean(general({}, ["0 打 九", "1 摸 捌", "1 打 一", "2 摸 叁"], add_missing=True))
    two = for_two(
        general({1: READY}, ["0 打 九", "1 摸 捌", "1 打 捌", "0 摸 二", "0 打 十", "1 胡"], add_missing=False)
    )
    assert settled(two).winner == 1
    three = general({}, ["0 打 九"])
    four = msgspec.structs.replace(three, players=("甲", "乙", "丙", "丁"), hands=(*three.hands, three.hands[0]))
    refused = check_found(four)
    assert refused is not None
    assert refused.code == "BAD_SEAT"


def test_r16_2_no_liang_is_shown() -> None:
    record = general({1: READY}, [], liang="十")
    assert {move.split()[0] for move in legal(record)} == {"0"}
    assert record.hands[0] is not None
    assert record.liang is not None
    whole = (record.hands[0] + (record.liang,), *record.hands[1:])
    clean(msgspec.structs.replace(record, hands=whole, liang=None))


@pytest.mark.parametrize(("three", "wins"), [("一二三", True), ("一一一", True), ("二七十", False), ("一一壹", False)])
def test_r16_3_sentences(three: str, wins: bool) -> None:
    rest = "四五六七八九叁叁叁伍陆柒玖玖玖捌捌"
    assert worth(three + rest, "贰", "own_draw", ruleset="general").wins == wins


def test_r16_4_a_drawn_card_goes_into_the_hand() -> None:
    start = ["0 打 九", "1 摸 五"]
    assert "1 打 五" in legal(general({1: "二三四"}, start))
    # Nobody else may claim it.
    for claim in ("0 碰 五", "2 吃 五 四六", "2 胡 五"):
        codes = {code for code, _ in faults(general({0: "五五", 2: "四六"}, [*start, claim]))}
        assert "CLOSED_CLAIM" in codes, claim
    clean(general({2: "四六十"}, [*start, "1 打 五", "2 吃 五 四六", "2 打 十"], add_missing=False))


def test_r16_5_when_a_discard_is_due() -> None:
    clean(general({1: "五五五五"}, ["0 打 九", "1 摸 捌", "1 打 十", "2 摸 叁"]))  # a quad in hand counts for nothing
    assert ("WRONG_TURN", 1) in faults(general({}, ["0 打 九", "1 打 十"]))
    assert {code for code, _ in faults(general({}, ["0 打 九", "1 摸 捌", "2 摸 叁"]))} == {"MISSING_DISCARD"}
    for claim, hand in (("1 吃 五 四六", "四六"), ("1 碰 五", "五五")):
        clean(general({1: hand}, ["0 打 五", claim, "1 打 十", "2 摸 叁"]))
        assert "MISSING_DISCARD" in {code for code, _ in faults(general({1: hand}, ["0 打 五", claim, "2 摸 叁"]))}
    quads = {1: "五五五伍伍伍"}
    twice = ["0 打 五", "1 跑", "1 摸 伍", "1 提 伍", "1 摸 捌", "1 打 十", "2 摸 叁"]
    clean(general(quads, twice))
    assert "MISSING_DISCARD" in {code for code, _ in faults(general(quads, [*twice[:5], "2 摸 叁"]))}


def test_r16_6_chi() -> None:
    assert replay.chi_options("四六一二", "五", ruleset="general") != []
    assert [one.bi for one in replay.chi_options("一二三四五捌", "三", ruleset="general")] == [(), (), ()]
    assert replay.chi_options("二七九九捌", "十", ruleset="general") == []
    assert replay.chi_options("玖玖捌", "九", ruleset="general") == []
    clean(general({1: "一二三四五"}, ["0 打 三", "1 吃 三 四五", "1 打 十"]))  # a third 三 stays in hand
    behind = ["0 打 十", "1 摸 叁", "1 打 五", "0 吃 五 四六"]
    assert ("GE_SHAN", 0) in faults(general({0: "四六", 1: "五"}, behind))


def test_r16_7_peng() -> None:
    record = general({2: "五五"}, ["0 打 五"])
    assert {"2 碰 五", "2 过"} <= legal(record)
    clean(general({2: "五五"}, ["0 打 五", "2 碰", "2 打 十"]))
    clean(general({2: "五五"}, ["0 打 五", "1 摸 捌"]))
    assert "2 碰 五" not in legal(general({2: "五五五"}, ["0 打 五"]))
    assert seen(general({2: "五五五"}, ["0 打 五", "2 碰"])) == {("MELD_KIND", 2)}


def test_r16_8_ti_is_of_the_moment() -> None:
    draw = ["0 打 九", "1 摸 五"]
    assert {"1 提 五", "1 打 五"} <= legal(general({1: "五五五"}, draw))
    later = [*draw, "1 打 十", "2 摸 叁", "2 打 一", "0 摸 捌", "0 打 八", "1 摸 拾"]
    record = general({1: "五五五"}, later)
    clean(record)
    assert not any("提" in move for move in legal(record))
    assert "CLOSED_CLAIM" in {code for code, _ in faults(general({1: "五五五"}, [*later, "1 提 五"]))}
    dealt = general({1: "五五五五"}, ["0 打 九", "1 摸 捌"])
    assert not any("提" in move for move in legal(dealt))
    # The fourth of a tabled 碰 is an ordinary card.
    peng = ["0 打 五", "1 碰", "1 打 十", "2 摸 叁", "2 打 一", "0 摸 捌", "0 打 八", "1 摸 五"]
    record = general({1: "五五"}, peng)
    clean(record)
    assert {move.split()[1] for move in legal(record)} == {"打"}


def test_r16_9_pao_is_a_choice() -> None:
    record = general({2: "五五五"}, ["0 打 五"])
    assert {"2 跑 五", "2 过"} <= legal(record)
    clean(general({2: "五五五"}, ["0 打 五", "2 跑", "2 摸 捌", "2 打 十", "0 摸 叁"]))
    tabled = ["0 打 五", "1 碰", "1 打 十", "2 摸 五", "2 打 五", "1 跑 五"]
    assert faults(general({1: "五五"}, tabled, add_missing=False)) != set()


def test_r16_10_order_of_claims() -> None:
    start = ["0 打 五"]
    assert ("WRONG_PRIORITY", 1) in faults(general({1: "四六", 2: "五五"}, [*start, "2 求 碰", "1 吃 五 四六"]))
    assert ("WRONG_PRIORITY", 1) in faults(general({1: "四六", 2: "五五五"}, [*start, "2 求 跑", "1 吃 五 四六"]))
    clean(general({1: "四六", 2: "五五五"}, [*start, "1 吃 五 四六", "1 打 十"]))  # a mere choice of 跑 bars nothing
    hands = {1: READY, 2: "一二三四五六七八九叁叁叁伍陆柒捌捌捌十拾"}
    assert settled(general(hands, ["0 打 十", "1 胡"])).winner == 1
    assert ("WRONG_PRIORITY", 2) in faults(general(hands, ["0 打 十", "1 求 胡", "2 胡"]))
    assert ("WRONG_PRIORITY", 2) in faults(general({1: READY, 2: "十十"}, ["0 打 十", "1 求 胡", "2 碰"]))


def test_r16_11_the_spare_card() -> None:
    assert worth(RUNS, "贰", "own_draw", ruleset="general").wins
    assert not worth(RUNS.replace("十十", "十八"), "贰", "own_draw", ruleset="general").wins
    # With a quad laid there is one card more, and the quad is one 句.
    assert worth("四五六七八九壹壹壹伍陆柒玖玖玖十十", "贰", "own_draw", ["提 叁"], ruleset="general").wins
    options = {"shape": "seven_sentences"}
    seven = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"
    assert replay.evaluate_hand(seven, (), "十", "own_draw", "general", options=options).wins
    assert not replay.evaluate_hand(seven, (), "贰", "own_draw", "general", options=options).wins


def test_r16_12_a_discard_must_be_used() -> None:
    assert worth(READY, "十", "discard", ruleset="general").wins
    assert not worth(RUNS, "贰", "discard", ruleset="general").wins  # whole without it, so it would be the spare
    assert ("ZHA_HU_SHAPE", 1) in faults(general({1: RUNS}, ["0 打 贰", "1 胡"]))
    assert settled(general({1: READY}, ["0 打 十", "1 胡"])).winner == 1


@pytest.mark.parametrize(
    ("melds", "hand", "score"), [((), RUNS, 2), (("提 叁",), RUNS[3:], 3), (("跑 叁", "提 贰"), RUNS[6:], 4)]
)
def test_r16_13_product_and_quads(melds: tuple[str, ...], hand: str, score: int) -> None:
    assert worth(hand, "肆", "own_draw", melds, ruleset="general").units == score
    plain = worth(hand, "肆", "own_draw", melds, ruleset="general", options={"quad_units": 0, "fan_zimo": 0})
    assert plain.units == 1


def test_r16_14_the_spare_is_not_looked_at() -> None:
    big = "壹壹壹叁叁叁伍伍伍柒柒柒玖玖玖捌捌捌陆陆"
    for spare in ("肆", "四"):
        assert worth(big, spare, "own_draw", ruleset="general").units == 2 * 2 * 2
    runs = "壹贰叁肆伍陆柒捌玖壹贰叁伍伍伍捌捌捌拾拾"
    assert worth(runs, "四", "own_draw", ruleset="general").units == 2 * 2
    assert worth(RUNS, "四", "own_draw", ruleset="general").units == 2


def test_r16_15_tianhu_is_no_zimo() -> None:
    record = general({0: RUNS}, ["0 胡"], liang="贰")
    score = settled(record)
    assert (score.fan, score.points) == ({"天胡": 4}, (8, -4, -4))
    clean(general({0: RUNS}, ["0 打 贰"], liang="贰"))  # a choice


def test_r16_16_dihu_in_the_first_round() -> None:
    thrown = ["0 打 贰", "1 摸 拾", "1 打 拾"]
    first = general({2: READY}, [*thrown, "2 摸 十", "2 胡"], add_missing=False, liang="贰")
    assert set(settled(first).fan) == {"地胡", "自摸"}
    second = ["2 摸 叁", "2 打 叁", "0 摸 陆", "0 打 陆", "1 摸 二", "1 打 二", "2 摸 十", "2 胡"]
    late = general({2: READY}, [*thrown, *second], add_missing=False, liang="贰")
    assert set(settled(late).fan) == {"自摸"}
    dealer = ["2 摸 叁", "2 打 叁", "0 摸 十", "0 胡"]
    mine = general({0: READY}, [*thrown, *dealer], add_missing=False, liang="贰")
    assert set(settled(mine).fan) == {"自摸"}
    hand = {1: "四五六七八九壹壹壹伍陆柒玖玖玖十肆一二三"}
    laid = ["0 打 三", "1 吃 三 一二", "1 打 三", "2 摸 叁", "2 打 十", "1 胡"]
    assert settled(general(hand, laid, add_missing=False, liang="三")).fan == {}


@pytest.mark.parametrize(
    ("pay", "points"), [("discarder_alone", (-4, 4, 0)), ("discarder_for_all", (-8, 8, 0)), ("all", (-4, 8, -4))]
)
def test_r16_17_who_pays(pay: str, points: tuple[int, ...]) -> None:
    record = general({1: READY}, ["0 打 十", "1 胡"], options={"pay_discard": pay})
    assert settled(record).points == points  # 地胡 4
    draw = general({1: READY}, ["0 打 贰", "1 摸 十", "1 胡"], options={"pay_discard": pay})
    assert settled(draw).points == (-8, 16, -8)


def test_r16_18_huang_after_the_last_discard() -> None:
    """Random rounds without wins end when a draw is due from an empty wall, and pay nothing."""
    players = [Player(name, hu=0) for name in "甲乙丙"]
    ended = 0
    for record in sessions(engine(resolve("general")), 1, 8, players):
        if record.moves[-1].action == Action.HUANG and record.moves[-2].action == Action.DISCARD:
            ended += 1
            assert settled(record).points == (0, 0, 0)
            early = msgspec.structs.replace(record, moves=(*record.moves[:-2], record.moves[-1]))
            assert {code for code, _ in faults(early)} == {"FALSE_HUANG"}
    assert ended > 3


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_r16_19_any_seat_may_deal(dealer: int) -> None:
    first = general({1: READY}, ["0 打 十", "1 胡"])
    second = deal({}, [f"{dealer} 打 九"], ruleset="general", dealer=dealer)
    told = [msgspec.structs.replace(one, session="甲", round_no=n) for n, one in enumerate((first, second), 1)]
    report = check_session([(one, replay.replay_round(one)) for one in told])
    assert report.findings == ((), ())
    assert report.undecidable == ((), ())


def test_r16_20_what_is_not_played() -> None:
    clean(general({0: "五五五陆"}, ["0 打 五"]))  # 坎 are not locked
    clean(general({1: "五五五六"}, ["0 打 四", "1 吃 四 五六", "1 打 十"]))
    clean(general({1: "五五"}, ["0 打 十", "1 摸 五", "1 打 十"]))  # no 偎
    assert ("MELD_INVALID", 1) in seen(general({1: "五五"}, ["0 打 十", "1 摸 五", "1 偎"]))
    passed = ["0 打 五", "1 摸 叁", "1 打 十", "2 摸 五", "2 打 五", "1 碰 五"]
    clean(general({0: "五", 1: "五五十"}, [*passed, "1 打 叁"], add_missing=False))
    refused = ["0 打 十", "1 过", "1 摸 叁", "1 打 叁", "2 摸 拾", "2 打 拾", "0 摸 八", "0 打 十", "1 胡"]
    assert settled(general({0: "十十", 1: READY}, refused, add_missing=False)).winner == 1
