"""Watched folders, with a clock that only the test moves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import cli
from ingest.adapters.jsonl import dump_line
from ingest.reports import FileReport, ImportReport
from ingest.store import open_store
from ingest.watch import Watched, watch
from tests.ingest.made import plain


def write(path: Path, text: str, mtime: int) -> None:
    path.write_text(text)
    os.utime(path, (mtime, mtime))


def ready(watched: Watched) -> list[str]:
    return [path.name for path in watched.ready()]


def test_a_file_waits_until_it_keeps_still(tmp_path):
    watched = Watched([tmp_path])
    path = tmp_path / "a.jsonl"
    assert ready(watched) == []
    write(path, "{", 1)
    assert ready(watched) == []
    write(path, "{}", 1)  # longer in the same second
    assert ready(watched) == []
    write(path, "{x", 2)  # as long, later
    assert ready(watched) == []
    assert ready(watched) == ["a.jsonl"]
    assert ready(watched) == []


def test_a_file_comes_again_only_when_it_changes(tmp_path):
    watched = Watched([tmp_path])
    path = tmp_path / "a.jsonl"
    write(path, "bad", 1)
    assert [ready(watched) for _ in range(4)] == [[], ["a.jsonl"], [], []]
    write(path, "good", 2)
    assert [ready(watched) for _ in range(3)] == [[], ["a.jsonl"], []]
    path.unlink()
    assert ready(watched) == []
    write(path, "good", 2)
    assert [ready(watched) for _ in range(3)] == [[], ["a.jsonl"], []]


def test_another_file_under_the_same_name_is_noticed(tmp_path):
    watched = Watched([tmp_path])
    path = tmp_path / "a.jsonl"
    write(path, "one", 1)
    assert [ready(watched) for _ in range(2)] == [[], ["a.jsonl"]]
    write(tmp_path / "new", "two", 1)
    (tmp_path / "new").replace(path)
    assert [ready(watched) for _ in range(2)] == [[], ["a.jsonl"]]


def test_only_files_of_known_formats_and_several_at_once(tmp_path):
    watched = Watched([tmp_path / "x", tmp_path / "y"])
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
    for name in ("x/a.jsonl", "x/.b.part", "y/c.png", "y/d.phz.gz"):
        write(tmp_path / name, "", 1)
    assert ready(watched) == []
    assert ready(watched) == ["a.jsonl", "d.phz.gz"]


def test_the_loop_reads_reports_sleeps_and_stops(tmp_path):
    write(tmp_path / "a.jsonl", "", 1)
    slept: list[float] = []
    told: list[str] = []

    def read(files: list[Path]) -> ImportReport:
        return ImportReport([FileReport(str(file)) for file in files])

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            write(tmp_path / "b.jsonl", "", 1)

    watch([tmp_path], read, 7, lambda file: told.append(Path(file.file).name), sleep, lambda: len(slept) == 4)
    assert slept == [7, 7, 7, 7]
    assert told == ["a.jsonl", "b.jsonl"]


def interrupted(monkeypatch, steps: list[Callable[[], None]]) -> None:
    """Instead of sleeping, one step after the other, and then Ctrl-C."""

    def sleep(_: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(watch, "__defaults__", (sleep, lambda: False))


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command(tmp_path, monkeypatch, capsys, as_json):
    inbox, store = tmp_path / "inbox", str(tmp_path / "store")
    inbox.mkdir()
    write(inbox / "a.jsonl", dump_line(plain()).decode(), 1)

    def bad() -> None:
        write(inbox / "b.jsonl", dump_line(plain(1)).decode() + "{}\n", 1)

    def mended() -> None:
        write(inbox / "b.jsonl", (dump_line(plain(1)) + dump_line(plain())).decode(), 2)

    def nothing() -> None:
        pass

    interrupted(monkeypatch, [nothing, bad, nothing, nothing, mended, nothing])
    assert cli.ingest([str(inbox)], store, json=as_json, lang="en", watch=1) == 2
    printed = capsys.readouterr()
    assert "record 2: WRONG_FORMAT" in printed.err
    assert open_store(store).scan("rounds").collect().height == 2
    lines = printed.out.splitlines()
    if as_json:
        objects = [json.loads(line) for line in lines]
        assert [(one["seen"], one["accepted"], one["already_known"], one["quarantined"]) for one in objects] == [
            (1, 1, 0, 0),
            (2, 1, 0, 1),
            (2, 0, 2, 0),
            (5, 2, 2, 1),
        ]
        assert [one["codes"] for one in objects] == [{}, {"WRONG_FORMAT": 1}, {}, {"WRONG_FORMAT": 1}]
        return
    assert lines == [
        f"{inbox / 'a.jsonl'}: seen 1, new 1, known 0, quarantined 0",
        f"{inbox / 'b.jsonl'}: seen 2, new 1, known 0, quarantined 1 (WRONG_FORMAT 1)",
        f"{inbox / 'b.jsonl'}: seen 2, new 0, known 2, quarantined 0",
        "refused: WRONG_FORMAT 1",
        f"total → {store}: seen 5, new 2, known 2, quarantined 1",
    ]


def test_what_cannot_be_watched_is_said_at_once(tmp_path, capsys):
    assert cli.ingest([str(tmp_path / "none")], str(tmp_path / "store"), lang="en", watch=1) == 2
    assert "none" in capsys.readouterr().err
    assert cli.ingest([str(tmp_path)], str(tmp_path / "store"), format="xml", lang="en", watch=1) == 2
    assert "no format 'xml'" in capsys.readouterr().err


def test_ctrl_c_ends_the_real_command_with_a_summary(tmp_path):
    path = tmp_path / "inbox" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(dump_line(plain()))
    store = tmp_path / "store"
    command = [sys.executable, "-m", "phz", "ingest", str(path.parent), "--watch", "--interval", "0.1", "--lang", "en"]
    with subprocess.Popen([*command, "--store", str(store)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        code = process.wait(60)
    # The sample's ruleset is known, its deal is not one of the rules: accepted all the same, as a fact.
    assert first.startswith(f"{path}: seen 1, new 1")
    assert rest.splitlines()[-1] == f"total → {store}: seen 1, new 1, known 0, quarantined 0"
    assert code == 0
