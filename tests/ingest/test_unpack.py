"""Compressed files: what is in them is read, and nothing that an archive says is believed."""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import resource
import stat
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest
import zstandard

from ingest import limits, notation
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.limits import REJECTS
from ingest.reader import extensions, files_under, read_path, read_stream
from ingest.record import Record
from ingest.unpack import Member, Spoiled, members, members_of, position, verify
from ingest.unpack_streams import Unpacked, stored
from tests.ingest.made import bare, plain, taken

JSONL = dump_line(plain()) + dump_line(plain(1))
PHZ = notation.dumps([plain(2)]).encode()
MIB = 2**20


def zstd(data: bytes, **options: int) -> bytes:
    return zstandard.ZstdCompressor(**options).compress(data)


def zipped(files: Iterable[tuple[str | zipfile.ZipInfo, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def read(path: Path) -> list[tuple[str, bytes]]:
    """Name and bytes of every member; raises ``Spoiled``."""
    found = []
    for member in members(path):
        with member.open() as stream:
            found.append((member.name, stream.read()))
    return found


def only_reject(path: Path, format_name: str | None = None) -> Reject:
    (reject,) = read_path(path, format_name)
    assert isinstance(reject, Reject), reject
    assert reject.code in REJECTS
    return reject


@pytest.mark.parametrize("ending", ["jsonl.gz", "jsonl.zst", "JSONL.GZ", "gz", "zst"])
def test_a_packed_file_is_read_as_the_file_it_holds(tmp_path, ending):
    pack = gzip.compress if ending.lower().endswith("gz") else zstd
    path = write(tmp_path / f"a.{ending}", pack(JSONL))
    found = list(read_path(path))
    assert taken(found) == [plain(), plain(1)]
    assert [(one.source.file, one.source.index) for one in found] == [(str(path), 0), (str(path), 1)]


def test_several_gzip_members_and_zstd_frames_are_one_file(tmp_path):
    one, two = JSONL[:100], JSONL[100:]
    gz = gzip.compress(one) + gzip.compress(b"") + gzip.compress(two) + bytes(700)
    assert read(write(tmp_path / "a.gz", gz)) == [(str(tmp_path / "a.gz"), JSONL)]
    skipped = struct.pack("<2L", 0x184D2A50, 4) + b"skip"
    zst = zstd(one) + skipped + zstd(two)
    assert read(write(tmp_path / "a.zst", zst)) == [(str(tmp_path / "a.zst"), JSONL)]


def test_members_of_a_zip_bear_names_of_ours(tmp_path):
    names = ["../../etc/passwd.jsonl", "/abs.phz", "a\u202egnp.jsonl", "x" * 4000 + ".phz", "dup.jsonl", "dup.jsonl"]
    datas = [JSONL, PHZ, dump_line(plain(3)), notation.dumps([plain(4)]).encode(), JSONL, JSONL]
    with pytest.warns(UserWarning, match="Duplicate"):
        path = write(tmp_path / "a.zip", zipped(zip(names, datas, strict=True)))
    found = list(members(path))
    assert [(one.name, one.extension) for one in found] == [
        (f"{path}!{number}", "." + name.rsplit(".", 1)[1]) for number, name in enumerate(names, 1)
    ]
    records = [one for one in read_path(path) if isinstance(one, Record)]
    assert [one.source.file for one in records] == [f"{path}!{n}" for n in (1, 1, 2, 3, 4, 5, 5, 6, 6)]
    assert [one.source.index for one in records] == [0, 1, 0, 0, 0, 0, 1, 0, 1]


def test_a_name_with_nul_is_harmless(tmp_path):
    raw = zipped([("aXb.jsonl", JSONL)]).replace(b"aXb.jsonl", b"a\0b.jsonl")
    assert taken(list(read_path(write(tmp_path / "a.zip", raw)))) == [plain(), plain(1)]


def test_folders_in_a_zip_are_no_members(tmp_path):
    raw = zipped([("d/", b""), ("d/a.jsonl", JSONL), ("d/e/", b"")])
    assert [name for name, _ in read(write(tmp_path / "a.zip", raw))] == [f"{tmp_path / 'a.zip'}!1"]


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_zip64_data_descriptors_and_comments(tmp_path, how):
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.got = b""

        def writable(self) -> bool:
            return True

        def write(self, data) -> int:
            self.got += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", how) as archive:
        with archive.open("a.jsonl", "w", force_zip64=True) as out:
            out.write(JSONL)
        archive.comment = b"PK\x05\x06 is not the end" * 9
    assert read(write(tmp_path / "a.zip", pipe.got)) == [(f"{tmp_path / 'a.zip'}!1", JSONL)]


def big(raw: bytes) -> bytes:
    """The same archive of one member with all its sizes and places in ZIP64 records."""
    end = struct.unpack("<4s4H2LH", raw[-22:])
    count, length, place = end[4], end[5], end[6]
    entry = bytearray(raw[place : place + length])
    size, packed, at = (struct.unpack_from("<L", entry, offset)[0] for offset in (24, 20, 42))
    for offset in (24, 20, 42):
        struct.pack_into("<L", entry, offset, 0xFFFFFFFF)
    extra = struct.pack("<2H", 0x9999, 2) + b"xx" + struct.pack("<2H3Q", 1, 24, size, packed, at)
    struct.pack_into("<H", entry, 30, len(extra))
    name = struct.unpack_from("<H", entry, 28)[0]
    table = bytes(entry[: 46 + name]) + extra
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(table), place)
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, place + len(table), 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return raw[:place] + table + end64 + where + last


def test_zip64_records(tmp_path):
    raw = big(zipped([("a.jsonl", JSONL)]))
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:  # it is one
        assert archive.read("a.jsonl") == JSONL
    assert read(write(tmp_path / "a.zip", raw)) == [(f"{tmp_path / 'a.zip'}!1", JSONL)]


def test_magic_and_extension_must_both_be_there(tmp_path):
    assert taken(list(read_path(write(tmp_path / "plain.jsonl.gz", JSONL)))) == [plain(), plain(1)]
    for name, data in [("a.jsonl", gzip.compress(JSONL)), ("a.gz", zstd(JSONL)), ("a.zst", zipped([("a", JSONL)]))]:
        reject = only_reject(write(tmp_path / name, data))
        assert reject.code == "WRONG_FORMAT"
        assert ".gz, .zst or .zip" in reject.reason


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        (gzip.compress(JSONL), "gzip"),
        (zstd(JSONL), "Zstandard"),
        (zipped([("a", b"x")]), "ZIP"),
        (bytes(257) + b"ustar" + bytes(250), "tar"),
    ],
    ids=["gz", "zst", "zip", "tar"],
)
@pytest.mark.parametrize("ending", [".gz", ".zst", ".zip"])
def test_no_archive_in_an_archive(tmp_path, inner, kind, ending):
    outer = {".gz": gzip.compress, ".zst": zstd, ".zip": lambda data: zipped([("a.jsonl.gz", data)])}[ending](inner)
    reject = only_reject(write(tmp_path / f"a.jsonl{ending}", outer))
    assert reject.code == "ARCHIVE"
    assert kind in reject.reason


