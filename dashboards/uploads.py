"""Uploaded files: what may come, how often, how it is checked in a process apart, and how it gets into the inbox.

Nothing of a file is read in this process, and nothing but the inbox is ever written.
"""

from __future__ import annotations

import datetime
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from pathlib import Path

import msgspec

from ingest import limits
from ingest.adapters import adapters
from ingest.places import sync
from ingest.reader import extensions
from ingest.unpack import PACKED
from replay import check_upload
from replay.check_upload import Answer

WALL_SECONDS = 120
PER_MINUTE = 5
BYTES_PER_HOUR = 200 * 2**20
AT_ONCE = 2
"""Checks that this server runs at a time, for all who use it."""
ROOT = Path(check_upload.__file__).resolve().parent.parent

PROBLEMS = {
    "type": "不收这种文件：扩展名不在允许之列。",
    "size": "文件太大：最多 {mb} MB。",
    "often": "上传太频繁，请过 {seconds} 秒再试。",
    "busy": "服务器正忙着检查别的文件，请稍后再试。",
    "memory": "检查所用的内存超出上限，已停止。请把文件分小。",
    "cpu": "检查所用的时间超出上限，已停止。请把文件分小。",
    "wall": "检查太久没有结束，已停止。请把文件分小。",
    "failed": "检查没有得出结果。",
}
"""Why there is no answer → what to say, a key of the translations."""

_slots = threading.BoundedSemaphore(AT_ONCE)


class Problem(msgspec.Struct, frozen=True):
    """Why there is no answer: a key of ``PROBLEMS``; ``seconds``: how long to wait."""

    why: str
    seconds: int = 0


class Limits(msgspec.Struct, frozen=True):
    """What one check may use."""

    memory: int = check_upload.MEMORY
    cpu: int = check_upload.CPU_SECONDS
    wall: float = WALL_SECONDS


class Quota:
    """How much one session may upload."""

    def __init__(self) -> None:
        self.taken: deque[tuple[float, int]] = deque()

    def wait(self, size: int, now: float) -> int:
        """Seconds until a file of ``size`` bytes may come, 0 = now, which takes it; ``now`` from a clock in seconds."""
        while self.taken and self.taken[0][0] <= now - 3600:
            self.taken.popleft()
        latest = [at for at, _ in self.taken][-PER_MINUTE:]
        waits = [latest[0] + 60 - now] if len(latest) == PER_MINUTE else [0.0]
        over = sum(size for _, size in self.taken) + size - BYTES_PER_HOUR
        for at, past in self.taken:
            if over <= 0:
                break
            over -= past
            waits.append(at + 3600 - now)
        longest = max(waits)
        if longest > 0:
            return int(longest) + 1
        self.taken.append((now, size))
        return 0


def formats() -> list[str]:
    """The formats that may be uploaded."""
    return [adapter.name for adapter in adapters() if adapter.text]


def allowed() -> list[str]:
    """The last extensions of files that may be uploaded."""
    return sorted({*extensions(text_only=True), *PACKED})


def extension_of(name: str) -> str | None:
    """The extension under which an uploaded file is known here, like ``.jsonl.gz``; None for one that may not come."""
    *_, inner, last = ("", "", *(f".{part}" for part in name.lower().split(".")[1:]))
    known = extensions(text_only=True)
    if last in known or last == ".zip":
        return last
    return inner + last if last in PACKED and inner in known else None


def check(raw: bytes, extension: str, format: str | None = None, most: Limits = Limits()) -> Answer | Problem:  # noqa: A002, B008
    """What an uploaded file holds, found out by ``replay.check_upload`` within the limits."""
    if len(raw) > limits.MAX_UPLOAD:
        return Problem("size")
    if not _slots.acquire(blocking=False):
        return Problem("busy")
    try:
        return _check(raw, extension, format, most)
    finally:
        _slots.release()


def _check(raw: bytes, extension: str, format: str | None, most: Limits) -> Answer | Problem:  # noqa: A002
    command = [sys.executable, "-P", "-s", "-B", "-m", "replay.check_upload", f"upload{extension}"]
    command += ["--memory", str(most.memory), "--cpu", str(most.cpu)] + (["--format", format] if format else [])
    # Files, not pipes: the system bounds what may be written, and nobody waits for the other to read.
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:
        given.write(raw)
        given.seek(0)
        process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=given,
            stdout=told,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
        try:
            code = process.wait(most.wall)
        except subprocess.TimeoutExpired:
            return Problem("wall")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        told.seek(0)
        return answer_of(code, told.read(check_upload.MAX_ANSWER + 1))


def answer_of(code: int, told: bytes) -> Answer | Problem:
    """What the process meant by its exit code and what it wrote, which is believed only as far as it is well-formed."""
    if code in (check_upload.OUT_OF_MEMORY, -signal.SIGKILL):
        return Problem("memory")
    if code == -signal.SIGXCPU:
        return Problem("cpu")
    if code != 0 or len(told) > check_upload.MAX_ANSWER:
        return Problem("failed")
    try:
        answer = msgspec.json.decode(told, type=Answer)
    except msgspec.MsgspecError:
        return Problem("failed")
    whole = answer.seen == answer.accepted + answer.refused and answer.refused == sum(answer.codes.values())
    return answer if whole else Problem("failed")


def inbox() -> Path | None:
    """The folder for files that are to be imported, ``$PHZ_INBOX``; None where there is none."""
    given = os.environ.get("PHZ_INBOX")
    return Path(given) if given and Path(given).is_dir() else None


def put_into(folder: Path, raw: bytes, extension: str) -> str:
    """Put a file into the inbox, whole or not at all; its new name, which nobody chose. Raises ``OSError``."""
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    name = f"upload-{stamp}-{secrets.token_hex(8)}{extension}"
    part = folder / f".{name}.part"  # no extension that an import looks at
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o640)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        os.link(part, folder / name)  # unlike a rename, never over another file
    finally:
        part.unlink(missing_ok=True)
    sync(folder)
    return name
