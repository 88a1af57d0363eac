"""Housekeeping: rows stay, files become fewer, and nothing that a reader may still use is deleted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import polars as pl
import pytest

from ingest import cli_store, delta, store
from ingest.compact import compact
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.store import Change, Store, open_store, replace_tables
from tests.ingest.made import plain
from tests.ingest.stores import content, write
from tests.ingest.test_store import GROUP, numbers, small


@pytest.fixture
def place(tmp_path) -> Store:
    """Six imports: three days of one platform, a file a round."""
    made = open_store(tmp_path / "store")
    for n in range(6):
        import_paths([write(tmp_path / f"{n}.jsonl", [plain(n, started_at=f"2024-03-0{1 + n % 3}")])], made)
    return made


def age(folder: Path, days: float) -> None:
    """Make every file, and every deletion that the log tells, so many days older."""
    for path in folder.rglob("*"):
        if path.suffix == ".json":
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            for line in lines:
                if "remove" in line:
                    line["remove"]["deletionTimestamp"] -= int(days * 86400_000)
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        when = path.stat().st_mtime - days * 86400
        os.utime(path, (when, when))


def parquet(made: Store, table: str) -> set[Path]:
    return {path for path in (made.path / table).rglob("*.parquet") if "_delta_log" not in path.parts}


def test_small_files_become_one_a_partition_and_old_snapshots_stay(place):
    before, snapshot = content(place, set()), place.snapshot()
    steps = []
    reports = compact(place, progress=lambda done, total: steps.append((done, total)))
    assert (reports["rounds"].files_before, reports["rounds"].files_after) == (6, 3)
    assert (reports["imports"].files_before, reports["imports"].files_after) == (6, 1)
    assert reports["rounds"].bytes_after < reports["rounds"].bytes_before
    assert {report.deleted for report in reports.values()} == {0}, "all of it is younger than seven days"
    assert steps == [(n + 1, len(steps)) for n in range(len(steps))]
    assert content(place, set()) == before
    assert place.scan("rounds", snapshot).collect().height == 6
    versions = place.snapshot()
    assert {report.files_before for report in compact(place).values()} <= {0, 1, 3}
    assert place.snapshot() == versions, "nothing to do is no commit"


def test_what_nobody_has_named_for_seven_days_is_deleted(place):
    compact(place)
    for name in ("orphan.parquet", "_copy_dead/_delta_log/x.tmp"):
        path = place.path / "rounds" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * 1000)
    before = content(place, set())
    age(place.path, 6.9)
    assert {report.deleted for report in compact(place).values()} == {0}
    age(place.path, 0.2)
    reports = compact(place)
    assert (reports["rounds"].deleted, reports["imports"].deleted) == (7, 6)
    assert reports["rounds"].bytes_deleted > 1000
    assert not list((place.path / "rounds").glob("_copy_*"))
    assert {str(path) for path in parquet(place, "rounds")} == {
        str(place.path / "rounds" / file.path)
        for file in delta.files(place.place("rounds"), place.place("rounds").open())
    }
    assert content(place, set()) == before
    import_paths([place.path.parent / f"{n}.jsonl" for n in range(6)], place)
    assert content(place, set()) == before


def test_a_file_that_is_being_written_is_not_deleted(place):
    """Another writer's file that no log names yet: it is young, so it stays."""
    young = place.path / "rounds" / "platform=x" / "young.parquet"
    young.parent.mkdir()
    young.write_bytes(b"x")
    compact(place)
    assert young.exists()


def test_what_a_leader_names_is_kept_though_its_table_went_on(place):
    """A writer killed between followers and leader, in a group of which this program part knows nothing."""
    replace_tables(place, "lead", {name: small(1) for name in GROUP}, GROUP)
    delta.commit(place.place("one"), GROUP["one"], Change(small(2), everything=True))
    age(place.path, 8)
    reports = compact(place)
    assert reports["one"].deleted == 0
    assert numbers(place, "one") == [1]
    replace_tables(place, "lead", {name: small(3) for name in GROUP}, GROUP)
    assert numbers(place, "one") == [3]


def test_large_files_are_left_alone_and_none_becomes_too_large(place, monkeypatch):
    sizes = [file.size for file in delta.files(place.place("imports"), place.place("imports").open())]
    monkeypatch.setattr(delta, "_FULL", 3 * max(sizes))
    assert compact(place)["imports"].files_after == 2
    before = parquet(place, "imports")
    monkeypatch.setattr(delta, "_SMALL", 1)
    compact(place)
    assert parquet(place, "imports") == before


def test_a_writer_that_came_between_stops_it(place, tmp_path, monkeypatch):
    before = content(place, set())
    real = store.commit_group

    def late(mine, *words, **more):
        other = open_store(place.path)
        with monkeypatch.context() as patch:
            patch.setattr(store, "commit_group", real)
            store.begin_import(other)
            store.commit_batch(other, {"rounds": Change(drop=pl.lit(value=True))})
        return real(mine, *words, **more)

    monkeypatch.setattr("ingest.compact.commit_group", late)
    with pytest.raises(StoreError, match="another writer is at work"):
        compact(place)
    monkeypatch.undo()
    assert place.scan("rounds").collect().is_empty()
    compact(place)
    assert content(place, set())["imports"] == before["imports"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_command(place, capsys, lang):
    folder = str(place.path)
    assert cli_store.compact(folder, lang=lang) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == sorted(place.snapshot())
    assert any(line.startswith("rounds: 文件 6 → 3，" if lang == "zh" else "rounds: files 6 → 3, ") for line in lines)
    assert ("七天" if lang == "zh" else "seven days") in lines[-1]
    age(place.path, 8)
    assert cli_store.compact(folder, json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["store"] == folder
    assert told["tables"]["rounds"]["deleted"] == 6
    assert cli_store.compact(folder + "/none", lang=lang) == 2
    err = capsys.readouterr().err
    assert err.startswith("phz compact: ")
    assert ("没有牌谱库" if lang == "zh" else "no store here") in err
    assert not Path(folder, "none").exists()


def test_a_person_sees_how_far_it_is(place, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli_store.compact(str(place.path), lang="en") == 0
    assert "files 6 → 3" in capsys.readouterr().out
