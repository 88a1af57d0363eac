"""The 桂林字牌 adapter on recorded rounds: what every round must fulfil, and some rounds checked by hand."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.adapters.guilin import ADAPTER
from ingest.adapters.jsonl import dump_line, read_lines
from ingest.adapters.registry import Reject
from ingest.cards import UNKNOWN, parse, parse_one
from ingest.codes import NO_CARD, NO_SEAT, Action, Source
from ingest.reader import read_path
from ingest.record import Move, Offer, Provenance, Ratio, Record

QUIET = {"onCurrPlayer", "onShowCard"}
CLOSING = {"onFanXing", "onEachResult"}
DEBUG_STREAMS = {"guilin_21", "guilin_24", "guilin_26", "guilin_29"}


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def read(data: bytes) -> list[Record | Reject]:
    return list(ADAPTER.read(io.BytesIO(data), "log.jsonl", {}))


def read_round(line: dict[str, Any]) -> Record:
    (found,) = read(json.dumps(line).encode())
    assert isinstance(found, Record), found
    return found


@pytest.fixture(scope="module")
def guilin(shared: Path) -> Path:
    return shared / "records" / "guilin"


@pytest.fixture(scope="module")
def complete(guilin: Path) -> dict[str, dict[str, Any]]:
    """The raw whole rounds by their id."""
    return {line["meta"]["id"]: line for line in lines_of(guilin / "complete.jsonl")}


@pytest.fixture(scope="module")
def records(guilin: Path) -> dict[str, Record]:
    """Every accepted round: by its id, streams by their file."""
    found = {}
    for path in [guilin / "complete.jsonl", guilin / "truncated.jsonl", *sorted((guilin / "streams").iterdir())]:
        for record in read_path(path):
            if isinstance(record, Record):
                found[record.tags.get("id", path.stem)] = record
    return found


@pytest.fixture(scope="module")
def logs(guilin: Path) -> dict[str, list[dict[str, Any]]]:
    """The raw pushes of the same rounds."""
    found = {}
    for name in ("complete", "truncated"):
        for line in lines_of(guilin / f"{name}.jsonl"):
            found[line["meta"]["id"]] = line["events"]
    for path in sorted((guilin / "streams").iterdir()):
        if path.stem not in DEBUG_STREAMS:
            found[path.stem] = [line for line in lines_of(path) if "msg" in line]
    return found


def route(event: dict[str, Any]) -> str:
    message = event["msg"]
    return "onCardCallBack" if isinstance(message, list) else message.get("route") or event["route"]


def claims(record: Record) -> Iterator[tuple[int, Move, list[Move]]]:
    """Every optional claim: the event of the card it answers, the claim, the 比 laid with it."""
    card_at = -1
    for seq, move in enumerate(record.moves):
        if move.action in (Action.DRAW, Action.DISCARD):
            card_at = seq
        if move.action in (Action.PENG, Action.CHI, Action.HU):
            after = record.moves[seq + 1 :]
            laid = next((n for n, other in enumerate(after) if other.action != Action.BI), len(after))
            yield card_at, move, list(after[:laid])


def test_counts(guilin: Path) -> None:
    def outcome(name: str) -> Counter[str]:
        return Counter(
            "complete" if isinstance(found, Record) and found.complete else getattr(found, "code", "stops early")
            for found in read_path(guilin / f"{name}.jsonl")
        )

    assert outcome("complete") == {"complete": 105}
    assert outcome("truncated") == {"stops early": 21}
    assert outcome("debugdeck") == {"DEBUG_DECK": 7}
    streams = sorted(path.stem for path in (guilin / "streams").iterdir())
    assert len(streams) == 18
    for name in streams:
        wanted = "DEBUG_DECK" if name in DEBUG_STREAMS else "complete" if name == "guilin_06" else "stops early"
        assert outcome(f"streams/{name}") == {wanted: 1}, name


def test_every_push_is_accounted_for(records: dict[str, Record], logs: dict[str, list[dict[str, Any]]]) -> None:
    assert records.keys() == logs.keys()
    for name, events in logs.items():
        wanted: Counter[str] = Counter(deal=1)
        moves = 0
        asked: set[tuple[tuple[str, ...], str]] = set()
        for event in events[1:]:
            kind, message = route(event), event["msg"]
            if kind == "onCardCallBack":
                key = (tuple(event["to"]), json.dumps(message))
                wanted["echoes" if key in asked else "offers"] += 1
                asked.add(key)
            elif kind in QUIET:
                wanted["turns" if kind == "onCurrPlayer" else "echoes"] += 1
            elif kind in CLOSING:
                wanted["result"] += 1
            else:
                wanted["moves"] += 1
                moves += 1 + len(message.get("xiahuo", ())) // 3 + len(message.get("chongZhao", ()))
                if kind in ("onPostCard", "onCurrAutoCard"):
                    asked.clear()
        record = records[name]
        counted = {key[7:]: int(value) for key, value in record.tags.items() if key.startswith("pushes_")}
        assert counted == dict(wanted), name
        assert record.tags["pushes"] == str(len(events))
        assert len(record.moves) == moves, name
        assert "extra_fields" not in record.tags
        assert "stopped" not in record.tags


def test_the_deck_is_whole(records: dict[str, Record]) -> None:
    whole = [record for name, record in records.items() if name.startswith("GL-C")]
    assert len(whole) == 105
    for record in whole:
        assert record.liang is not None
        assert record.wall is not None
        dealt = [card for hand in record.hands if hand for card in hand]
        assert Counter([*dealt, record.liang, *record.wall]) == dict.fromkeys(range(20), 4), record.tags["id"]


def test_draws_are_the_wall_in_order(records: dict[str, Record]) -> None:
    for name, record in records.items():
        assert record.wall is not None
        assert len(record.wall) == 19
        drawn = tuple(move.card for move in record.moves if move.action == Action.DRAW)
        assert record.wall[: len(drawn)] == drawn, name
        if record.result and record.result.xing:
            flips = record.result.xing
            assert record.wall[len(drawn) : len(drawn) + len(flips)] == flips, name
        elif name.startswith("GL-T"):
            assert set(record.wall[len(drawn) :]) <= {UNKNOWN}


def test_the_wall_follows_from_the_pushes(complete: dict[str, dict[str, Any]], records: dict[str, Record]) -> None:
    for name, line in complete.items():
        assert read_round(line | {"wall": []}).wall == records[name].wall, name


def test_claims_answer_the_open_card_and_were_offered(records: dict[str, Record]) -> None:
    """For seats whose pushes were logged each 吃 with its 比, each 碰 and each 胡 stands among its options."""
    seen: Counter[int] = Counter()
    for name, record in records.items():
        for card_at, claim, laid in claims(record):
            assert claim.card == record.moves[card_at].card, name
            if claim.seat not in (record.visible or ()):
                continue
            seen[claim.action] += 1
            wanted = sorted(sorted([bi.card, bi.a, bi.b]) for bi in laid)
            fits = [
                offer
                for offer in record.offers or ()
                if (offer.seq, offer.seat, offer.action, offer.card) == (card_at, claim.seat, claim.action, claim.card)
                and (
                    claim.action != Action.CHI
                    or (
                        sorted(offer.cards[:2]) == sorted([claim.a, claim.b])
                        and sorted(sorted(offer.cards[n : n + 3]) for n in range(2, len(offer.cards), 3)) == wanted
                    )
                )
            ]
            assert len(fits) == 1, (name, claim)
    assert seen == {Action.CHI: 247, Action.PENG: 531, Action.HU: 94}


def test_reported_hands_are_what_was_left(records: dict[str, Record]) -> None:
    """Dealt cards less the cards used; the winner's list holds the winning card unless that turned a tabled group."""
    wrong = set()
    compared = 0
    for name, record in records.items():
        if record.result is None or record.result.hands is None or None in record.hands:
            continue
        left = [Counter(hand) for hand in record.hands]
        left[record.dealer][record.liang] += 1
        tabled: list[set[int]] = [set(), set(), set()]
        for move in record.moves:
            copies = {Action.DISCARD: 1, Action.PENG: 2, Action.WEI: 2, Action.CHOU_WEI: 2, Action.TI_OPEN: 4}
            if move.action in (Action.PAO, Action.TI):
                left[move.seat][move.card] -= 0 if move.card in tabled[move.seat] else 3
            elif move.action in (Action.CHI, Action.BI):
                left[move.seat] -= Counter([move.a, move.b] + [move.card] * (move.action == Action.BI))
            elif move.action in copies:
                left[move.seat][move.card] -= copies[move.action]
                tabled[move.seat].add(move.card)
        winner = record.result.winner
        assert winner is not None
        if "out_side" not in record.tags:
            left[winner][record.result.card] += 1
        for seat, hand in enumerate(record.result.hands):
            if hand is not None:
                compared += 1
                if Counter(hand) != +left[seat]:
                    wrong.add((name, seat))
    # Both laid a dealt quad that the server went on counting in the hand.
    assert wrong == {("GL-C011", 2), ("GL-C021", 0)}
    assert compared == 297