def test_an_empty_archive(tmp_path):
    assert only_reject(write(tmp_path / "a.zip", zipped([]))).code == "EMPTY"
    assert only_reject(write(tmp_path / "b.zip", zipped([("d/", b"")]))).code == "EMPTY"
    assert only_reject(write(tmp_path / "a.gz", gzip.compress(b""))).code == "EMPTY"
    assert only_reject(write(tmp_path / "b.gz", b"")).code == "EMPTY"


def linked(mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("a.jsonl")
    info.create_system = 3
    info.external_attr = mode << 16
    return info


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_are_refused_and_what_is_beside_them_is_not(tmp_path, kind):
    path = write(tmp_path / "a.zip", zipped([(linked(kind | 0o777), b"/etc/passwd"), ("b.jsonl", JSONL)]))
    first, *rest = read_path(path)
    assert (first.code, "link" in first.reason) == ("ARCHIVE", True)
    assert taken(rest) == [plain(), plain(1)]


def test_an_encrypted_member_is_refused(tmp_path):
    raw = bytearray(zipped([("a.jsonl", JSONL), ("b.phz", PHZ)]))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    first, second = read_path(write(tmp_path / "a.zip", bytes(raw)))
    assert (first.code, "encrypted" in first.reason) == ("ARCHIVE", True)
    assert bare(second) == plain(2)


def test_a_method_that_is_not_known_is_refused(tmp_path):
    for how in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        reject = only_reject(write(tmp_path / "a.zip", zipped([("a.jsonl", JSONL)], how)))
        assert (reject.code, f"method {how} " in reject.reason) == ("ARCHIVE", True)


def overlapping(quoted: bool) -> bytes:
    """Many entries for one member's bytes, as zip bombs have them; ``quoted``: each member holds the next one."""
    data = zlib.compress(bytes(100_000), 9)[2:-4]
    head = struct.Struct("<4s5H3L2H")
    body, entries = b"", b""
    crc = zlib.crc32(bytes(100_000))
    if not quoted:
        body = head.pack(b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(data), 100_000, 1, 0) + b"a" + data
    for number in range(50):
        at, packed, size, method, digest = 0, len(data), 100_000, 8, crc
        if quoted:
            at, packed, method = len(body), 31 * (49 - number) + len(data), 0
            size = packed
            body += head.pack(b"PK\x03\x04", 20, 0, 0, 0, 0, 0, packed, size, 1, 0) + b"a"
        told = (20, 20, 0, method, 0, 0, digest, packed, size, 1, 0, 0, 0, 0, 0, at)
        entries += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *told) + b"a"
    if quoted:
        body += data
    return body + entries + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 50, 50, len(entries), len(body), 0)


