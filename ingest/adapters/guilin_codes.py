"""The codes, routes and fields of 桂林字牌 pushes that have been seen, and what they stand for."""

from __future__ import annotations

from ingest.codes import Action, Source
from ingest.limits import MAX_EVENTS

ACTS: dict[int, Action] = {
    **dict.fromkeys((1, 2, 5, 6, 31, 32), Action.PAO),
    **dict.fromkeys((9, 91, 10, 101), Action.TI),
    3: Action.PENG,
    4: Action.CHI,
    7: Action.CHOU_WEI,
    8: Action.WEI,
}
WINS = frozenset({11, 12, 13, 14, 15, 16})
FORCED = frozenset(ACTS) - {3, 4}
TABLED = frozenset({2, 6, 10, 31, 32, 101})
"""Acts whose three cards lie on the table already; all others take them from the hand."""
SOURCES = {
    11: Source.OTHER_DRAW,
    12: Source.DISCARD,
    13: Source.OWN_DRAW,
    14: Source.LIANG,
    15: Source.DISCARD,
    16: Source.NONE,
}
FAN = {14: "天胡", 15: "地胡", 16: "三龙五坎"}

DEAL = "onLordSelect"
OPTIONS = "onCardCallBack"
ACT_ROUTES = frozenset(
    {
        "onAutoAct",
        "onCardPeng",
        "onCardChi",
        "onCardSao",
        "onCardKaiZhao",
        "onCardChongzhao",
        "onCardPengInZhao",
        "onCardPengInZhaos",
        "onCardZhaoInSao",
        "onCardSaoInZhaos",
        "onCardSaoChuan",
        "onCardSaoChuanZhaos",
        "onSaoInSaoChuan",
    }
)
ACT_FIELDS = frozenset({"uid", "cardArr", "type", "xiahuo", "next_xiahuo", "chongZhao"})
OPTION_FIELDS = frozenset({"type", "cardArr", "xiahuo", "next_xiahuo", "from", "id", "outSide"})
KNOWN_FIELDS: dict[str, frozenset[str]] = {
    "onLordSelect": frozenset({"uid", "id", "remainNum"}),
    "onCurrPlayer": frozenset({"uid", "status"}),
    "onShowCard": frozenset({"id"}),
    "onPostCard": frozenset({"uid", "id"}),
    "onCurrAutoCard": frozenset({"uid", "id", "visible", "remainNum"}),
    "onNoneAct": frozenset({"id"}),
    "onWin": frozenset({"uid", "type", "id", "cardArr", "from", "outSide", "leftHandList", "rightHandList"}),
    "onFanXing": frozenset({"uid", "id", "xing", "needNext", "remainCard"}),
    "onEachResult": frozenset(
        {"uid", "type", "cardArr", "huShu", "ziNum", "fromUid", "xing", "id", "eachHu", "remainCard"}
    ),
    "onEndGame": frozenset(),
}

WALL = 19
"""Cards left when the 亮张 has been dealt."""
COPY_MS = 1000
"""Two equal pushes at most this far apart are one push from two log files; real ones are over two seconds apart."""
MAX_PUSHES = 4 * MAX_EVENTS
DRAW_STATUS = frozenset({"waitAuto", "waitCalc", "waitRequestNext"})
