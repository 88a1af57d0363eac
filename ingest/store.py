"""The event log in a store: Delta tables below one place that readers see change all at once, batch by batch.

Tables that belong together have a leader. A batch is committed to the followers first and to the leader last, and the
leader's commit records the version of each follower that belongs to it. Readers take these versions, never the newest,
so that half a batch is never seen; what a killed writer left in the followers is taken back by the next one.

Writers wait for each other at a lock where the place has one. They are safe without: a table is only written at the
version that the leader named when the writer began, so of two writers the later one is stopped before it is seen.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import polars as pl
from deltalake import DeltaTable

from ingest import delta, rows
from ingest.delta import Change, Schema
from ingest.limits import StoreError, both
from ingest.places import LOG, Place, make_folder, told
from ingest.schema import PARTITIONS, TABLES, VIEWS

__all__ = ["Change", "Store", "append_table", "open_store", "replace_table", "snapshot"]

LEADER = "rounds"
RESULTS = ("verdicts", "findings", "scores", "decisions", "luck")
"""Tables that stand in the store beside those of the event log; an object store is only asked for names known here."""
_FOLLOWS = "follows "
_PLAIN_URL = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9@._-]+(/(?!\.+(/|$))[A-Za-z0-9._=-]+)*/?")
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


class Store(msgspec.Struct, frozen=True):
    """A store at a folder or a URL; nothing is read or made before it is asked for."""

    root: Place
    bases: dict[str, dict[str, int]] = {}
    """By leader, the versions of its group on which this writer builds."""

    @property
    def path(self) -> Path:
        """The folder; ``StoreError`` for an object store, which has none."""
        if self.root.folder is None:
            url = self.root.url
            raise StoreError(both(f"{url}：这里需要本地目录", f"{url}: a local folder is needed here"))
        return self.root.folder

    def place(self, table: str) -> Place:
        """Where a table lies."""
        return self.root.below(table)

    def tables(self) -> list[str]:
        """Names of the tables there are, sorted; in an object store only of those that this program knows."""
        folder = self.root.folder
        if folder is None:
            return sorted(name for name in (*TABLES, *RESULTS) if delta.exists(self.place(name)))
        if not folder.is_dir():
            return []
        with told(self.root):
            named = sorted(entry.name for entry in folder.iterdir() if (entry / LOG).is_dir())
        # A table whose first commit is not there yet has only its folder.
        return [name for name in named if delta.exists(self.place(name))]

    def snapshot(self) -> dict[str, int]:
        """See ``snapshot``."""
        return snapshot(self)

    def scan(self, table: str, versions: Mapping[str, int] | None = None, schema: Schema | None = None) -> pl.LazyFrame:
        """The rows of a table at ``versions`` (default: now), columns in the order of its schema, rows in no order.

        Several tables that are to fit each other must be read with one ``snapshot``. A table that is not there is
        empty, with the columns of ``schema`` (known for the tables of ``ingest.schema``); ``KeyError`` without one.
        """
        if table in VIEWS:
            view = rows.events if table == "events" else rows.offers
            return view(self.scan("rounds", versions))
        version = (snapshot(self) if versions is None else versions).get(table)
        if version is None:
            return pl.LazyFrame(schema=dict(schema or TABLES[table]))
        source = self.place(table).open(version)
        return pl.scan_delta(source).with_columns(pl.col(source.metadata().partition_columns).fill_null(""))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the right to write; waits for another process that holds it. An object store has no lock."""
        folder = self.root.folder
        if folder is None:
            yield
            return
        with told(self.root):
            make_folder(folder)
            handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with told(self.root):
                _flock(handle)
            yield
        finally:
            os.close(handle)


def _flock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        # Some network file systems have no locks; writers are safe without, only one of two must then try again.
        if error.errno not in _NO_LOCKS:
            raise


