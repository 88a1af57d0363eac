"""Which format a file is in, and what is said of a file in none."""

from __future__ import annotations

import io
import pickle
import sqlite3
import zipfile
import zlib

import pytest

from ingest import notation
from ingest.adapters import adapters
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Adapter, Reject
from ingest.convert import convert
from ingest.reader import files_under, read_path, read_stream
from ingest.record import Record
from tests.ingest.made import bare, plain, refused, taken

PHZ = notation.dumps([plain(), plain(1)])
JSONL = dump_line(plain()) + dump_line(plain(1))


def write(path, data):
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("name", ["a.phz", "a.jsonl", "a.txt", "a"])
@pytest.mark.parametrize(("data", "format_name"), [(PHZ, "phz"), (JSONL, "jsonl")])
def test_the_content_tells_the_format_whatever_the_name(tmp_path, name, data, format_name):
    path = write(tmp_path / name, data)
    found = list(read_path(path))
    assert taken(found) == [plain(), plain(1)]
    assert [(one.source.file, one.source.index, one.source.format) for one in found if isinstance(one, Record)] == [
        (str(path), 0, format_name),
        (str(path), 1, format_name),
    ]


def test_utf8_with_bom_is_read(tmp_path):
    for data in (PHZ.encode(), JSONL):
        assert taken(list(read_path(write(tmp_path / "x", b"\xef\xbb\xbf" + data)))) == [plain(), plain(1)]


def of_another_kind() -> list[tuple[str, bytes, str, str]]:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.phz", PHZ)
    with sqlite3.connect(":memory:") as base:
        base.execute("create table t (x)")
        sqlite = base.serialize()
    base.close()
    return [
        ("png", b"\x89PNG\r\n\x1a\n" + bytes(100), "WRONG_FORMAT", "PNG"),
        ("zip", zipped.getvalue(), "WRONG_FORMAT", "ZIP"),
        ("gzip", b"\x1f\x8b\x08" + zlib.compress(PHZ.encode()), "WRONG_FORMAT", "gzip"),
        ("sqlite", sqlite, "WRONG_FORMAT", "SQLite"),
        ("pickle", pickle.dumps({"phz": 1}), "WRONG_FORMAT", "pickle"),
        ("binary", b"phz = 1\n\x00\x01\x02", "WRONG_FORMAT", "binary"),
        ("text", "今天打了一局牌\n".encode(), "WRONG_FORMAT", "phz"),
        ("json", b'{"a": 1}\n', "WRONG_FORMAT", "phz"),
        ("utf-16", PHZ.encode("utf-16"), "NOT_UTF8", "UTF-16"),
        ("utf-16 without mark", PHZ.encode("utf-16-le"), "NOT_UTF8", "UTF-16"),
        ("utf-32", PHZ.encode("utf-32"), "NOT_UTF8", "UTF-32"),
        ("empty", b"", "EMPTY", "empty"),
        ("blank", b" \n\n", "EMPTY", "empty"),
        ("no rounds", b"phz = 1\n", "EMPTY", "[[round]]"),
    ]


@pytest.mark.parametrize(("data", "code", "said"), [case[1:] for case in of_another_kind()], ids=lambda _: "")
def test_a_file_of_another_kind_is_one_reject(tmp_path, data, code, said):
    for name in ("a.txt", "a.jsonl", "a.phz"):
        (reject,) = read_path(write(tmp_path / name, data))
        if name == "a.phz" and code == "WRONG_FORMAT" and said == "phz":
            assert reject.code in ("WRONG_FORMAT", "SYNTAX")
            continue
        assert (reject.code, reject.index, reject.line) == (code, 0, 1)
        assert said in reject.reason


def test_gbk_text_is_refused_round_by_round_with_a_hint(tmp_path):
    found = list(read_path(write(tmp_path / "a.phz", PHZ.encode("gb18030"))))
    assert [(one.code, one.index) for one in refused(found)] == [("NOT_UTF8", 0), ("NOT_UTF8", 1)]
    assert "GBK" in found[0].reason
    lines = PHZ.split("\n")
    assert lines[(found[1].line or 0) - 1].startswith("platform")
    assert found[1].line > lines.index("[[round]]") + 3


