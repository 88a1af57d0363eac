"""Uploads without a page: what may come, how often, the check in its own process, and the inbox."""

from __future__ import annotations

import gzip
import io
import os
import stat
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import msgspec
import pytest
import zstandard

from dashboards import uploads
from dashboards.uploads import BYTES_PER_HOUR, PER_MINUTE, Limits, Problem, Quota, answer_of, check, extension_of
from ingest import limits
from ingest.adapters import adapters
from ingest.adapters.jsonl import dump_line
from ingest.convert import dumps
from ingest.reader import files_under
from replay import check_upload
from replay.check_upload import Answer
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.dashboards.demo import spoil

HOSTILE = "<img src=x onerror=alert(1)>[x](javascript:alert(1))$\\alpha$"


@pytest.fixture(scope="module")
def rounds() -> list:
    players = [Player(HOSTILE), Player("=1+1"), Player("丙")]
    return list(sessions(engine(RULESETS["qq"]), 5, 6, players, platform="演示"))


@pytest.fixture(scope="module")
def jsonl(rounds: list) -> bytes:
    """Six legal rounds, one of them spoilt, and two lines that are none."""
    return dumps([*rounds[:5], spoil(rounds[5])], "jsonl").encode() + b'{}\n{"phz": 1,\n'


def checked(raw: bytes, extension: str, **options: object) -> Answer:
    found = check(raw, extension, **options)
    assert isinstance(found, Answer), found
    return found


def test_what_a_file_holds(jsonl: bytes, rounds: list) -> None:
    answer = checked(jsonl, ".jsonl")
    assert (answer.seen, answer.accepted, answer.refused, answer.sheets) == (8, 6, 2, 0)
    assert answer.formats == {"jsonl": 6}
    assert sum(answer.codes.values()) == answer.refused == len(answer.rejects)
    assert [(one.index, one.line) for one in answer.rejects] == [(6, 7), (7, 8)]
    assert sum(answer.verdicts.values()) == 6
    assert answer.with_findings == len(answer.rounds) >= 1
    last = answer.rounds[-1]
    assert last.index == 5
    assert last.players == rounds[5].players
    assert last.n_findings == len(last.told)
    assert sum(one.n_findings for one in answer.rounds) == sum(answer.finding_codes.values())


def test_packed_files_are_unpacked_in_the_child(jsonl: bytes) -> None:
    plain = msgspec.structs.replace(checked(jsonl, ".jsonl"), rejects=(), rounds=())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../a.jsonl", jsonl)
    for extension, raw in [
        (".jsonl.gz", gzip.compress(jsonl)),
        (".jsonl.zst", zstandard.compress(jsonl)),
        (".zip", out.getvalue()),
    ]:
        answer = checked(raw, extension)
        assert msgspec.structs.replace(answer, rejects=(), rounds=()) == plain
        assert {one.member for one in answer.rejects} == {
            "upload.zip!1" if extension == ".zip" else f"upload{extension}"
        }


def test_a_format_may_be_named(jsonl: bytes) -> None:
    assert checked(jsonl, ".jsonl", format="phz").accepted == 0


def bomb(extension: str) -> bytes:
    zeros = bytes(210 * 2**20)
    if extension == ".jsonl.gz":
        return gzip.compress(zeros, 1)
    if extension == ".jsonl.zst":
        return zstandard.compress(zeros)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.jsonl", zeros)
    return out.getvalue()


@pytest.mark.parametrize("extension", [".jsonl.gz", ".jsonl.zst", ".zip"])
def test_bombs_are_refused(extension: str) -> None:
    answer = checked(bomb(extension), extension)
    assert (answer.accepted, answer.codes) == (0, {"LIMIT": 1})


