"""Tables of another platform, made from our records: its codes, its card ids, its clock, its way of telling a deal."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.encodings import ENCODINGS
from ingest.record import Move, Record

A = Action
CODES = {
    A.DISCARD: 0,
    A.HU: 1,
    A.PENG: 2,
    A.WEI: 3,
    A.TI: 4,
    A.PASS: 5,
    A.CHI: 6,
    A.PAO: 7,
    A.DRAW: 9,
    A.CHOU_WEI: 10,
    A.TI_OPEN: 11,
    A.HUANG: 20,
}
DEAL, LIANG, OFFERED = 90, 91, 12
OTHERS = {A.PENG: 2, A.WEI: 2, A.CHOU_WEI: 2, A.PAO: 3, A.TI: 3, A.TI_OPEN: 3}
"""Hand cards that a claim lists beside the first."""
START = datetime.datetime(2026, 1, 5, 12, 0, tzinfo=datetime.UTC)

MAPPING = """\
csv = 1
cards = "1..80 by copy"      # a number for each of the 80 cards
separator = "_"              # between the cards of a cell
seat_base = 1
clock = "unix_ms"
group = ["table", "bureau"]  # these name the round of a row

[round]
room = "table"
round_no = "bureau"
started_at = "begin"
players = ["p1", "p2", "p3"]
dealer = "banker"
winner = "winner"
huxi = "huxi"
points = ["s1", "s2", "s3"]

[tags]
operator = "op"

[event]
seq = "id"
at = "time"
seat = "seat"
action = "act"
cards = "ids"
card = "open"

[fixed]
platform = "某平台"
ruleset = "qq"
omits = "比"

[values.winner]
"0" = "荒"

[values.act]
"0" = "打"
"1" = "胡"
"2" = "碰"
"3" = "偎"
"4" = "提"
"5" = "过"
"6" = "吃"
"7" = "跑"
"9" = "摸"
"10" = "臭偎"
"11" = "亮提"
"12" = "skip"
"20" = "荒"
"90" = "deal"
"91" = "liang"
"""
HEAD = [
    *("id", "table", "bureau", "begin", "p1", "p2", "p3", "banker", "winner", "huxi", "s1", "s2", "s3", "op"),
    *("time", "seat", "act", "open", "ids", "memo"),
]


class _Deck:
    """Which of the four ids of a kind comes next."""

    def __init__(self) -> None:
        self.used = [0] * 20

    def id(self, kind: int) -> int:
        copy = self.used[kind]
        self.used[kind] = (copy + 1) % 4
        return int(ENCODINGS["1..80 by copy"].encode(kind, copy))


def _laid(move: Move, deck: _Deck) -> tuple[str, str]:
    """The cells ``open`` and ``ids`` of an event."""
    if move.card < 0:
        return "", ""
    if move.action == A.CHI:
        return str(deck.id(move.card)), f"{deck.id(move.a)}_{deck.id(move.b)}"
    hand = "_".join(str(deck.id(move.card)) for _ in range(OTHERS.get(A(move.action), 0)))
    return str(deck.id(move.card)), hand


def table(records: Iterable[Record]) -> bytes:
    """The rounds as tab separated values; 比, which the platform never tells, is left out."""
    rows = [HEAD]
    number = 0
    for n, record in enumerate(records):
        deck = _Deck()
        begin = int(START.timestamp() * 1000) + n * 180_000
        result = record.result
        won = "" if result is None or result.winner is None else str(result.winner + 1)
        huxi = "" if result is None or result.huxi is None else str(result.huxi)
        points = [str(point) for point in (result and result.points) or ("", "", "")]
        facts = [record.room, str(record.round_no), str(begin), *record.players, str(record.dealer + 1), won, huxi]
        facts += [*points, f"op-{n}"]
        events = [
            (str(seat + 1), DEAL, "", "_".join(str(deck.id(card)) for card in hand or ()))
            for seat, hand in enumerate(record.hands)
        ]
        if record.liang not in (None, UNKNOWN):
            events.append(("", LIANG, str(deck.id(record.liang)), ""))
        events += [
            ("" if move.seat < 0 else str(move.seat + 1), CODES[A(move.action)], *_laid(move, deck))
            for move in record.moves
            if move.action != A.BI
        ]
        for step, (seat, code, opened, ids) in enumerate(events):
            number += 1
            rows.append([str(number), *facts, str(begin + 900 * step), seat, str(code), opened, ids, ""])
    return "".join("\t".join(row) + "\n" for row in rows).encode()