def test_stream_of_a_merged_round_tells_the_same(records: dict[str, Record]) -> None:
    stream, merged = records["guilin_06"], records["GL-C142"]
    for part in ("players", "dealer", "liang", "wall", "moves", "offers", "result", "visible", "complete"):
        assert getattr(stream, part) == getattr(merged, part)
    assert stream.started_at == "2017-08-16T11:37:02.285"


def test_every_whole_round_tells_the_same_as_a_stream(guilin: Path, records: dict[str, Record]) -> None:
    """Without hands, wall, room rules and seats, its pushes alone, all rounds in one file: the same play and result."""
    lines = []
    whole = lines_of(guilin / "complete.jsonl")
    for number, line in enumerate(whole):
        begin = datetime(2017, 8, 1) + timedelta(hours=number)
        for event in line["events"]:
            at = begin + timedelta(milliseconds=event["dt_ms"])
            lines.append({"ts": str(at), "route": route(event), "to": event["to"], "msg": event["msg"]})
    found = read(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert len(found) == len(whole) == 105
    for line, stream in zip(whole, found, strict=True):
        name = line["meta"]["id"]
        assert isinstance(stream, Record), (name, stream)
        merged = records[name]
        for part in ("players", "dealer", "liang", "wall", "moves", "offers", "visible", "result", "complete"):
            assert getattr(stream, part) == getattr(merged, part), (name, part)
        counted = {key: value for key, value in merged.tags.items() if key.startswith("pushes")}
        assert counted == {key: value for key, value in stream.tags.items() if key.startswith("pushes")}, name
        assert stream.hands == (None, None, None)


def test_stream_seats_are_in_the_order_of_play(records: dict[str, Record]) -> None:
    turned = {name for name, record in records.items() if record.players == ("P0", "P2", "P1")}
    assert turned == {"guilin_10", "guilin_13"}
    assert all(record.tags["seat_order"] == "seen" for name, record in records.items() if name.startswith("guilin"))


def test_records_survive_our_own_formats(records: dict[str, Record]) -> None:
    for name, record in records.items():
        (back,) = read_lines(io.BytesIO(dump_line(record)), "x")
        assert isinstance(back, Record), name
        assert msgspec.structs.replace(back, source=Provenance()) == msgspec.structs.replace(
            record, source=Provenance()
        )


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse(text))


