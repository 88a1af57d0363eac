"""Files of each format in ``data/formats``, made by the tests so that they cannot go stale, and what they say."""

from __future__ import annotations

import io
import os
from pathlib import Path

from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.limits import REJECTS
from ingest.reader import read_stream
from ingest.record import Record
from tests.ingest.made import bare

FORMATS = Path(__file__).resolve().parents[2] / "data" / "formats"
WRITE = bool(os.environ.get("PHZ_WRITE_FORMATS"))
"""Set to make the files anew."""


def rounds(raw: bytes, name: str, form: str | None = None) -> list[Record]:
    """The rounds of a file in which nothing is refused."""
    found = list(read_stream(io.BytesIO(raw), name, form))
    assert all(isinstance(one, Record) for one in found), found
    return [bare(one) for one in found if isinstance(one, Record)]


def refused(raw: bytes, name: str, form: str | None = None) -> Reject:
    """The one refusal that the file gives."""
    (found,) = read_stream(io.BytesIO(raw), name, form)
    assert isinstance(found, Reject), found
    assert found.code in REJECTS
    return found


def check_fixture(file: str, raw: bytes) -> None:
    """The file in ``data/formats`` holds these bytes and its ``.expected.jsonl`` what is read in it, format unnamed."""
    place = FORMATS / file
    told = FORMATS / f"{place.stem}.expected.jsonl"
    found = rounds(raw, file)
    if WRITE:
        FORMATS.mkdir(exist_ok=True)
        place.write_bytes(raw)
        told.write_bytes(b"".join(map(dump_line, found)))
    assert len(raw) <= 30_000
    assert place.read_bytes() == raw
    assert rounds(told.read_bytes(), told.name, "jsonl") == found


def cut_everywhere(raw: bytes, name: str, form: str | None = None) -> dict[str, int]:
    """How often a file cut after each of its bytes was accepted or refused with which code; never an exception."""
    outcomes: dict[str, int] = {}
    for size in range(len(raw)):
        found = list(read_stream(io.BytesIO(raw[:size]), name, form))
        assert found
        for one in found:
            outcome = one.code if isinstance(one, Reject) else "record"
            assert outcome == "record" or outcome in REJECTS
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return outcomes