def test_what_is_unpacked_has_a_limit_of_its_own(jsonl: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(jsonl)
    monkeypatch.setattr(limits, "MAX_UNPACKED", len(jsonl))
    plain, whole = check_upload.check(jsonl, "upload.jsonl"), check_upload.check(packed, "upload.jsonl.gz")
    assert (whole.seen, whole.accepted, whole.codes) == (plain.seen, plain.accepted, plain.codes)
    assert whole.accepted
    monkeypatch.setattr(limits, "MAX_UNPACKED", len(jsonl) - 1)
    answer = check_upload.check(packed, "upload.jsonl.gz")
    assert (answer.accepted, answer.codes) == (0, {"LIMIT": 1})
    assert str(len(jsonl) - 1) in answer.rejects[0].reason


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "PNG"),
        (b"\x7fELF" + bytes(99), "ELF"),
        (b"PAR1" + bytes(99), "Parquet"),
        (b"\x80\x04K\x01.", "pickle"),
        (b"PK\x03\x04" + bytes(99), "ZIP"),
        (b"phz = 1\n\x00\x01\x02", "binary"),
    ],
)
def test_binary_files_are_refused_whatever_they_are_called(raw: bytes, said: str) -> None:
    for extension in (".jsonl", ".phz"):
        answer = checked(raw, extension)
        assert answer.codes == {"WRONG_FORMAT": 1}
        assert said in answer.rejects[0].reason


def test_binary_formats_that_can_be_read_may_not_be_uploaded() -> None:
    binary = [adapter for adapter in adapters() if not adapter.text]
    assert set(uploads.formats()) == {adapter.name for adapter in adapters()} - {adapter.name for adapter in binary}
    folder = Path(__file__).resolve().parents[2] / "data" / "formats"
    for adapter in binary:
        for sample in folder.glob(f"{adapter.name}*"):
            raw = sample.read_bytes()
            if sample.suffix in adapter.extensions and adapter.sniff(raw[: limits.SNIFF_BYTES]):
                assert checked(raw, ".jsonl").accepted == 0


def test_size_at_the_limit_and_one_more() -> None:
    line = b" " * (2**20 - 1) + b"\n"
    raw = line * 20
    assert len(raw) == limits.MAX_UPLOAD
    assert checked(raw, ".jsonl").codes == {"EMPTY": 1}
    assert check(raw + b" ", ".jsonl") == Problem("size")
    # Should it get there all the same.
    assert check_upload.check(raw + b" ", "upload.jsonl").codes == {"LIMIT": 1}


def test_records_at_the_limit_and_one_more(monkeypatch: pytest.MonkeyPatch, rounds: list) -> None:
    raw = dumps(rounds, "jsonl").encode()
    monkeypatch.setattr(check_upload, "MAX_RECORDS", 6)
    assert check_upload.check(raw, "upload.jsonl").refused == 0
    monkeypatch.setattr(check_upload, "MAX_RECORDS", 5)
    answer = check_upload.check(raw, "upload.jsonl")
    assert (answer.seen, answer.accepted, answer.codes) == (6, 5, {"LIMIT": 1})


def test_rounds_beyond_the_time_are_counted_not_audited(rounds: list) -> None:
    answer = check_upload.check(dumps(rounds, "jsonl").encode(), "upload.jsonl", seconds=0)
    assert (answer.accepted, answer.verdicts) == (6, {})


def test_long_names_and_long_lines_are_refused_not_shown(rounds: list) -> None:
    long = msgspec.structs.replace(rounds[0], players=("x" * 10_240, "b", "c"))
    answer = checked(dump_line(long) + dump_line(rounds[1]) + b"[" * 2_000_000 + b"\n", ".jsonl")
    assert answer.accepted == 1
    assert answer.refused == 2
    assert max(len(one.reason) for one in answer.rejects) <= 1_000


def test_lists_are_cut_and_counts_are_not(monkeypatch: pytest.MonkeyPatch, jsonl: bytes) -> None:
    monkeypatch.setattr(check_upload, "MAX_REJECTS", 1)
    monkeypatch.setattr(check_upload, "MAX_ROUNDS", 0)
    answer = check_upload.check(jsonl, "upload.jsonl")
    assert (answer.refused, len(answer.rejects), len(answer.rounds)) == (2, 1, 0)
    assert answer.with_findings >= 1


