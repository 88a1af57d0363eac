"""The sample score sheets of ``data/formats``, and what they are made of."""

from __future__ import annotations

import json
from typing import Any

GAME: dict[str, Any] = {
    "_id": "g-0001",
    "mode": "3 人",
    "players": [
        {"name": "甲", "rawScore": 105, "convertedScore": 11, "finalScore": 20, "rank": 1, "isWinner": True},
        {"name": "丙", "rawScore": 20, "convertedScore": 2, "finalScore": -7, "rank": 2, "isWinner": False},
        {"name": "乙", "rawScore": -5, "convertedScore": 0, "finalScore": -13, "rank": 3, "isWinner": False},
    ],
    "teams": [],
    "winner": "甲",
    "mvp": "甲",
    "duration": 3600,
    "scoreRows": [{"id": 1, "scores": [60, 0, 0]}, {"id": 2, "scores": [45, 20, 0]}, {"id": 3, "scores": [0, 0, -5]}],
    "createTime": {"$date": "2026-03-01T13:00:00.000Z"},
    "settlement": {"algorithm": "转换分×2 - 其他玩家转换分之和", "totalZero": True, "details": {}},
}
BARE = {"players": [{"name": name, "rawScore": raw} for name, raw in (("甲", 101), ("乙", 40), ("丙", 0), ("丁", -10))]}
WRONG = {"players": [{"name": name, "rawScore": 10, "finalScore": 7} for name in ("甲", "乙", "丙")]}
OWN = {
    "phz_sheet": 1,
    "platform": "家里",
    "room": "八仙桌",
    "session": "正月初三",
    "started_at": "2026-02-19T14:00:00+08:00",
    "rounds": 24,
    "players": ["甲", "乙", "丙"],
    "points": [36, -12, -24],
    "raw": [120, 80, 40],
    "tags": {"by": "乙"},
    "note": "抄自本子",
}
TABLE = [
    row.split("|")
    for row in (
        "platform|session|started_at|rounds|note|"
        + "|".join(f"player{n}|points{n}" for n in range(1, 5))
        + "|raw1|raw2|raw3|raw4|weather",
        "家里|初一|2026-02-17|12|他说：“再来”\n又来|甲|10|乙|-4|丙|-6|||||||晴",
        "家里|初二||||甲|0|乙|5|丙|-2|丁|-3|10|60|0|-1|",
    )
]


def _lines(*sheets: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(sheet, ensure_ascii=False).encode() + b"\n" for sheet in sheets)


def _table(delimiter: str) -> bytes:
    def cell(text: str) -> str:
        return f'"{text}"' if "\n" in text else text

    return "".join(delimiter.join(map(cell, row)) + "\n" for row in TABLE).encode()


FILES = {
    "sheet.json": _lines(GAME, BARE, WRONG, OWN),
    "sheet-one.json": json.dumps(GAME, ensure_ascii=False, indent=2).encode() + b"\n",
    "sheet.csv": _table(","),
    "sheet.tsv": _table("\t"),
}
"""Name in ``data/formats`` → its bytes."""