def test_a_bad_byte_costs_the_round_in_which_it_stands(tmp_path):
    raw = PHZ.encode()
    at = raw.rindex("乙".encode())
    raw = raw[:at] + b"\xd2\xd2" + raw[at + 3 :]
    first, second = read_path(write(tmp_path / "a.phz", raw))
    assert bare(first) == plain()
    assert (second.code, second.index, second.line, second.byte_offset) == (
        "NOT_UTF8",
        1,
        raw.count(b"\n", 0, at) + 1,
        at,
    )


def test_when_two_formats_fit_the_reader_asks(monkeypatch, tmp_path):
    def nothing(_: object, __: str):
        return iter(())

    twin = Adapter("twin", 1, "twin", (".twin",), lambda head: b"phz" in head, nothing)
    monkeypatch.setattr("ingest.sniffing.adapters", lambda: (*adapters(), twin))
    path = write(tmp_path / "a.phz", PHZ)
    (reject,) = read_path(path)
    assert reject.code == "WRONG_FORMAT"
    assert "phz" in reject.reason
    assert "twin" in reject.reason
    assert len(taken(list(read_path(path, "phz")))) == 2


def test_an_unknown_format_name_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="jsonl"):
        list(read_path(write(tmp_path / "a.phz", PHZ), "xml"))
    with pytest.raises(FileNotFoundError):
        list(read_path(tmp_path / "none"))


def test_records_of_any_adapter_are_checked_and_numbered(monkeypatch):
    def careless(_: object, __: str, ___: object):
        yield plain(dealer=8)
        yield Reject("SYNTAX", "x", index=77)
        yield plain()

    fake = Adapter("fake", 1, "fake", (".fake",), lambda _: True, careless)
    monkeypatch.setattr("ingest.sniffing.adapters", lambda: (fake,))
    one, two, three = read_stream(io.BytesIO(b"x"), "f.fake")
    assert (one.code, one.index, two.index) == ("BAD_SEAT", 0, 1)
    assert (three.source.file, three.source.index, three.source.format) == ("f.fake", 2, "fake")


def test_folders_are_walked_in_order_and_only_known_extensions_are_taken(tmp_path):
    for name in ("b/x.phz", "a.jsonl", "b/a.JSONL", "c.toml", "b/c.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, "")
    assert [file.relative_to(tmp_path).as_posix() for file in files_under(tmp_path)] == [
        "a.jsonl",
        "b/a.JSONL",
        "b/x.phz",
    ]
    assert list(files_under(tmp_path / "c.toml")) == [tmp_path / "c.toml"]


def test_a_store_below_a_folder_is_no_game_record(tmp_path):
    for name in ("a.jsonl", "store/rounds/_delta_log/0.json", "store/rounds/day=x/b.json", "store/rounds/c.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, "")
    assert list(files_under(tmp_path)) == [tmp_path / "a.jsonl"]


def test_convert_there_and_back(tmp_path):
    source = write(tmp_path / "a.phz", PHZ)
    assert convert(source, tmp_path / "b.jsonl", "jsonl") == (2, [])
    assert (tmp_path / "b.jsonl").read_bytes() == JSONL
    assert convert(tmp_path / "b.jsonl", tmp_path / "c.phz", "phz") == (2, [])
    assert (tmp_path / "c.phz").read_text(encoding="utf-8") == PHZ
    broken = write(tmp_path / "d.phz", PHZ.replace("dealer = 0", "dealer = 5", 1))
    written, rejects = convert(broken, tmp_path / "e.phz", "phz")
    assert (written, [reject.code for reject in rejects]) == (1, ["BAD_SEAT"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.phz", "b.jsonl", "c.phz", "d.phz", "e.phz"]
