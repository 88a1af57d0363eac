"""What was judged of a round in the viewer: its decisions, choice by choice, and its luck ledger."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ingest.cards import parse

pytestmark = pytest.mark.browser

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]


def choice(text: str, points: float, behind: float, error: float, **more: Any) -> dict[str, Any]:
    chances = {"win": 0.25, "huang": 0.5, "pays": 0.25, "worlds": 64, "known": None}
    return {"text": text, "points": points, "behind": behind, "error": error} | chances | more


def decision(seq: int, seat: int, taken: int, band: int, choices: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    best = min(range(len(choices)), key=lambda i: choices[i]["behind"])
    loss = choices[taken]["behind"]
    told = {"loss": loss, "error": 0.25, "naive": loss + 0.5, "reason": "steps", "why_not": ""}
    words = {"zh": f"差在第 {seq} 手", "en": f"worse at {seq}"}
    return (
        {"seq": seq, "seat": seat, "taken": taken, "best": best, "band": band, "choices": choices} | told | words | more
    )


THROWN = [
    choice("打 七", 2.5, 0.0, 0.0, known=1.25),
    choice("打 肆", 2.25, 0.25, 0.5),
    choice("打 伍", 1.5, 1.0, 0.25),
    choice("打 陆", 1.0, 1.5, 0.25),
    choice("打 一", 0.5, 2.0, 0.25),
    choice("打 捌", -1.5, 4.0, 0.5, known=-2.0, win=0.125, huang=0.5, pays=0.375),
]


def judged() -> dict[str, Any]:
    """Decisions on the hand-made round: a blunder, a best choice, a mistake, one asked earlier, one not judged."""
    rows = [
        decision(1, 0, 5, 2, THROWN),
        decision(2, 2, 0, 0, [choice("碰", 1.0, 0.0, 0.0), choice("过", 0.5, 0.5, 0.25)]),
        decision(9, 2, 1, 1, [choice("碰", 3.0, 0.0, 0.0), choice("过", 1.5, 1.5, 0.125)]),
        decision(10, 1, 1, 0, [choice("吃 七九 比 八捌捌", 0.5, 0.0, 0.0), choice("过", 0.25, 0.25, 0.25)]),
        decision(13, 2, -1, 0, [choice("", 0, 0, 0)]) | {"choices": [], "why_not": "bounds", "zh": "推不出来"},
    ]
    return {"how": "", "evaluator": "value2-full-ab12", "cuts": {"mistake": 1.25, "blunder": 3.0}, "rows": rows}


def accounts() -> dict[str, Any]:
    """A ledger of the hand-made round. Its first seat's parts do not add up when each is rounded."""
    terms = [
        {"kind": "decision", "seq": 1, "seat": 0, "card": -1, "points": [-1_254_000, 627_000, 627_000]},
        {"kind": "draw", "seq": 8, "seat": 1, "card": parse("八")[0], "points": [-2_000_000, 4_000_001, -2_000_001]},
        {"kind": "draw", "seq": 11, "seat": 2, "card": parse("十")[0], "points": [-3_000_000, -3_000_000, 6_000_000]},
        {"kind": "draw", "seq": 20, "seat": 0, "card": parse("三")[0], "points": [0, 0, 0]},
        {"kind": "decision", "seq": 9, "seat": 2, "card": -1, "points": [500_000, 500_000, -1_000_000]},
    ]
    parts = {
        "expectation": [1_004_000, -404_000, -600_000],
        "deal": [-1_004_000, -1_000_000, 2_004_000],
        "revision": [-246_000, -6_723_001, 6_969_001],
    }
    return {
        "evaluator": "0489b6c30e50be1f",
        "seats": [0, 1, 2],
        "why_not": "",
        "zh": "",
        "en": "",
        **parts,
        "draws": [-5_000_000, 1_000_001, 3_999_999],
        "decisions": [[-1_254_000, 627_000, 627_000], [0, 0, 0], [500_000, 500_000, -1_000_000]],
        "payoff": [-6_000_000, -6_000_000, 12_000_000],
        "terms": terms,
    }


@pytest.fixture
def review() -> dict[str, Any]:
    return {"decisions": judged(), "ledger": accounts()}


def at(page: Any) -> int:
    return int(page.locator(".phz").get_attribute("data-event"))


def texts(page: Any, place: str) -> list[str]:
    return [re.sub(r"\s+", " ", text).strip() for text in page.locator(place).all_text_contents()]


def micro(text: str) -> int:
    """Millionths of a point from the exact number on a cell."""
    sign, whole, part = re.fullmatch(r"([+−])(\d+)\.(\d{6})", text).groups()  # type: ignore[union-attr]
    return (-1 if sign == "−" else 1) * (int(whole) * 1_000_000 + int(part))