def open_store(path: str | os.PathLike[str], storage_options: Mapping[str, str] | None = None) -> Store:
    """The store at a folder or at a URL such as ``s3://bucket/path``; it need not exist yet.

    ``storage_options`` are those of the object store's client (credentials, region, endpoint), by default the JSON
    object of ``$PHZ_STORAGE_OPTIONS``. ``StoreError`` when that is none, or when the URL has signs that would need
    escapes.
    """
    url = os.fspath(path)
    if url.startswith("file://"):
        url = url.removeprefix("file://")
    if "://" not in url:
        return Store(Place(url))
    if not _PLAIN_URL.fullmatch(url):
        raise StoreError(
            both(
                f"{url}：地址只能由字母、数字和 . _ - = / 组成",
                f"{url}: a URL may only have letters, digits and . _ - = /",
            )
        )
    return Store(Place(url.rstrip("/"), _options(storage_options)))


def _options(given: Mapping[str, str] | None) -> dict[str, str]:
    if given is not None:
        return dict(given)
    try:
        options = json.loads(os.environ.get("PHZ_STORAGE_OPTIONS") or "{}")
        return {key: value if isinstance(value, str) else json.dumps(value) for key, value in options.items()}
    except (ValueError, AttributeError) as error:
        # The text itself is not shown: it holds credentials.
        raise StoreError(
            both("PHZ_STORAGE_OPTIONS 不是 JSON 对象", "PHZ_STORAGE_OPTIONS is not a JSON object")
        ) from error


def snapshot(store: Store) -> dict[str, int]:
    """Table → version, all of one moment: what readers must use."""
    names = store.tables()
    versions = _pinned_by_leader(store, names)
    handles = {name: store.place(name).open() for name in names if name not in versions}
    leaders = {name: _leader_of(handle) for name, handle in handles.items()}
    # All pins of a group come from one handle of its leader.
    versions |= {name: handle.version() for name, handle in handles.items() if leaders[name] is None}
    for name, leader in leaders.items():
        if leader in handles:
            versions[name] = _pinned(handles[leader], name)
        elif leader in versions:
            versions[name] = 0  # its leader was asked already, and names no version yet
    return dict(sorted(versions.items()))


def _pinned_by_leader(store: Store, names: Sequence[str]) -> dict[str, int]:
    """What the leader of the event log says by itself: none of the tables that it names has to be opened."""
    if LEADER not in names:
        return {}
    handle = store.place(LEADER).open()
    pins = {name: handle.transaction_version(name) for name in TABLES if name in names}
    return {LEADER: handle.version()} | {name: pin for name, pin in pins.items() if pin is not None}


def _leader_of(table: DeltaTable) -> str | None:
    description = table.metadata().description or ""
    return description.removeprefix(_FOLLOWS) if description.startswith(_FOLLOWS) else None


def _pinned(leader: DeltaTable, follower: str) -> int:
    return leader.transaction_version(follower) or 0


def begin_group(
    store: Store,
    leader: str,
    schemas: Mapping[str, Schema],
    partitions: Mapping[str, Sequence[str]] | None = None,
    any_columns: bool = False,
) -> None:
    """Make the tables of a group ready for ``commit_group``: create those that are missing, and take back what a killed
    writer left in followers without its leader's commit. The caller holds ``store.lock()`` from here on.

    ``any_columns``: the tables may have other columns, for all of their rows will be replaced.
    """
    followers = [name for name in schemas if name != leader]
    for name in (*followers, leader):
        description = "" if name == leader else _FOLLOWS + leader
        _create(store, name, schemas[name], (partitions or {}).get(name, ()), description)
    # The leader is opened first: what it names is then there.
    handles = {name: store.place(name).open() for name in (leader, *followers)}
    if not any_columns:
        for name, handle in handles.items():
            _check_columns(store, name, handle, schemas[name])
    base = {leader: handles[leader].version()} | {name: _pinned(handles[leader], name) for name in followers}
    pins = {}
    for name in followers:
        newest = handles[name].version()
        if newest > base[name]:
            pins[name] = delta.restore(store.place(name), base[name])
        elif newest < base[name]:
            raise StoreError(
                both(
                    f"{store.place(name).url}：缺少第 {base[name]} 版，牌谱库已损坏，请从备份恢复",
                    f"{store.place(name).url}: version {base[name]} is missing; the store is damaged, "
                    "bring it back from a backup",
                )
            )
    if pins:
        base[leader] = delta.commit(store.place(leader), {}, Change(), pins, expected=base[leader])
    store.bases[leader] = base | pins


