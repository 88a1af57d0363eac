"""The worked examples of 002 (the online game, ``qq``) and 003 (the summary, ``hu15``), each as its text gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

import replay
from ingest.codes import NO_SEAT, Action
from ingest.record import Move
from tests.oracle.cards import KINDS, from_text
from tests.oracle.engine import engine_value, points_of
from tests.oracle.hands import Hand, hand_with_reds
from tests.oracle.split import best_partial
from tests.rules.build import deal, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.test_sources import EAT_2, READY, choices, value
from tests.rules.test_vectors import factor

BOTH = pytest.mark.parametrize("ruleset", ["qq", "hu15"])


# The deal and the groups


@BOTH
@pytest.mark.clause("2.3", "2.4")
def test_002_003_the_deal(ruleset: str) -> None:
    """002: 莊家砌21張，其他方位砌20張，留19張在墩上。莊家砌的最後一張牌必須示眾。 003: 同."""
    record = deal(moves=["0 打 九"], ruleset=ruleset)
    assert record.wall is not None
    assert record.hands[0] is not None
    assert record.liang is not None
    assert len(record.wall) == 19
    clean(record)
    # The 21 cards may be listed together.
    whole = (record.hands[0] + (record.liang,), *record.hands[1:])
    clean(msgspec.structs.replace(record, hands=whole))
    short = msgspec.structs.replace(record, wall=record.wall[:-1])
    assert {code for code, _ in faults(short)} == {"WALL_MISMATCH"}


@BOTH
@pytest.mark.clause("1.7", "1.8", "1.9")
def test_002_003_one_sentence_and_jiao(ruleset: str) -> None:
    """002: 比如小四、五、六，稱為一句話。另外二、七、十組合也稱為一句話；如1對小九與1張大玖。"""
    assert choices("四五捌壹", "六", ruleset) == {("四五六",)}
    assert choices("二七捌壹", "十", ruleset) == {("二七十",)}
    assert choices("九九捌壹", "玖", ruleset) == {("九九玖",)}
    # 003: 如 1 张小九与一张大玖绞一张小九或大玖
    assert choices("九玖捌壹", "九", ruleset) == {("九九玖",)}
    assert choices("九玖捌壹", "玖", ruleset) == {("九玖玖",)}


@pytest.mark.clause("1.2", "1.9")
def test_002_five_of_both_sizes_are_one_rank() -> None:
    """002: 牌點不區分大、小字，如：伍和五的牌點均為5。"""
    assert choices("五伍捌壹", "五", "qq") == {("五五伍",)}
    assert choices("四陆捌壹", "五", "qq") == set()


@pytest.mark.clause("2.13", "2.16")
def test_002_one_dealt_ti() -> None:
    """002: 砌牌后玩家手上如果有一門4隻相同的牌，則在亮張后，電腦自動為玩家提牌。"""
    clean(deal({1: "九九九九"}, ["1 亮提 九", "0 打 十", "1 摸 八"]))
    assert ("SHI_TI", 1) in faults(deal({1: "九九九九"}, ["0 打 十", "1 摸 八"]))


@pytest.mark.clause("2.13")
def test_003_a_dealt_ti_waits_for_the_first_intake() -> None:
    """003: 一提牌……在进第一张牌之前，必须放到桌面示众。"""
    clean(deal({1: "九九九九"}, ["0 打 十", "1 摸 八", "2 摸 捌"], ruleset="hu15"))
    eaten = ["0 打 贰", "1 吃 贰 壹叁", "1 打 一"]
    assert ("SHI_TI", 1) in faults(deal({1: "九九九九"}, eaten, ruleset="hu15"))
    clean(deal({1: "九九九九"}, ["0 打 贰", "1 亮提 九", "1 吃 贰 壹叁", "1 打 一"], ruleset="hu15"))


@pytest.mark.clause("2.17")
def test_002_the_liang_makes_the_second_ti() -> None:
    """002: 如果莊家原來有一門提牌，亮張構成第二門提牌，則亮張後莊家不用打牌。輪到下家摸牌。"""
    laid = ["0 亮提 五", "0 亮提 柒"]
    clean(deal({0: "五五五五柒柒柒"}, [*laid, "1 摸 贰"], liang="柒"))
    assert ("BAKUAI_DISCARD", 0) in faults(deal({0: "五五五五柒柒柒"}, [*laid, "0 打 九"], liang="柒"))


@pytest.mark.parametrize(("hand", "liang"), [("五五五五柒柒柒柒三三三", "三"), ("一一一四四四捌捌捌玖玖玖叁叁", "叁")])
@pytest.mark.clause("2.7", "10.4")
def test_002_the_liang_makes_the_third_ti_or_the_fifth_kan(hand: str, liang: str) -> None:
    """002: 如果亮張的牌正好構成第3提或第5坎，則莊家天胡而且自摸。"""
    score = settled(deal({0: hand}, ["0 胡"], liang=liang))
    assert score.winner == 0
    assert score.deng == (2 * score.huxi - 12) // 3
    assert score.points[0] == 6 * (score.deng + 1) * score.fan_total


TWO_TI = {1: "五五五五柒柒柒柒八八八"}
LAID = ["1 亮提 五", "1 亮提 柒"]


@pytest.mark.clause("2.18")
def test_002_two_ti_of_another_player() -> None:
    """002: 對其他兩個玩家，第一次進牌后不用出牌，直接輪到下家摸牌。如果第一次進牌是跑或提，則第二次進牌后不用出牌。"""
    clean(deal(TWO_TI, [*LAID, "0 打 贰", "1 吃 贰 壹叁", "2 摸 九"]))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(TWO_TI, [*LAID, "0 打 贰", "1 吃 贰 壹叁", "1 打 十"]))
    pao = [*LAID, "0 打 八", "1 跑", "2 摸 九", "0 摸 贰", "1 吃 贰 壹叁"]
    clean(deal(TWO_TI, [*pao, "2 摸 捌"]))
    assert ("BAKUAI_DISCARD", 1) in faults(deal(TWO_TI, [*pao, "1 打 十"]))


@pytest.mark.clause("2.7", "2.8")
def test_002_three_ti_and_kan_as_ti() -> None:
    """002: 判斷天胡時，提牌可以當坎牌算，但坎牌不可充當提牌。提牌和坎牌加起來達到5門或以上也算天胡。"""
    three = "一一一一四四四四捌捌捌捌二三叁伍陆九拾七"
    mixed = "一一一一四四四四捌捌捌五五五九九九伍陆拾"
    short = "一一一一四四四四捌捌捌五五五九叁伍陆拾七"
    for hand, wins in ((three, True), (mixed, True), (short, False)):
        assert engine_value(Hand(tuple(from_text(hand))), tianhu=True).wins == wins
    assert settled(deal({2: three}, ["2 胡 -"])).winner == 2  # 不用出現自動提牌步驟，直接胡牌


@pytest.mark.clause("2.9")
def test_002_three_ti_before_the_liang() -> None:
    """002: 必需天胡（3提或5坎）和選擇天胡（亮張胡牌），必需天胡的優先順序別高於選擇天胡。"""
    hands = {1: "壹壹壹捌捌捌拾拾拾四五六七八九三四五伍陆", 2: "一一一一玖玖玖玖叁叁叁叁"}
    assert settled(deal(hands, ["2 胡 -"], liang="肆")).winner == 2
    assert faults(deal(hands, ["1 胡"], liang="肆")) == {("WRONG_PRIORITY", 1)}


# Playing


@pytest.mark.clause("7.1", "7.6", "6.4")
def test_002_the_passed_two() -> None:
    """002: 玩家有“一、二、二、三、貳”等牌，上家打出“二”，玩家沒有吃或碰……如果是自己摸到的“二”則必須臭偎。"""
    hands, start = {1: "一二二三贰"}, ["0 打 二", "1 过"]
    again = [*start, "1 摸 八", *EAT_2, "2 打 九", "0 摸 陆", "0 吃 陆 伍柒", "0 打 二"]
    assert seen(deal(hands, [*again, "1 碰"])) == {("CHOU_PENG", 1)}
    assert seen(deal(hands, [*again, "1 吃 二 一三", "1 比 二二贰"])) == {("CHOU_CHI", 1)}
    clean(deal(hands, [*start, "1 摸 二", "1 臭偎 明1", "1 打 十"]))


@pytest.mark.clause("7.3", "7.5", "8.16")
def test_002_a_chi_lost_to_peng_and_a_win_on_a_stale_card() -> None:
    """002: 如果該玩家想吃牌卻被另外一個玩家碰了牌，那麼不算該玩家的臭牌；可以胡臭牌。"""
    lost = ["0 打 五", "2 碰", "2 打 十", "0 摸 贰", "0 吃 贰 壹叁", "0 打 五", "1 吃 五 四六", "1 打 九"]
    clean(deal({1: "四六", 2: "五五"}, lost))
    assert settled(deal({1: READY}, ["0 打 五", "1 过", "1 摸 三", "2 摸 五", "1 胡"])).winner == 1


@pytest.mark.clause("5.8", "5.10", "5.12")
def test_002_bi_of_one() -> None:
    """002: 無論是“一一壹”或“一壹壹”還是“一二三”，都要把手上剩下的……打出來；無法和剩下的牌組成……不能吃牌。"""
    assert ("一二三", "一壹壹") in choices("一二三壹壹伍捌", "一", "qq")
    assert ("一二三", "一一壹") in choices("一一二三壹伍捌", "一", "qq")
    assert ("一二三", "一二三") in choices("一二二三三伍捌", "一", "qq")
    assert choices("一二三伍捌", "一", "qq") == set()


@pytest.mark.clause("5.8", "5.9", "5.12")
def test_002_bi_of_two() -> None:
    """002: 手上有一張小1，兩張小2，兩張小3，一張小4，兩張大2，要吃進一張小2。"""
    found = choices("一二二三三四贰贰陆玖", "二", "qq")
    assert ("二贰贰", "一二三", "二三四") in found  # 如果用兩張大2吃
    assert ("一二三", "二二贰") in found  # 如果比“小2，小2，大2”，則只要比這一次就完了
    assert ("一二三", "二三四", "二贰贰") in found  # 如果比“小2，大2，大2”，則再比“小2，小3，小4”


@pytest.mark.clause("5.8", "5.11")
def test_003_bi_of_three() -> None:
    """003: 手中有小 1、2、3，4、5，此时，以 4、5 组合吃小 3，那么手中的小 3，必须以 1、2、3 的组合同时放到桌面。"""
    eat = ["0 打 三", "1 吃 三 四五"]
    clean(deal({1: "一二三四五"}, [*eat, "1 比 三一二", "1 打 十"], ruleset="hu15"))
    assert seen(deal({1: "一二三四五"}, [*eat, "1 打 十"], ruleset="hu15")) == {("SHAO_BI", 1)}


@pytest.mark.clause("6.12", "6.10")
def test_003_pao_two_then_pao_three() -> None:
    """003: 如跑了小二，再跑小三时，称为八块或重跑，此时不用从手中打牌出去，而要让下家摸牌。不能忍偎，忍跑。"""
    moves = ["0 打 二", "1 跑", "1 打 十", "2 摸 三", "1 跑"]
    clean(deal({1: "二二二三三三"}, [*moves, "2 摸 八"], ruleset="hu15"))
    assert ("BAKUAI_DISCARD", 1) in faults(deal({1: "二二二三三三"}, [*moves, "1 打 拾"], ruleset="hu15"))
    assert ("ZOU_PAO", 1) in faults(deal({1: "二二二"}, ["0 打 二", "1 摸 八"], ruleset="hu15"))
    assert ("SHI_WEI", 1) in faults(deal({1: "二二"}, ["0 打 十", "1 摸 二", "2 摸 八"], ruleset="hu15"))


@pytest.mark.clause("7.10", "7.11", "9.9")
def test_002_a_refused_win() -> None:
    """002: 能胡而沒胡的牌第二次出現時，如果玩家的當前胡息數沒發生變化，則玩家不可以胡牌，稱為臭胡。"""
    hand = {1: "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"}
    refused = ["0 打 陆", "1 摸 八", "2 摸 五", "1 过", "0 摸 二", "1 摸 叁"]
    assert seen(deal(hand, [*refused, "2 摸 五", "1 胡"])) == {("CHOU_HU", 1)}
    assert settled(deal(hand, [*refused, "2 摸 五", "1 胡"], options={"chouhu": False})).winner == 1


@pytest.mark.clause("4.2", "8.12")
def test_002_breaking_a_pao() -> None:
    """002: 當玩家自己或其他玩家跑牌時，正好這隻牌是自己要胡的，可以胡，稱為破跑胡（即胡牌優先於跑牌）。"""
    other = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]
    assert settled(deal({1: READY, 0: "五五五"}, other)).winner == 1
    own = {1: "二二二一三柒柒柒伍伍伍四五六壹壹一八九十"}
    assert settled(deal(own, ["0 打 拾", "1 摸 捌", "2 摸 二", "1 胡"])).huxi == 18


# 息, 等, 花样, points

REST = "四五六八八捌玖玖玖三四五"  # 6 息 of the 坎


@BOTH
@pytest.mark.parametrize(
    ("meld", "huxi"),
    [
        *[(f"碰 {card}", n) for card, n in (("s1", 1), ("b4", 3))],
        *[(f"{form} {card}", n) for form in ("偎", "臭偎") for card, n in (("s1", 3), ("b4", 6))],
        *[(f"跑 {card}", n) for card, n in (("s1", 6), ("b4", 9))],
        *[(f"提 {card}", n) for card, n in (("s1", 9), ("b4", 12))],
        *[
            (f"吃 {size}{a} {size}{b} {size}{c}", 3 if size == "s" else 6)
            for size in "sb"
            for a, b, c in (("1", "2", "3"), ("2", "7", "10"))
        ],
        *[("吃 s6 s7 s8", 0), ("吃 b1 b1 s1", 0)],
    ],
)
@pytest.mark.clause("9.1", "9.2")
def test_002_003_xi(ruleset: str, meld: str, huxi: int) -> None:
    """002、003: 碰小牌為1胡息，大牌3胡息，偎小牌3…大牌6…跑小牌6…大牌9…提小牌9…大牌12…1、2、3或2、7、10 3、6。"""
    quad = meld[0] in "跑提"
    hand, card = (
        (REST + "肆", "肆") if quad and "b4" not in meld else (REST + "叁", "叁") if quad else (REST + "伍陆", "柒")
    )
    assert value(hand, card, "other_draw", meld, "吃 s6 s7 s8", ruleset=ruleset)[1] == huxi + 6


@BOTH
@pytest.mark.parametrize(
    ("melds", "huxi", "deng"),
    [
        (("偎 b1", "偎 b4", "偎 s9"), 15, 1),
        (("偎 b1", "偎 b4", "偎 b9"), 18, 2),
        (("偎 b1", "偎 b4", "偎 b9", "碰 s9", "碰 s1"), 20, 2),
        (("偎 b1", "偎 b4", "偎 b9", "偎 s9"), 21, 3),
    ],
)
@pytest.mark.clause("10.1")
def test_002_003_deng(ruleset: str, melds: Sequence[str], huxi: int, deng: int) -> None:
    """002、003: 15胡息為1等，每增加3胡息增加1等……如18胡息為2等，20胡息也為2等，21胡息3等。"""
    rest = "四五六八八捌三四五"[: 9 - 3 * (len(melds) - 3)] + "伍陆"
    given = Hand(tuple(from_text(rest)), tuple(melds), "b7", "other_draw")
    found = engine_value(given, ruleset)
    assert (found.wins, found.huxi, found.deng) == (True, huxi, deng)


@pytest.mark.parametrize(
    ("reds", "duidui", "last", "f"),
    [
        *[((10, 12), False, False, 2), ((1, 1), False, False, 3), ((13, 20), False, False, 4)],
        *[((0, 0), False, False, 5), ((2, 9), True, False, 4), ((0, 0), True, False, 10)],
        *[((2, 9), False, True, 1), ((10, 12), False, True, 2 + 2)],
    ],
)
@pytest.mark.clause("10.5", "10.6", "10.9", "10.10")
def test_002_003_names(reds: tuple[int, int], duidui: bool, last: bool, f: int) -> None:
    """002、003: 紅胡2番，點胡3番，紅烏4番，烏胡5番；對對胡4番，烏胡和對對胡10番；海底2番，例外，平胡海底算1番。"""
    hand = hand_with_reds(reds, duidui)
    assert factor(hand, last_card=last) == f


@pytest.mark.clause("10.2", "10.13", "10.15")
def test_002_points() -> None:
    """002: 底數=（息數-12）÷3，自摸+1；贏家得分：x*f*2*d，輸家失分：x*f*d，房間底分為3分。"""
    plain = Hand(tuple(from_text(READY)), (), "s5", "other_draw")
    assert points_of(engine_value(plain)) == (6, -3, -3)
    assert points_of(engine_value(plain._replace(source="own_draw"))) == (12, -6, -6)


@pytest.mark.clause("10.4", "10.12")
def test_002_tianhu_points() -> None:
    """002: 天胡 底數=（息數*2-12）÷3，自摸則在計算出來的底數上加1。"""
    score = settled(deal({1: READY}, ["1 胡"], liang="五"))
    assert (score.huxi, score.deng, score.points) == (15, 6, (-21, 42, -21))


@pytest.mark.parametrize("escape", ["trunc", "floor"])
@pytest.mark.clause("10.16", "13.63", "18.4")
def test_002_escape(escape: str) -> None:
    """002: 逃跑……扣分=（（（其他玩家當前總息數-12）÷3）+8）*d。"""
    hands = {0: "壹壹壹捌捌捌", 2: "一二三二七十"}
    record = deal(hands, ["0 打 陆", "1 摸 拾"], options={"escape": escape})
    left = msgspec.structs.replace(with_moves(record, ["0 打 陆", "1 摸 拾"]), complete=True)
    left = msgspec.structs.replace(left, moves=(*left.moves, Move(1, Action.LEAVE)))
    outcome = replay.replay_round(left)
    assert outcome.score is not None
    assert left.liang is not None
    held = [Counter(left.hands[0] or ()) + Counter([left.liang]) - Counter([15]), Counter(left.hands[2] or ())]
    total = sum(most_huxi(hand) for hand in held)
    assert outcome.score.points == (0, -3 * ((total - 12) // 3 + 8), 0)
    assert outcome.score.winner == NO_SEAT


def most_huxi(held: Counter[int]) -> int:
    """坎 and 提 by the table, and the best 一二三 and 二七十 of the other cards."""
    locked = sum((3 if n == 3 else 9) + 3 * (kind >= 10) for kind, n in held.items() if n >= 3)
    return locked + best_partial(KINDS[kind] for kind, n in held.items() if n < 3 for _ in range(n))
