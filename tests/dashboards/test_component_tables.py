"""The viewer with two seats, a fourth person, cards drawn into the hand, penalties, rounds that end otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dashboards.viewer import viewer_html
from ingest.reader import read_path
from ingest.record import Record
from replay.timeline import timeline

pytestmark = pytest.mark.browser


@pytest.fixture
def sample(browser_page: Any, samples: Path, tmp_path: Path) -> Any:
    """Open a sample round at an event; the page must stay free of errors."""

    def open_at(file: str, name: str, event: int | None = None, lang: str = "zh") -> Any:
        record = next(
            one for one in read_path(samples / f"{file}.phz") if isinstance(one, Record) and one.tags["sample"] == name
        )
        place = tmp_path / "round.html"
        place.write_text(viewer_html(timeline(record), lang, event), encoding="utf-8")
        browser_page.page.goto(place.as_uri())
        browser_page.page.wait_for_selector(".phz")
        return browser_page.page

    yield open_at
    assert browser_page.errors == []


def ledger(page: Any) -> list[list[str]]:
    """The rows of the score: what is named, recomputed, recorded."""
    page.locator("[data-tab=score]").click()
    script = "rows => rows.map(row => [...row.children].map(cell => cell.textContent.trim().replace(/\\s+/g, ' ')))"
    return list(page.locator(".score tbody tr").evaluate_all(script))


def centre(page: Any) -> str:
    return str(page.locator(".centre .result").inner_text()).replace("\n", " ")


def test_two_players_sit_opposite_each_other(sample: Any) -> None:
    page = sample("luzhou", "luzhou-two", 3)
    assert page.locator(".seat .place").all_text_contents() == ["对家", "本家"]
    assert page.locator(".seat").count() == page.locator(".pile").count() == 2
    assert [row[:2] for row in ledger(page)[-2:]] == [["甲", "−2"], ["乙", "+2"]]
    page.get_by_role("button", name="换座位").click()
    assert page.locator(".seat.bottom .name").text_content() == "乙"
    page.get_by_role("button", name="换座位").click()
    assert page.locator(".seat.bottom .name").text_content() == "甲"


def test_the_bottom_card_lies_open_where_no_liang_is_shown(sample: Any) -> None:
    page = sample("luzhou", "luzhou-two")
    assert page.locator(".liang .small-word").text_content() == "末张"
    assert page.locator(".liang .face-top").text_content() == "一"
    assert "亮张" not in page.locator(".say").text_content()
    page.locator("[data-tab=unseen]").click()
    hand = page.locator(".seat.bottom .hand").get_attribute("aria-label")
    seen = hand.count("一") + 1
    assert page.locator(".unseen-one[title^='一 ']").get_attribute("title") == f"一 {4 - seen}"


def test_a_compulsory_peng_is_said_to_be_one(sample: Any) -> None:
    page = sample("luzhou", "luzhou-wu", 0)
    assert page.locator(".rights .right-word").all_text_contents() == ["必碰"]
    assert page.locator(".rights .fate").all_text_contents() == ["✓ 实际"]


def test_the_counter_of_a_match_and_penalties(sample: Any) -> None:
    page = sample("findings-bisai", "bisai-letter-c", 8)
    assert page.locator(".ruleset").text_content() == "比赛规则"
    assert "醒家 丙" in page.locator(".facts").text_content()
    assert page.locator(".seat").count() == 3
    assert "−17" in centre(page)
    rows = {row[0]: row[1:] for row in ledger(page)}
    assert rows["罚 C 甲"][0] == "−9"
    assert [rows[name][0] for name in ("甲", "乙", "丁", "丙 醒家")] == ["−17", "−5", "+15", "+7"]
    page.locator(".charge").click()
    assert page.locator(".phz").get_attribute("data-event") == "0"
    assert page.locator(".finding code").all_text_contents() == ["SHI_TI"]


def test_an_act_of_the_counter_names_the_person(sample: Any) -> None:
    page = sample("findings-bisai", "bisai-xing-acted", 2)
    assert page.locator(".say").text_content() == "丙 碰 乙 的 八。"
    assert page.locator(".finding .who").text_content() == "丙"


@pytest.mark.parametrize(
    ("file", "name", "event", "said"),
    [
        ("findings-bisai", "bisai-void", 3, "废 胡牌作废 +5 −15 +5 +5"),
        ("whole-rounds", "tao-pao", 2, "逃 逃跑 −27 0 0"),
        ("bisai", "bisai-huang", 20, "荒 荒庄 −2 0 0 +2"),
        ("general", "general-qingyise", 8, "胡 乙 对对胡 2×清一色 2×自摸 2 −8 +16 −8"),
    ],
)
def test_how_a_round_ended(sample: Any, file: str, name: str, event: int, said: str) -> None:
    page = sample(file, name, event)
    assert centre(page) == said
    if name == "tao-pao":
        assert page.locator(".say").text_content() == "甲 逃跑。"


def test_a_drawn_card_enters_the_hand_unseen(sample: Any) -> None:
    page = sample("general", "general-ti", 1)
    assert page.locator(".open .card.back").count() == 0
    assert page.locator(".seat.right .hand").get_attribute("aria-label").count("叁") == 4
    assert page.locator(".rights .right-word").all_text_contents() == ["可提"]
    assert page.locator(".seat .huxi, .locked, .liang").count() == 0
    page.keyboard.press("h")
    assert page.locator(".open .card.back").count() == 1
    assert page.locator(".say").text_content() == "乙 摸 一张暗牌。"
    page.keyboard.press("v")
    assert page.locator(".say").text_content() == "乙 摸 叁。"


def test_the_score_of_the_general_rules(sample: Any) -> None:
    page = sample("general", "general-qingyise-quads", 16)
    rows = {row[0]: row[1:] for row in ledger(page)}
    assert "合计胡息" not in rows
    assert rows["番 Π"] == ["8", "8"]
    assert rows["分"] == ["11", "11"]
    assert page.locator(".score .differs, .score .sum").count() == 0


def test_english_words(sample: Any) -> None:
    page = sample("findings-bisai", "bisai-void", 3, "en")
    assert page.locator(".ruleset").text_content() == "Competition"
    assert "the win is void" in centre(page)
    assert ledger(page)[2][:2] == ["penalty B 乙", "−15"]