def test_a_link_to_a_mistake_shows_its_choices(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, after="#event=1", review=review)
    assert page.locator("[data-tab=decisions]").get_attribute("aria-selected") == "true"
    one = ".choices-justTaken .decision"
    assert texts(page, f"{one} .loss") == ["损失 4.00 ±0.49"]
    assert texts(page, f"{one} .band") == ["大失误"]
    assert texts(page, f"{one} .why") == ["差在第 1 手"]
    page.locator(f"{one} summary").click()
    ranked = sorted(THROWN, key=lambda told: told["behind"])
    shown = [ranked[i] for i in (0, 1, 2, 3, 5, 4)]  # the one taken stands out, the rest unfold
    points = [f"{told['points']:+.2f}".replace("-", "−") for told in shown]
    assert texts(page, f"{one} .points") == points
    behind = ["", *(f"−{told['behind']:.2f} ±{1.96 * told['error']:.2f}" for told in shown[1:])]
    assert texts(page, f"{one} .behind") == behind
    assert texts(page, f"{one} .is-taken .choice-name") == ["打捌实际"]
    assert texts(page, f"{one} .is-best .choice-name") == ["打七最好"]
    assert texts(page, f"{one} .is-taken .chances") == ["胡 13% · 荒 50% · 付 38% · 实际手牌 −2.00"]
    reach = 4.0 + 1.96 * 0.5
    widths = page.locator(f"{one} .bar").evaluate_all("bars => bars.map(bar => parseFloat(bar.style.width))")
    assert widths == pytest.approx([100 * told["behind"] / reach for told in shown], abs=0.01)
    whiskers = page.locator(f"{one} .whisker").evaluate_all("all => all.map(one => parseFloat(one.style.width))")
    assert whiskers[-2] == pytest.approx(100 * 1.96 / reach, abs=0.01)
    page.locator("[data-tab=events]").click()
    page.evaluate("location.hash = '#event=2'")  # the best choice: nothing to be shown at once
    page.wait_for_selector("[data-event='2'] [data-tab=events][aria-selected=true]")
    page.evaluate("location.hash = '#event=9'")
    page.wait_for_selector("[data-event='9'] [data-tab=decisions][aria-selected=true]")


def test_the_choice_stands_before_and_beside_its_move(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, event=0, review=review)
    assert page.locator("[data-tab=events]").get_attribute("aria-selected") == "true"
    page.locator("[data-tab=decisions]").click()
    assert texts(page, ".decisions h3") == ["此刻的选择"]
    assert texts(page, ".choices-toTake .who") == ["张三"]
    page.keyboard.press("ArrowRight")
    assert texts(page, ".decisions h3") == ["刚才的选择", "此刻的选择"]
    assert texts(page, ".decisions .who") == ["张三", "王五"]
    assert texts(page, ".choices-toTake .loss") == ["✓ 就是最好的一手"]
    page.keyboard.press("ArrowRight")
    assert texts(page, ".decisions .who") == ["王五"]
    page.keyboard.press("ArrowRight")
    assert page.locator(".decisions .quiet").text_content() == "这里没有可选的"
    page.get_by_text("下一次选择").click()
    assert at(page) == 8
    assert texts(page, ".choices-toTake .who") == ["王五", "李四"]  # the second is asked before the first passes
    page.keyboard.press("ArrowRight")
    assert texts(page, ".choices-toTake .choice-name")[0] == "过"
    assert texts(page, ".choices-toTake .is-best .choice-name") == ["吃七九比八捌捌最好"]
    assert page.locator(".choices-toTake .band").count() == 0  # an insignificant loss has no colour
    page.evaluate("location.hash = '#event=13'")
    page.wait_for_selector("[data-event='13']")
    assert "不评：推不出来" in page.locator(".choices-justTaken").text_content()


def test_keys_and_buttons_jump_between_mistakes(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, review=review)
    page.keyboard.press("p")
    assert (at(page), page.locator(".say").text_content()) == (-1, "前面没有失误。")
    page.keyboard.press("n")
    assert at(page) == 1
    assert page.locator(".choices-justTaken .band").text_content() == "大失误"
    page.get_by_role("button", name="下一个失误").click()
    assert at(page) == 9
    page.keyboard.press("n")
    assert (at(page), page.locator(".say").text_content()) == (9, "后面没有失误了。")
    page.get_by_role("button", name="上一个失误").click()
    assert at(page) == 1
    assert page.locator(".tick-mistake").count() == 2
    page.locator("[data-tab=events]").click()
    assert texts(page, ".event .band") == ["大失误", "失误"]
    review["decisions"]["rows"] = review["decisions"]["rows"][1:2]
    page = opened(sample_round, lang="en", review=review)
    page.keyboard.press("n")
    assert page.locator(".say").text_content() == "No mistake in this round."


def test_hidden_hands_hide_the_others_choices(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, event=9, review=review)
    page.keyboard.press("h")
    assert texts(page, ".decision") == ["王五看全部手牌时才显示", "李四看全部手牌时才显示"]
    page.keyboard.press("v")
    assert texts(page, ".choices-toTake .choice .points") == ["+0.50", "+0.25"]


