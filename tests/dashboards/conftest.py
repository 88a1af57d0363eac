from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboards.viewer import viewer_html
from ingest.cards import COPIES, KINDS, parse
from ingest.codes import NO_CARD, NO_SEAT, Action, Form, Source
from ingest.record import Move
from replay.timeline import mark_fates
from replay.wording import both

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A Playwright ``Browser`` on the machine's own Chromium; skipped where there is none, a failure under CI."""
    place = os.environ.get("PHZ_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if place is None:
        message = "no chromium on this machine (install it or set PHZ_CHROMIUM)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page with everything it complained about and every address it asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture
def browser_page(chromium: Any) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, locale="zh-CN")
    yield Watched(context.new_page())
    context.close()


@pytest.fixture
def opened(browser_page: Watched, tmp_path: Path) -> Iterator[Any]:
    """Open a timeline from disk; the page must stay free of errors and of requests but its own."""

    def open_at(
        timeline: dict[str, Any], lang: str = "zh", event: int | None = None, after: str = "", review: Any = None
    ) -> Any:
        file = tmp_path / "round.html"
        file.write_text(viewer_html(timeline, lang, event, review), encoding="utf-8")
        browser_page.page.goto(file.as_uri() + after)
        browser_page.page.wait_for_selector(".phz")
        return browser_page.page

    yield open_at
    assert browser_page.errors == []
    own = (tmp_path / "round.html").as_uri()
    assert {url.split("#")[0].split("?")[0] for url in browser_page.requests} <= {own, "data:,"}


DEALT = {
    0: "三三三四五六肆肆一二贰柒拾捌玖玖壹伍陆七",
    1: "叁叁叁叁一一六六陆陆陆二二七九伍贰柒玖伍",
    2: "捌捌四壹壹十十五五七七八八二九九拾拾贰柒",
}
LIANG = "十"
DRAWN = "八十捌三伍八拾"


class _Round:
    """Lays a round frame by frame; it knows no rules, the script below says everything."""

    def __init__(self) -> None:
        self.hands = [sorted(parse(DEALT[seat])) for seat in range(3)]
        self.hands[0] = sorted(self.hands[0] + parse(LIANG))
        drawn = parse(DRAWN)
        held = [card for hand in self.hands for card in hand] + drawn
        rest = [kind for kind in range(KINDS) for _ in range(COPIES - held.count(kind))]
        self.wall = drawn + rest
        self.left = len(self.wall)
        self.melds: list[list[dict[str, Any]]] = [[], [], []]
        self.discards: list[list[dict[str, Any]]] = [[], [], []]
        self.stale: list[dict[str, list[int]]] = [{"chi": [], "peng": []} for _ in range(3)]
        self.open: dict[str, Any] | None = None
        self.frames: list[dict[str, Any]] = []
        self.frame(None, turn=0, due="discard")

    def frame(
        self,
        event: dict[str, Any] | None,
        turn: int,
        due: str,
        rights: list[Any] | None = None,
    ) -> None:
        state = {"hands": self.hands, "melds": self.melds, "discards": self.discards, "stale": self.stale}
        self.frames.append(
            copy.deepcopy(state)
            | {
                "seq": len(self.frames) - 1,
                "event": event,
                "wall_left": self.left,
                "open": copy.copy(self.open),
                "turn": turn,
                "due": due,
                "huxi": [sum(meld["huxi"] for meld in melds) for melds in self.melds],
                "kan": [[kind for kind in range(KINDS) if hand.count(kind) == 3] for hand in self.hands],
                "rights": [
                    {"seat": seat, "action": int(action), "forced": forced, "cards": [parse(text) for text in cards]}
                    for seat, action, forced, cards in rights or []
                ],
            }
        )

    def discard(self, seat: int, text: str, rights: list[Any]) -> None:
        (card,) = parse(text)
        self.hands[seat].remove(card)
        self.discards[seat].append({"card": card, "drawn": False, "claimed": False})
        self.open = {"card": card, "seat": seat, "drawn": False}
        self.frame(_event(seat, Action.DISCARD, card), seat, "window", rights)

    def draw(self, seat: int, rights: list[Any], due: str = "window") -> None:
        card = self.wall[len(self.wall) - self.left]
        self.left -= 1
        self.open = {"card": card, "seat": seat, "drawn": True}
        self.frame(_event(seat, Action.DRAW, card), seat, due, rights)

    def meld(
        self, seat: int, action: Action, form: Form, text: str, huxi: int, used: str, *, upgrade: int = -1
    ) -> None:
        cards = parse(text)
        claimed = None if self.open is None or action in (Action.BI, Action.TI_OPEN) else self.open
        if claimed and not claimed["drawn"]:
            self.discards[claimed["seat"]][-1]["claimed"] = True
        for card in parse(used):
            self.hands[seat].remove(card)
        other = claimed is not None and claimed["seat"] != seat
        chi = action == Action.CHI
        meld = {
            "form": int(form),
            "cards": cards,
            "from": claimed["seat"] if claimed and (other or chi) else None,
            "claimed": claimed["card"] if claimed and (other or chi) else None,
            "huxi": huxi,
        }
        if upgrade >= 0:
            self.melds[seat][upgrade] = meld
        else:
            self.melds[seat].append(meld)
        self.open = None
        a, b = parse(used)[-2:] if action in (Action.CHI, Action.BI) else (NO_CARD, NO_CARD)
        self.frame(_event(seat, action, cards[0], a, b), seat, "discard")

    def leave(self) -> None:
        assert self.open is not None
        seat, card = self.open["seat"], self.open["card"]
        if self.open["drawn"]:
            self.discards[seat].append({"card": card, "drawn": True, "claimed": False})
        self.open = None
        self.frame(_event(NO_SEAT, Action.UNCLAIMED, card), (seat + 1) % 3, "draw")


