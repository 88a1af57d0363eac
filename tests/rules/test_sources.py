"""The worked examples of the source texts of the Hunan games, each as its text gives it.

000 and 001 are the competition text, played as ``bisai``; 002 the article on the online game, ``qq``; 003 the summary,
``hu15``. Those of 泸州 and of 004 are in ``test_sources_regions``.
"""

from __future__ import annotations

import pytest

import replay
from tests.oracle.cards import from_text
from tests.oracle.chi import chi_options
from tests.oracle.engine import difference, engine_chi, engine_value
from tests.oracle.hands import Hand, cards_of
from tests.rules.build import deal, quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled
from tests.rules.seats import with_sitter

EAT_2 = ["2 摸 贰", "2 吃 贰 壹叁"]  # seat 2 takes something in, to discard another card


def choices(hand: str, card: str, ruleset: str) -> set[tuple[str, ...]]:
    """吃 options as texts, the first group before its 比; the oracle of qq and hu15 says the same."""
    found = replay.chi_options(hand, card, ruleset=ruleset)
    plain = {"bisai": "hu15"}.get(ruleset, ruleset)
    named = cards_of(hand)
    assert engine_chi(named, from_text(card)[0], plain) == chi_options(named, from_text(card)[0], plain)
    chars = "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾"
    texts = [tuple("".join(chars[c] for c in group) for group in (one.first, *one.bi)) for one in found]
    return {(first, *sorted(bi)) for first, *bi in texts}


def value(hand: str, card: str, source: str, *melds: str, ruleset: str = "hu15") -> tuple[bool, int]:
    """(wins, 胡息), the same from the oracle."""
    given = Hand(tuple(from_text(hand)), melds, from_text(card)[0], source)
    plain = "qq" if ruleset == "qq" else "hu15"
    assert difference(engine_value(given, plain), given.value(plain)) == ""
    found = engine_value(given, ruleset)
    return found.wins, found.huxi


# 000 and 001: playing


@pytest.mark.clause("4.3", "6.1")
def test_001_peng_of_wu_before_the_run() -> None:
    """001: 本方手中有一对大“伍”，下家从底牌摸促一张大“伍”……这时本方就可以“碰”大“伍”。"""
    hands = {0: "伍伍", 1: "陆柒"}
    start = ["0 打 九", "1 摸 伍"]
    clean(deal(hands, [*start, "0 碰", "0 打 十"], ruleset="bisai"))
    assert ("WRONG_PRIORITY", 1) in faults(deal(hands, [*start, "0 求 碰", "1 吃 伍 陆柒"], ruleset="bisai"))


@pytest.mark.clause("6.2", "7.1", "7.6")
def test_001_peng_once_not_twice() -> None:
    """001: 第一次没有“碰”的牌，第二次就不能再“碰”了。这叫做“碰一不碰二”，否则要受罚。"""
    again = ["0 打 伍", "1 过", "1 摸 八", *EAT_2, "2 打 伍"]
    assert seen(deal({1: "伍伍"}, [*again, "1 碰"], ruleset="bisai")) == {("CHOU_PENG", 1)}


@pytest.mark.clause("1.7", "5.1")
def test_001_runs() -> None:
    """001: 大“壹贰叁”，“贰叁肆”，小“一二三”，“八九十”等等都是顺子；大“壹”，小“二”，大“叁”就不能。"""
    for run in ("壹贰叁", "贰叁肆", "一二三", "八九十"):
        for place in range(3):
            rest = run[:place] + run[place + 1 :]
            assert (run,) in choices(rest + "五玖", run[place], "bisai"), run
    assert choices("壹叁五玖", "二", "bisai") == set()


@pytest.mark.clause("5.1", "5.3", "5.7")
def test_001_lu_and_ba_eat_qi() -> None:
    """001: 本方手中有一张大“陆”，一张大“捌”，上家打出一张大“柒”，本方就可以“吃”下来。"""
    clean(deal(moves=["0 打 柒", "1 吃 柒 陆捌 明3", "1 打 十"], ruleset="bisai"))


