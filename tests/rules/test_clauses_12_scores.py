"""The clauses 12.25 to 12.35 of docs/rules.md, one by one: 桂林字牌, scores and records."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import replay
from ingest.cards import parse, parse_one
from ingest.codes import Action
from ingest.record import Offer, Ratio, Record, Result
from replay.session import check_session
from tests.ingest.guilin_logs import deal as pushed_deal
from tests.ingest.guilin_logs import dumped, merged, play, refused
from tests.rules import build
from tests.rules.build import quiet_round, with_moves
from tests.rules.check import clean, faults, seen, settled

READY = "壹壹壹捌捌捌九九九五六贰叁肆肆伍陆十十拾"
"""One 四 or 七 short of 15."""
WON = ["0 打 拾", "1 摸 八", "2 摸 四", "1 胡"]
FIVE_KAN = "一一一四四四五五五八八八九九九壹叁伍柒玖"
LATER = ["0 打 拾", "1 摸 八", "2 摸 贰", "2 吃 贰 壹叁"]
EAT_0 = ["0 摸 贰", "0 吃 贰 壹叁"]


def deal(hands: dict[int, str], moves: list[str], **more: Any) -> Record:
    return build.deal(hands, moves, ruleset="guilin", **more)


def value(cards: str, card: str | None = None, source: str | None = None, *melds: str, **more: Any) -> Any:
    return replay.evaluate_hand(cards, melds=melds, win_card=card, source=source, ruleset="guilin", **more)


def units(hits: int = 0, source: str = "other_draw", **options: Any) -> int:
    found = value(READY, "四", source, xing_hits=hits, options=options, dealer=source == "liang")
    assert found.wins
    return int(found.units)


@pytest.mark.parametrize("step", [1, 3, 5])
@pytest.mark.parametrize("least", [10, 15])
@pytest.mark.parametrize("hits", [0, 1, 4])
def test_r12_25_zi(step: int, least: int, hits: int) -> None:
    assert units(hits, zi_step=step, min_huxi=least) == 1 + (15 - least) // step + hits


def test_r12_25_fractions_are_reported() -> None:
    options = {"zi_step": 3, "xing": ()}
    right = Result(winner=1, huxi=15, units=Ratio(2))
    clean(deal({1: READY}, WON, options=options, result=right))
    early = msgspec.structs.replace(right, units=Ratio(8, 3))
    assert ("WRONG_SCORE", 1) in faults(deal({1: READY}, WON, options=options, result=early))


@pytest.mark.parametrize("hits", [0, 3])
def test_r12_26_zimo_after_xing(hits: int) -> None:
    plain = units(hits)
    assert units(hits, "own_draw", zimo="plus_one") == plain + 1
    assert units(hits, "own_draw", zimo="double") == 2 * plain
    for source in ("other_draw", "discard"):
        assert units(hits, source, zimo="double") == plain
    black = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    assert value(black, "陆", "other_draw").fan == {}


@pytest.mark.parametrize("hits", [0, 3])
@pytest.mark.parametrize("zimo", ["plus_one", "double"])
def test_r12_27_doubles(hits: int, zimo: str) -> None:
    plain = units(hits)
    assert units(hits, "liang", zimo=zimo) == 2 * plain
    options = {"xing": (), "zimo": zimo}
    for hands, moves, liang in (
        ({0: READY}, ["0 胡"], "四"),
        ({1: READY}, ["0 打 四", "1 胡"], None),
        ({1: FIVE_KAN}, ["1 胡 -"], "十"),
    ):
        assert settled(deal(hands, moves, liang=liang, options=options)).units == 2 * (1 + (15 - 10) // 5)


RANKS = "一二三四五六七八九十"
BIG = "壹贰叁肆伍陆柒捌玖拾"


@pytest.mark.parametrize("turned", [card for card in RANKS + BIG if card not in "四壹捌九"])
@pytest.mark.parametrize("kinds", [("shang",), ("zhong",), ("xia",), ("shang", "xia"), ("shang", "zhong", "xia"), ()])
def test_r12_28_xing(turned: str, kinds: tuple[str, ...]) -> None:
    cards = READY + "四"
    row = RANKS if turned in RANKS else BIG
    at = row.index(turned)
    named = {"shang": row[(at + 1) % 10], "zhong": turned, "xia": row[at - 1]}
    hits = sum(cards.count(named[kind]) for kind in kinds)
    record = deal({1: READY}, WON, wall_front="八四" + turned, options={"xing": kinds})
    score = settled(record)
    assert score.xing_hits == hits
    assert score.xing[:1] == ((parse_one(turned),) if kinds else ())
    assert score.units == 2 + hits


def test_r12_29_four_hits_of_one_kind_turn_another() -> None:
    hand = {1: "叁叁叁伍伍伍伍玖捌一二三五六七七八九十十"}  # won on 柒: 一二三 五六七 七八九 伍… 柒捌玖
    wall = "八拾二柒陆陆五"
    moves = ["0 打 五", "1 摸 八", "2 摸 拾", "0 摸 二", "1 摸 柒", "1 胡"]
    score = settled(deal(hand, moves, wall_front=wall))
    assert score.xing == tuple(parse("陆陆五"))
    each = "".join(hand.values()) + "柒"
    shang_xia = [each.count(a) + each.count(b) for a, b in (("柒", "伍"), ("柒", "伍"), ("六", "四"))]
    assert score.xing_hits == sum(shang_xia)
    # Four hits, but of two kinds together: no further card.
    ready = settled(deal({1: READY}, WON, wall_front="八四叁", options={"xing": ("shang", "zhong", "xia")}))
    assert (len(ready.xing), ready.xing_hits) == (1, 4)


def test_r12_29_an_empty_wall_gives_no_hit() -> None:
    ready = "壹壹壹玖玖玖三三三五五伍八八捌四四肆肆伍"
    record, moves = quiet_round({2: ready, 0: "壹玖三陆陆", 1: "陆"}, last="陆", liang="十", ruleset="guilin")
    score = settled(with_moves(record, [*moves, "2 胡"]))
    assert (score.xing, score.xing_hits) == ((), 0)


def test_r12_30_who_pays() -> None:
    options = {"xing": ()}
    drawn = settled(deal({1: READY}, WON, options=options))
    assert (drawn.units, drawn.points) == (2, (-2, 4, -2))
    own = settled(deal({1: READY}, ["0 打 拾", "1 摸 四", "1 胡"], options=options))
    assert (own.units, own.points) == (3, (-3, 6, -3))
    thrown = settled(deal({1: READY}, [*LATER, "2 打 四", "1 胡"], options=options))
    assert (thrown.units, thrown.points) == (2, (0, 4, -4))
    assert settled(deal({2: READY}, ["0 打 四", "2 胡"], options=options)).points == (-8, 0, 8)
    assert settled(deal({0: READY}, ["0 胡"], liang="四", options=options)).points == (8, -4, -4)
    assert settled(deal({1: FIVE_KAN}, ["1 胡 -"], options=options)).points == (-4, 8, -4)
    record, moves = quiet_round(ruleset="guilin")
    assert settled(with_moves(record, [*moves, "荒"])).points == (0, 0, 0)


def wrong_dealer(records: list[Record]) -> list[bool]:
    numbered = [msgspec.structs.replace(record, room="甲", round_no=n) for n, record in enumerate(records, 1)]
    report = check_session([(record, replay.replay_round(record)) for record in numbered])
    return [any(found.code == "WRONG_DEALER" for found in told) for told in report.findings]


def drawn_round(dealer: int, **options: Any) -> Record:
    record, moves = quiet_round(ruleset="guilin", dealer=dealer, options=options)
    return with_moves(record, [*moves, "荒"])


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_r12_31_the_creator_the_winner_and_the_creator_again(dealer: int) -> None:
    won = deal({1: READY}, WON)  # seat 0 opened the room; seat 1 wins
    assert wrong_dealer([won, drawn_round(dealer)]) == [False, dealer != 1]
    assert wrong_dealer([won, drawn_round(1), drawn_round(dealer)]) == [False, False, dealer != 0]
    early = {"dealer_next": "creator"}
    first = deal({1: READY}, WON, options=early)
    assert wrong_dealer([first, drawn_round(dealer, **early)]) == [False, dealer != 0]


def test_r12_32_a_cut_window_passes_nothing() -> None:
    start = ["0 打 八", "无人要", "1 摸 九", "无人要", "2 摸 五"]
    offered = (Offer(4, 1, Action.PENG, parse_one("五"), tuple(parse("五五"))),)
    cut = [*start, "0 摸 捌", "无人要", "1 摸 玖", "无人要", "2 摸 五", "1 碰", "1 打 十"]
    record = msgspec.structs.replace(deal({1: "五五"}, cut), offers=offered)
    assert {code for code, _ in faults(record)} == {"WINDOW_CUT"}
    passed = [*start, "无人要", *cut[len(start) :]]
    shut = msgspec.structs.replace(deal({1: "五五"}, passed), offers=offered)
    assert ("CHOU_PENG", 1) in faults(shut)


def offers(record: Record, told: list[Offer], visible: tuple[int, ...] | None) -> set[tuple[str, int]]:
    return faults(msgspec.structs.replace(record, offers=tuple(told), visible=visible))


def test_r12_33_options_are_compared_as_sets() -> None:
    record = deal({1: "一一二二三三七十"}, ["0 打 二"])
    card = parse_one("二")
    options = replay.chi_options(list(record.hands[1] or ()), "二", ruleset="guilin")
    assert any(len(option.bi) == 2 for option in options)
    pushed = []
    for option in options:
        first = list(option.first)
        first.remove(card)
        pushed.append(Offer(0, 1, Action.CHI, card, tuple(first + [c for group in reversed(option.bi) for c in group])))
    peng = Offer(0, 1, Action.PENG, card, (card, card))
    assert offers(record, [peng, *reversed(pushed)], (1,)) == set()
    assert offers(record, [peng, *pushed[1:]], (1,)) == {("OPTION_NOT_OFFERED", 1)}
    assert offers(record, [peng, *pushed[1:]], ()) == set()  # not all pushes of the seat were recorded
    bad = Offer(0, 1, Action.CHI, card, tuple(parse("一三")))  # without its 比
    assert ("OPTION_NOT_LEGAL", 1) in offers(record, [peng, *pushed, bad], (1,))


@pytest.mark.parametrize("words", ["无人要", "1 过"])
def test_r12_34_nobody_takes_it_means_all_passed(words: str) -> None:
    moves = ["0 打 五", words, "1 摸 八", "2 摸 捌", *EAT_0, "0 打 五"]
    assert seen(deal({1: "五五"}, [*moves, "1 碰"])) == {("CHOU_PENG", 1)}
    assert seen(deal({1: "四六"}, [*moves, "1 吃 五 四六", "1 打 十"])) == {("CHOU_CHI", 1)}
    clean(deal({1: "五五"}, ["0 打 九", "无人要", "1 摸 八"]))  # nobody had an option


def test_r12_35_test_decks_are_refused() -> None:
    first = pushed_deal()
    first["msg"]["remainNum"] = 4
    refused(dumped(merged([first, *play()[1:]])), "DEBUG_DECK", "4 cards")
