"""Score sheets: the score keeper's games, our own sheets as JSON and as tables."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.adapters import sheet as module
from ingest.adapters.registry import Reject
from ingest.limits import MAX_LINE
from ingest.reader import read_path, read_stream
from ingest.record import Provenance, Sheet
from tests.ingest.damage import survived
from tests.ingest.fixtures import FORMATS
from tests.ingest.sheet_files import BARE, FILES, GAME, OWN, TABLE, WRONG


def read(raw: bytes, name: str = "x", form: str | None = None) -> list[Any]:
    return list(read_stream(io.BytesIO(raw), name, form))


def line(sheet: dict[str, Any]) -> bytes:
    return json.dumps(sheet, ensure_ascii=False).encode()


def one(sheet: dict[str, Any]) -> Sheet:
    (found,) = read(line(sheet))
    assert isinstance(found, Sheet), found
    return found


def table(*rows: str) -> bytes:
    return "\n".join(rows).encode()


@pytest.mark.parametrize("name", FILES)
def test_the_samples_are_as_generated_and_read_as_expected(name: str) -> None:
    assert (FORMATS / name).read_bytes() == FILES[name]
    found = read(FILES[name], name)
    assert all(isinstance(sheet, Sheet) for sheet in found)
    wanted = [json.loads(text) for text in (FORMATS / f"{name}.expected.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(msgspec.json.encode(sheet)) for sheet in found] == wanted


def test_a_game_of_the_score_keeper() -> None:
    found = one(GAME)
    assert (found.players, found.points, found.raw) == (("甲", "丙", "乙"), (20, -7, -13), (105, 20, -5))
    assert (found.platform, found.session, found.rounds) == ("hanz520", "g-0001", 3)
    assert found.started_at == "2026-03-01T12:00:00+00:00"
    assert found.tags["score_rows"] == "[[60, 0, 0], [45, 20, 0], [0, 0, -5]]"
    assert "points_from" not in found.tags


def test_final_points_follow_from_raw_ones_only_where_none_are_told() -> None:
    found = one(BARE)
    # 11, 4, 0 and -1 tens: four times the own less 14.
    assert (found.raw, found.points) == ((101, 40, 0, -10), (30, 2, -14, -18))
    assert found.tags["points_from"] == "rawScore"
    for sheet in (GAME, BARE):
        raw = tuple(player["rawScore"] for player in sheet["players"])
        assert sum(module.settle(raw)) == 0
    assert module.settle((105, 20, -5)) == (20, -7, -13)


def test_a_sheet_that_does_not_add_up_is_told_as_it_is() -> None:
    found = one(WRONG)
    assert (found.points, found.raw, found.tags) == ((7, 7, 7), (10, 10, 10), {})


def test_our_own_sheet() -> None:
    found = one(OWN)
    assert found == Sheet(
        ("甲", "乙", "丙"),
        (36, -12, -24),
        (120, 80, 40),
        "家里",
        "八仙桌",
        "正月初三",
        "2026-02-19T14:00:00+08:00",
        24,
        {"by": "乙"},
        Provenance("x", 0, "sheet", "抄自本子", 1),
    )


def test_a_table_with_quotes_line_ends_and_people_of_any_number() -> None:
    first, second = read(FILES["sheet.csv"])
    assert (first.source.note, first.source.line, first.raw) == ("他说：“再来”\n又来", 2, None)
    assert first.tags == {"extra_fields": "weather×1"}
    assert (second.source.line, second.players, second.raw) == (4, ("甲", "乙", "丙", "丁"), (10, 60, 0, -1))
    crlf = b"\xef\xbb\xbf" + FILES["sheet.csv"].replace(b"\n", b"\r\n")
    assert [found.points for found in read(crlf)] == [(10, -4, -6), (0, 5, -2, -3)]


def test_fields_that_nothing_is_known_of_are_named() -> None:
    game = {**GAME, "city": 1, "players": [{**player, "avatar": ""} for player in GAME["players"]]}
    assert one(game).tags["extra_fields"] == "city×1 players.avatar×3"
    assert one({**OWN, "x": 1}).tags["extra_fields"] == "x×1"


BAD: list[tuple[bytes, str, str]] = [
    (line({**GAME, "players": GAME["players"][:1]}), "BAD_SEAT", "players"),
    (line({**GAME, "players": [*GAME["players"], {"name": "丁"}]}), "BAD_FIELD", "rawScore"),
    (line({**GAME, "players": [*GAME["players"][:2], {"name": "丁", "rawScore": 1}]}), "BAD_FIELD", "finalScore"),
    (line({**GAME, "players": {"rawScore": 1}}), "BAD_FIELD", "array"),
    (line({**GAME, "duration": -1}), "BAD_FIELD", "duration"),
    (line({**GAME, "createTime": "yesterday"}), "BAD_FIELD", "createTime"),
    (line({**GAME, "createTime": "0001-01-01", "duration": 99}), "BAD_FIELD", "duration"),
    (line({**GAME, "scoreRows": [0] * 201}), "LIMIT", "scoreRows"),
    (line(GAME).replace(b"105", b"10.5"), "BAD_FIELD", "rawScore"),
    (line(GAME).replace(b"105", b"1" * 30), "BAD_FIELD", "rawScore"),
    (line(GAME).replace(b"105", b"NaN"), "SYNTAX", "NaN"),
    (line(GAME).replace(b'"teams": []', b'"teams": ' + b"[" * 5000 + b"]" * 5000), "LIMIT", "deep"),
    (line(GAME).replace(b'"mvp"', b'"winner"'), "SYNTAX", "twice"),
    (line(GAME).replace("丙".encode(), b"\\ud800"), "NOT_UTF8", "UTF-16"),
    (line(GAME)[:-30], "TRUNCATED", "unfinished"),
    (line({**OWN, "phz_sheet": 2}), "WRONG_FORMAT", "phz_sheet"),
    (line({**OWN, "points": [1, 2]}), "BAD_FIELD", "points"),
    (line({**OWN, "raw": [1, 2, 3, 4]}), "BAD_FIELD", "raw"),
    (line({**OWN, "players": ["甲"] * 9, "points": [0] * 9, "raw": [0] * 9}), "BAD_SEAT", "players"),
    (line({**OWN, "started_at": "2026-13-01"}), "BAD_FIELD", "started_at"),
    (line({**OWN, "tags": {"a": 1}}), "BAD_FIELD", "tags"),
    (line({**OWN, "note": "x" * MAX_LINE}), "LIMIT", "bytes"),
    (table("player1,points1,player2,points2", "甲,1,乙"), "TRUNCATED", "cells"),
    (table("player1,points1,player2,points2", "甲,1,乙,1,1"), "BAD_FIELD", "cells"),
    (table("player1,points1,player2,points2", "甲,1,乙,one"), "BAD_FIELD", "points2"),
    (table("player1,points1,player2,points2", "甲,1,乙,"), "BAD_FIELD", "points2"),
    (table("player1,points1,player2,points2,raw1", "甲,1,乙,1,3"), "BAD_FIELD", "raw"),
    (table("player1,points1,player2,points2", '甲,1,"乙,1'), "TRUNCATED", "quote"),
    (table("player1,points1,player2,points2,raw1,raw1", "甲,1,乙,1,1,1"), "BAD_FIELD", "raw1"),
    (table("player1,points1,player2,points2"), "EMPTY", "sheet"),
]


@pytest.mark.parametrize(("raw", "code", "said"), BAD)
def test_what_is_refused(raw: bytes, code: str, said: str) -> None:
    (found,) = read(raw)
    assert isinstance(found, Reject), found
    assert found.code == code
    assert said in found.reason


def test_a_bad_sheet_costs_itself_only() -> None:
    good = line(OWN)
    found = read(good + b"\n" + line(GAME)[:-9] + b"\n" + good)
    assert [type(sheet) for sheet in found] == [Sheet, Reject, Sheet]
    assert (found[1].code, found[1].line, found[1].byte_offset) == ("SYNTAX", 2, len(good) + 1)
    found = read(good[:-9] + b"\n" + good + b"\n")
    assert [type(sheet) for sheet in found] == [Reject, Sheet]
    rows = FILES["sheet.csv"].replace(b"\xe4\xb8\x99,-6", b"\xb1\xfb,-6")
    found = read(rows)
    assert [type(sheet) for sheet in found] == [Reject, Sheet]
    assert (found[0].code, found[0].line) == ("NOT_UTF8", 2)


def test_another_table_is_no_sheet() -> None:
    assert not module.sniff(b"round,seat,action\n")
    assert not module.sniff(b"player1,points1,player2,score\n")
    assert not module.sniff(b'{"phz": 1, "players": ["x"]}\n')
    (found,) = read(b"a,b\n1,2\n", "x.csv", "sheet")
    assert found.code == "WRONG_FORMAT"
    assert "player1" in found.reason


def test_a_sheet_is_no_round(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(line(OWN))
    (found,) = read_path(path)
    assert isinstance(found, Reject)
    assert found.code == "WRONG_FORMAT"


@pytest.mark.parametrize("name", FILES)
def test_cut_anywhere_it_is_told(name: str) -> None:
    raw = FILES[name]
    whole = read(raw, name)
    ends = [n for n in range(len(raw)) if raw[n : n + 1] == b"\n"] if name == "sheet.json" else [len(raw) - 1]
    for end in range(1, len(raw)):
        found = read(raw[:end], name, "sheet")
        assert found
        sheets = [sheet for sheet in found if isinstance(sheet, Sheet)]
        if name.endswith(".json"):
            assert sheets == whole[: sum(place <= end for place in ends)]
            assert len(found) - len(sheets) == (end not in ends and end - 1 not in ends)
        else:
            # A table that ends inside its last cell cannot be told from a whole one.
            assert sheets[:-1] == whole[: max(0, len(sheets) - 1)]
            assert all(sheet.points == told.points for sheet, told in zip(sheets, whole, strict=False))


@pytest.mark.parametrize("name", FILES)
def test_damage_is_told_never_thrown(name: str) -> None:
    outcomes = survived(FILES[name], name, 1500, 5, "sheet")
    assert min(outcomes.values()) > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_much_damage_is_told_never_thrown(name: str) -> None:
    outcomes = survived(FILES[name], name, 26_000, 6, "sheet")
    assert min(outcomes.values()) > 1_000


def test_the_table_is_wide_enough() -> None:
    assert {len(row) for row in TABLE} == {18}
