"""Faults that other programs had in reading records, each as a test of the whole kind; the case id is in the name."""

from __future__ import annotations

import copy
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.adapters import adapters
from ingest.adapters.guilin import ADAPTER as GUILIN
from ingest.codes import Action
from ingest.convert import dump
from ingest.importer import import_paths
from ingest.reader import read_stream
from ingest.record import Record, Result
from ingest.store import open_store
from replay import replay_round
from replay.accept import accept
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions

Line = dict[str, Any]
PLAYERS = [Player("101"), Player("102", peng=90, chi=90), Player("103", hu=80)]


@pytest.fixture(scope="module")
def complete(shared: Path) -> dict[str, Line]:
    """The recorded whole rounds by their id."""
    text = (shared / "records" / "guilin" / "complete.jsonl").read_text("utf-8")
    return {line["meta"]["id"]: line for line in map(json.loads, text.splitlines())}


def read(*lines: Line) -> list[Any]:
    raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return list(GUILIN.read(io.BytesIO(raw), "log.jsonl", {}))


def one(line: Line) -> Record:
    (found,) = read(line)
    assert isinstance(found, Record), found
    return found


def findings(record: Record) -> list[tuple[int, str, int]]:
    """Event, code and seat of every finding that is more than information."""
    return [(found.seq, found.code, found.seat) for found in replay_round(record).findings if found.severity > 0]


def quads(line: Line) -> Iterator[Line]:
    """The pushes that lay dealt quads with a 跑 or 提."""
    return (event["msg"] for event in line["events"] if isinstance(event["msg"], dict) and "chongZhao" in event["msg"])


def test_b05_a_quad_is_the_same_in_either_form_and_leaves_the_hand(complete: dict[str, Line]) -> None:
    """Strings or integers: one record. Laid, the four leave the hand; a final hand that still lists them is told."""
    seen: Counter[str] = Counter()
    for name, line in complete.items():
        if not any(quads(line)):
            continue
        forms = []
        for form in (str, int):
            changed = copy.deepcopy(line)
            for message in quads(changed):
                message["chongZhao"] = [[form(card) for card in quad] for quad in message["chongZhao"]]
            forms.append(one(changed))
        record = one(line)
        assert forms == [record, record], name
        assert record.result is not None
        for move in record.moves:
            if move.action != Action.TI_OPEN:
                continue
            seen["quads"] += 1
            hand = (record.result.hands or (None,) * 3)[move.seat]
            told = [seat for _, code, seat in findings(record) if code == "FINAL_HAND"]
            if hand is None:
                continue
            still = hand.count(move.card) == 4
            seen["still listed"] += still
            assert (move.seat in told) == still, name
            without = tuple(card for card in hand if card != move.card)
            hands = tuple(without if seat == move.seat else one_ for seat, one_ in enumerate(record.result.hands or ()))
            mended = msgspec.structs.replace(record, result=msgspec.structs.replace(record.result, hands=hands))
            assert move.seat not in [seat for _, code, seat in findings(mended) if code == "FINAL_HAND"], name
    assert seen["still listed"] == 2
    assert seen["quads"] > seen["still listed"]


def rounds(count: int, ruleset: str = "hu15") -> list[Record]:
    return list(sessions(engine(RULESETS[ruleset]), 4, count, PLAYERS))


TILES = ("1W", "HZ", "东", "1m", "s11", "三万")
NUMBERS = (131, 311, 999)


def strange(value: Any, tile: Any, skip: int) -> Any:
    """JSON with the number at one place replaced, wherever a list of at least 19 numbers has it."""
    if isinstance(value, dict):
        return {key: strange(inner, tile, skip) for key, inner in value.items()}
    if isinstance(value, list):
        if len(value) > 18 and all(type(item) is int for item in value):
            return [*value[:skip], tile, *value[skip + 1 :]]
        return [strange(inner, tile, skip) for inner in value]
    return value


@pytest.mark.parametrize("tile", TILES)
def test_b42_no_deck_of_another_game_is_taken_as_text(tile: str) -> None:
    """Mahjong tiles in the notation: wherever they stand, the record is refused by the name of the fault."""
    lines = dump(rounds(1), "phz").decode().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("hands"))
    for place in (at + 1, at + 3, next(n for n, line in enumerate(lines) if line.startswith("wall"))):
        head, text = lines[place].split('"', 1)
        changed = [*lines[:place], f'{head}"{tile}{text}', *lines[place + 1 :]]
        (found,) = read_stream(io.BytesIO("\n".join(changed).encode() + b"\n"), "deck.phz")
        assert (found.code, found.line) == ("UNKNOWN_CARD", place + 1), (tile, found)


@pytest.mark.parametrize("tile", NUMBERS)
def test_b42_no_deck_of_another_game_is_taken_as_numbers(tile: int, complete: dict[str, Line]) -> None:
    """Tile numbers beyond the 20 kinds in every format that writes cards as numbers."""
    records = rounds(1)
    files = {
        "jsonl": json.dumps(strange(json.loads(dump(records, "jsonl")), tile, 3)).encode(),
        "guilin": json.dumps(strange(complete["GL-C002"], tile, 3)).encode(),
        "guilin_log": dump(rounds(1, "guilin"), "guilin_log").replace(b"HandList:", f"HandList:{tile},".encode(), 1),
        "sy599": dump(records, "sy599").replace(b'"play":"', f'"play":"{tile},'.encode(), 1),
        "h5": dump(records, "h5").replace(b'{"type":', f'{{"type":{tile},"was":'.encode(), 1),
    }
    for form, raw in files.items():
        (found,) = read_stream(io.BytesIO(raw + b"\n"), "deck", form)
        assert not isinstance(found, Record), form
        assert found.code == "UNKNOWN_CARD", (form, found)


