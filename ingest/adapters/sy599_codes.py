"""The action codes and fields of the sy599 family's ``playLog``, and what they stand for."""

from __future__ import annotations

from ingest.codes import Action, Form

PLATFORM = "sy599"
DISCARD, HU, PENG, WEI, TI, PASS, CHI, PAO, DRAW, CHOU_WEI, TI_LONG, OPTIONS, BU, GUO = (
    *(0, 1, 2, 3, 4, 5, 6, 7),
    *(9, 10, 11, 12, 15, 101),
)
CLAIMS = {
    PENG: Action.PENG,
    WEI: Action.WEI,
    CHOU_WEI: Action.CHOU_WEI,
    PAO: Action.PAO,
    TI: Action.TI,
    TI_LONG: Action.TI,
}
NOTES = frozenset({13, 14, 16, 100, 108, 109})
"""Entries that are no events: refresh, 弃胡, a choice in a popup, 托管 on or off, points of 打鸟, counts of 庄."""
OPTION_ACTIONS = (Action.HU, Action.PENG, Action.WEI, Action.TI, Action.CHI, Action.PAO, Action.CHOU_WEI)
"""What each place of an entry 12 offers."""
FORMS = {2: Form.PENG, 3: Form.WEI, 4: Form.TI, 7: Form.PAO, 8: Form.KAN, 10: Form.CHOU_WEI, 11: Form.TI}
"""Forms of the winner's groups; 6 and 0 are any group laid and any group in the hand."""

WRAPPER = frozenset(
    {"play", "resList", "closingMsg", "generalExt", "time", "playCount", "tableId", "playType", "totalCount"}
)
TEXTS = ("generalExt", "playType", "totalCount")
"""Fields of the wrapper that are kept as tags."""
PLAYER = frozenset({"userId", "name", "seat", "point", "totalPoint", "cards", "icon", "sex", "firstCards", "isShuXing"})
PLAYER |= {
    "leftCardNum",
    "boom",
    "winCount",
    "lostCount",
    "maxPoint",
    "allHuxi",
    "credit",
    "strExt",
    "ext",
    "actionCounts",
}
PLAYER |= {"winLoseCredit", "commissionCredit", "bopiPoint", "goldFlag"}
CLOSING = frozenset(
    {"leftCards", "tun", "fan", "huxi", "huSeat", "huCard", "totalTun", "fanTypes", "firstCard", "cards"}
)
CLOSING |= {"startLeftCards", "chouCards", "intParams", "allCardsCombo", "ext", "isBreak", "wanfa", "groupLogId"}
KEPT = ("chouCards", "ext", "fan", "intParams", "totalTun", "isBreak", "wanfa")
"""Fields of the closing message that are kept as tags."""