@pytest.mark.parametrize("quoted", [False, True])
def test_overlapping_members_are_refused(tmp_path, quoted):
    reject = only_reject(write(tmp_path / "a.zip", overlapping(quoted)))
    assert (reject.code, "overlap" in reject.reason) == ("ARCHIVE", True)


def test_a_member_must_not_reach_into_the_directory(tmp_path):
    raw = bytearray(zipped([("a.jsonl", JSONL)], zipfile.ZIP_STORED))
    at = raw.index(b"PK\x01\x02")
    struct.pack_into("<L", raw, at + 20, len(JSONL) + 1)
    assert "directory" in only_reject(write(tmp_path / "a.zip", bytes(raw))).reason


@pytest.mark.parametrize(("change", "code"), [(-1, "ARCHIVE"), (1, "ARCHIVE"), (2**31, "LIMIT")])
def test_a_size_that_is_not_true(tmp_path, change, code):
    raw = bytearray(zipped([("a.jsonl", JSONL)]))
    struct.pack_into("<L", raw, raw.index(b"PK\x01\x02") + 24, len(JSONL) + change)
    assert only_reject(write(tmp_path / "a.zip", bytes(raw))).code == code


def test_members_at_the_limit_and_one_more(tmp_path):
    many = [(f"{n}.phz", b"") for n in range(limits.MAX_MEMBERS)]
    assert len(list(members(write(tmp_path / "a.zip", zipped(many))))) == limits.MAX_MEMBERS
    reject = only_reject(write(tmp_path / "b.zip", zipped([*many, ("d/", b"")])))
    assert (reject.code, "1000" in reject.reason) == ("LIMIT", True)