def _event(seat: int, action: Action, card: int, a: int = NO_CARD, b: int = NO_CARD) -> dict[str, Any]:
    return {"seat": seat, "action": int(action), "card": card, "a": a, "b": b, "t_ms": None}


def build_round() -> dict[str, Any]:
    """A hand-made round of 27 events with every shape that the viewer draws."""
    play = _Round()
    play.meld(1, Action.TI_OPEN, Form.TI, "叁叁叁叁", 12, "叁叁叁叁")
    play.discard(0, "捌", [(1, Action.CHI, False, ["柒玖"]), (2, Action.PENG, False, ["捌捌"])])
    play.meld(2, Action.PENG, Form.PENG, "捌捌捌", 3, "捌捌")
    play.discard(2, "四", [(0, Action.CHI, False, ["五六四肆肆"])])
    play.meld(0, Action.CHI, Form.SHUN, "四五六", 0, "五六")
    play.meld(0, Action.BI, Form.JIAO, "四肆肆", 0, "四肆肆")
    play.discard(0, "玖", [])
    play.leave()
    play.draw(1, [(2, Action.PENG, False, ["八八"]), (1, Action.CHI, False, ["七九"])])
    play.stale[2]["peng"].append(parse("八")[0])
    play.frame(_event(2, Action.PASS, NO_CARD), 1, "window", [(1, Action.CHI, False, ["七九"])])
    play.stale[1]["chi"].append(parse("八")[0])
    play.leave()
    play.draw(2, [(2, Action.WEI, True, ["十十"])], due="hidden")
    play.meld(2, Action.WEI, Form.WEI, "十十十", 3, "十十")
    play.discard(2, "二", [(1, Action.PENG, False, ["二二"])])
    play.meld(1, Action.PENG, Form.PENG, "二二二", 1, "二二")
    play.discard(1, "玖", [])
    play.leave()
    play.draw(2, [(2, Action.PAO, True, ["捌捌捌"])])
    play.meld(2, Action.PAO, Form.PAO, "捌捌捌捌", 9, "", upgrade=0)
    play.discard(2, "九", [])
    play.draw(0, [(0, Action.TI, True, ["三三三"])], due="hidden")
    play.meld(0, Action.TI, Form.TI, "三三三三", 9, "三三三")
    play.discard(0, "玖", [])
    play.draw(1, [(1, Action.CHI, False, [])])
    play.leave()
    play.draw(2, [(2, Action.CHOU_WEI, True, ["八八"])], due="hidden")
    play.meld(2, Action.CHOU_WEI, Form.CHOU_WEI, "八八八", 3, "八八")
    play.discard(2, "九", [])
    play.draw(0, [(2, Action.HU, False, []), (2, Action.PENG, False, ["拾拾"])])
    play.frame(_event(2, Action.HU, parse("拾")[0]), 2, "over")
    last = len(play.frames) - 2
    moves = [Move(e["seat"], e["action"], e["card"]) for e in (frame["event"] for frame in play.frames) if e]
    mark_fates(moves, play.frames)
    return {
        "round_id": "0123456789abcdef0123456789abcdef",
        "engine_version": "1",
        "ruleset": "guilin",
        "options": {"xing": 1},
        "players": ["张三", "李四", "王五"],
        "dealer": 0,
        "n_seats": 3,
        "platform": "样例",
        "room": "218",
        "round_no": 7,
        "started_at": "2024-05-01T20:15:00",
        "liang": parse(LIANG)[0],
        "wall": play.wall,
        "frames": play.frames,
        "findings": [
            _finding(6, "CHI_STALE", 0, 2, "B.9", "吃过张", "Took a passed card", "不可吃 四", "吃 四", None),
            _finding(19, "MISSING_DISCARD", 2, 3, "B.3", "该出牌的没有出", "No discard", "打牌", "摸牌", 0),
            _finding(last, "POINTS", 2, 1, "D.2", "得失不符", "Points differ", "+12 −6 −6", "+10 −5 −5", None),
            _finding(last + 1, "SUM", -1, 1, "D.0", "总和不为零", "Sum is not zero", "0", "1", 2),
        ],
        "verdict": "violations",
        "undecidable": [],
        "score": _score(
            [-6, -6, 12], 18, [(Form.PAO, "捌捌捌捌", 9), (Form.WEI, "十十十", 3), (Form.CHOU_WEI, "八八八", 3)]
        ),
        "reported": _score(
            [-5, -5, 10], 18, [(Form.PAO, "捌捌捌捌", 9), (Form.WEI, "十十十", 6), (Form.CHOU_WEI, "八八八", 3)]
        ),
    }


def _finding(
    seq: int, code: str, seat: int, severity: int, clause: str, zh: str, en: str, want: str, got: str, root: int | None
) -> dict[str, Any]:
    keys = ("seq", "code", "seat", "severity", "clause", "zh", "en", "expected", "actual", "follows_from")
    return dict(zip(keys, (seq, code, seat, severity, clause, zh, en, both(want), both(got), root), strict=True))


def _score(points: list[int], huxi: int, groups: list[tuple[Form, str, int]]) -> dict[str, Any]:
    rest = [(Form.PENG, "拾拾拾", 3), (Form.JIANG, "壹壹", 0), (Form.SHUN, "五六七", 0), (Form.SHUN, "七八九", 0)]
    return {
        "winner": 2,
        "source": int(Source.OTHER_DRAW),
        "from_seat": 0,
        "huxi": huxi,
        "groups": [{"form": int(form), "cards": parse(cards), "huxi": n} for form, cards, n in groups + rest],
        "fan": {"红胡": 2},
        "fan_total": 2,
        "units": 3,
        "points": points,
        "xing": parse("三"),
        "xing_hits": 1,
    }


@pytest.fixture
def sample_round() -> dict[str, Any]:
    return build_round()
