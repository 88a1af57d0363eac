"""What a power cut would leave of a folder, told from the trace of the program that wrote there.

A disk only owes what was synced: the bytes of a file from the ``fsync`` after its last change on, the name of a file or
folder from the ``fsync`` of the folder around it on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

CALLS = "openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,fsync,fdatasync"
WRITES = "write,pwrite64,writev,ftruncate,copy_file_range,sendfile"
STRACE = ["strace", "-f", "-y", "-s", "1", "-e", f"trace={CALLS},{WRITES},access,faccessat,faccessat2", "-o"]

_LINE = re.compile(r"(\d+) +(.*)")
_CUT_OFF = re.compile(r"(.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_PATHS = re.compile(r'"((?:[^"\\]|\\.)*)"')
_OPENED = re.compile(r"^\d+<([^>]*)>")
_AT = re.compile(r"(?:AT_FDCWD(?:<[^>]*>)?|\d+<[^>]*>), ")


class Call(msgspec.Struct, frozen=True):
    """A call that succeeded: its name, the paths it was given, and its flags as written."""

    name: str
    paths: tuple[str, ...]
    flags: str


def calls(trace: Path) -> Iterator[Call]:
    """The calls of a trace in the order in which they returned, all threads together."""
    begun: dict[str, str] = {}
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        found = _LINE.fullmatch(line)
        if not found:
            continue
        thread, text = found[1], found[2]
        if cut := _CUT_OFF.fullmatch(text):
            begun[thread] = cut[1]
            continue
        if resumed := _RESUMED.fullmatch(text):
            text = begun.pop(thread, "") + resumed[1]
        call = _CALL.match(text)
        if not call:
            continue
        name, given, result = call[1], call[2], int(call[3])
        if name.startswith(("access", "faccessat")):
            yield Call("access", tuple(_PATHS.findall(given)), "")
        elif result >= 0:
            opened = _OPENED.match(given)
            paths = [opened[1]] if opened and name not in ("openat", "mkdirat", "unlinkat") else _PATHS.findall(given)
            if name in ("linkat", "renameat", "renameat2"):
                paths = _PATHS.findall(given)
            yield Call(name, tuple(_plain(path) for path in paths), given)


def _plain(path: str) -> str:
    """A path as strace writes it, octal escapes resolved."""
    return re.sub(rb"\\(\d{1,3})", lambda found: bytes([int(found[1], 8)]), path.encode()).decode(errors="replace")


class Node:
    """A file: whether all of its bytes are on the disk."""

    def __init__(self) -> None:
        self.synced = False


class Disk:
    """The files below ``root`` as the calls made them; what is there before the first call is safe."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.files: dict[str, Node] = {}
        self.folders: set[str] = set()
        self.safe_names: set[str] = set()

    def take(self, call: Call) -> None:
        """One more call."""
        here = [path for path in call.paths if path == self.root or path.startswith(self.root + "/")]
        if not here:
            return
        name, path = call.name, here[0]
        if name == "openat":
            if "O_CREAT" in call.flags and path not in self.files:
                self.files[path] = Node()
            elif "O_TRUNC" in call.flags and path in self.files:
                self.files[path].synced = False
        elif name.startswith("mkdir"):
            self.folders.add(path)
        elif name.startswith("link"):
            self.files[here[1]] = self.files[path]
            self.safe_names.discard(here[1])
        elif name.startswith("rename"):
            self.files[here[1]] = self.files.pop(path)
            self.safe_names -= {path, here[1]}
        elif name.startswith(("unlink", "rmdir")):
            self.files.pop(path, None)
            self.folders.discard(path)
            self.safe_names.discard(path)
        elif name in ("fsync", "fdatasync"):
            if path in self.files:
                self.files[path].synced = True
            else:
                self.safe_names |= {each for each in (*self.files, *self.folders) if os.path.dirname(each) == path}
        elif name in WRITES.split(",") and path in self.files:
            self.files[path].synced = False

    def reachable(self, path: str) -> bool:
        """Whether the name and those of all folders above it are on the disk."""
        while path != self.root:
            if path not in self.safe_names:
                return False
            path = os.path.dirname(path)
        return True

    def is_safe(self, path: str) -> bool:
        """Whether the file would be there whole after a power cut now."""
        return path in self.files and self.files[path].synced and self.reachable(path)