def test_round_c002_by_hand(records: dict[str, Record]) -> None:
    record = records["GL-C002"]
    assert record.options == {"min_huxi": 10, "zi_step": 5, "zimo": "plus_one", "xing": ("shang", "xia")}
    assert record.hands[0] == cards("壹拾叁八四六九四柒柒柒三一拾九伍一叁五陆")
    assert record.liang == parse_one("六")
    assert record.offers is not None
    assert record.offers[:2] == (
        Offer(0, 1, Action.CHI, parse_one("一"), cards("二三")),
        Offer(0, 2, Action.PENG, parse_one("一"), cards("一一")),
    )
    eaten = [offer.cards for offer in record.offers if offer.seq == 8]
    assert eaten == [cards("四六四五六"), cards("四六三四五"), cards("三四四五六"), cards("五伍")]
    assert record.moves[20] == Move(0, Action.DRAW, parse_one("八"), face=2, t_ms=66350)
    assert record.moves[-1] == Move(2, Action.HU, parse_one("捌"), t_ms=85856)
    result = record.result
    assert result is not None
    assert (result.winner, result.source, result.from_seat, result.huxi, result.units) == (
        2,
        Source.OTHER_DRAW,
        0,
        12,
        None,
    )
    assert result.groups is not None
    assert [(group.cards, group.huxi) for group in result.groups][3:5] == [
        (cards("九玖玖"), 0),
        (cards("贰贰贰"), 6),
    ]
    assert (result.xing, result.xing_hits) == (cards("伍"), 0)
    assert result.hands == (None, None, cards("贰贰贰二三四捌捌捌"))


