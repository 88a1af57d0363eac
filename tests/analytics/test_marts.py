from __future__ import annotations

import concurrent.futures
from pathlib import Path

import duckdb
import polars as pl
import pytest
from deltalake import write_deltalake

from analytics.marts import SOURCES, Marts, open_marts, versions
from analytics.metrics import measure
from analytics.rounds import overview, read_record, round_list
from ingest.limits import StoreError
from ingest.record import Record
from tests.analytics.stores import Rows, rows, write


@pytest.mark.parametrize(
    "text",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from '{store}/rounds/**/*.parquet'",
        "copy fct_rounds to '{out}'",
        "attach '{out}' as other",
        "export database '{out}'",
        "install httpfs",
        "load httpfs",
        "set threads = 8",
        "set enable_external_access = true",
        "set memory_limit = '64GB'",
        "select * from data",
    ],
)
def test_the_connection_is_locked_down(text: str, marts: Marts, tmp_path: Path) -> None:
    out = tmp_path / "out"
    data = pl.DataFrame({"secret": [1]})  # a Python frame must not be reachable by its variable's name
    with pytest.raises(duckdb.Error):
        marts.query(text.format(store=marts.store, out=out))
    assert not out.exists()
    assert data.height == 1


def test_the_store_is_not_written(data: Rows, tmp_path: Path) -> None:
    store = write(tmp_path, data)
    before = {p: p.stat().st_mtime_ns for p in store.rglob("*")}
    opened = open_marts(store)
    measure(opened, ["win_rate"])
    assert {p: p.stat().st_mtime_ns for p in store.rglob("*")} == before


def test_one_snapshot_for_one_connection(tmp_path: Path) -> None:
    store = write(tmp_path, rows(10, seed=1))
    opened = open_marts(store)
    assert opened.versions == dict.fromkeys(SOURCES.keys() - {"conflicts", "sheets"}, 0)  # there are none
    write(tmp_path / "more", rows(5, seed=2))
    added = pl.read_delta(str(tmp_path / "more" / "rounds"))
    write_deltalake(store / "rounds", added, mode="append")
    assert overview(opened)["rounds"] == 10
    assert versions(store)["rounds"] == 1
    assert overview(open_marts(store))["rounds"] == 15
    assert overview(open_marts(store, opened.versions))["rounds"] == 10
    new_id = added["round_id"][0]
    assert read_record(opened, new_id) is None


def test_no_store_is_an_empty_store(tmp_path: Path) -> None:
    opened = open_marts(tmp_path / "nothing")
    assert opened.versions == {}
    assert overview(opened)["rounds"] == 0
    assert measure(opened, ["win_rate"]).is_empty()
    assert read_record(opened, "0" * 32) is None
    assert not (tmp_path / "nothing").exists()


def test_a_round_twice_is_refused(tmp_path: Path) -> None:
    data = rows(20)
    data.verdicts.append(dict(data.verdicts[0]))
    with pytest.raises(StoreError, match="more than once"):
        open_marts(write(tmp_path, data))


def test_a_table_of_another_shape_is_refused(tmp_path: Path) -> None:
    store = write(tmp_path, rows(5))
    write_deltalake(store / "scores", pl.DataFrame({"round_id": ["x"]}), mode="overwrite", schema_mode="overwrite")
    with pytest.raises(StoreError, match="engine_version"):
        open_marts(store)


def test_every_record_comes_back_whole(marts: Marts, data: Rows) -> None:
    for row in data.rounds[:20]:
        record = read_record(marts, row["round_id"])
        assert isinstance(record, Record)
        assert list(record.players) == row["players"]
        assert record.round_no == row["round_no"]


def test_threads_share_one_connection(marts: Marts) -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        frames = list(pool.map(lambda _: measure(marts, ["win_rate"]), range(32)))
    assert all(frame.equals(frames[0]) for frame in frames)
    assert round_list(marts, limit=1).height == 1
