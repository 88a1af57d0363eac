"""The codes that the event log stores. A number, once used, keeps its meaning."""

from __future__ import annotations

from enum import IntEnum


class Action(IntEnum):
    """What an event is. ``card``, ``a`` and ``b`` of the event depend on it (docs/event-log.md)."""

    DISCARD = 1  # 打
    DRAW = 2  # 摸: a wall card is turned; face 1 = kept hidden, 2 = shown
    CHI = 3  # 吃: card taken, a and b from the hand
    BI = 4  # 比: three hand cards laid with the 吃 just before; card is the copy of the eaten kind
    PENG = 5  # 碰
    WEI = 6  # 偎
    CHOU_WEI = 7  # 臭偎
    PAO = 8  # 跑
    TI = 9  # 提 of a card just drawn (后提)
    TI_OPEN = 10  # 提 of four dealt cards (前提), or laid with the first 跑/提 where the rules say so
    HU = 11  # 胡
    PASS = 12  # 过: the seat declines everything it may do with the open card
    HUANG = 13  # 荒庄: the round ends without a winner; seat is NO_SEAT
    UNCLAIMED = 14  # 无人要: the platform says that nobody takes the open card; seat is NO_SEAT
    BU = 15  # 补: an extra card dealt to a seat before the 亮张
    CLAIM = 16  # 求: a claim that was announced, not (yet) carried out; a is the Action wanted
    LEAVE = 17  # 逃: the seat leaves the table, which ends the round


class Source(IntEnum):
    """Where a winning card came from."""

    NONE = 0
    OWN_DRAW = 1  # 自摸
    OTHER_DRAW = 2
    DISCARD = 3  # 点炮
    LIANG = 4  # 亮张


class Form(IntEnum):
    """What a group of cards is."""

    SHUN = 1  # 顺, 一句话
    SHUN_2710 = 2  # 二七十
    JIAO = 3  # 绞
    PENG = 4  # 碰
    KAN = 5  # 坎
    WEI = 6  # 偎
    CHOU_WEI = 7  # 臭偎
    PAO = 8  # 跑
    TI = 9  # 提
    JIANG = 10  # 将


NO_SEAT = -1
"""Seat of an event that belongs to nobody."""
NO_CARD = -2
"""Card, a or b of an event that has none (``cards.UNKNOWN``, -1, is a card that was not recorded)."""
FACE_UNKNOWN = 0
"""Event face: 0 not recorded, otherwise 1 + number of the event's own cards that lie face up."""

ACTION_CHARS = {
    Action.DISCARD: "打",
    Action.DRAW: "摸",
    Action.CHI: "吃",
    Action.BI: "比",
    Action.PENG: "碰",
    Action.WEI: "偎",
    Action.CHOU_WEI: "臭偎",
    Action.PAO: "跑",
    Action.TI: "提",
    Action.TI_OPEN: "亮提",
    Action.HU: "胡",
    Action.PASS: "过",
    Action.HUANG: "荒",
    Action.UNCLAIMED: "无人要",
    Action.BU: "补",
    Action.CLAIM: "求",
    Action.LEAVE: "逃",
}
FORM_CHARS = {
    Form.SHUN: "顺",
    Form.SHUN_2710: "二七十",
    Form.JIAO: "绞",
    Form.PENG: "碰",
    Form.KAN: "坎",
    Form.WEI: "偎",
    Form.CHOU_WEI: "臭偎",
    Form.PAO: "跑",
    Form.TI: "提",
    Form.JIANG: "将",
}
SOURCE_NAMES = {
    Source.NONE: "none",
    Source.OWN_DRAW: "own_draw",
    Source.OTHER_DRAW: "other_draw",
    Source.DISCARD: "discard",
    Source.LIANG: "liang",
}
