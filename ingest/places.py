"""Where a table lies, a folder of a local disk or a prefix of an object store, and how its log is written there.

The library never calls fsync. On a local disk it therefore writes to a copy of the log made of hard links; what it
made is brought to the disk and only then linked into the log, under a name that nobody else can have taken. So neither
a kill nor a power cut leaves half an entry behind, and of two writers of one version one is told so. An object store
does both by itself: an object is there whole or not at all, and a log entry is put only where there is none.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError, DeltaError
from polars.exceptions import PolarsError

from ingest.limits import StoreError, both

LOG = "_delta_log"
COPY = "_copy_"
"""How the name of a copy of a log begins; vacuum and every reader pass over names that begin so."""
_ENTRY = re.compile(r"(\d{20})\.(json|checkpoint.*\.parquet)")
_HINT = "_last_checkpoint"

_REASONS = {
    errno.ENOSPC: ("磁盘已满", "the disk is full", "腾出空间", "make room"),
    errno.EDQUOT: ("磁盘配额已用完", "the disk quota is used up", "腾出空间或提高配额", "make room or raise the quota"),
    errno.EFBIG: (
        "文件大小超过系统限制",
        "a file would be larger than the system allows",
        "放宽限制（ulimit -f）",
        "raise the limit (ulimit -f)",
    ),
    errno.EROFS: ("文件系统只读", "the file system is read-only", "换成可写的位置", "use a place that can be written"),
    errno.EACCES: ("没有写权限", "no permission to write", "取得写权限", "get permission to write"),
    errno.EPERM: ("没有写权限", "no permission to write", "取得写权限", "get permission to write"),
    errno.EIO: ("磁盘读写出错", "the disk fails", "检查磁盘", "check the disk"),
}


class Place(msgspec.Struct, frozen=True):
    """A local folder or the URL of an object store, with the options that its client needs."""

    url: str
    options: dict[str, str] = {}

    @property
    def folder(self) -> Path | None:
        """The folder; None for an object store."""
        return None if "://" in self.url else Path(self.url)

    def below(self, name: str) -> Place:
        """The place ``name`` inside this one."""
        return Place(f"{self.url.rstrip('/')}/{name}", self.options)

    def open(self, version: int | None = None) -> DeltaTable:
        """The table here, the newest version or an earlier one; ``StoreError`` when it cannot be read."""
        with told(self):
            return DeltaTable(self.url, version=version, storage_options=self.options or None)


def busy(place: Place) -> StoreError:
    """Somebody else writes to the table without waiting for the lock."""
    return StoreError(
        both(
            f"{place.url}：另有程序正在写这个牌谱库，这一批没有写入。等它结束后把同一条命令再运行一次，不会丢也不会重复",
            f"{place.url}: another writer is at work on this store, and this batch was not written. "
            "Run the same command again when it has ended: nothing is lost and nothing doubled",
        )
    )


@contextmanager
def told(place: Place) -> Iterator[None]:
    """Any error of disk, network or library as a ``StoreError`` that names the place and what to do."""
    try:
        yield
    except CommitFailedError as error:
        raise busy(place) from error
    except (OSError, DeltaError, PolarsError) as error:
        raise _explained(place, error) from error


def _explained(place: Place, error: Exception) -> StoreError:
    number = error.errno if isinstance(error, OSError) else None
    if number is None:
        found = re.search(r"os error (\d+)", str(error))
        number = int(found[1]) if found else 0
    if number in _REASONS:
        zh, en, zh_then, en_then = _REASONS[number]
    else:
        text = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        zh, en, zh_then, en_then = text, text, "排除原因", "remove the cause"
    return StoreError(
        both(
            f"{place.url}：牌谱库用不了：{zh}。{zh_then}后把同一条命令再运行一次，已写入的不会丢也不会重复",
            f"{place.url}: the store cannot be used: {en}. Then {en_then} and run the same command again: "
            "nothing that was written is lost, and nothing doubled",
        )
    )


def sync(path: Path) -> None:
    """Bring a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, all safe on the disk."""
    missing = [folder for folder in (path, *path.parents) if not folder.is_dir()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


@contextmanager
def writing(place: Place, back_to: int | None = None) -> Iterator[DeltaTable]:
    """A handle on the newest version of the table, to add one entry or a checkpoint to its log.

    What was written through it is safe in the table's log when the block ends, or not there at all if the block or
    the disk fails. ``back_to``: an earlier version that the handle must be able to reach.
    """
    with told(place), log_copy(place, back_to) as copied:
        yield DeltaTable(copied.url, storage_options=copied.options or None)


@contextmanager
def log_copy(place: Place, back_to: int | None = None) -> Iterator[Place]:
    """Where to write to the log of ``place``, which need not be there yet; see ``writing``."""
    folder = place.folder
    if folder is None:
        yield place
        return
    log = folder / LOG
    copy = folder / f"{COPY}{uuid.uuid4().hex}"
    make_folder(log)
    try:
        (copy / LOG).mkdir(parents=True)
        known = _copied(log, copy / LOG, back_to)
        yield Place(str(copy))
        if not _publish(copy / LOG, log, known):
            raise busy(place)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _copied(log: Path, copy: Path, back_to: int | None) -> set[str]:
    """Link what is needed to read the newest version, and all versions from ``back_to`` on; the names."""
    entries = {name: int(found[1]) for name in os.listdir(log) if (found := _ENTRY.fullmatch(name))}
    checkpoints = [
        version
        for name, version in entries.items()
        if name.endswith(".parquet") and (back_to is None or version <= back_to)
    ]
    first = max(checkpoints, default=0)
    names = {name for name, version in entries.items() if version >= first}
    for name in names:
        os.link(log / name, copy / name)
    return names


def _publish(copy: Path, log: Path, known: set[str]) -> bool:
    """Move what is new in the copy into the log; False when somebody else has made that version meanwhile."""
    made = sorted(name for name in os.listdir(copy) if name not in known)
    for name in made:
        if _ENTRY.fullmatch(name):
            sync(copy / name)
            try:
                os.link(copy / name, log / name)
            except FileExistsError:
                return False
        elif name == _HINT:
            sync(copy / name)
            os.replace(copy / name, log / name)
    if made:
        sync(log)
    return True
