"""Parquet of our own: a row a round."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from ingest.adapters import parquet_file as module
from ingest.adapters.registry import Reject
from ingest.cli import convert
from ingest.convert import dump
from ingest.limits import REJECTS, Fault
from ingest.reader import extensions, read_path, read_stream
from ingest.record import Move, Record
from tests.ingest.damage import damage
from tests.ingest.fixtures import check_fixture
from tests.ingest.legal import legal
from tests.ingest.made import EVERY, UNTOLD, bare, plain, records, taken
from tests.ingest.memory import growth

MADE = [plain(), EVERY, UNTOLD]


def read(raw: bytes, name: str = "x.parquet", form: str | None = None) -> list[Any]:
    return list(read_stream(io.BytesIO(raw), name, form))


def table(*made: Record) -> pa.Table:
    return pq.read_table(io.BytesIO(dump(made, "parquet")))


def stored(written: pa.Table, **how: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(written, sink, **how)
    return sink.getvalue()


def with_column(written: pa.Table, name: str, values: list[Any], kind: pa.DataType | None = None) -> bytes:
    place = written.schema.names.index(name)
    return stored(written.set_column(place, name, pa.array(values, kind or module.COLUMNS[name])))


def test_the_sample_is_as_generated_and_read_as_expected() -> None:
    check_fixture("parquet.parquet", dump(MADE, "parquet"))


def test_every_event_and_every_fact_comes_back(tmp_path: Path) -> None:
    raw = dump(MADE, "parquet")
    found = read(raw)
    assert taken(found) == MADE
    assert [(one.source.format, one.source.index, one.source.line) for one in found] == [
        ("parquet", n, 0) for n in range(3)
    ]
    # Packed, a stream that cannot seek; and through the command line, by name and content.
    (tmp_path / "a.parquet.gz").write_bytes(gzip.compress(raw))
    assert taken(list(read_path(tmp_path / "a.parquet.gz"))) == MADE
    (tmp_path / "a.parquet").write_bytes(raw)
    assert convert(str(tmp_path / "a.parquet"), str(tmp_path / "b.jsonl")) == 0
    assert convert(str(tmp_path / "b.jsonl"), str(tmp_path / "c.parquet")) == 0
    assert (tmp_path / "c.parquet").read_bytes() == raw


@given(record=records())
@settings(max_examples=80, deadline=None)
def test_any_record_comes_back(record: Record) -> None:
    assert taken(read(dump([record, record], "parquet"))) == [record, record]


@pytest.mark.parametrize(("ruleset", "persons"), [("qq", 3), ("luzhou", 4), ("general", 2)])
def test_legal_rounds_come_back(ruleset: str, persons: int) -> None:
    made = list(legal(ruleset, 120, persons))
    assert taken(read(dump(made, "parquet"))) == made


def test_row_groups_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUP", 7)
    made = [plain(n) for n in range(20)]
    raw = dump(made, "parquet")
    file = pq.ParquetFile(io.BytesIO(raw))
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [7, 7, 6]
    assert taken(read(raw)) == made


def test_nobody_may_upload_it() -> None:
    assert ".parquet" in extensions()
    assert ".parquet" not in extensions(text_only=True)


def test_what_is_not_valid_is_not_written() -> None:
    with pytest.raises(Fault, match="dealer"):
        dump([plain(dealer=3)], "parquet")


def test_other_programs_may_write_it_with_fewer_columns_or_more() -> None:
    written = table(plain(), plain(1))
    few = stored(written.select(["action", "seat", "b", "a", "card", "hands", "dealer", "players", "ruleset"]))
    want = [
        Record(
            ruleset=one.ruleset,
            players=one.players,
            dealer=one.dealer,
            hands=one.hands,
            liang=None,
            wall=None,
            moves=tuple(Move(move.seat, move.action, move.card, move.a, move.b) for move in one.moves),
        )
        for one in (plain(), plain(1))
    ]
    assert taken(read(few)) == want
    more = written.append_column("weather", pa.array(["晴", None])).append_column("seat.x", pa.array([1, 2]))
    found = taken(read(stored(more)))
    assert [one.tags for one in found] == [{"extra_fields": "seat.x×1 weather×1"}] * 2
    wide = written.cast(
        pa.schema([(name, pa.large_string() if kind == pa.string() else kind) for name, kind in module.COLUMNS.items()])
    )
    lists = wide.set_column(wide.schema.names.index("seat"), "seat", wide["seat"].cast(pa.large_list(pa.int8())))
    assert taken(read(stored(lists, use_dictionary=False, version="2.6"))) == [plain(), plain(1)]


def test_polars_can_write_it() -> None:
    import polars as pl

    frame = pl.read_parquet(io.BytesIO(dump(MADE, "parquet")))
    sink = io.BytesIO()
    frame.write_parquet(sink)
    assert taken(read(sink.getvalue())) == MADE


SCHEMAS = [
    ({"seat": None}, "WRONG_FORMAT", "seat"),
    ({"seat": pa.list_(pa.int16())}, "BAD_FIELD", "seat"),
    ({"dealer": pa.int64()}, "BAD_FIELD", "dealer"),
    ({"platform": pa.binary()}, "BAD_FIELD", "platform"),
    ({"complete": pa.int8()}, "BAD_FIELD", "complete"),
    ({"hands": pa.list_(pa.list_(pa.float32()))}, "BAD_FIELD", "hands"),
    ({"players": pa.string()}, "BAD_FIELD", "players"),
    ({"result": pa.struct([("winner", pa.int8())])}, "BAD_FIELD", "result"),
]


@pytest.mark.parametrize(("change", "code", "said"), SCHEMAS)
def test_another_schema_is_one_reject_before_any_data(change: dict[str, Any], code: str, said: str) -> None:
    kinds = {name: change.get(name, kind) for name, kind in module.COLUMNS.items()}
    empty = pa.schema([(name, kind) for name, kind in kinds.items() if kind is not None]).empty_table()
    (reject,) = read(stored(empty))
    assert (reject.code, reject.index, reject.line) == (code, 0, None)
    assert said in reject.reason


def test_a_column_twice_and_no_rows() -> None:
    twice = table(plain()).append_column("seat", pa.array([[1]], pa.list_(pa.int8())))
    assert [one.code for one in read(stored(twice))] == ["BAD_FIELD"]
    assert [one.code for one in read(dump([], "parquet"))] == ["EMPTY"]
    (reject,) = read(stored(pa.table({"a": [1]})))
    assert reject.code == "WRONG_FORMAT"


ROWS: list[tuple[str, Any, str, str]] = [
    ("seat", None, "BAD_FIELD", ""),
    ("seat", [0], "BAD_FIELD", "entries"),
    ("seat", [0, 1, 1, 2, 2, None], "BAD_FIELD", "seat"),
    ("card", None, "BAD_FIELD", "card"),
    ("action", [1, 3, 1, 2, 12, 77], "BAD_MOVE", "77"),
    ("face", [0, 0], "BAD_FIELD", "face"),
    ("t_ms", [-1, 0, 0, 0, 0, 0], "BAD_MOVE", "moves[0]"),
    ("ruleset", None, "BAD_FIELD", "ruleset"),
    ("dealer", None, "BAD_FIELD", "dealer"),
    ("dealer", -1, "BAD_SEAT", "dealer"),
    ("players", ["甲", None, "丙"], "BAD_FIELD", "players"),
    ("players", ["甲"] * 201, "LIMIT", "long"),
    ("players", ["甲", "x" * 1_000_001, "丙"], "LIMIT", "long"),
    ("hands", [[1], None, None], "DEAL_SIZE", "hands"),
    ("hands", [[None] * 20, None, None], "BAD_FIELD", "hands"),
    ("hands", [[20] * 20, None, None], "UNKNOWN_CARD", "hands"),
    ("wall", [1] * 201, "LIMIT", "long"),
    ("seat", [0] * 2001, "LIMIT", "2000"),
    ("options", '{"a": 1, "a": 2}', "SYNTAX", "options"),
    ("options", '{"a": 1.5}', "BAD_FIELD", "options"),
    ("options", '{"a": NaN}', "SYNTAX", "options"),
    ("options", "[]", "SYNTAX", "options"),
    ("options", '{"a": ' + "[" * 9000, "LIMIT", "options"),
    ("options", '{"a": ' + "9" * 5000 + "}", "SYNTAX", "options"),
    ("tags", '{"a": 1}', "BAD_FIELD", "tags"),
    ("tags", '{"a": "\\ud800"}', "NOT_UTF8", "tags"),
    ("result", '{"winer": 1}', "BAD_FIELD", "result"),
    ("result", '{"winner": 9}', "BAD_SEAT", "result"),
    ("offers", "[[1]]", "BAD_FIELD", "offers"),
    ("offers", "[" * 9000, "BAD_FIELD", "offers"),
    ("offers", "{", "BAD_FIELD", "offers"),
    ("offers", "[", "SYNTAX", "offers"),
    ("note", "x" * 1_000_001, "LIMIT", "long"),
    ("note", "\0", "BAD_FIELD", "note"),
]


@pytest.mark.parametrize(("column", "value", "code", "said"), ROWS)
def test_a_bad_row_costs_itself_only(column: str, value: Any, code: str, said: str) -> None:
    written = table(plain(), plain(1), plain(2))
    values = written[column].to_pylist()
    values[1] = value
    found = read(with_column(written, column, values))
    if (column, value) == ("seat", None):
        assert [getattr(one, "code", "ok") for one in found] == ["ok", "BAD_FIELD", "ok"]
        return
    assert [isinstance(one, Record) for one in found] == [True, False, True]
    assert (found[1].code, found[1].index) == (code, 1)
    assert said in found[1].reason
    assert [bare(found[0]), bare(found[2])] == [plain(), plain(2)]


def test_a_row_group_that_is_too_big_is_refused_by_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = dump([plain(n) for n in range(12)], "parquet")
    bytes_told = pq.ParquetFile(io.BytesIO(raw)).metadata.row_group(0).total_byte_size
    for name, limit in (("MAX_GROUP", 12), ("MAX_BYTES", bytes_told)):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, limit)
            assert len(taken(read(raw))) == 12
            patched.setattr(module, name, limit - 1)
            (reject,) = read(raw)
            assert reject.code == "LIMIT", name


def test_a_long_text_that_many_rows_share_does_not_fill_the_memory(tmp_path: Path) -> None:
    written = table(*[plain(n) for n in range(64)])
    long = pa.array(["y" * 5_000_000])
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), long)
    names = pa.DictionaryArray.from_arrays(pa.array([0] * 192, pa.int32()), long)
    players = pa.ListArray.from_arrays(pa.array(range(0, 193, 3), pa.int32()), names)
    for name, column in (("note", texts), ("players", players)):
        written = written.set_column(written.schema.names.index(name), name, column)
    small, large = tmp_path / "s.parquet", tmp_path / "l.parquet"
    small.write_bytes(dump([plain()], "parquet"))
    large.write_bytes(stored(written, store_schema=False, compression="zstd"))
    assert large.stat().st_size < 100_000
    assert {one.code for one in read(large.read_bytes())} == {"LIMIT"}
    count, megabytes = growth(small, large, "parquet")
    assert count == 64
    assert megabytes < 60


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"PAR1", "TRUNCATED"),
        (b"PAR1" + bytes(50), "TRUNCATED"),
        (b"PAR1" + bytes(50) + b"PAR1", "SYNTAX"),
        (b"PAR1PAR1PAR1", "SYNTAX"),
        (b"PAR1" + b"\xff" * 50 + b"\xff\xff\xff\x7fPAR1", "SYNTAX"),
        (b"PAR1" + b"\x15\x04\x19" * 20 + b"\x20\0\0\0PAR1", "SYNTAX"),
    ],
)
def test_a_corrupt_file_is_one_clear_reject(raw: bytes, code: str) -> None:
    (reject,) = read(raw)
    assert isinstance(reject, Reject)
    assert reject.code == code
    assert "Parquet" in reject.reason


def test_cut_anywhere_it_is_one_reject() -> None:
    raw = dump([plain(n) for n in range(2)], "parquet")
    for end in range(4, len(raw), 3):
        (reject,) = read(raw[:end])
        assert isinstance(reject, Reject)
        assert reject.code in ("TRUNCATED", "SYNTAX")


def test_a_damaged_row_group_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUP", 5)
    made = [plain(n) for n in range(15)]
    raw = bytearray(dump(made, "parquet"))
    told = pq.ParquetFile(io.BytesIO(bytes(raw))).metadata.row_group(1).column(3)
    at = told.dictionary_page_offset or told.data_page_offset
    raw[at + told.total_compressed_size - 1] ^= 0xFF
    found = read(bytes(raw))
    assert [bare(one) for one in found if isinstance(one, Record)] == made[:5] + made[10:]
    (reject,) = [one for one in found if isinstance(one, Reject)]
    assert (reject.code, reject.index) == ("SYNTAX", 5)
    assert "row group 2" in reject.reason


def _damaged(times: int, seed: int) -> dict[str, int]:
    """As ``damage.survived``; and since pages bear checksums, no round comes back as another one."""
    made = [plain(n) for n in range(6)]
    raw = dump(made, "parquet")
    dice = random.Random(seed)
    outcomes: dict[str, int] = {}
    for _ in range(times):
        found = read(damage(raw, dice), form="parquet")
        assert found
        for index, one in enumerate(found):
            if isinstance(one, Reject):
                assert one.code in REJECTS
                assert (one.index, one.line) == (index, None)
            outcome = one.code if isinstance(one, Reject) else "same" if bare(one) in made else "other"
            # The footer has no checksum: a column may come to be called something else, and that is reported.
            assert outcome != "other" or "extra_fields" in one.tags
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return outcomes


def test_damage_is_told_never_thrown() -> None:
    outcomes = _damaged(3000, 1)
    assert outcomes["same"] > 500
    assert outcomes["SYNTAX"] + outcomes["TRUNCATED"] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_much_damage_is_told_never_thrown(seed: int) -> None:
    outcomes = _damaged(20_000, seed)
    assert outcomes["SYNTAX"] > 2_000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = tmp_path / "s.parquet", tmp_path / "l.parquet"
    made = [plain(n) for n in range(400)]
    small.write_bytes(dump(made[:5], "parquet"))
    dice = random.Random(1)
    many = (msgspec.structs.replace(made[n % 400], tags={"n": dice.randbytes(100).hex()}) for n in range(30_000))
    large.write_bytes(dump(many, "parquet"))
    assert large.stat().st_size > 3_000_000
    count, megabytes = growth(small, large, "parquet")
    assert count == 30_000
    assert megabytes < 25
