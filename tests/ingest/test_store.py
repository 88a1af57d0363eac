"""The store: readers see whole batches, and a killed writer's rest is taken back."""

from __future__ import annotations

import threading

import polars as pl
import pytest

from ingest import delta, rows, store
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.naming import round_id
from ingest.schema import ROUNDS
from ingest.store import Change, append_table, open_store, replace_table, replace_tables
from tests.ingest.made import plain
from tests.ingest.stores import content, write

SMALL = {"key": pl.String, "n": pl.Int8, "list": pl.List(pl.Int8)}
OTHER = {"key": pl.String, "m": pl.Int32}


def small(*numbers: int) -> pl.DataFrame:
    return pl.DataFrame({"key": [f"k{n}" for n in numbers], "n": numbers, "list": [[n] for n in numbers]}, schema=SMALL)


def numbers(place: store.Store, table: str = "t") -> list[int]:
    return sorted(place.scan(table, schema=SMALL).collect()["n"])


def test_a_store_that_is_not_there_is_empty_and_is_not_made(tmp_path):
    place = open_store(tmp_path / "none")
    assert place.snapshot() == {}
    assert place.scan("rounds").collect().schema == pl.Schema(ROUNDS)
    assert numbers(place) == []
    with pytest.raises(KeyError):
        place.scan("unknown")
    assert not (tmp_path / "none").exists()


def test_append_and_replace(tmp_path):
    place = open_store(tmp_path)
    append_table(place, "t", small(1, 2), SMALL)
    append_table(place, "t", small(3), SMALL)
    assert numbers(place) == [1, 2, 3]
    before = place.snapshot()
    replace_table(place, "t", small(9), SMALL)
    assert numbers(place) == [9]
    assert sorted(place.scan("t", before).collect()["n"]) == [1, 2, 3]
    replace_table(place, "t", small(), SMALL)
    assert numbers(place) == []
    replace_table(place, "t", pl.DataFrame({"key": ["a"], "m": [1]}, schema=OTHER), OTHER)
    assert place.scan("t").collect().rows() == [("a", 1)]
    with pytest.raises(StoreError, match="table t"):
        append_table(place, "t", small(1), SMALL)


@pytest.mark.parametrize("name", ["", "甲/乙", "a=b", "%41", "..", "x'y\"z", "a b\n", "A", "拾" * 20])
def test_any_platform_name_is_a_partition(tmp_path, name):
    place = open_store(tmp_path)
    record = plain(platform=name, started_at=None)
    frame = rows.frame([(round_id(record), record, 1)])
    append_table(place, "rounds", frame, ROUNDS, ["platform", "day"])
    append_table(place, "rounds", frame.clear(), ROUNDS, ["platform", "day"])
    assert place.scan("rounds").collect().select(frame.columns).rows() == frame.rows()
    assert list(rows.records(place.scan("rounds").filter(pl.col("platform") == name).collect())) == [record]
    with place.lock():
        drop = pl.col("round_id") == round_id(record)
        delta.commit(place.place("rounds"), ROUNDS, Change(frame.with_columns(room=pl.lit("x")), drop))
    assert place.scan("rounds").collect()["room"].to_list() == ["x"]


def test_a_change_drops_and_adds_in_one_commit(tmp_path):
    place = open_store(tmp_path)
    for n in range(4):
        append_table(place, "t", small(n, n + 10), SMALL)
    version = place.snapshot()["t"]
    with place.lock():
        delta.commit(place.place("t"), SMALL, Change(small(50), pl.col("n").is_in([1, 2, 12])))
    assert place.snapshot()["t"] == version + 1
    assert numbers(place) == [0, 3, 10, 11, 13, 50]


GROUP = {"lead": SMALL, "one": SMALL, "two": SMALL}


def test_a_group_is_seen_whole_or_not_at_all(tmp_path, monkeypatch):
    place = open_store(tmp_path)
    with place.lock():
        store.begin_group(place, "lead", GROUP)
        store.commit_group(place, "lead", {name: Change(small(1)) for name in GROUP}, GROUP)
    real = delta.commit
    seen = []
    fails = ""

    def batch(n: int) -> None:
        with place.lock():
            store.begin_group(place, "lead", GROUP)
            store.commit_group(place, "lead", {name: Change(small(n)) for name in GROUP}, GROUP)

    def slow(where, *rest, **more):
        version = real(where, *rest, **more)
        seen.append([numbers(place, name) for name in GROUP])
        if fails and where.url.endswith("/" + fails):
            raise OSError("no space left on device")
        return version

    monkeypatch.setattr(delta, "commit", slow)
    for name in ("one", "two"):
        fails = name
        with pytest.raises(OSError, match="space"):
            batch(2)
        assert seen[-1] == [[1], [1], [1]]
    fails = ""
    with place.lock():
        store.begin_group(place, "lead", GROUP)
        assert [numbers(place, name) for name in GROUP] == [[1], [1], [1]]
        store.commit_group(place, "lead", {"lead": Change(small(3)), "two": Change(small(3))}, GROUP)
    assert [numbers(place, name) for name in GROUP] == [[1, 3], [1], [1, 3]]
    versions = place.snapshot()
    with place.lock():
        store.begin_group(place, "lead", GROUP)
    assert place.snapshot() == versions, "nothing is left to take back"
    assert [place.place(name).open().version() for name in GROUP] == [versions[name] for name in GROUP]


def test_replace_tables_changes_them_together(tmp_path):
    place = open_store(tmp_path)
    for n in (1, 2):
        replace_tables(place, "lead", {name: small(n) for name in GROUP}, GROUP)
        assert [numbers(place, name) for name in GROUP] == [[n], [n], [n]]


def test_pins_survive_checkpoints(tmp_path):
    place = open_store(tmp_path)
    group = {"lead": SMALL, "one": SMALL}
    with place.lock():
        store.begin_group(place, "lead", group)
        for n in range(60):
            change = {"one": Change(small(n))} if n < 3 or n == 59 else {}
            store.commit_group(place, "lead", change, group)
    assert list((tmp_path / "lead" / "_delta_log").glob("*.checkpoint.parquet"))
    assert numbers(place, "one") == [0, 1, 2, 59]


def test_a_second_writer_waits(tmp_path):
    # The lock belongs to the open file, not to the process: two threads meet it as two processes do.
    place = open_store(tmp_path)
    order = []

    def second() -> None:
        with place.lock():
            order.append("second")

    with place.lock():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.2)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_many_small_files_become_one_and_rows_stay(tmp_path):
    place = open_store(tmp_path / "store")
    for n in range(6):
        platforms = ("", "甲/乙") if n < 4 else ("",)
        records = [plain(10 * n + m, platform=name, started_at=None) for m, name in enumerate(platforms)]
        import_paths([write(tmp_path / f"{n}.jsonl", records)], place)
    before, whole = content(place, set()), place.snapshot()
    with place.lock():
        store.begin_import(place)
        assert store.tidy(place, 5)
        assert not store.tidy(place, 5)
    assert content(place, set()) == before
    files = [file.split("/")[-3] for file in place.place("rounds").open().file_uris()]
    assert sorted(files) == ["platform="] + ["platform=%E7%94%B2%2F%E4%B9%99"] * 4
    assert len(place.place("imports").open().file_uris()) == 1
    assert place.scan("events", whole).collect().height == place.scan("events").collect().height
