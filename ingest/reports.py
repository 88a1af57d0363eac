"""What an import says of itself: how far it is, and what became of each file."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ingest.adapters.registry import Reject

KEPT_REJECTS = 1_000
"""A file of a million refused records must not fill the memory."""
_OWN = frozenset({"phz", "jsonl"})
"""Formats that refuse what they do not know."""
DONE, FAILED = "done", "failed"
"""States of a file: failed when nothing of it is in the store."""


class Progress(msgspec.Struct, frozen=True):
    """How far the reading of one file has come."""

    file: str
    bytes_done: int
    bytes_total: int
    records: int


class FileReport(msgspec.Struct):
    """What became of one file: ``seen`` = ``accepted`` + ``already_known`` + ``quarantined``, always."""

    file: str
    file_hash: str = ""
    format: str = ""
    state: str = FAILED
    seen: int = 0
    accepted: int = 0
    already_known: int = 0
    quarantined: int = 0
    unknown_fields: dict[str, int] = {}
    """Fields that the format is not known to have → how often they were met."""
    codes: dict[str, int] = {}
    """Reject code → records refused with it."""
    rejects: list[Reject] = []
    """The first ``KEPT_REJECTS`` of them; all are in the quarantine."""

    def refuse(self, reject: Reject) -> None:
        """One more record, refused."""
        self.seen += 1
        self.quarantined += 1
        self.codes[reject.code] = self.codes.get(reject.code, 0) + 1
        if len(self.rejects) < KEPT_REJECTS:
            self.rejects.append(reject)

    def note_unknown(self, tags: Mapping[str, str], format: str) -> None:  # noqa: A002
        """Count the fields that an adapter names in the tag ``extra_fields``, which is like any in formats of ours."""
        if format in _OWN:
            return
        for item in tags.get("extra_fields", "").split():
            field, _, times = item.rpartition("×")
            if field and times.isdecimal():
                self.unknown_fields[field] = self.unknown_fields.get(field, 0) + int(times)


class ImportReport(msgspec.Struct):
    """The files of one import in the order in which they were read."""

    files: list[FileReport] = []

    @property
    def seen(self) -> int:
        """Records read."""
        return sum(file.seen for file in self.files)

    @property
    def accepted(self) -> int:
        """Rounds that are new in the store."""
        return sum(file.accepted for file in self.files)

    @property
    def already_known(self) -> int:
        """Records of rounds that the store had already, or had from an earlier record of this import."""
        return sum(file.already_known for file in self.files)

    @property
    def quarantined(self) -> int:
        """Records refused."""
        return sum(file.quarantined for file in self.files)
