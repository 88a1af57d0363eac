"""A store that cannot be written: a clear error in both languages, exit code 2, a readable store, completion later."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import cli, delta, places
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.store import open_store
from replay.cli import replay, show
from replay.demo import run
from tests.ingest.made import plain
from tests.ingest.stores import CLOCK, HISTORY, adds_up, content, is_whole, tables, write

LIMITED = """
    import resource, signal, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    from ingest.cli import ingest
    sys.exit(ingest(sys.argv[2:], sys.argv[1], lang="en"))
"""
SMALL_DISK = """
    import os, subprocess, sys
    from ingest.cli import ingest
    from ingest.store import open_store
    from tests.ingest.stores import content, is_whole
    disk, size, *paths = sys.argv[1:]
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", disk]
    subprocess.run(mount, check=True)
    store = disk + "/store"
    full = ingest(paths, store, lang="en")
    whole = is_whole(open_store(store))
    subprocess.run([*mount[:4], "remount,size=64m", *mount[5:]], check=True)
    done = ingest(paths, store, lang="en")
    print("ends", full, whole, done, is_whole(open_store(store)), content(open_store(store), {"imported_at"}) )
"""
READ_ONLY = """
    import subprocess, sys
    from ingest.cli import ingest
    from ingest.store import open_store
    from tests.ingest.stores import is_whole
    store, lang, *paths = sys.argv[1:]
    subprocess.run(["mount", "--bind", store, store], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", store], check=True)
    code = ingest(paths, store, lang=lang)
    assert is_whole(open_store(store))
    sys.exit(code)
"""
AS_NOBODY = """
    import os, sys
    from ingest.cli import ingest
    user, own, store, *paths = sys.argv[1:]
    ingest(paths, own)  # everything is loaded while the program's own files may be read
    os.setgroups([])
    os.setgid(int(user))
    os.setuid(int(user))
    sys.exit(ingest(paths, store, lang="en"))
"""
NOBODY = 65534
"""User id of nobody."""


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> tuple[list[str], dict[str, str]]:
    folder = tmp_path_factory.mktemp("wanted")
    one = write(folder / "a.jsonl", [plain(n) for n in range(5)])
    two = write(folder / "b.jsonl", [plain(4, tags={"more": "told"}), plain(7), plain(8)])
    paths = [str(one), str(two)]
    store = open_store(folder / "store")
    import_paths(paths, store)
    folder.chmod(0o755)
    return paths, content(store, CLOCK | HISTORY)


def python(code: str, *words: object, before: list[str] | None = None, **more) -> subprocess.CompletedProcess[str]:
    command = [*(before or []), sys.executable, "-c", textwrap.dedent(code), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, **more)


def completes(place: Path, wanted: tuple[list[str], dict[str, str]]) -> None:
    paths, content_wanted = wanted
    store = open_store(place)
    found = tables(store)
    assert is_whole(found)
    assert adds_up(found)
    import_paths(paths, store)
    found = tables(store)
    assert adds_up(found)
    assert content(found, CLOCK | HISTORY) == content_wanted


def test_a_file_may_not_grow(tmp_path, wanted):
    done = python(LIMITED, tmp_path / "store", *wanted[0])
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"phz ingest: {tmp_path}/store/")
    assert "a file would be larger than the system allows. Then raise the limit (ulimit -f) and run the same" in line
    completes(tmp_path / "store", wanted)


SEAMS: list[tuple[str, object, str]] = [
    ("write_files", delta, "write_files"),
    ("sync", places, "sync"),
    ("entry", delta, "_write_entry"),
    ("folder", Path, "mkdir"),
    ("link", os, "link"),
    ("checkpoint", delta, "checkpoint"),
]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO], ids=["full", "quota", "broken"])
@pytest.mark.parametrize(("owner", "name"), [seam[1:] for seam in SEAMS], ids=[seam[0] for seam in SEAMS])
def test_each_write_in_turn_fails(tmp_path, wanted, monkeypatch, capsys, owner, name, number):
    """Ever later calls fail, with the store that the failure before left behind, until nothing fails any more."""
    monkeypatch.setattr(delta, "_CHECKPOINT_EVERY", 1)
    real: Callable[..., object] = getattr(owner, name)
    calls = fails_at = 0
    place = tmp_path / "store"
    folder = str(tmp_path)

    def failing(*words, **more):
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise OSError(number, os.strerror(number))
        return real(*words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, failing)
        if name == "sync":
            patch.setattr(delta, "sync", failing)
        failed = 0
        while True:
            calls, fails_at = 0, fails_at + 1 + fails_at // 3
            code = cli.ingest(wanted[0], str(place), lang="zh" if fails_at % 2 else "en")
            printed = capsys.readouterr().err
            if code == 0:
                assert not printed
                break
            failed += 1
            assert code == 2
            (line,) = printed.splitlines()
            assert line.startswith(f"phz ingest: {folder}")
            reason = places._REASONS[number]
            assert (reason[0] in line and reason[2] in line) or (reason[1] in line and reason[3] in line)
            found = tables(open_store(place))
            assert is_whole(found)
            assert adds_up(found)
    assert failed
    completes(place, wanted)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_place_that_may_not_be_written(tmp_path, wanted, lang, monkeypatch, capsys):
    """Whoever runs the tests may be allowed everything; the system's answer is put in the place of its own."""
    place = tmp_path / "store"
    import_paths(wanted[0][:1], open_store(place))

    def refused(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        assert cli.ingest(wanted[0], str(place), lang=lang) == 2
    line = capsys.readouterr().err
    assert (
        "没有写权限。取得写权限后" if lang == "zh" else "no permission to write. Then get permission to write"
    ) in line
    assert str(place) in line
    completes(place, wanted)


def test_a_store_below_a_file(tmp_path, wanted, capsys):
    (tmp_path / "file").write_text("x")
    assert cli.ingest(wanted[0], str(tmp_path / "file" / "store"), lang="en") == 2
    assert capsys.readouterr().err.startswith(f"phz ingest: {tmp_path}/file/store: the store cannot be used: ")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_another_users_store(tmp_path, wanted):
    """The folder belongs to root, and the importer is nobody."""
    place = tmp_path / "store"
    import_paths(wanted[0][:1], open_store(place))
    for folder in (tmp_path, *tmp_path.parents):
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    before = content(open_store(place))
    done = python(AS_NOBODY, NOBODY, tmp_path / "own", place, *wanted[0])
    assert done.returncode == 2, done.stderr
    assert "no permission to write" in done.stderr
    assert "Traceback" not in done.stderr
    assert content(open_store(place)) == before
    completes(place, wanted)


def namespace() -> list[str]:
    """The command that gives a process mounts of its own; skips where the system forbids it."""
    command = ["unshare", "--map-root-user", "--mount"]
    try:
        subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this system lets nobody mount, not even in a namespace: the simulated failures must do")
    return command


@pytest.mark.parametrize("size", [24, 60, 100, 160])
def test_a_small_disk(tmp_path, wanted, size):
    """A real file system that runs full, sooner or later; then it gets larger."""
    done = python(SMALL_DISK, tmp_path, size, *wanted[0], before=namespace())
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"phz ingest: {tmp_path}/store")
    assert "the disk is full. Then make room and run the same command again" in line
    last = done.stdout.splitlines()[-1]
    assert last.startswith("ends 2 True 0 True ")
    store = open_store(tmp_path / "again")
    import_paths(wanted[0], store)
    assert last.endswith(str(content(store)))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_read_only_file_system(tmp_path, wanted, lang):
    place = tmp_path / "store"
    import_paths(wanted[0][:1], open_store(place))
    done = python(READ_ONLY, place, lang, *wanted[0], before=namespace())
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"phz ingest: {place}")
    assert ("文件系统只读" if lang == "zh" else "the file system is read-only") in line
    completes(place, wanted)