def test_a_directory_at_the_limit_and_one_more(tmp_path, monkeypatch):
    path = write(tmp_path / "a.zip", zipped([("a.jsonl", JSONL)]))
    length = 46 + len("a.jsonl")
    monkeypatch.setattr(limits, "MAX_DIRECTORY", length)
    assert len(list(read_path(path))) == 2
    monkeypatch.setattr(limits, "MAX_DIRECTORY", length - 1)
    assert only_reject(path).code == "LIMIT"


PACKS = {
    "a.jsonl.gz": gzip.compress,
    "a.jsonl.zst": zstd,
    "a.zip": lambda data: zipped([("a.jsonl", data)]),
}


@pytest.mark.parametrize("name", PACKS)
def test_unpacked_bytes_at_the_limit_and_one_more(name):
    data = random.Random(1).randbytes(40_000).hex().encode()
    raw = PACKS[name](data)

    def unpacked(most: int) -> int:
        (member,) = members_of(name, lambda: io.BytesIO(raw), most)
        with member.open() as stream:
            return sum(map(len, iter(lambda: stream.read(999), b"")))

    assert unpacked(len(data)) == len(data)
    with pytest.raises(Spoiled) as told:
        unpacked(len(data) - 1)
    assert told.value.code == "LIMIT"


def test_the_members_of_an_upload_share_its_limit():
    raw = zipped([("a", JSONL), ("b", JSONL)], zipfile.ZIP_STORED)
    assert len(list(members_of("a.zip", lambda: io.BytesIO(raw), 2 * len(JSONL)))) == 2
    (refused,) = members_of("a.zip", lambda: io.BytesIO(raw), 2 * len(JSONL) - 1)
    with pytest.raises(Spoiled) as told:
        refused.open()
    assert told.value.code == "LIMIT"


@pytest.mark.parametrize("name", PACKS)
def test_a_ratio_beyond_the_limit_is_stopped_after_the_first_mebibyte(tmp_path, name):
    def first(size: int) -> Record | Reject:
        path = write(tmp_path / name, PACKS[name](JSONL + b" " * (size - len(JSONL))))
        assert path.stat().st_size * limits.MAX_RATIO < size
        return next(read_path(path))

    assert isinstance(first(limits.RATIO_FROM), Record)
    bomb = first(limits.RATIO_FROM + 1)
    assert isinstance(bomb, Reject)
    assert (bomb.code, "bomb" in bomb.reason) == ("LIMIT", True)


@pytest.mark.parametrize("over", [0, 1])
def test_the_ratio_counts_what_was_read_of_the_packed_file(over, monkeypatch):
    monkeypatch.setattr(limits, "RATIO_FROM", 10)

    def unpack(feed):
        for _ in range(3):
            feed.read(1)
            yield b"x" * limits.MAX_RATIO
        yield b"x" * over

    stream = Unpacked(io.BytesIO(b"abc"), unpack)
    if not over:
        assert len(stream.read()) == 3 * limits.MAX_RATIO
        return
    with pytest.raises(Spoiled):
        stream.read()


