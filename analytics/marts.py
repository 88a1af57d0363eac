"""Marts: DuckDB tables built in memory from one snapshot of the store, then locked down.

Nothing here writes to the store. The connection first loads the snapshot, then refuses files, extensions and settings.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.dataset

from ingest import schema as log
from ingest import store as log_store
from ingest.limits import StoreError
from replay import tables as results
from replay.rulesets import RULESETS
from replay.version import ENGINE_VERSION

SOURCES = {name: log.TABLES[name] for name in ("rounds", "sheets", "quarantine", "imports", "conflicts")} | {
    name: results.TABLES[name] for name in ("verdicts", "findings", "scores")
}
"""The tables that the marts read, with their columns."""
LEADERS = (log_store.LEADER, results.LEADER)


@dataclass(frozen=True)
class Marts:
    """An open set of marts. ``versions`` names the Delta version of each table read; absent tables are not listed."""

    store: Path | str
    """Folder or URL."""
    versions: dict[str, int]
    _connection: duckdb.DuckDBPyConnection
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def query(self, text: str, parameters: dict[str, Any] | None = None) -> pl.DataFrame:
        """The rows of one select, values bound by name. Safe to call from several threads."""
        with self._lock:
            cursor = self._connection.cursor()
        try:
            table = cursor.sql(text, params=parameters or {}).to_arrow_table()
            return pl.DataFrame(pl.from_arrow(table))
        finally:
            cursor.close()


def sql(path: str) -> str:
    """The text of ``analytics/sql/<path>``."""
    return _read(path)


@cache
def _read(path: str) -> str:
    return resources.files("analytics").joinpath("sql", path).read_text(encoding="utf-8")


def sql_files(folder: str) -> list[str]:
    """The SQL files of ``analytics/sql/<folder>`` in order."""
    here = resources.files("analytics").joinpath("sql", folder)
    return sorted(f"{folder}/{file.name}" for file in here.iterdir() if file.name.endswith(".sql"))


def versions(store: Path | str) -> dict[str, int]:
    """The Delta version of each table that exists in ``store``, all of one moment."""
    return {
        name: version for name, version in log_store.snapshot(log_store.open_store(store)).items() if name in SOURCES
    }


def identity(store: Path | str) -> tuple[tuple[str, int, str], ...]:
    """``(table, version, table id)`` of each table: differs whenever the tables' contents may differ, but for a store
    that was brought back from a backup to the very versions that are shown. The id is asked of leaders only."""
    place = log_store.open_store(store)
    return tuple(
        (name, version, str(place.place(name).open(version).metadata().id) if name in LEADERS else "")
        for name, version in versions(store).items()
    )


def open_marts(store: Path | str, at: dict[str, int] | None = None, *, memory: str = "2GB", threads: int = 2) -> Marts:
    """Build the marts of ``store`` at the snapshot ``at`` (default: the newest); absent tables count as empty.

    Raises ``StoreError`` when a table lacks a column or holds a round twice.
    """
    at = versions(store) if at is None else at
    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "python_enable_replacements": "false",
            "memory_limit": memory,
            "threads": threads,
            "temp_directory": "",
        },
    )
    for name, columns in SOURCES.items():
        connection.register(f"raw_{name}", _source(store, name, at.get(name), columns))
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    connection.execute("create table build (engine_version varchar, without_huxi varchar[])")
    without_huxi = sorted(rules.name for rules in RULESETS.values() if rules.draw_to_hand)
    connection.execute("insert into build values (?, ?)", [ENGINE_VERSION, without_huxi])
    try:
        for path in sql_files("staging"):
            connection.execute(f"create temp view {_name(path)} as {sql(path)}")
        for path in sql_files("marts"):
            connection.execute(f"create table {_name(path)} as {sql(path)}")
    except duckdb.Error as error:
        raise StoreError(f"{store}: {error}") from error
    _check_unique(connection, store)
    for name in SOURCES:
        connection.unregister(f"raw_{name}")
    return Marts(store, at, connection)


def _name(path: str) -> str:
    """``marts/2_fct_seats.sql`` -> ``fct_seats``: the number only orders the files."""
    stem = Path(path).stem
    return stem.lstrip("0123456789_")


def _source(
    store: Path | str, name: str, version: int | None, columns: dict[str, pl.DataType | type[pl.DataType]]
) -> pyarrow.dataset.Dataset:
    if version is None:
        return pyarrow.dataset.dataset(pl.DataFrame(schema=columns).to_arrow())
    return log_store.open_store(store).place(name).open(version).to_pyarrow_dataset()


def _check_unique(connection: duckdb.DuckDBPyConnection, store: Path | str) -> None:
    [(rows, rounds)] = connection.execute("select count(*), count(distinct round_id) from fct_rounds").fetchall()
    if rows != rounds:
        raise StoreError(
            f"{store}: rounds, verdicts or scores hold a round more than once ({rows - rounds} extra rows)"
        )