def test_every_error_says_where_in_both_languages(tmp_path):
    for number in (*places._REASONS, errno.ENODEV):
        with pytest.raises(StoreError) as caught, places.told(open_store(tmp_path).root):
            raise OSError(number, os.strerror(number))
        zh, en = str(caught.value).split(" ／ ")
        assert zh.startswith(f"{tmp_path}：")
        assert en.startswith(f"{tmp_path}: ")
        assert "再运行一次" in zh
        assert "run the same command again" in en


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_other_commands_say_it_in_one_language(tmp_path, wanted, lang, capsys):
    """A store whose log is torn, as nothing of this program leaves it."""
    place = tmp_path / "store"
    import_paths(wanted[0], open_store(place))
    last = max((place / "rounds" / "_delta_log").glob("*.json"))
    last.write_bytes(last.read_bytes()[:-20])
    for name, command in {
        "replay": lambda: replay(str(place), lang=lang),
        "show": lambda: show("0", str(place), lang=lang),
        "demo": lambda: run(str(place), 0, 1, json=True, lang=lang),
    }.items():
        assert command() == 2
        (line,) = capsys.readouterr().err.splitlines()[-1:]
        assert line.startswith(f"phz {name}: {place}/rounds")
        assert ("牌谱库用不了" in line) is (lang == "zh")
        assert ("the store cannot be used" in line) is (lang == "en")