def bomb(path: Path, size: int) -> Path:
    block = bytes(MIB)
    with path.open("wb") as out:
        if path.suffix == ".zst":
            with zstandard.ZstdCompressor(level=19).stream_writer(out) as stream:
                for _ in range(size // MIB):
                    stream.write(block)
        elif path.suffix == ".gz":
            with gzip.GzipFile(fileobj=out, mode="wb") as stream:
                for _ in range(size // MIB):
                    stream.write(block)
        else:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.jsonl", "w") as stream:
                for _ in range(size // MIB):
                    stream.write(block)
    return path


@pytest.mark.parametrize("name", ["a.zst", "a.gz", "a.zip"])
def test_bombs_cost_neither_time_nor_memory(tmp_path, name):
    path = bomb(tmp_path / name, 200 * MIB)
    assert path.stat().st_size < 300_000
    code = (
        "import resource, sys, time\n"
        "from ingest.reader import read_path\n"
        "before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()\n"
        "(found,) = read_path(sys.argv[1])\n"
        "print(found.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, time.process_time() - start)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    said, grown, seconds = done.stdout.split()
    assert said == "LIMIT"
    assert int(grown) < 64 * 1024  # KiB
    assert float(seconds) < 2


def test_zstd_blocks_that_expand_most_come_in_bounded_pieces():
    # One frame of RLE blocks: 4 bytes make 128 KiB each.
    frame = b"\x28\xb5\x2f\xfd\x00\x50" + b"".join(
        (int(number == 4999) | 1 << 1 | (128 * 1024) << 3).to_bytes(3, "little") + b"x" for number in range(5000)
    )
    (member,) = members_of("a.zst", lambda: io.BytesIO(frame))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Spoiled) as told:
        verify(member)
    assert told.value.code == "LIMIT"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 96 * 1024


@pytest.mark.parametrize(
    ("name", "piece"),
    [("a.gz", gzip.compress(b"", mtime=0)), ("a.zst", zstd(b"")), ("a.zst", struct.pack("<2L", 0x184D2A50, 0))],
)
def test_many_empty_parts_take_little_time(name, piece):
    raw = (gzip.compress(b"x") if name == "a.gz" else zstd(b"x")) + piece * (4 * MIB // len(piece))
    (member,) = members_of(name, lambda: io.BytesIO(raw))
    start = time.process_time()
    verify(member)
    assert time.process_time() - start < 3


def test_a_window_at_the_limit_and_beyond_it():
    data = random.Random(1).randbytes(3000).hex().encode()

    def unpacked(log: int) -> bytes:
        options = zstandard.ZstdCompressionParameters.from_level(3, window_log=log)
        out = io.BytesIO()
        with zstandard.ZstdCompressor(compression_params=options).stream_writer(out, closefd=False) as stream:
            stream.write(data)
        (member,) = members_of("a.zst", lambda: io.BytesIO(out.getvalue()))
        with member.open() as stream:
            return stream.read()

    assert unpacked(23) == data
    with pytest.raises(Spoiled) as told:
        unpacked(24)
    assert (told.value.code, str(limits.MAX_WINDOW) in told.value.reason) == ("LIMIT", True)


@pytest.mark.parametrize("name", PACKS)
def test_cut_at_every_byte(tmp_path, name):
    raw = PACKS[name](JSONL[: len(dump_line(plain()))])
    path = tmp_path / name
    assert len(taken(list(read_path(write(path, raw))))) == 1
    codes = set()
    for at in range(len(raw)):
        found = list(read_path(write(path, raw[:at])))
        assert all(isinstance(one, Reject) for one in found)
        assert len(found) == 1
        codes.add(found[0].code)
    assert codes <= {"TRUNCATED", "EMPTY", "WRONG_FORMAT"}
    assert "TRUNCATED" in codes


@pytest.mark.parametrize("name", PACKS)
def test_changed_at_every_byte(tmp_path, name):
    """Never an exception, and never another record: checksums tell."""
    whole = plain()
    raw = zstd(dump_line(whole), level=3) if name.endswith("zst") else PACKS[name](dump_line(whole))
    if name.endswith("zst"):
        raw = zstandard.ZstdCompressor(write_checksum=True).compress(dump_line(whole))
    path = tmp_path / name
    told = set()
    for at in range(len(raw)):
        for flip in (1, 0x80, 0xFF):
            changed = raw[:at] + bytes([raw[at] ^ flip]) + raw[at + 1 :]
            for one in read_path(write(path, changed)):
                if isinstance(one, Reject):
                    told.add(one.code)
                    assert one.code in REJECTS
                else:
                    assert bare(one) == whole
    assert "ARCHIVE" in told


@pytest.mark.parametrize("name", PACKS)
def test_bytes_from_dice(name):
    dice = random.Random(name)
    raw = PACKS[name](JSONL)
    start = time.process_time()
    for _ in range(1_500):
        damaged = bytearray(raw)
        for _ in range(dice.randint(1, 8)):
            damaged[dice.randrange(4, len(damaged))] = dice.choice((0, 1, 0x7F, 0xFF, dice.randrange(256)))
        data = bytes(damaged[: dice.randint(4, len(raw))] if dice.random() < 0.3 else damaged)
        for member in members_of(name, lambda data=data: io.BytesIO(data), limits.MAX_UNPACKED):
            with contextlib.suppress(Spoiled):
                verify(member)
                with member.open() as stream:
                    assert list(read_stream(stream, member.name, None, member.extension))
    assert time.process_time() - start < 60


def test_a_damaged_file_gives_no_record_at_all(tmp_path):
    raw = bytearray(gzip.compress(JSONL))
    raw[-8] ^= 1  # the checksum at the very end
    assert only_reject(write(tmp_path / "a.jsonl.gz", bytes(raw))).code == "ARCHIVE"
    assert only_reject(write(tmp_path / "b.jsonl.gz", gzip.compress(JSONL) + b"more")).code == "ARCHIVE"


def test_a_file_that_is_not_there_is_no_reject(tmp_path):
    for name in ("a.jsonl", "a.gz", "a.zip"):
        with pytest.raises(FileNotFoundError):
            list(read_path(tmp_path / name))


def test_how_far_a_stream_has_come(tmp_path):
    data = random.Random(1).randbytes(100_000)
    path = write(tmp_path / "a.bin.gz", gzip.compress(data))
    (member,) = members(path)
    with member.open() as stream:
        assert position(stream) == 0
        stream.read()
        assert position(stream) == member.size == path.stat().st_size
    (other,) = members(write(tmp_path / "a.bin", data))
    with other.open() as stream:
        stream.read(7)
        assert position(stream) == 7


def test_a_stream_that_spoils_in_the_middle_ends_in_a_reject():
    def unpack(feed):
        feed.read(9)
        yield JSONL * 100
        raise Spoiled("LIMIT", "够", "enough")

    stream = io.BufferedReader(Unpacked(io.BytesIO(b"abcabcabc"), unpack))
    *found, last = read_stream(stream, "a.jsonl")
    assert taken(found) == [plain(), plain(1)] * 100
    assert (last.code, last.index) == ("LIMIT", 200)


def test_streams_that_do_not_seek_are_read(tmp_path):
    class Pipe(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.rest = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            piece = self.rest.read(min(7, len(buffer)))
            buffer[: len(piece)] = piece
            return len(piece)

    for data in (JSONL * 200, PHZ):
        piped = list(read_stream(Pipe(data), "x"))
        assert piped == list(read_stream(io.BytesIO(data), "x"))
        assert taken(piped)


def test_folders_are_searched_for_packed_files_too(tmp_path):
    for name in ("a.jsonl.gz", "b.PHZ.ZST", "c.zip", "d.xyz.gz", "e.gz", "f.txt.zip"):
        write(tmp_path / name, b"")
    assert [path.name for path in files_under(tmp_path)] == ["a.jsonl.gz", "b.PHZ.ZST", "c.zip", "f.txt.zip"]


def test_extensions():
    assert {".phz", ".jsonl"} <= extensions(text_only=True) <= extensions()


def test_what_is_stored_only_is_counted():
    stream = Unpacked(io.BytesIO(b"abcdef"), stored, left=4)
    assert stream.read() == b"abcd"
    assert stream.tell() == 4
    stream.close()
    assert stream.source.closed


def test_members_of_a_plain_file_is_the_file():
    (member,) = members_of("x.phz", lambda: io.BytesIO(PHZ))
    assert isinstance(member, Member)
    assert (member.name, member.extension, member.packed) == ("x.phz", ".phz", False)
