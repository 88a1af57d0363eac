"""``phz quarantine``: what is listed, what is shown of a record, and what becomes of one that is tried again."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import phz
from ingest import cli, notation
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.cli_quarantine import list_refused, retry_refused, show_refused
from ingest.record import Record
from ingest.store import open_store
from ingest.unpack import find, place_of
from tests.ingest.made import plain

HOSTILE = b'{"phz":1,"x\x1b[31m":"\xe2\x80\xae<img onerror=alert(1)>"}'


@pytest.fixture
def place(tmp_path):
    """A store with six refused records in three files."""
    write(tmp_path / "a.jsonl", dump_line(plain()) + b"{}\n" * 3 + HOSTILE + b"\n")
    write(tmp_path / "b.phz", notation.dumps([plain(1), plain(2)]).replace("dealer = 0", "dealer = 7").encode())
    write(tmp_path / "c.jsonl", dump_line(plain(3)))
    assert ingest(tmp_path) == 2
    return tmp_path


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def store(place: Path) -> str:
    return str(place / "store")


def ingest(place: Path) -> int:
    return cli.ingest([str(place)], store(place), json=True)


def listed(place: Path, capsys: pytest.CaptureFixture[str], **filters: object) -> dict:
    capsys.readouterr()
    assert list_refused(store(place), json=True, **filters) == 0
    return json.loads(capsys.readouterr().out)


def test_the_list_is_whole_and_in_order(place, capsys):
    answer = listed(place, capsys)
    assert answer["total"] == 6
    assert answer["codes"] == {"WRONG_FORMAT": 3, "BAD_SEAT": 2, "SYNTAX": 1}
    assert sum(answer["codes"].values()) == answer["total"]
    assert [(Path(row["file"]).name, row["record_index"]) for row in answer["records"]] == [
        *(("a.jsonl", n) for n in (1, 2, 3, 4)),
        *(("b.phz", n) for n in (0, 1)),
    ]
    assert len({row["id"] for row in answer["records"]}) == 6


def test_filters_and_pages(place, capsys):
    assert listed(place, capsys, code="bad_seat")["total"] == 2
    assert listed(place, capsys, file="a.json")["total"] == 4
    assert listed(place, capsys, file="a.json", code="BAD_SEAT")["total"] == 0
    pages = [listed(place, capsys, page=n, per_page=4) for n in (1, 2, 3)]
    assert [len(one["records"]) for one in pages] == [4, 2, 0]
    assert {one["pages"] for one in pages} == {2}
    assert [row for one in pages for row in one["records"]] == listed(place, capsys)["records"]


@pytest.mark.parametrize(("lang", "said"), [("zh", "第 5 局 SYNTAX"), ("en", "record 5: SYNTAX")])
def test_the_list_for_people(place, capsys, lang, said):
    capsys.readouterr()
    assert list_refused(store(place), lang=lang) == 0
    lines = capsys.readouterr().out.splitlines()
    assert said in lines[3]
    assert "\x1b" not in "".join(lines)
    assert {"zh": "共 6 条，第 1 / 1 页", "en": "6 in all, page 1 of 1"}[lang] in lines
    assert lines[-1] == "WRONG_FORMAT 3, BAD_SEAT 2, SYNTAX 1"
    assert lines[0].startswith(listed(place, capsys)["records"][0]["id"] + " " + str(place / "a.jsonl"))


def test_an_empty_store_lists_nothing(tmp_path, capsys):
    assert listed(tmp_path, capsys)["total"] == 0
    assert retry_refused((), store(tmp_path), lang="en") == 0
    assert "nothing is refused" in capsys.readouterr().out


@pytest.mark.parametrize("how", ["id", "short id", "file"])
def test_show_tells_all_and_how_the_record_stands_in_its_file(place, capsys, how):
    row = listed(place, capsys, code="SYNTAX")["records"][0]
    wanted = {"id": row["id"], "short id": row["id"][:8], "file": f"{place / 'a.jsonl'}:5"}[how]
    assert show_refused(wanted, store(place), json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert {name: told[name] for name in row} == row
    assert told["raw"]["line"] == r'"{"phz":1,"x\x1b[31m":"\u202e<img onerror=alert(1)>"}\n"'
    assert show_refused(wanted, store(place), lang="en") == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "line: 5" in text
    assert "record: 5" in text
    assert "SYNTAX syntax error" in text
    assert r"<img onerror" in text


def test_show_points_at_the_byte(tmp_path, capsys):
    data = dump_line(plain()).replace("乙".encode(), b"\xd2\xd2")
    write(tmp_path / "a.jsonl", data)
    ingest(tmp_path)
    capsys.readouterr()
    assert show_refused(f"{tmp_path / 'a.jsonl'}:1", store(tmp_path), json=True) == 0
    raw = json.loads(capsys.readouterr().out)["raw"]
    assert raw["line"].startswith('"{"phz":1')
    assert len(raw["line"]) < 500
    assert raw["fault"].startswith('"\\xd2\\xd2')


@pytest.mark.parametrize(("change", "said"), [(b"other", "changed"), (None, "not where it was")])
def test_show_when_the_file_is_another_or_gone(place, capsys, change, said):
    path = place / "a.jsonl"
    path.unlink()
    if change is not None:
        path.write_bytes(change)
    assert show_refused(f"{path}:2", store(place), lang="en") == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("wanted", ["", "zzzz", "a.jsonl:1", ":", "x:y:1"])
def test_show_of_what_is_not_there(place, capsys, wanted):
    capsys.readouterr()
    assert show_refused(wanted, store(place), lang="en") == 2
    assert "no refused record" in capsys.readouterr().err


def test_an_id_must_be_unique(place, capsys, monkeypatch):
    monkeypatch.setattr("ingest.cli_quarantine.reject_id", lambda row: f"abc{row['record_index']}")
    capsys.readouterr()
    assert show_refused("abc", store(place), lang="en") == 2
    assert "more than one: abc1, abc2" in capsys.readouterr().err


def test_retry_says_what_became_of_each_file(place, capsys):
    capsys.readouterr()
    assert retry_refused((), store(place), lang="en") == 2
    lines = capsys.readouterr().out.splitlines()
    assert f"{place / 'a.jsonl'}: refused 4 → 4, new 0" in lines
    assert f"{place / 'b.phz'}: refused 2 → 2, new 0" in lines
    assert not [line for line in lines if "c.jsonl" in line]


def test_retry_after_the_program_learnt_something(tmp_path, capsys):
    write(tmp_path / "a.jsonl", dump_line(plain()) + dump_line(plain(1)))
    name = str(tmp_path / "a.jsonl")

    def refuse(record: Record) -> Reject | None:
        return Reject("BAD_OPTION", "x") if record.session == "s1" else None

    assert cli.ingest([name], store(tmp_path), accept=refuse) == 2
    capsys.readouterr()
    assert retry_refused([name], store(tmp_path), lang="en") == 0
    assert f"{name}: refused 1 → 0, new 1" in capsys.readouterr().out
    assert listed(tmp_path, capsys)["total"] == 0
    assert open_store(store(tmp_path)).scan("rounds").collect().height == 2


def test_retry_of_one_file_in_a_format(place, capsys):
    name = str(place / "b.phz")
    capsys.readouterr()
    assert retry_refused([name], store(place), format="phz", json=True) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["before"] == {name: 2}
    assert [one["file"] for one in told["files"]] == [name]
    assert told["codes"] == {"BAD_SEAT": 2}
    assert retry_refused(["c.jsonl"], store(place), lang="en") == 2
    assert "no refused records" in capsys.readouterr().err
    assert retry_refused([name], store(place), format="xml", lang="en") == 2
    assert "no format 'xml'" in capsys.readouterr().err


def test_retry_of_a_file_that_is_gone_keeps_its_records(place, capsys):
    (place / "b.phz").unlink()
    assert retry_refused([str(place / "b.phz")], store(place), lang="en") == 2
    assert "not where it was" in capsys.readouterr().out
    assert listed(place, capsys, file="b.phz")["total"] == 2


def test_a_store_that_cannot_be_read(tmp_path, capsys):
    (tmp_path / "store" / "quarantine" / "_delta_log").mkdir(parents=True)
    (tmp_path / "store" / "quarantine" / "_delta_log" / f"{0:020}.json").write_text("no log\n")
    for command in (lambda: list_refused(store(tmp_path)), lambda: show_refused("a:1", store(tmp_path))):
        assert command() == 2
        assert capsys.readouterr().err.startswith("phz quarantine ")


def test_the_commands_of_the_program(place, capsys):
    run = CliRunner().invoke
    where = ["--store", store(place), "--lang", "en"]
    listing = run(phz.app, ["quarantine", "list", "--code", "BAD_SEAT", "--per-page", "1", *where])
    assert (listing.exit_code, "2 in all, page 1 of 2" in listing.output) == (0, True)
    shown = run(phz.app, ["quarantine", "show", f"{place / 'b.phz'}:2", *where])
    assert (shown.exit_code, "BAD_SEAT" in shown.output) == (0, True)
    # The rulesets are asked again too.
    tried = run(phz.app, ["quarantine", "retry", str(place / "a.jsonl"), *where])
    assert (tried.exit_code, "refused 4 → 4" in tried.output) == (2, True)


def test_records_of_packed_files_are_listed_shown_and_retried(tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x.jsonl", dump_line(plain()) + b"{}\n")
        archive.writestr("y.jsonl", dump_line(plain(1)) + b'{"no": 1}\n')
    write(tmp_path / "b.jsonl.gz", gzip.compress(dump_line(plain(2)))[:-9])
    assert ingest(tmp_path) == 2
    answer = listed(tmp_path, capsys)
    assert [(Path(row["file"]).name, row["code"]) for row in answer["records"]] == [
        ("a.zip!1", "WRONG_FORMAT"),
        ("a.zip!2", "BAD_FIELD"),
        ("b.jsonl.gz", "TRUNCATED"),
    ]
    assert show_refused(f"{tmp_path / 'a.zip'}!2:2", store(tmp_path), json=True) == 0
    assert json.loads(capsys.readouterr().out)["raw"]["line"] == '"{"no": 1}\\n"'
    assert show_refused(f"{tmp_path / 'b.jsonl.gz'}:1", store(tmp_path), lang="en") == 0
    assert capsys.readouterr().out.count("cut short") == 2
    write(tmp_path / "b.jsonl.gz", gzip.compress(dump_line(plain(2))))
    assert retry_refused([str(tmp_path / "b.jsonl.gz")], store(tmp_path), lang="en") == 0
    assert retry_refused([str(tmp_path / "a.zip")], store(tmp_path), json=True) == 2
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["before"] == {f"{tmp_path / 'a.zip'}!1": 1, f"{tmp_path / 'a.zip'}!2": 1}
    assert (told["already_known"], told["quarantined"]) == (2, 2)


def test_a_member_is_found_by_its_name(tmp_path):
    packed = write(tmp_path / "a.jsonl.gz", gzip.compress(b"{}\n"))
    assert find(str(packed)) is not None
    assert find(str(tmp_path / "none.gz")) is None
    assert place_of("x/a.zip!12") == Path("x/a.zip")
    assert place_of("x/a.zip!b") == Path("x/a.zip!b")
    odd = write(tmp_path / "b.zip!1", b"")
    assert place_of(str(odd)) == odd
