"""Small logs of a 桂林字牌 server, written for the tests."""

from __future__ import annotations

import io
import json
from typing import Any

from ingest.adapters.guilin import ADAPTER
from ingest.adapters.registry import Reject
from ingest.record import Move, Record
from ingest.validate import check_found

EVERYONE = ["P0", "P1", "P2"]
RULES = {"minHu": 10, "ziShu": 3, "ziMo": 1, "fanXing": [1, 3], "juShu": 5, "circle": 2}


def deck() -> dict[str, list[int]]:
    """Three hands, the 亮张 as the dealer's last card, and the wall, chosen by hand; cards are 1..20."""
    hands = {
        "P0": [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 20, 13, 14, 15, 16, 17, 18, 19],
        "P1": [2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 12, 12, 12, 12, 20],
        "P2": [9, 9, 10, 10, 11, 11, 13, 13, 14, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19],
    }
    left = [kind for kind in range(1, 21) for _ in range(4)]
    for kind in [card for hand in hands.values() for card in hand]:
        left.remove(kind)
    return hands | {"wall": left}


def everyone(t: int, route: str, **fields: Any) -> dict[str, Any]:
    return {"dt_ms": t, "to": EVERYONE, "msg": {"route": route, **fields}}


def asked(t: int, to: list[str], *options: dict[str, Any]) -> dict[str, Any]:
    return {"dt_ms": t, "to": to, "msg": list(options)}


def deal() -> dict[str, Any]:
    return everyone(0, "onLordSelect", uid="P0", id=19, remainNum=19)


def play() -> list[dict[str, Any]]:
    """P1 碰s 二, discards, P2 吃s with a 比, P0 draws what P1 wins on, and a second 醒 card is turned."""
    wall = deck()["wall"]
    return [
        deal(),
        everyone(1, "onCurrPlayer", uid="P0", status="waitPost"),
        everyone(100, "onPostCard", uid="P0", id=2),
        asked(101, ["P1"], {"type": 3, "cardArr": [[2, 2]]}),
        everyone(200, "onCardPeng", uid="P1", cardArr=[2, 2], type=3),
        everyone(300, "onPostCard", uid="P1", id=8),
        asked(301, ["P2"], {"type": 4, "cardArr": [[9, 10], [18, 18]], "xiahuo": {"0": [[8, 18, 18], [8, 9, 10]]}}),
        everyone(400, "onCardChi", uid="P2", cardArr=[9, 10], type=4, xiahuo=[8, 18, 18]),
        everyone(500, "onPostCard", uid="P2", id=19),
        everyone(501, "onNoneAct", id=19),
        everyone(2600, "onCurrPlayer", uid="P0", status="waitCalc"),
        everyone(2601, "onCurrAutoCard", uid="P0", id=wall[0], visible=1, remainNum=18),
        asked(2602, ["P1"], {"type": 11, "cardArr": [[3, 4, 5]], "from": "P0", "id": wall[0], "outSide": 0}),
        everyone(
            3000,
            "onWin",
            uid="P1",
            type=11,
            id=wall[0],
            cardArr=[[3, 4, 5], [12, 12, 12, 12]],
            **{"from": "P0", "outSide": 0, "P0": [1, 3], "P1": [3, 4, 5, 12, 12, 12, 12], "P2": [11]},
        ),
        everyone(3001, "onFanXing", uid="P1", id=[wall[1], wall[2]], xing=[4, 1], remainCard=wall[3:]),
        everyone(
            3002,
            "onEachResult",
            uid="P1",
            type=11,
            cardArr=[[2, 2, 2], ["12", "12", "12", "12"]],
            eachHu=[1, 12],
            huShu=13,
            ziNum=7,
            fromUid="P0",
            xing=5,
            id=wall[0],
            remainCard=[*wall[3:], wall[1], wall[2]],
        ),
    ]


def merged(events: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    table = deck()
    wall = table.pop("wall")
    return {
        "meta": {"id": "SYN-1", "date": "2017-07-30", "rules": RULES, "hand_source": {"P0": "logged"}},
        "seats": {"P0": {"next": "P1"}, "P1": {"next": "P2"}, "P2": {"next": "P0"}},
        "dealer": "P0",
        "hands": table,
        "wall": wall,
        "events": events,
    } | changes


def stream(events: list[dict[str, Any]], start: str = "2017-08-16 11:37:02") -> list[dict[str, Any]]:
    lines = []
    for event in events:
        message = event["msg"]
        route = message["route"] if isinstance(message, dict) else "onCardCallBack"
        seconds, ms = divmod(event["dt_ms"], 1000)
        clock = f"{start[:-2]}{int(start[-2:]) + seconds:02d}.{ms:03d}"
        lines.append({"ts": clock, "route": route, "to": event["to"], "msg": message})
    return lines


def dumped(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def read(data: bytes) -> list[Record | Reject]:
    return list(ADAPTER.read(io.BytesIO(data), "log.jsonl", {}))


def one(line: dict[str, Any] | list[dict[str, Any]]) -> Record:
    (found,) = read(dumped(*line) if isinstance(line, list) else dumped(line))
    assert isinstance(found, Record), found
    assert check_found(found) is None
    return found


def refused(data: bytes, code: str, says: str) -> Reject:
    (found,) = read(data)
    assert isinstance(found, Reject)
    assert found.code == code
    assert says in found.reason
    assert len(found.raw_hash) == 32
    return found


def bare(moves: tuple[Move, ...]) -> list[tuple[int, int, int, int, int]]:
    return [(m.seat, m.action, m.card, m.a, m.b) for m in moves]


def account(record: Record) -> dict[str, int]:
    return {key[7:]: int(value) for key, value in record.tags.items() if key.startswith("pushes_")}
