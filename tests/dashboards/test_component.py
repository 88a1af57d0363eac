"""The viewer in a real browser, as a file on disk."""

from __future__ import annotations

import random
import re
import statistics
from typing import Any

import pytest
from playwright.sync_api import expect

from ingest.cards import CHARS, COPIES, KINDS, UNKNOWN, parse

pytestmark = pytest.mark.browser

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "<!-- \"'&{js}\u2028"]


def seq(page: Any) -> int:
    return int(page.locator(".phz").get_attribute("data-event"))


def columns(page: Any, seat: str) -> list[str]:
    """The columns of a seat's hand, top card first."""
    script = "cols => cols.map(col => [...col.querySelectorAll('.face-top')].map(face => face.textContent).join(''))"
    return page.locator(f".seat.{seat} .hand .col").evaluate_all(script)


def test_keys_step_through_the_round(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round)
    last = sample_round["frames"][-1]["seq"]
    assert seq(page) == -1
    assert "发牌" in page.locator(".say").text_content()
    for key, at in [("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", last), ("ArrowRight", last)]:
        page.keyboard.press(key)
        assert seq(page) == at
    page.keyboard.press("Home")
    assert seq(page) == -1
    page.keyboard.press("ArrowLeft")
    assert seq(page) == -1


def test_page_keys_jump_between_findings(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round)
    seen = []
    for _ in range(4):
        page.keyboard.press("PageDown")
        seen.append(seq(page))
    assert seen == [6, 19, 29, 29]
    assert page.locator(".finding").count() == 2  # the settlement's finding is shown with the last event
    page.get_by_text("由此引起").click()
    page.keyboard.press("PageUp")
    assert seq(page) == 19
    assert page.locator(".finding code").all_text_contents() == ["MISSING_DISCARD"]
    for part in ("B.3", "打牌", "摸牌", "该出牌的没有出"):
        assert part in page.locator(".finding").text_content()


@pytest.mark.parametrize("after", ["#event=12", "?event=12", "?round=x&event=12"])
def test_deep_link_opens_at_the_event(opened: Any, sample_round: dict[str, Any], after: str) -> None:
    page = opened(sample_round, event=3, after=after)
    assert seq(page) == 12
    assert page.locator(".event.current .num").text_content() == "13"


@pytest.mark.parametrize(("after", "at"), [("#event=999", 29), ("#event=-7", -1), ("#event=1e3", 3), ("#event=<b>", 3)])
def test_bad_deep_links_open_somewhere_sensible(opened: Any, sample_round: dict[str, Any], after: str, at: int) -> None:
    assert seq(opened(sample_round, event=3, after=after)) == at


def test_the_address_follows_and_a_new_hash_moves(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, event=3)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#event=4$"))
    assert page.locator(".copy").get_attribute("title").endswith("round.html#event=4")
    page.evaluate("location.hash = '#event=9'")
    expect(page.locator(".phz")).to_have_attribute("data-event", "9")


def test_language(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, lang="en", event=4)
    assert (
        page.locator(".say").text_content() == "张三 takes small 4 四 from 王五 with chi, using small 5 五, small 6 六."
    )
    page.get_by_role("button", name="中文").click()
    assert page.locator(".say").text_content() == "张三 吃 王五 的 四，用手中的 五六。"
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.keyboard.press("ArrowRight")
    assert page.locator(".say").text_content() == "张三 比 四肆肆。"


def test_hands_can_be_hidden_and_seats_rotated(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, event=12)
    assert columns(page, "left")
    assert page.locator(".seat.left .melds .peek").count() == 3  # 偎 seen through its backs
    page.keyboard.press("h")
    assert columns(page, "left") == [""] * 4
    assert page.locator(".seat.left .hand .back").count() == len(sample_round["frames"][13]["hands"][2])
    assert page.locator(".seat.left .melds .back").count() == 3
    assert "暗牌" in page.locator(".say").text_content()
    page.keyboard.press("v")
    page.keyboard.press("v")
    assert page.locator(".seat.bottom .name").text_content() == "王五"
    assert page.locator(".seat.bottom .hand .back").count() == 0
    assert page.locator(".seat.right .name").text_content() == "张三"  # 下家 of the last seat is the first
    assert "十" in page.locator(".say").text_content()