def commit_group(
    store: Store,
    leader: str,
    changes: Mapping[str, Change],
    schemas: Mapping[str, Schema],
    step: Callable[[], object] = lambda: None,
) -> None:
    """Change several tables as one: a reader sees all of it or nothing. Only after ``begin_group``, under its lock.

    ``StoreError`` when another writer has changed any of them since; then nothing of it is ever seen.
    """
    base = store.bases[leader]
    pins = {
        name: delta.commit(store.place(name), schemas[name], changes[name], expected=base[name], step=step)
        for name in schemas
        if name != leader and name in changes
    }
    change = changes.get(leader, Change())
    made = delta.commit(store.place(leader), schemas[leader], change, pins, expected=base[leader], step=step)
    store.bases[leader] = base | pins | {leader: made}


def _create(store: Store, name: str, schema: Schema, partition_by: Sequence[str], description: str) -> None:
    if not delta.exists(store.place(name)):
        delta.create(store.place(name), schema, partition_by, description)


def _check_columns(store: Store, name: str, table: DeltaTable, schema: Schema) -> None:
    if not delta.same_schema(table, schema):
        url = store.place(name).url
        raise StoreError(
            both(
                f"{url}：表 {name} 的列不同，是本程序的另一个版本写的。请导入到一个新的牌谱库",
                f"table {name} at {url} has other columns: it was written by another version of this program. "
                "Import into a new store",
            )
        )


def begin_import(store: Store) -> None:
    """``begin_group`` for the tables of the event log."""
    begin_group(store, LEADER, TABLES, PARTITIONS)


def commit_batch(store: Store, changes: Mapping[str, Change]) -> None:
    """``commit_group`` for the tables of the event log."""
    commit_group(store, LEADER, changes, TABLES)


def tidy(store: Store, many: int = 64) -> bool:
    """Write many small files of a partition as one, and delete what no reader can still be using; True if it did.

    Called under ``begin_import``'s lock, after the last batch. Rows stay the same.
    """
    changes = compactions(store, many)
    if not changes:
        return False
    commit_batch(store, changes)
    for name in TABLES:
        delta.vacuum(store.place(name), store.bases[LEADER][name])
    return True


def compactions(store: Store, many: int) -> dict[str, Change]:
    """The changes that merge the small files of every partition that has ``many`` of them. After ``begin_import``."""
    found = {name: delta.compaction(store.place(name), many) for name in TABLES}
    return {name: change for name, change in found.items() if change is not None}


def append_table(
    store: Store,
    name: str,
    frame: pl.DataFrame,
    schema: Schema,
    partition_by: Sequence[str] = (),
    drop: pl.Expr | None = None,
) -> int:
    """Add rows to a table of its own (made at need) in one commit, which takes away those that ``drop`` is true of; the
    new version. Takes the lock."""
    with store.lock():
        _create(store, name, schema, partition_by, "")
        _check_columns(store, name, store.place(name).open(), schema)
        return delta.commit(store.place(name), schema, Change(frame, drop))


def replace_table(
    store: Store, name: str, frame: pl.DataFrame, schema: Schema, partition_by: Sequence[str] = ()
) -> int:
    """Make ``frame`` the whole content of a table of its own in one commit; the new version. Takes the lock.

    Results that are computed anew: a table with other columns gets these.
    """
    with store.lock():
        _create(store, name, schema, partition_by, "")
        return delta.commit(store.place(name), schema, Change(frame, everything=True))


def replace_tables(
    store: Store, leader: str, frames: Mapping[str, pl.DataFrame], schemas: Mapping[str, Schema]
) -> None:
    """As ``replace_table`` for several unpartitioned tables at once; readers see all of them change together."""
    with store.lock():
        begin_group(store, leader, schemas, any_columns=True)
        commit_group(store, leader, {name: Change(frame, everything=True) for name, frame in frames.items()}, schemas)