@pytest.mark.parametrize(
    ("most", "why"),
    [
        (Limits(memory=40 * 2**20), "memory"),
        (Limits(cpu=1), "cpu"),
        (Limits(wall=0.05), "wall"),
    ],
)
def test_a_check_that_needs_too_much_is_stopped_and_said(most: Limits, why: str, rounds: list) -> None:
    raw = dumps(rounds, "jsonl").encode() * 4_000
    assert check(raw[: limits.MAX_UPLOAD], ".jsonl", None, most) == Problem(why)
    assert isinstance(check(raw[:20_000], ".jsonl"), Answer)  # the next one goes as ever


def test_the_child_has_no_environment_no_store_and_no_heavy_library(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}
    real = subprocess.Popen

    def spy(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        seen.update(options)
        return real(command, **options)

    monkeypatch.setenv("PHZ_STORE", "/secret")
    monkeypatch.setattr(uploads.subprocess, "Popen", spy)
    checked(b"{}\n", ".jsonl")
    assert set(seen["env"]) == {"PYTHONPATH", "LANG"}
    assert (seen["cwd"], seen["stderr"], seen["start_new_session"]) == ("/", subprocess.DEVNULL, True)
    code = (
        "import sys, replay.check_upload as c\n"
        "from pathlib import Path\n"
        "c.check(Path(sys.argv[1]).read_bytes(), 'upload.phz')\n"
        "there = {'ingest.store', 'polars', 'deltalake', 'numba', 'numpy', 'pyarrow', 'streamlit'} & set(sys.modules)\n"
        "assert not there, there"
    )
    sample = uploads.ROOT / "data" / "samples" / "findings-qq.phz"
    done = subprocess.run([sys.executable, "-c", code, str(sample)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_limits_hold_in_the_child() -> None:
    code = (
        "import io, resource, sys\n"
        "from replay import check_upload as c\n"
        "sys.stdin = io.TextIOWrapper(io.BytesIO(b''))\n"
        "c.main(['upload.jsonl', '--memory', str(2**29), '--cpu', '7'])\n"
        "names = ('AS', 'CPU', 'FSIZE', 'NOFILE', 'NPROC', 'CORE')\n"
        "print([resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in names], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    most, files = check_upload.MAX_ANSWER, check_upload._OPEN_FILES
    assert done.stderr.strip() == str([(2**29, 2**29), (7, 12), (most, most), (files, files), (0, 0), (0, 0)])


def good() -> Answer:
    return check_upload.check(b"{}\n", "upload.jsonl")


def test_what_the_child_says_is_checked() -> None:
    whole = msgspec.json.encode(good())
    assert answer_of(0, whole) == good()
    told = msgspec.json.decode(whole)
    bad = [
        (1, whole),
        (0, b""),
        (0, whole[:-1]),
        (0, b"null"),
        (0, whole + b" " * check_upload.MAX_ANSWER),
        *(
            (0, msgspec.json.encode({**told, **change}))
            for change in (
                {"seen": -1},
                {"seen": 3},
                {"accepted": "1"},
                {"more": 1},
                {"codes": {}},
                {"formats": {"x" * 1000: 1}},
                {"rejects": told["rejects"] * 500},
                {"rejects": [{**told["rejects"][0], "reason": "x" * 5000}]},
            )
        ),
    ]
    for code, said in bad:
        assert answer_of(code, said) == Problem("failed")


def test_one_server_checks_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    go, entered = threading.Event(), threading.Semaphore(0)

    def slow(*_: object) -> Problem:
        entered.release()
        go.wait(30)
        return Problem("failed")

    monkeypatch.setattr(uploads, "_check", slow)
    busy = [threading.Thread(target=check, args=(b"", ".jsonl")) for _ in range(uploads.AT_ONCE)]
    for thread in busy:
        thread.start()
        assert entered.acquire(timeout=30)
    assert check(b"", ".jsonl") == Problem("busy")
    go.set()
    for thread in busy:
        thread.join()
    assert check(b"", ".jsonl") == Problem("failed")


def test_files_a_minute() -> None:
    quota = Quota()
    assert [quota.wait(1, float(at)) for at in range(PER_MINUTE)] == [0] * PER_MINUTE
    assert quota.wait(1, 10.0) == 51
    assert quota.wait(1, 59.5) == 1
    assert quota.wait(1, 60.0) == 0
    assert quota.wait(1, 60.5) == 1
    assert quota.wait(1, 61.0) == 0


def test_bytes_an_hour() -> None:
    quota = Quota()
    most = limits.MAX_UPLOAD
    times = BYTES_PER_HOUR // most
    assert [quota.wait(most, 100.0 * at) for at in range(times)] == [0] * times
    assert quota.wait(0, 3000.0) == 0
    assert quota.wait(1, 3000.0) == 601
    assert quota.wait(most, 3000.0) == 601
    assert quota.wait(most + 1, 3000.0) == 701
    assert quota.wait(most, 3600.0) == 0
    assert quota.wait(1, 3600.0) == 101


@pytest.mark.parametrize(
    ("name", "extension"),
    [
        ("a.jsonl", ".jsonl"),
        ("A.PHZ", ".phz"),
        ("a.b.jsonl.GZ", ".jsonl.gz"),
        ("a.zip", ".zip"),
        ("a.phz.zst", ".phz.zst"),
        ("a.gz", None),
        ("a.png.gz", None),
        ("a.tar.gz", None),
        ("a.parquet", None),
        ("a.xlsx", None),
        ("a", None),
        ("", None),
        (".jsonl", ".jsonl"),
        ("../../etc/passwd", None),
        ("x" * 10_240 + ".phz", ".phz"),
        ("a\0.phz", ".phz"),
        ("a.phz\0", None),
    ],
)
def test_extensions_that_may_come(name: str, extension: str | None) -> None:
    assert extension_of(name) == extension
    if extension is not None:
        assert "." + extension.rsplit(".", 1)[1] in uploads.allowed()


def test_the_inbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PHZ_INBOX", raising=False)
    assert uploads.inbox() is None
    monkeypatch.setenv("PHZ_INBOX", str(tmp_path / "none"))
    assert uploads.inbox() is None
    monkeypatch.setenv("PHZ_INBOX", str(tmp_path))
    assert uploads.inbox() == tmp_path
    names = [uploads.put_into(tmp_path, b"%d" % n, ".jsonl.gz") for n in range(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert [(tmp_path / name).read_bytes() for name in names] == [b"0", b"1", b"2"]
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o137 for name in names} == {0}
    assert sorted(files_under(tmp_path)) == sorted(tmp_path / name for name in names)


def test_nothing_in_the_inbox_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(uploads.secrets, "token_hex", lambda _: "same")
    monkeypatch.setattr(uploads.datetime, "datetime", _Clock)
    name = uploads.put_into(tmp_path, b"first", ".phz")
    with pytest.raises(FileExistsError):
        uploads.put_into(tmp_path, b"second", ".phz")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {name: b"first"}
    (tmp_path / name).unlink()
    os.symlink("/etc/passwd", tmp_path / f".{name}.part")
    with pytest.raises(FileExistsError):
        uploads.put_into(tmp_path, b"third", ".phz")


class _Clock:
    @staticmethod
    def now(_: object) -> _Clock:
        return _Clock()

    def strftime(self, _: str) -> str:
        return "20260101T000000Z"


def test_a_full_disk_leaves_nothing_in_the_inbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        uploads.put_into(tmp_path, b"x", ".phz")
    assert list(tmp_path.iterdir()) == []
