"""The worked examples of 002's remarks on 泸州 (``luzhou``) and of 004 (``general``), each as its text gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import replay
from ingest.record import Record
from ingest.validate import check_found
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.legal import legal
from tests.rules.seats import for_two, with_sitter
from tests.rules.worth import worth

# 002: 泸州

READY_10 = "壹壹壹五六七四五六捌捌八九九玖八九十肆伍"  # 9 胡 of the 坎
OPENS = ["0 打 九", "1 摸 捌", "2 摸 陆"]


def luzhou(hands: dict[int, str], moves: Sequence[str], **more: Any) -> Record:
    """A deal whose bottom card is black."""
    return deal(hands, moves, ruleset="luzhou", **({"wall_end": "一"} | more))


@pytest.mark.clause("15.1", "14.2")
def test_002_luzhou_four_three_two() -> None:
    """002: 瀘州地區一般四人同玩，也可三人。二人。四人玩時有一人坐底，坐莊家對面，為三玩家數底牌。"""
    moves = ["0 打 九", "1 摸 捌", "2 摸 陆", "0 摸 贰", "0 吃 贰 壹叁", "0 打 十"]
    clean(luzhou({}, moves))
    four = with_sitter(luzhou({}, moves))
    assert four.sitter == 2
    clean(four)
    clean(for_two(luzhou({}, ["0 打 九", "1 摸 捌", "0 摸 陆", "1 摸 贰"])))


@pytest.mark.clause("15.2")
def test_002_luzhou_the_last_dealt_card_is_not_shown() -> None:
    """002: 莊家不示最後一張。"""
    record = luzhou({1: READY_10}, ["1 胡"], liang="陆")
    assert "MISSING_EVENT" not in {code for code, _ in faults(record)}
    assert {seat for _, seat in faults(record)} == {1}
    hidden = luzhou({}, ["0 打 九"])
    assert hidden.hands[0] is not None
    assert hidden.liang is not None
    whole = (hidden.hands[0] + (hidden.liang,), *hidden.hands[1:])
    clean(msgspec.structs.replace(hidden, hands=whole, liang=None))


@pytest.mark.clause("15.3")
def test_002_luzhou_the_bottom_card() -> None:
    """002: 要把底牌最後一張明示。且不能胡最後一張，如遇紅字則更換。"""
    red = luzhou({}, ["0 打 九"], wall_end="柒")
    assert faults(red) == {("WALL_MISMATCH", -1)}
    clean(luzhou({}, ["0 打 九"], wall_end="捌"))
    ready = {2: "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍", 0: "壹玖三陆陆", 1: "陆"}
    for last_wins, found in ((False, {("HU_SOURCE", 2)}), (True, set())):
        record, moves = quiet_round(
            ready, ruleset="luzhou", last="陆", liang="十", options={"peng_forced": False, "last_wins": last_wins}
        )
        assert seen(with_moves(record, [*moves, "2 胡"])) == found


@pytest.mark.parametrize(
    ("meld", "huxi"),
    [
        *[("碰 五", 1), ("碰 伍", 3), ("碰 七", 6), ("碰 柒", 9)],
        *[("偎 五", 6), ("偎 伍", 9), ("偎 七", 9), ("偎 柒", 12), ("臭偎 柒", 12)],
        *[("跑 五", 9), ("跑 伍", 12), ("跑 七", 12), ("跑 柒", 15)],
        *[("提 五", 12), ("提 伍", 15), ("提 七", 15), ("提 柒", 18)],
        *[("吃 一二三", 3), ("吃 壹贰叁", 6), ("吃 二七十", 6), ("吃 贰柒拾", 9), ("吃 二三四", 0)],
    ],
)
@pytest.mark.clause("15.4")
def test_002_luzhou_hu(meld: str, huxi: int) -> None:
    """002: 瀘州地區，碰小牌1胡，大牌3胡，紅牌則小的6胡，大的9胡，坎牌……招牌……壠牌……最高為18胡。"""
    quad = meld[0] in "跑提"
    hand = "捌捌捌玖玖玖四四肆一一壹八" if quad else "捌捌捌玖玖玖四四肆一一壹八九"
    card = "八" if quad else "十"
    value = worth(hand, card, "other_draw", [meld, "碰 陆"], ruleset="luzhou")
    assert value.huxi == huxi + 9 + 9 + 3


@pytest.mark.parametrize(("meld", "huxi", "wins"), [("吃 四五六", 9, False), ("碰 四", 10, True)])
@pytest.mark.clause("15.5")
def test_002_luzhou_ten(meld: str, huxi: int, wins: bool) -> None:
    """002: 至少有15胡息　瀘州地區至少10胡。"""
    value = replay.evaluate_hand("壹壹壹五六七八八捌九九玖叁叁三肆伍", [meld], "陆", "other_draw", "luzhou")
    assert (value.complete, value.huxi, value.wins) == (True, huxi, wins)


@pytest.mark.clause("15.6", "15.14")
def test_002_luzhou_offences() -> None:
    """002: 瀘州地區叫沒有違規，如沒有多牌少牌，有碰不碰，拆壠破坎。吃了不比，吃過張。"""
    assert seen(luzhou({1: "五五"}, ["0 打 五", "1 过"])) == {("PENG_DECLINED", 1)}
    assert seen(luzhou({2: "五五"}, ["0 打 五", "1 摸 八"])) == {("PENG_DECLINED", 2)}
    clean(luzhou({1: "五五"}, ["0 打 五", "1 碰", "1 打 十"]))
    assert seen(luzhou({0: "五五五"}, ["0 打 五"])) == {("CHAI_KAN", 0)}
    assert seen(luzhou({1: "伍陆陆柒捌"}, ["0 打 柒", "1 吃 柒 陆捌", "1 打 十"])) == {("SHAO_BI", 1)}
    stale = ["0 打 五", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 十", "0 摸 捌", "0 吃 捌 柒玖", "0 打 五"]
    assert seen(luzhou({1: "四六"}, [*stale, "1 吃 五 四六"])) == {("CHOU_CHI", 1)}


READY_LZ = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 9 + 9 + 6 胡 with 五


@pytest.mark.clause("15.7", "15.10", "15.12")
def test_002_luzhou_a_discard_is_won_on() -> None:
    """002: 胡牌必須胡墩上的……瀘州地區包括玩家打出的牌；從10胡開始計算等，超過10胡加一等。"""
    thrown = luzhou({1: READY_LZ}, ["0 打 陆", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁", "2 打 五", "1 胡"])
    score = settled(thrown)
    assert (score.winner, score.huxi, score.deng, score.points) == (1, 24, 2, (0, 2, -2))
    drawn = luzhou({1: READY_LZ}, ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"])
    assert settled(drawn).points == (-2, 4, -2)


@pytest.mark.clause("15.8", "15.9", "15.11")
def test_002_luzhou_tianhu_and_dihu() -> None:
    """002: 再出牌前組合七列牌且不違規，也叫天胡，下家胡莊家打出的第一張叫地胡，天地胡均算兩番。"""
    score = settled(luzhou({0: READY_LZ}, ["0 胡"], liang="五"))
    assert (score.winner, score.fan, score.points) == (0, {"天胡": 2}, (8, -4, -4))
    score = settled(luzhou({1: READY_LZ}, ["0 打 五", "1 胡"]))
    assert (score.winner, score.fan, score.points) == (1, {"地胡": 2}, (-4, 4, 0))
    score = settled(luzhou({2: READY_LZ}, ["0 打 五", "2 胡"]))
    assert (score.winner, score.fan, score.points) == (2, {}, (-2, 0, 2))


@pytest.mark.clause("15.11")
def test_002_luzhou_red_and_black() -> None:
    """002: 算等，且要加紅、烏兩番，10以上紅叫紅胡，兩番，烏四番。"""
    red = worth(
        "伍伍伍三四五九玖", "九", "own_draw", ["吃 二七十", "吃 二七十", "吃 贰柒拾", "吃 六七八"], ruleset="luzhou"
    )
    assert (red.huxi, list(red.fan.values()), red.units) == (30, [2], 3 * 2)
    black = worth("壹壹壹五六八八捌九九玖叁叁三肆伍陆", "四", "other_draw", ["碰 捌"], ruleset="luzhou")
    assert (black.huxi, list(black.fan.values()), black.units) == (12, [4], 1 * 4)


# 004


@pytest.mark.clause("16.1", "16.2")
def test_004_the_deal() -> None:
    """004: 通常由2～4人一起玩；庄家拿21张，闲家各20张，剩余牌作为底牌放在桌面中央。"""
    clean(deal(moves=["0 打 九", "1 摸 捌"], ruleset="general"))
    clean(for_two(deal(moves=["0 打 九", "1 摸 捌"], ruleset="general")))
    three = deal(moves=["0 打 九"], ruleset="general")
    four = msgspec.structs.replace(three, players=("甲", "乙", "丙", "丁"), hands=(*three.hands, three.hands[0]))
    refused = check_found(four)
    assert refused is not None
    assert refused.code == "BAD_SEAT"


@pytest.mark.clause("16.3", "16.6")
def test_004_chi_of_wu() -> None:
    """004: 上家打出"伍"，你手中有"叁"和"肆"，或"陆"和"柒"，即可吃牌；例：小字"二三四"、大字"柒捌玖"。"""
    record = deal({1: "叁肆陆柒"}, ["0 打 伍"], ruleset="general", avoid={1: "五伍"})
    eats = {move for move in legal(record) if move.startswith("1 吃")}
    assert {"1 吃 伍 叁肆", "1 吃 伍 陆柒"} <= eats
    clean(deal({1: "叁肆"}, ["0 打 伍", "1 吃 伍 叁肆", "1 打 十"], ruleset="general"))
    for card, hand in (("三", "二四九玖"), ("捌", "柒玖一壹")):
        assert len(replay.chi_options(hand, card, ruleset="general")) == 1
    assert replay.chi_options("二七九玖壹", "十", ruleset="general") == []
    assert replay.chi_options("玖九壹", "九", ruleset="general") == []


@pytest.mark.clause("16.7", "16.10")
def test_004_peng_goes_before_chi() -> None:
    """004: 碰牌不限于上家，别家打出的牌也可以碰。碰牌的优先级高于吃牌。"""
    hands = {1: "四六", 2: "五五"}
    clean(deal(hands, ["0 打 五", "2 碰", "2 打 十"], ruleset="general"))
    assert ("WRONG_PRIORITY", 1) in faults(deal(hands, ["0 打 五", "2 求 碰", "1 吃 五 四六"], ruleset="general"))


@pytest.mark.clause("16.4", "16.5", "16.8")
def test_004_ti() -> None:
    """004: 你手中已有3张相同的牌，轮到你摸牌时摸到第4张……将4张相同的牌全部亮出，再从底牌补1张，然后打出一张无用牌。"""
    draw = ["0 打 九", "1 摸 五"]
    clean(deal({1: "五五五"}, [*draw, "1 提 五", "1 摸 八", "1 打 十", "2 摸 捌"], ruleset="general"))
    clean(deal({1: "五五五"}, [*draw, "1 打 十", "2 摸 捌"], ruleset="general"))  # 可选择
    found = faults(deal({1: "五五五"}, [*draw, "1 提 五", "1 打 十"], ruleset="general"))
    assert found == {("WRONG_TURN", 1)}


@pytest.mark.clause("16.9", "16.10")
def test_004_pao() -> None:
    """004: 手中已有3张相同的牌，别家打出第4张……可以选择跑牌。将4张牌亮出，从底牌补1张，打出1张无用牌。"""
    clean(deal({2: "五五五"}, ["0 打 五", "2 跑", "2 摸 八", "2 打 十"], ruleset="general"))
    clean(deal({2: "五五五"}, ["0 打 五", "1 摸 八"], ruleset="general"))
    order = deal({1: "四六", 2: "五五五"}, ["0 打 五", "2 求 跑", "1 吃 五 四六"], ruleset="general")
    assert ("WRONG_PRIORITY", 1) in faults(order)


@pytest.mark.clause("16.11")
def test_004_six_sentences_and_a_pair() -> None:
    """004: 6×3 + 2 = 20张：句子（顺子/坎）6组，一对将。"""
    hand = "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"
    assert worth(hand, "贰", "own_draw", ruleset="general").wins
    assert not worth(hand.replace("十十", "十拾"), "贰", "own_draw", ruleset="general").wins
    for broken in ("二七十", "一一壹"):
        changed = broken + "四五六七八九壹壹肆伍陆柒玖玖玖捌捌"
        assert not worth(changed, "贰", "own_draw", ruleset="general").wins


PAIRS = "壹壹壹叁叁叁伍伍伍柒柒柒玖玖玖捌捌捌陆陆"  # big, six 坎 and a 将


@pytest.mark.parametrize(
    ("hand", "card", "source", "special", "factor"),
    [
        ("一二三四五六七八九壹壹壹伍陆柒玖玖玖十十", "贰", "own_draw", "", 2),  # 自摸 2分
        ("一二三四五六七八九壹壹壹伍陆柒玖玖玖十肆", "十", "discard", "", 1),  # 平胡, 点炮 1分
        ("一一一三三三五五五壹壹壹伍伍伍玖玖玖十肆", "十", "discard", "", 2),  # 对对胡 2分
        ("一二三四五六七八九一二三五六七九九九十八", "十", "discard", "", 2),  # 清一色 2分
        ("一二三四五六七八九壹壹壹伍陆柒玖玖玖十肆", "十", "discard", "dihu", 4),  # 地胡 4分
        (PAIRS, "肆", "own_draw", "", 8),  # 清一色对对胡自摸 = 8分
    ],
)
@pytest.mark.clause("16.12", "16.13", "16.14", "16.17")
def test_004_score(hand: str, card: str, source: str, special: str, factor: int) -> None:
    """004: 自摸×2倍，对对胡×2倍，清一色×2倍，天胡/地胡×4倍；例如：清一色对对胡自摸，1×2×2×2=8分。"""
    value = worth(hand, card, source, ruleset="general", special=special)
    assert (value.wins, value.units) == (True, factor)
    assert value.payments == ((2 * factor, -factor, -factor) if source == "own_draw" else (factor, -factor, 0))


@pytest.mark.clause("16.15")
def test_004_tianhu() -> None:
    """004: 天胡：庄家起手即胡牌，无需任何操作；天胡/地胡 4分。"""
    hand = {0: "一二三四五六七八九壹壹壹伍陆柒玖玖玖十十"}
    score = settled(deal(hand, ["0 胡"], liang="贰", ruleset="general"))
    assert (score.winner, score.units, score.points) == (0, 4, (8, -4, -4))


@pytest.mark.clause("16.16")
def test_004_dihu() -> None:
    """004: 地胡：闲家在第一圈内即胡牌。"""
    hand = {1: "一二三四五六七八九壹壹壹伍陆柒玖玖玖十肆"}
    score = settled(deal(hand, ["0 打 十", "1 胡"], ruleset="general"))
    assert (score.fan, score.points) == ({"地胡": 4}, (-4, 4, 0))
    late = ["0 打 贰", "1 摸 拾", "1 打 拾", "2 摸 贰", "2 打 贰", "0 摸 拾", "0 打 拾", "1 摸 叁", "1 打 叁"]
    late += ["2 摸 陆", "2 打 陆", "0 摸 十", "0 打 十", "1 胡"]
    score = settled(deal(hand, late, ruleset="general", add_missing=False, liang="贰"))
    assert (score.fan, score.points) == ({}, (-1, 1, 0))


@pytest.mark.clause("16.13")
def test_004_one_more_for_each_ti_and_pao() -> None:
    """004: 每次提牌 +1分，每次跑牌 +1分，额外加计。"""
    value = worth("玖玖玖捌捌捌叁叁叁陆陆", "肆", "own_draw", ["提 壹", "跑 伍", "跑 柒"], ruleset="general")
    assert (value.units, value.payments) == (11, (22, -11, -11))