def test_quad_written_as_strings_c011(records: dict[str, Record]) -> None:
    record = records["GL-C011"]
    nine = parse_one("九")
    assert [(move.action, move.card) for move in record.moves[1:3]] == [
        (Action.PAO, parse_one("叁")),
        (Action.TI_OPEN, nine),
    ]
    assert record.tags["draw_status"] == "3:waitPost"
    assert record.result is not None
    assert record.result.groups is not None
    # Counted on the table and again in the hand: kept as the server reported it.
    assert [group.huxi for group in record.result.groups if group.cards == (nine,) * 4] == [6, 9]
    assert record.result.huxi == 28


def test_exact_units_c021(records: dict[str, Record]) -> None:
    result = records["GL-C021"].result
    assert result is not None
    assert result.units == Ratio(17, 5)
    assert records["GL-C021"].tags["draw_status"] == "39:waitPost 42:waitAct"


def test_huang_c022(records: dict[str, Record]) -> None:
    record = records["GL-C022"]
    assert [move.action for move in record.moves[-2:]] == [Action.PAO, Action.HUANG]
    assert record.result is not None
    assert record.result.winner == NO_SEAT
    assert record.wall == tuple(move.card for move in record.moves if move.action == Action.DRAW)


def test_dihu_c057(records: dict[str, Record]) -> None:
    record = records["GL-C057"]
    assert [move.action for move in record.moves] == [Action.DISCARD, Action.HU]
    assert record.result is not None
    assert (record.result.source, record.result.fan) == (Source.DISCARD, {"地胡": 1})
    assert (record.offers, record.visible) == (None, None)


def test_rare_acts(records: dict[str, Record]) -> None:
    """提 of a tabled 扫 (types 10 and 101), 过扫, hidden draws."""
    actions = {name: [m.action for m in records[name].moves] for name in ("GL-C090", "GL-C104", "GL-C127")}
    assert Action.TI in actions["GL-C090"]
    assert Action.TI in actions["GL-C104"]
    at = actions["GL-C127"].index(Action.CHOU_WEI)
    assert records["GL-C127"].moves[at - 1].face == 1


def test_second_bi_lists_c037(records: dict[str, Record]) -> None:
    """The first 吃 list of this round lost first 比 that its second 比 still refer to."""
    record = records["GL-C037"]
    assert record.tags["bi_unplaced"] == "0:1"
    first = [o.cards for o in record.offers or () if (o.seq, o.action) == (0, Action.CHI)]
    assert first[0] == cards("玖拾八捌捌")
    assert cards("玖拾???陆柒捌") in first
    dropped = {name: other.tags["bi_unplaced"] for name, other in records.items() if "bi_unplaced" in other.tags}
    assert dropped == {"GL-C037": "0:1", "guilin_38": "0:1", "guilin_40": "0:1", "guilin_45": "14:1"}


def test_b05_quads_as_strings_and_as_integers(shared: Path, complete: dict[str, dict[str, Any]]) -> None:
    case = next(line for line in lines_of(shared / "cases" / "cases.jsonl") if line["id"] == "B05")
    assert case["expected"]["string_and_int_forms_equal"]
    line = complete["GL-C021"]
    (event,) = [event for event in line["events"] if "chongZhao" in event["msg"]]
    strings = read_round(line)
    assert event["msg"]["chongZhao"] == [["12"] * 4]
    event = json.loads(json.dumps(event))
    event["msg"]["chongZhao"] = [[12] * 4]
    events = [event if "chongZhao" in old["msg"] else old for old in line["events"]]
    assert read_round(line | {"events": events}) == strings
    (laid,) = [move for move in strings.moves if move.action == Action.TI_OPEN]
    assert laid == Move(0, Action.TI_OPEN, 11, NO_CARD, NO_CARD, t_ms=105831)