def test_rights_show_who_could_and_who_did(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, event=1)
    rows = [re.sub(r"\s+", " ", text) for text in page.locator(".rights li").all_text_contents()]
    assert rows == ["李四吃可吃柒玖被抢先", "王五碰可碰捌捌✓ 实际"]
    assert page.locator(".seat.left .pill").all_text_contents() == ["可碰"]
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".rights li.took").text_content().startswith("王五胡")


def test_melds_lie_as_players_lay_them(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, event=28)
    describe = """cols => cols.map(col => [...col.querySelectorAll('.card')].map(card =>
        (card.classList.contains('peek') ? '-' : '') + (card.classList.contains('eaten') ? '*' : '') +
        card.querySelector('.face-top').textContent).join(' ') + (col.classList.contains('bi') ? ' bi' : ''))"""
    melds = {
        seat: page.locator(f".seat.{seat} .melds .col").evaluate_all(describe) for seat in ("bottom", "right", "left")
    }
    assert melds == {
        "bottom": ["五 六 *四", "四 肆 肆 bi", "-三 -三 -三 三"],
        "right": ["-叁 -叁 -叁 叁", "二 二 二"],
        "left": ["捌 捌 捌 捌", "-十 -十 -十", "-八 -八 八"],
    }
    assert page.locator(".pile.seat-1 .card.drawn").count() == 2
    assert page.locator(".pile.seat-2 .card.claimed").count() == 2
    assert page.locator(".seat.left .stale-one").text_content() == "八碰"


def test_score_compares_recomputed_with_recorded(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round)
    page.locator("[data-tab=score]").click()
    rows = [re.sub(r"\s+", " ", text) for text in page.locator(".score tr.differs").all_text_contents()]
    assert rows == ["张三−6−5 ≠", "李四−6−5 ≠", "王五+12+10 ≠"]
    assert page.locator(".groups .odd").count() == 2  # the 偎 that the record counts differently, on both sides
    assert [text.strip() for text in page.locator(".sum").all_text_contents()] == ["=18 胡息", "=21 胡息"]


def test_a_card_drawn_to_a_hidden_wei_is_still_drawn(opened: Any, sample_round: dict[str, Any]) -> None:
    sample_round["frames"][12]["open"] = None
    page = opened(sample_round, event=11)
    assert page.locator(".open .face-top").text_content() == "十"
    page.keyboard.press("h")
    assert page.locator(".open .card.back").count() == 1


def test_unknown_cards_hands_wall_and_score(opened: Any, sample_round: dict[str, Any]) -> None:
    for frame in sample_round["frames"]:
        frame["hands"][1] = None
        frame["hands"][2] = [UNKNOWN] * 7
        frame["wall_left"] = None
    sample_round |= {"wall": None, "liang": None, "score": None, "reported": None, "verdict": "undecidable"}
    sample_round["undecidable"] = [{"zh": "李四的手牌没有记录", "en": "no hand"}]
    page = opened(sample_round)
    assert page.locator(".seat.right .hand").text_content() == "手牌未知"
    assert columns(page, "left") == ["????", "???"]
    assert page.locator(".wall").text_content() == "墩牌未知"
    page.keyboard.press("End")
    page.locator("[data-tab=score]").click()
    assert "李四的手牌没有记录" in page.locator(".score").text_content()


def test_a_round_without_frames_shows_its_findings(opened: Any, sample_round: dict[str, Any]) -> None:
    sample_round |= {"frames": [], "score": None, "wall": None}
    page = opened(sample_round, event=6)
    assert "发牌有误" in page.locator(".say").text_content()
    assert page.locator(".finding").count() == 4
    assert page.locator(".result").text_content() == "？无法判定"


