"""record → text → record is the identity, in both formats and through the store's packed form."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import given, settings

from ingest import notation, rows
from ingest.adapters import jsonl
from ingest.adapters.registry import Reject
from ingest.naming import round_id
from ingest.reader import read_path
from ingest.record import Move, Record
from ingest.validate import check_found
from tests.ingest.made import A, bare, plain, records, taken


def from_phz(text: str) -> list[Record | Reject]:
    return list(notation.loads(text, "x.phz"))


def from_jsonl(text: bytes) -> list[Record | Reject]:
    return list(jsonl.read_lines(io.BytesIO(text), "x.jsonl"))


@given(records())
@settings(max_examples=120, deadline=None)
def test_any_record_survives_both_formats(record):
    assert check_found(record) is None
    text = notation.dumps([record, plain(), record])
    assert taken(from_phz(text)) == [record, plain(), record]
    assert notation.dumps(taken(from_phz(text))) == text
    line = jsonl.dump_line(record)
    assert taken(from_jsonl(line * 2)) == [record, record]
    assert list(rows.records(rows.frame([("x", record, 1)]))) == [record]


@given(records())
@settings(max_examples=30, deadline=None)
def test_the_two_formats_say_the_same_round(record):
    (one,) = taken(from_phz(notation.dumps([record])))
    (other,) = taken(from_jsonl(jsonl.dump_line(record)))
    assert round_id(one) == round_id(other) == round_id(record)


def test_real_rounds_survive_both_formats(shared):
    found = [one for one in read_path(shared / "records/guilin/complete.jsonl") if isinstance(one, Record)]
    assert len(found) == 105
    plain_found = [bare(one) for one in found]
    assert taken(from_phz(notation.dumps(found))) == plain_found
    assert taken(from_jsonl(b"".join(map(jsonl.dump_line, found)))) == plain_found


def test_a_round_fits_a_screen():
    moves = tuple(Move(n % 3, A.DISCARD, n % 20) for n in range(120))
    text = notation.dumps([plain(moves=moves)])
    lines = text.splitlines()
    assert len(lines) <= 50
    assert max(sum(2 if ord(char) > 0x2E80 else 1 for char in line) for line in lines) <= 110


def test_provenance_is_restored_by_the_reader_and_only_the_note_is_written():
    source = msgspec.structs.replace(plain().source, file="old", index=7, format="guilin", line=9, note="抄自手稿")
    record = msgspec.structs.replace(plain(), source=source)
    text = notation.dumps([plain(), record])
    assert "old" not in text
    back = [one for one in from_phz(text) if isinstance(one, Record)]
    assert back[1].source == msgspec.structs.replace(source, file="x.phz", index=1, format="phz", line=22)
    assert text.splitlines()[back[1].source.line - 1] == "[[round]]"


@pytest.mark.parametrize("change", ["tags", "clock", "face", "offers", "result", "hand order", "chi order"])
def test_what_two_logs_of_one_game_tell_apart_leaves_the_round_the_same(change):
    one = plain()
    moves, hands = one.moves, one.hands
    other = msgspec.structs.replace(
        one,
        tags={"log": "b"} if change == "tags" else {},
        moves={
            "clock": tuple(msgspec.structs.replace(move, t_ms=5) for move in moves),
            "face": tuple(msgspec.structs.replace(move, face=1) for move in moves),
            "chi order": tuple(Move(m.seat, m.action, m.card, m.b, m.a, m.face, m.t_ms) for m in moves),
        }.get(change, moves),
        offers=() if change == "offers" else None,
        result=None if change == "result" else one.result,
        hands=tuple(tuple(sorted(hand or ())) for hand in hands) if change == "hand order" else hands,
    )
    assert other != one
    assert round_id(other) == round_id(one)


def test_a_different_move_is_a_different_round():
    one = plain()
    other = msgspec.structs.replace(one, moves=(*one.moves[:-1], Move(1, A.HU, one.moves[-1].card)))
    assert round_id(other) != round_id(one)
