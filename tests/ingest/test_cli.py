"""``phz ingest`` and ``phz convert`` as functions: exit codes, what is printed where, and what they load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ingest import cli, notation
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.limits import both
from ingest.store import open_store
from tests.ingest.guilin_logs import dumped, merged, play
from tests.ingest.made import plain

ROUND = notation.dumps([plain()]).removeprefix(notation.HEADER)

# A case for each kind of bad input: what replaces what in the second of three rounds, the code, how its line begins.
BAD = [
    ("a card that does not exist", 'wall = "', 'wall = "王', "UNKNOWN_CARD", "wall ="),
    ("a fifth copy", 'liang = "', 'liang = "', "FIFTH_COPY", None),
    ("a hand of 19", "  hand", "", "DEAL_SIZE", None),
    ("a move by nobody who plays", '"0 打', '"7 打', "BAD_SEAT", "moves ="),
    ("no ruleset", 'ruleset = "qq"', 'ruleset = "zz"', "UNKNOWN_RULESET", "[[round]]"),
    ("an unknown option", 'ruleset = "qq"', 'ruleset = "qq"\noptions = { x = 1 }', "BAD_OPTION", "[[round]]"),
    ("an unknown key", "dealer = 0", "dealer = 0\ncolour = 1", "BAD_FIELD", "colour ="),
    ("no TOML", "dealer = 0", "dealer := 0", "SYNTAX", "dealer :="),
]


def bad_round(old: str, new: str, code: str) -> str:
    if code == "FIFTH_COPY":
        hand = "".join("一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾"[card] for card in plain().hands[0] or ())
        return ROUND.replace(hand, "一一一一一" + hand[5:])
    if code == "DEAL_SIZE":
        hand = "".join("一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾"[card] for card in plain().hands[1] or ())
        return ROUND.replace(hand, hand[1:])
    assert ROUND.count(old) == 1
    return ROUND.replace(old, new)


def accept(record) -> Reject | None:
    if record.ruleset != "qq":
        return Reject("UNKNOWN_RULESET", both(f"没有规则 {record.ruleset}", f"no ruleset {record.ruleset}"))
    if record.options:
        return Reject("BAD_OPTION", both("没有选项 x", "no option x"))
    return None


@pytest.mark.parametrize(("what", "old", "new", "code", "key"), BAD, ids=[case[0] for case in BAD])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_bad_record_is_told_with_file_line_and_record(tmp_path, capsys, what, old, new, code, key, lang):
    second = bad_round(old, new, code)
    third = notation.dumps([plain(3)]).removeprefix(notation.HEADER)
    text = notation.HEADER + ROUND + second + third
    path = tmp_path / "a.phz"
    path.write_text(text, encoding="utf-8")
    store = str(tmp_path / "store")
    assert cli.ingest([str(path)], store, lang=lang, accept=accept) == 2
    printed = capsys.readouterr()
    counts = {"zh": "读到 3, 新增 2, 已有 0, 隔离 1", "en": "seen 3, new 2, known 0, quarantined 1"}
    assert printed.out.splitlines()[-1].endswith(counts[lang])
    (line,) = printed.err.splitlines()
    (row,) = open_store(store).scan("quarantine").collect().to_dicts()
    assert (row["code"], row["record_index"]) == (code, 1)
    record = {"zh": "第 2 局", "en": "record 2:"}[lang]
    assert line.startswith(f"{path}:{row['line']}: {record} {code} ")
    start = text.index("[[round]]", text.index("[[round]]") + 1)
    at = text[start:].splitlines()[row["line"] - text[:start].count("\n") - 1]
    if key is not None:
        assert at.startswith(key)
    elif code == "FIFTH_COPY":
        assert "一一一一一" in at
    assert (" ／ " in line) is False


def test_exit_codes_and_json(tmp_path, capsys):
    good = tmp_path / "a.jsonl"
    good.write_bytes(dump_line(plain()))
    store = str(tmp_path / "store")
    assert cli.ingest([str(good)], store, json=True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["seen"], answer["accepted"], answer["already_known"], answer["quarantined"]) == (1, 1, 0, 0)
    assert answer["files"][0]["file"] == str(good)
    assert answer["codes"] == answer["files"][0]["codes"] == {}
    assert cli.ingest([str(tmp_path / "none.phz")], store, json=True) == 2
    assert json.loads(capsys.readouterr().out)["files"][0]["rejects"][0]["code"] == "UNREADABLE"
    (tmp_path / "nothing").mkdir()
    assert cli.ingest([str(tmp_path / "nothing")], store, lang="en") == 2
    assert "no game records" in capsys.readouterr().err
    assert cli.ingest([str(good)], store, format="xml", lang="en") == 2
    assert "no format 'xml'" in capsys.readouterr().err


def test_many_errors_are_counted_not_listed(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    path.write_bytes(dump_line(plain()) + b"{}\n" * 50)
    assert cli.ingest([str(path)], str(tmp_path / "store"), lang="en") == 2
    err = capsys.readouterr().err.splitlines()
    assert len(err) == cli.SHOWN_REJECTS + 1
    assert err[-1].endswith("30 more")


def test_codes_are_counted_for_each_file_and_for_all(tmp_path, capsys):
    (tmp_path / "a.jsonl").write_bytes(dump_line(plain()) + b"{}\n" * 2 + b"{:\n")
    (tmp_path / "b.jsonl").write_bytes(b"{:\n" + dump_line(plain(1)))
    (tmp_path / "c.jsonl").write_bytes(dump_line(plain(1)))
    store = str(tmp_path / "store")
    assert cli.ingest([str(tmp_path)], store, lang="en") == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{tmp_path / 'a.jsonl'}: seen 4, new 1, known 0, quarantined 3",
        "  refused: WRONG_FORMAT 2, SYNTAX 1",
        f"{tmp_path / 'b.jsonl'}: seen 2, new 1, known 0, quarantined 1",
        "  refused: SYNTAX 1",
        f"{tmp_path / 'c.jsonl'}: seen 1, new 0, known 1, quarantined 0",
        "refused: SYNTAX 2, WRONG_FORMAT 2",
        f"total → {store}: seen 7, new 2, known 1, quarantined 4",
    ]
    assert cli.ingest([str(tmp_path)], store, json=True) == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer["codes"] == {"SYNTAX": 2, "WRONG_FORMAT": 2}
    assert [file["codes"] for file in answer["files"]] == [{"WRONG_FORMAT": 2, "SYNTAX": 1}, {"SYNTAX": 1}, {}]


def test_unknown_fields_are_counted_for_each_file_and_for_all(tmp_path, capsys):
    """A field that the format of a file is not known to have; a tag of that name in a format of our own is a tag."""
    lines = (merged(play()) | {"mood": 1}, merged(play()) | {"mood": 2, "sky": 3, "verify": 4})
    for name, line in zip("ab", lines, strict=True):
        (tmp_path / f"{name}.jsonl").write_bytes(dumped(line))
    (tmp_path / "c.jsonl").write_bytes(dump_line(plain(tags={"extra_fields": "x×2"})))
    store = str(tmp_path / "store")
    assert cli.ingest([str(tmp_path)], store, lang="en") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'a.jsonl'}: seen 1, new 1, known 0, quarantined 0",
        "  unknown fields: mood 1",
        f"{tmp_path / 'b.jsonl'}: seen 1, new 0, known 1, quarantined 0",
        "  unknown fields: mood 1, sky 1",
        f"{tmp_path / 'c.jsonl'}: seen 1, new 1, known 0, quarantined 0",
        "unknown fields: mood 2, sky 1",
        f"total → {store}: seen 3, new 2, known 1, quarantined 0",
    ]
    other = str(tmp_path / "other")
    assert cli.ingest([str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")], other, json=True) == 0
    assert json.loads(capsys.readouterr().out)["unknown_fields"] == {"mood": 2, "sky": 1}


def test_names_of_files_are_printed_safely(tmp_path, capsys):
    path = tmp_path / "a\x1b[31m\u202e.jsonl"
    path.write_bytes(b"{}\n")
    assert cli.ingest([str(path)], str(tmp_path / "store"), lang="en") == 2
    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert r"a\x1b[31m\u202e.jsonl" in text
        assert "\x1b" not in text


def test_default_store(monkeypatch):
    monkeypatch.delenv("PHZ_STORE", raising=False)
    assert cli.default_store() == "data/store"
    monkeypatch.setenv("PHZ_STORE", "/x")
    assert cli.default_store() == "/x"


def test_convert(tmp_path, capsys):
    source = tmp_path / "a.phz"
    source.write_text(notation.dumps([plain()]), encoding="utf-8")
    target = tmp_path / "b.jsonl"
    assert cli.convert(str(source), str(target)) == 0
    assert target.read_bytes() == dump_line(plain())
    assert cli.convert(str(source), str(tmp_path / "b.txt"), "jsonl") == 0
    assert cli.convert(str(source), str(tmp_path / "b.txt"), lang="en") == 2
    assert "phz, jsonl" in capsys.readouterr().err
    assert cli.convert(str(tmp_path / "none"), str(target)) == 2
    source.write_text(notation.HEADER + ROUND.replace("dealer = 0", "dealer = 9"), encoding="utf-8")
    assert cli.convert(str(source), str(target)) == 2
    assert target.read_bytes() == b""


def test_reading_a_file_of_notation_loads_no_heavy_library(tmp_path):
    path = tmp_path / "a.phz"
    path.write_text(notation.dumps([plain()]), encoding="utf-8")
    code = (
        "import sys, ingest.cli, ingest.notation, ingest.convert\n"
        "from ingest.reader import read_path\n"
        "assert len(list(read_path(sys.argv[1]))) == 1\n"
        "heavy = {'polars', 'numpy', 'pyarrow', 'deltalake', 'rich', 'numba', 'duckdb'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