def test_hostile_names_stay_text(opened: Any, sample_round: dict[str, Any], browser_page: Any) -> None:
    dialogs: list[str] = []
    browser_page.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    sample_round["players"] = HOSTILE
    sample_round["room"] = sample_round["ruleset"] = HOSTILE[1]
    for finding in sample_round["findings"]:
        finding.update(dict.fromkeys(("code", "clause", "zh", "en", "expected", "actual"), HOSTILE[0]))
    for score in ("score", "reported"):
        sample_round[score]["fan"] = {HOSTILE[0]: 1, HOSTILE[1]: 1}
    page = opened(sample_round, event=6)
    assert page.locator(".seat .name").all_text_contents() == [HOSTILE[2], HOSTILE[1], HOSTILE[0]]
    for tab in ("score", "unseen", "transcript", "events"):
        page.locator(f"[data-tab={tab}]").click()
        page.keyboard.press("End")
        assert page.locator(".phz img, .phz script").count() == 0
    assert HOSTILE[0] in page.title()
    assert dialogs == []


def test_text_of_the_round_and_the_spoken_line(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round, event=29)
    assert page.locator(".say").get_attribute("aria-live") == "polite"
    page.locator("[data-tab=transcript]").click()
    lines = page.locator(".transcript li").all_text_contents()
    assert len(lines) == len(sample_round["frames"])
    assert lines[0] == "发牌：张三 坐庄，亮张 十。"
    assert lines[-1] == "王五 胡 拾。 [POINTS] [SUM]"


def test_play_and_help(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round)
    page.locator("select").select_option("4")
    page.locator(".say").click()
    page.keyboard.press(" ")
    expect(page.locator(".phz")).to_have_attribute("data-event", re.compile(r"^([2-9]|[12]\d)$"))
    page.keyboard.press(" ")
    at = seq(page)
    page.wait_for_timeout(700)
    assert seq(page) == at
    page.keyboard.press("?")
    assert "PgDn" in page.get_by_role("dialog").text_content()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_hands_are_sorted_into_columns(opened: Any, sample_round: dict[str, Any]) -> None:
    """坎 first and locked, no more than four cards a column, every card once, whatever the hand."""
    rng = random.Random(7)
    deck = [kind for kind in range(KINDS) for _ in range(COPIES)]
    hands = [parse("三三三一二三四五六贰柒拾八捌九玖玖十壹叁")]
    hands += [sorted(rng.sample(deck, rng.choice([21, 20, 14, 8, 3, 1]))) for _ in range(60)]
    frame = sample_round["frames"][0]
    sample_round["frames"] = []
    for i, hand in enumerate(hands):
        kan = [kind for kind in range(KINDS) if hand.count(kind) == 3]
        event = None if i == 0 else {"seat": 0, "action": 12, "card": -2, "a": -2, "b": -2, "t_ms": None}
        each = frame | {"seq": i - 1, "event": event, "hands": [hand, [], []], "kan": [kan, [], []]}
        sample_round["frames"].append(each)
    page = opened(sample_round)
    for hand in hands:
        shown = columns(page, "bottom")
        assert sorted(CHARS.index(char) for column in shown for char in column) == sorted(hand)
        assert max(map(len, shown)) <= 4
        assert len(shown) <= 9
        locked = page.locator(".seat.bottom .locked .stack").all_text_contents()
        want = {kind for kind in hand if hand.count(kind) >= 3}
        assert {CHARS.index(text[0]) for text in locked} == want
        assert all(len(set(column)) == 1 for column in shown[: len(want)])
        page.keyboard.press("ArrowRight")


def test_a_step_takes_less_than_a_tenth_of_a_second(opened: Any, sample_round: dict[str, Any]) -> None:
    page = opened(sample_round)
    times = page.evaluate("""() => Array.from({ length: 30 }, () => {
        const from = performance.now();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        document.body.getBoundingClientRect();
        return performance.now() - from;
    })""")
    assert seq(page) == 29
    assert statistics.median(times) < 100


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1000, 800), (390, 844)])
def test_nothing_is_wider_than_the_window(opened: Any, sample_round: dict[str, Any], width: int, height: int) -> None:
    page = opened(sample_round, event=28)
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    edges = "cards => cards.map(card => card.getBoundingClientRect()).map(box => [box.left, box.right])"
    assert all(left >= 0 and right <= width for left, right in page.locator(".table .card").evaluate_all(edges))