def test_the_ledger_adds_up(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, event=8, review=review)
    page.locator("[data-tab=luck]").click()
    script = "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.title))"
    exact = [[micro(text) for text in row] for row in page.locator(".waterfall tbody tr").evaluate_all(script)]
    paid = [micro(text) for text in page.locator(".waterfall tfoot tr").evaluate_all(script)[0]]
    ledger = review["ledger"]
    given = [ledger["expectation"], ledger["deal"], ledger["draws"], *ledger["decisions"], ledger["revision"]]
    assert exact == given
    assert paid == ledger["payoff"] == [sum(column) for column in zip(*exact, strict=True)]
    assert texts(page, ".waterfall tfoot td") == ["−6.00", "−6.00", "+12.00"]
    assert "末位因四舍五入" in page.locator(".luck").text_content()
    assert texts(page, ".terms-now .term-points") == ["−2.00+4.00−2.00"]
    assert page.locator(".terms-now .face-top").text_content() == "八"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".terms-now .quiet").text_content() == "这一手不进账"
    assert texts(page, ".terms .num") == ["12", "9", "2", "10"]  # the biggest first, nothing of the draw that was 0
    page.locator(".terms button").first.click()
    assert at(page) == 11
    assert texts(page, ".terms-now .who") == ["王五"]
    ledger["expectation"][0] += 4_000
    ledger["deal"][0] -= 4_000
    ledger["decisions"][0][0] += 4_000
    ledger["revision"][0] -= 4_000
    page = opened(sample_round, review=review)
    page.locator("[data-tab=luck]").click()
    assert page.locator(".luck .foot").count() == 2


def test_why_there_is_nothing(opened: Any, sample_round: dict[str, Any]) -> None:
    part = {"how": "phz grade 0123456789ab", "evaluator": "", "cuts": None, "rows": []}
    ledger = {"evaluator": "x", "seats": [0, 1, 2], "why_not": "faults", "zh": "有一手不合规则", "en": "not allowed"}
    page = opened(sample_round, event=1, review={"decisions": part, "ledger": ledger})
    page.locator("[data-tab=decisions]").click()
    assert page.locator(".command").text_content() == "phz grade 0123456789ab"
    page.keyboard.press("n")
    assert page.locator(".say").text_content().startswith("这一局的决策还没有评")
    page.get_by_role("button", name="English").click()
    page.locator("[data-tab=luck]").click()
    assert texts(page, ".luck p") == ["This round has no luck ledger.", "not allowed"]
    page.keyboard.press("ArrowRight")
    part["how"] = ""
    page = opened(sample_round, review={"decisions": part, "ledger": None})
    page.locator("[data-tab=decisions]").click()
    assert texts(page, ".decisions") == ["这一局没有可选的时候。"]
    assert page.locator("[data-tab=luck]").count() == 0


@pytest.mark.parametrize("review", [None, {"decisions": None, "ledger": None}])
def test_without_it_nothing_is_added(opened: Any, sample_round: dict[str, Any], review: Any) -> None:
    page = opened(sample_round, event=1, review=review)
    assert texts(page, ".tabs button") == ["事件", "计分", "余牌", "文字"]
    assert page.locator(".miss, .tick-mistake, .band").count() == 0
    said = page.locator(".say").text_content()
    page.keyboard.press("n")
    page.keyboard.press("p")
    assert (at(page), page.locator(".say").text_content()) == (1, said)


def test_hostile_texts_stay_text(opened: Any, sample_round: dict[str, Any], review: Any, browser_page: Any) -> None:
    dialogs: list[str] = []
    browser_page.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    sample_round["players"] = [HOSTILE[0], HOSTILE[1], HOSTILE[0]]
    part, ledger = review["decisions"], review["ledger"]
    part["evaluator"] = ledger["evaluator"] = HOSTILE[1]
    for row in part["rows"]:
        row |= {"zh": HOSTILE[0], "en": HOSTILE[1], "reason": HOSTILE[0]}
        row["choices"] = [one | {"text": HOSTILE[i % 2]} for i, one in enumerate(row["choices"])]
    page = opened(sample_round, event=1, review=review)
    assert page.locator(".why").first.text_content() == HOSTILE[0]
    for tab in ("luck", "decisions"):
        page.locator(f"[data-tab={tab}]").click()
        assert page.locator(".phz img, .phz script").count() == 0
        assert HOSTILE[1] in page.locator(".tab-page").text_content()
    part |= {"rows": [], "how": HOSTILE[0]}
    ledger |= {"why_not": HOSTILE[0], "zh": HOSTILE[1]}
    page = opened(sample_round, review=review)
    page.locator("[data-tab=decisions]").click()
    assert page.locator(".command").text_content() == HOSTILE[0]
    page.locator("[data-tab=luck]").click()
    assert page.locator(".phz img, .phz script").count() == 0
    assert dialogs == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_tabs_fit(opened: Any, sample_round: dict[str, Any], review: Any, lang: str) -> None:
    page = opened(sample_round, lang, 1, review=review)
    fits = "boxes => boxes.every(box => box.scrollWidth <= box.clientWidth + 1)"
    for width, height in ((1300, 850), (1000, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for tab in ("decisions", "luck"):
            page.locator(f"[data-tab={tab}]").click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for part in (".tabs", ".tab-page", ".decision", ".waterfall", ".term", ".buttons"):
                assert page.locator(part).evaluate_all(fits), (width, tab, part)