def test_n01_a_lost_event_is_told_where_it_is_missed_and_never_before(complete: dict[str, Line]) -> None:
    """Nothing is invented or moved: what came before the gap is judged as before, what follows is at or behind it."""
    found_behind = 0
    for name, line in complete.items():
        events = line["events"]
        draws = [
            n for n, e in enumerate(events) if isinstance(e["msg"], dict) and e["msg"].get("route") == "onCurrAutoCard"
        ]
        if not draws:
            continue
        lost = draws[len(draws) // 2]
        whole, left = one(line), one(line | {"events": [*events[:lost], *events[lost + 1 :]]})
        gap = next(n for n, pair in enumerate(zip(whole.moves, left.moves, strict=False)) if pair[0] != pair[1])
        assert whole.moves[gap].action == Action.DRAW
        assert len(left.moves) == len(whole.moves) - 1
        before = [found for found in findings(whole) if found[0] < gap]
        assert [found for found in findings(left) if found[0] < gap] == before, name
        behind = [found for found in findings(left) if found[0] >= gap]
        found_behind += bool(behind)
        assert behind or replay_round(left).verdict != "clean", name
    assert found_behind > 90


def test_n02_every_round_of_a_file_is_taken_or_refused_with_a_reason(complete: dict[str, Line], tmp_path: Path) -> None:
    """Every second round has one field renamed: what the store, its quarantine and the file of rounds hold adds up."""
    for field in ("uid", "remainNum", "eachHu", "cardArr", "dealer", "speed"):
        lines = [json.dumps(line) for line in complete.values()]
        lines = [text.replace(f'"{field}":', f'"{field}X":') if n % 2 else text for n, text in enumerate(lines)]
        path = tmp_path / f"{field}.jsonl"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        store = open_store(tmp_path / f"store-{field}")
        report = import_paths([path], store, accept)
        touched = sum(f'"{field}X"' in line for line in lines)
        assert report.seen == len(complete) == 105
        assert report.accepted + report.already_known + report.quarantined == 105
        assert report.quarantined == touched, field
        stored = store.scan("quarantine").collect()
        assert stored.height == touched
        assert all(stored["reason"].str.len_chars() > 10)
        assert all(field in reason for reason in stored["reason"])
        assert sorted(stored["record_index"]) == [n for n, line in enumerate(lines) if f'"{field}X"' in line]


def twice(events: list[Line], lag: int) -> list[Line]:
    """Each push once for the first seat and again, ``lag`` ms later, for the others, as from two log files."""
    late = [event | {"dt_ms": event["dt_ms"] + lag} for event in events]
    return sorted([*events, *late], key=lambda event: event["dt_ms"])


def test_n05_pushes_of_two_log_files_are_one_round(complete: dict[str, Line]) -> None:
    """All rounds, all their pushes twice: no card turned for 醒 is lost, nothing is doubled."""
    flips: Counter[int] = Counter()
    for name, line in complete.items():
        plain = one(line)
        for lag in (0, 3):
            both = one(line | {"events": twice(line["events"], lag)})
            for part in ("moves", "offers", "visible", "result", "wall", "complete"):
                assert getattr(both, part) == getattr(plain, part), (name, part)
        turned = [
            e["msg"]["id"]
            for e in line["events"]
            if isinstance(e["msg"], dict) and e["msg"].get("route") == "onFanXing"
        ]
        cards = [card for ids in turned for card in (ids if isinstance(ids, list) else [ids]) if card != -1]
        xing = (plain.result or Result()).xing
        assert tuple(card - 1 for card in cards) == (xing or ()), name
        flips[len(cards)] += 1
    assert flips[2] >= 2
    assert flips[3] >= 1


def spoiled(name: str, raw: bytes) -> bytes:
    """The file with a fault in each of its records."""
    if name == "guilin_log":
        return raw.replace(b"afterLorderRemainCard:", b"afterLorderRemainCard:99,")
    if name == "sy599":
        return raw.replace(b'"play":"', b'"play":"x')
    if name == "h5":
        return raw.replace(b'"zDeskStation":', b'"zDeskStation":9')
    return raw.replace(b"hands", b"hand")


@pytest.mark.parametrize("name", ["phz", "jsonl", "guilin_log", "sy599", "h5"])
def test_n08_a_file_of_which_nothing_was_read_is_tried_again(name: str, tmp_path: Path) -> None:
    """Failed, with each record in the quarantine once; tried again as it is and when it, or the program, is mended."""
    records = rounds(5, "guilin" if name == "guilin_log" else "hu15")
    raw = dump(records, name)
    (suffix,) = next(adapter.extensions[:1] for adapter in adapters() if adapter.name == name)
    path = tmp_path / f"rounds{suffix}"
    path.write_bytes(spoiled(name, raw))
    store = open_store(tmp_path / "store")
    form = f"{name}:order=listed" if name == "guilin_log" else name
    for _ in range(2):
        report = import_paths([path], store, accept, format=form)
        assert (report.seen, report.accepted, report.quarantined) == (len(records), 0, len(records))
        assert store.scan("imports").collect()["state"].to_list() == ["failed"]
        assert store.scan("quarantine").collect().height == len(records)
        assert store.scan("rounds").collect().height == 0
    path.write_bytes(raw)
    report = import_paths([path], store, accept, format=form)
    assert (report.accepted, report.quarantined) == (len(records), 0)
    assert store.scan("rounds").collect().height == len(records)