def field_names(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {key for key in value if key not in ("P0", "P1", "P2")} | set().union(*map(field_names, value.values()))
    return set().union(*map(field_names, value)) if isinstance(value, list) else set()


def renamed(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key + "X" if key == name else key: renamed(inner, name) for key, inner in value.items()}
    return [renamed(inner, name) for inner in value] if isinstance(value, list) else value


def test_n02_a_field_renamed_in_every_second_round(complete: dict[str, dict[str, Any]]) -> None:
    names = field_names(list(complete.values())) - {str(number) for number in range(10)}
    assert len(names) > 40
    for name in sorted(names):
        lines = list(complete.values())
        if name not in ("id", "type", "status", "dt_ms", "xing"):
            lines = lines[::15]  # the whole file for each name takes half a minute
        changed = [renamed(line, name) if place % 2 else line for place, line in enumerate(lines)]
        found = read(b"".join(json.dumps(line).encode() + b"\n" for line in changed))
        assert len(found) == len(lines), name
        for place, item in enumerate(found):
            touched = changed[place] != lines[place]
            if isinstance(item, Reject):
                assert touched
                assert item.code
                assert item.reason
                assert (item.index, item.line) == (place, place + 1)
            elif touched and name not in ("deck_is_4x20", "final_hands_match", "draw_counter_contiguous", "ended"):
                assert f"{name}X" in item.tags["extra_fields"], (name, place)


@pytest.mark.parametrize("name", ["GL-C027", "GL-C077", "GL-C011", "GL-C103"])
def test_n05_two_log_files_lose_and_double_nothing(
    name: str, complete: dict[str, dict[str, Any]], records: dict[str, Record]
) -> None:
    line = complete[name]
    events = line["events"]
    for lag in (0, 2):
        late = [event | {"dt_ms": event["dt_ms"] + lag} for event in events]
        both = sorted([*events, *late], key=lambda event: event["dt_ms"])
        record = read_round(line | {"events": both})
        assert record.moves == records[name].moves
        assert record.offers == records[name].offers
        assert record.visible == records[name].visible
        assert record.result == records[name].result
        assert record.tags["pushes"] == str(2 * len(events))
    flips = {"GL-C027": 2, "GL-C077": 3}
    assert record.result is not None
    assert len(record.result.xing or ()) == flips.get(name, 1)


def test_n01_a_lost_draw_invents_and_moves_nothing(
    complete: dict[str, dict[str, Any]], records: dict[str, Record]
) -> None:
    """Without one draw the other events stay as they are; only what was taken from that card may become unknown."""
    rng = random.Random(1)
    for name, line in complete.items():
        events = line["events"]
        draws = [place for place, event in enumerate(events) if route(event) == "onCurrAutoCard"]
        if not draws:
            continue
        lost = rng.choice(draws)
        whole = list(records[name].moves)
        gone = next(
            n
            for n, m in enumerate(whole)
            if m.action == Action.DRAW and m.t_ms == events[lost]["dt_ms"] and m.card == events[lost]["msg"]["id"] - 1
        )
        left = read_round(line | {"events": [*events[:lost], *events[lost + 1 :]]})
        wanted = whole[:gone] + whole[gone + 1 :]
        assert len(left.moves) == len(wanted), name
        for old, new in zip(wanted, left.moves, strict=True):
            unknown = new.action == Action.CHI and new.card == UNKNOWN
            assert new == (msgspec.structs.replace(old, card=UNKNOWN) if unknown else old) or (
                new.action == old.action == Action.BI
                and sorted([new.card, new.a, new.b]) == sorted([old.card, old.a, old.b])
            ), name
        assert left.wall == records[name].wall