@pytest.mark.clause("5.8", "5.11", "7.13")
def test_001_the_own_qi_is_laid_along() -> None:
    """000、001: 如果本方手中原有一张大“柒”，已经组成了大“伍陆柒”一“顺”，则必须……“吃牌比牌”；不比称为“烧比”。"""
    hands = {1: "伍陆陆柒捌"}
    clean(deal(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 比 柒伍陆", "1 打 十"], ruleset="bisai"))
    assert seen(deal(hands, ["0 打 柒", "1 吃 柒 陆捌", "1 打 十"], ruleset="bisai")) == {("SHAO_BI", 1)}


@pytest.mark.clause("5.5", "6.16")
def test_001_no_chi_across_the_mountain() -> None:
    """000、001: 下家打出的牌不能“吃”，这叫做“不吃隔山牌”，“碰”和“跑”则不受此限制。"""
    start = ["0 打 贰", "1 吃 贰 壹叁", "1 打 五"]
    assert ("GE_SHAN", 0) in faults(deal({0: "四六"}, [*start, "0 吃 五 四六", "0 打 十"], ruleset="bisai"))
    clean(deal({0: "五五"}, [*start, "0 碰", "0 打 十"], ruleset="bisai"))
    clean(deal({0: "五五五"}, [*start, "0 跑", "0 打 十"], ruleset="bisai"))


@pytest.mark.clause("5.3", "5.4")
def test_001_what_may_be_eaten() -> None:
    """000、001: “吃”牌只能“吃”上家打出的牌，或者是本方摸出的无人“碰”，无人“跑”的牌。"""
    clean(deal(moves=["0 打 拾", "1 摸 五", "1 吃 五 四六", "1 打 十"], ruleset="bisai"))
    left = ["0 打 拾", "1 摸 五", "2 吃 五 四六", "2 打 十"]
    assert ("GE_SHAN", 2) in faults(deal(moves=left, ruleset="bisai"))


@pytest.mark.clause("7.1", "7.13")
def test_001_no_stale_chi() -> None:
    """000、001: 如果同样的牌第一次没有“吃”，第二次出现的时候就不能再“吃”了，这叫做“不吃臭张”。"""
    moves = ["0 打 五", "1 摸 八", *EAT_2, "2 打 九", "0 摸 捌", "0 吃 捌 柒玖", "0 打 五", "1 吃 五 四六"]
    assert seen(deal({1: "四六"}, moves, ruleset="bisai")) == {("CHOU_CHI", 1)}


@pytest.mark.clause("1.4", "5.9", "5.12")
def test_001_one_chi_two_bi() -> None:
    """000、001: 还可以“吃”进一张上家打出的小“二”，分别组成三个含小“二”的“顺子”（一二三，一二三，二七十）。"""
    assert ("一二三", "一二三", "二七十") in choices("一一二二三三七十伍捌", "二", "bisai")
    assert ("二七十", "一二三", "一二三") in choices("一一二二三三七十伍捌", "二", "bisai")
    clean(deal({0: "二二一三"}, ["0 打 二"], ruleset="bisai"))  # 可以打出一张


@pytest.mark.clause("1.5", "3.2", "5.6")
def test_001_three_twos_stay_together() -> None:
    """000、001: 如果本方手中原有三张小“二”，则不能打出去，也不能组成含小“二”的“顺子”，必须保留三张一“坎”。"""
    assert seen(deal({0: "二二二"}, ["0 打 二"], ruleset="bisai")) == {("CHAI_KAN", 0)}
    assert choices("二二二一三四伍捌", "三", "bisai") == set()
    assert ("CHAI_KAN", 1) in faults(deal({1: "二二二三"}, ["0 打 一", "1 吃 一 二三", "1 打 十"], ruleset="bisai"))


@pytest.mark.clause("6.3", "6.4", "6.14")
def test_001_wei_and_chou_wei() -> None:
    """000、001: 手中原有两张小“二”，自己又从底牌中摸出一张小“二”，也必须合成一“坎”；“臭偎”不亮张也会受罚。"""
    draw = ["0 打 九", "1 摸 二"]
    clean(deal({1: "二二"}, [*draw, "1 偎 明0", "1 打 十"], ruleset="bisai"))
    assert ("SHI_WEI", 1) in faults(deal({1: "二二"}, [*draw, "2 摸 八"], ruleset="bisai"))
    passed = ["0 打 二", "1 过", "1 摸 二"]
    clean(deal({1: "二二"}, [*passed, "1 臭偎 明1", "1 打 十"], ruleset="bisai"))
    assert seen(deal({1: "二二"}, [*passed, "1 偎 明0", "1 打 十"], ruleset="bisai")) == {("CHOUWEI_HIDDEN", 1)}


@pytest.mark.clause("6.6", "6.7", "6.8", "6.9", "6.10")
def test_001_what_must_be_pao() -> None:
    """000、001: 手中原有一“坎”，或者跟前已经“偎”成一“坎”，或者跟前已经“碰”成一“坎”……就必须合成一“跑”。"""
    kan = ["0 打 五"]
    wei = ["0 打 九", "1 摸 五", "1 偎", "1 打 玖", *EAT_2, "2 打 五"]
    peng = ["0 打 五", "1 碰", "1 打 九", "2 摸 五"]
    for held, moves, after in (("五五五", kan, "1 摸 捌"), ("五五", wei, "0 摸 捌"), ("五五", peng, "0 摸 捌")):
        clean(deal({1: held}, [*moves, "1 跑 明4", "1 打 十"], ruleset="bisai"))
        assert ("ZOU_PAO", 1) in faults(deal({1: held}, [*moves, after], ruleset="bisai"))
    # 手中打出的就不成“跑”了
    thrown = ["0 打 五", "1 碰", "1 打 九", *EAT_2, "2 打 五"]
    clean(deal({1: "五五"}, [*thrown, "0 摸 捌"], ruleset="bisai"))


@pytest.mark.clause("1.6", "2.13", "6.5", "6.10")
def test_001_early_and_late_ti() -> None:
    """000、001: “前提”是在行牌之前开局的时候就已经存在的，而“后提”是在行牌过程中产生的……没有及时“亮提”，也要受罚。"""
    quad = {0: "九九九九"}
    clean(deal(quad, ["0 亮提 九", "0 打 十"], ruleset="bisai"))
    assert seen(deal(quad, ["0 打 十"], ruleset="bisai")) == {("SHI_TI", 0)}
    late = ["0 打 九", "1 摸 五"]
    clean(deal({1: "五五五"}, [*late, "1 提 明1", "1 打 十"], ruleset="bisai"))
    assert ("SHI_TI", 1) in faults(deal({1: "五五五"}, [*late, "2 摸 八"], ruleset="bisai"))


@pytest.mark.clause("6.12", "7.13")
def test_001_eight_cards_no_discard() -> None:
    """000、001: 重跑不能打牌出去，由下家行牌，叫做“八块不打牌”，否则无法胡牌。"""
    moves = ["0 打 五", "1 跑", "1 打 十", "2 摸 伍", "1 跑"]
    clean(deal({1: "五五五伍伍伍"}, [*moves, "2 摸 八"], ruleset="bisai"))
    assert ("BAKUAI_DISCARD", 1) in faults(deal({1: "五五五伍伍伍"}, [*moves, "1 打 拾"], ruleset="bisai"))


@pytest.mark.clause("1.9", "5.9")
def test_001_bian_of_nines() -> None:
    """000、001: 本方手中已有一张大“玖”一张小“九”，上家打出一张小“九”，或者本方自己从底牌中摸出一张小“九”……。"""
    assert choices("玖九伍二", "九", "bisai") == {("九九玖",)}
    clean(deal({1: "玖九"}, ["0 打 九", "1 吃 九 玖九", "1 打 十"], ruleset="bisai"))
    clean(deal({1: "玖九"}, ["0 打 十", "1 摸 九", "1 吃 九 玖九", "1 打 六"], ruleset="bisai"))


@pytest.mark.clause("1.8", "9.1")
def test_001_red_bian_gives_xi() -> None:
    """000: 有戏的组合是————……“编子”中的大“贰柒拾”，小“二七十”；大“壹贰叁” 6 戏；小“一二三” 3 戏。"""
    for first, second, huxi in (("贰柒拾", "二七十", 9), ("壹贰叁", "一二三", 9)):
        laid = (f"吃 {' '.join(from_text(group))}" for group in (first, second))
        assert value("四五六八八捌玖玖玖三四五肆陆", "伍", "other_draw", *laid, ruleset="bisai") == (True, huxi + 6)


# 000 and 001: winning

READY = "壹壹壹捌捌捌九九九四六贰叁肆肆伍陆十十拾"  # 15 戏 with 五, 4 red


@pytest.mark.clause("2.10", "14.3")
def test_001_qi_shou_hu() -> None:
    """000、001: 无论谁起满二十张牌就已经“落轿”的话，都可以胡“亮张”的底牌，称为“起手胡”。"""
    for seat in range(3):
        score = settled(deal({seat: READY}, [f"{seat} 胡"], liang="五", ruleset="bisai"))
        assert (score.winner, score.huxi) == (seat, 15)
    # 否则，庄家可以把亮张的底牌拿到手中参与组合，而打出另一张牌，称为“收张”
    clean(deal({1: READY, 0: "四六"}, ["1 过", "0 打 四", "1 摸 二"], liang="五", ruleset="bisai"))


@pytest.mark.clause("8.1", "8.2")
def test_001_only_wall_cards_are_won_on() -> None:
    """000、001: 行牌前已经摸到手中的牌无论什么时候打出来都不能胡。"""
    assert seen(deal({1: READY}, ["0 打 五", "1 胡"], ruleset="bisai")) == {("HU_SOURCE", 1)}
    assert settled(deal({1: READY}, ["0 打 三", "1 摸 八", "2 摸 五", "1 胡"], ruleset="bisai")).huxi == 15


@pytest.mark.parametrize(
    ("hand", "card", "source", "melds", "wins", "huxi"),
    [
        # 4-2 “碰胡”: 有“对子”，上家或下家从底牌中翻开一张相同的牌
        ("壹壹壹叁叁叁三三三五六七八八伍陆柒十十拾", "八", "other_draw", (), True, 16),
        # 4-3 “偎胡”: 自己又刚好从底牌中摸出第三张相同的牌
        ("壹壹壹叁叁叁三三三五六七八八伍陆柒十十拾", "八", "own_draw", (), True, 18),
        # 4-4 “跑胡” and 4-5 “提胡”: “落轿”牌有一“坎”，底牌中出现第四张相同的牌
        ("叁叁叁拾拾一二三四五六伍陆柒七七七九九玖", "叁", "other_draw", (), True, 15),
        ("叁叁叁拾拾一二三四五六伍陆柒七七七九九玖", "叁", "own_draw", (), True, 18),
        # 4-6 “顺胡” and 4-7 “编胡”: 与“落轿”牌中的两张组成一“顺”、一“编”的牌
        (READY, "五", "other_draw", (), True, 15),
        ("壹壹壹捌捌捌九九九四五六贰叁肆肆伍陆十拾", "十", "other_draw", (), True, 15),
        ("壹壹壹捌捌捌九九九四五六贰叁肆肆伍陆十拾", "拾", "other_draw", (), True, 15),
        # 4-8 “破跑胡”: 与“落轿”牌中的一“坎”组成一“跑”，但不能完成整套牌型，而与另外两张却能
        ("二二二一三柒柒柒伍伍伍四五六壹壹一八九十", "二", "other_draw", (), True, 18),
        # “坎”是暗牌，第四张又是自己摸到的……绝不允许“破提”
        ("二二二一三柒柒柒伍伍伍四五六壹壹一八九十", "二", "own_draw", (), False, 0),
        # 4-9 “单吊胡”: 底牌中正好出现一张相同的牌，形成一“对”
        ("一二三柒捌玖五六七肆肆肆壹壹一九", "九", "other_draw", ("提 b2",), True, 21),
        # 4-10 “两头胡”: 四张相邻的牌……分别多出一个单张，能与多出的单张成对的牌，都能胡牌
        ("三四五六柒捌玖肆肆肆一一壹九九玖", "三", "other_draw", ("提 b2",), True, 18),
        ("三四五六柒捌玖肆肆肆一一壹九九玖", "六", "other_draw", ("提 b2",), True, 18),
        ("三四五六柒捌玖肆肆肆一一壹九九玖", "四", "other_draw", ("提 b2",), False, 0),
    ],
)
@pytest.mark.clause("8.3", "8.4", "8.8", "8.9", "8.11", "8.12", "8.13")
def test_001_ways_of_winning(hand: str, card: str, source: str, melds: tuple[str, ...], wins: bool, huxi: int) -> None:
    """000、001 §4-2 to §4-10: 碰胡, 偎胡, 跑胡, 提胡, 顺胡, 编胡, 破跑胡, 单吊胡, 两头胡."""
    assert value(hand, card, source, *melds, ruleset="bisai")[0] == wins
    if wins:
        assert value(hand, card, source, *melds, ruleset="bisai")[1] == huxi


@pytest.mark.clause("8.5", "8.21", "14.6", "14.7")
def test_000_false_wins() -> None:
    """000: 如果摊牌后少于 15 戏，就是“诈胡”……把大小字编一起组成“顺子”；A：杂胡者计—30分，其余各方计10 分。"""
    small = "壹壹壹九九九三三三四六贰叁肆肆伍陆十十拾"  # 12 戏
    mixed = "壹壹壹捌捌捌九九九四陆贰叁肆肆伍陆十十拾"
    for hand, code in ((small, "ZHA_HU_XI"), (mixed, "ZHA_HU_SHAPE")):
        record = with_sitter(deal({1: hand}, ["0 打 陆", "1 摸 五", "1 胡"], ruleset="bisai"))
        assert seen(record) == {(code, 1)}
        score = replay.replay_round(record).score
        assert score is not None
        assert score.points == (10, -30, 10, 10)


# 000: scoring

READY_21 = "壹壹壹捌捌捌玖玖玖九九九四六贰叁肆十十拾"
WIN_5 = ["0 打 陆", "1 摸 八", "2 摸 五", "1 胡"]


@pytest.mark.parametrize(("hand", "huxi", "points"), [(READY, 15, (-2, 2, 2, -2)), (READY_21, 21, (-4, 6, 2, -4))])
@pytest.mark.clause("10.1", "14.1", "14.4")
def test_000_points_of_fifteen_and_twenty_one(hand: str, huxi: int, points: tuple[int, ...]) -> None:
    """000: 15戏胡牌，负者各计—2分，胡牌者计2分，数醒者计2分。21戏胡牌，负者各计—4分，胡牌者计6分，数醒者计2分。"""
    score = settled(with_sitter(deal({1: hand}, WIN_5, ruleset="bisai")))
    assert (score.winner, score.huxi, score.points) == (1, huxi, points)


@pytest.mark.clause("14.5")
def test_000_huang() -> None:
    """000: 荒牌庄家计—2分，数醒者计2分。其余计0分。"""
    record, moves = quiet_round(ruleset="bisai")
    assert settled(with_sitter(with_moves(record, [*moves, "荒"]))).points == (-2, 0, 2, 0)


RED_18 = "七七七贰贰贰拾拾拾一二三四五六肆伍陆捌八"


@pytest.mark.clause("14.4", "14.6", "14.8")
def test_000_shi_ti_of_the_dealer_and_a_win_of_eighteen() -> None:
    """000: 庄家失蹄，上家18戏自模红胡，则给庄计—17分，给上家计15分，给下家计—5分，给醒家计7分。"""
    record = with_sitter(deal({0: "九九九九", 2: RED_18}, ["0 打 叁", "1 摸 十", "2 摸 八", "2 胡"], ruleset="bisai"))
    assert seen(record) == {("SHI_TI", 0)}
    score = replay.replay_round(record).score
    assert score is not None
    assert (score.winner, score.huxi, score.fan) == (3, 18, {"红胡": 2})
    assert score.points == (-17, -5, 7, 15)
