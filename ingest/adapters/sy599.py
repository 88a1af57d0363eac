"""sy599 family (Java): the text ``playLog`` of a round, bare or in its JSON wrapper. See docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from ingest.adapters.fields import decode
from ingest.adapters.lines import Line, check_length, documents_read, or_nothing, text_of
from ingest.adapters.registry import Adapter, Params, Reject, no_round
from ingest.adapters.sy599_round import bare_round, wrapped_round
from ingest.adapters.sy599_write import write
from ingest.encoding import BOM
from ingest.limits import Fault
from ingest.record import Provenance, Record

NAME = "sy599"
PARAMS = {"cards": "1..80 by copy", "ruleset": "hu15"}
_BARE = re.compile(rb"\A\s*(?:\d_\d{1,3}_[^;\n]*;)*(?:\d{1,3}(?:,\d{1,3}){13,20};|;){2,4}(?:\d_\d{1,3}_|\s*\Z|\s*\n)")


def sniff(head: bytes) -> bool:
    """True for a JSON object with ``play`` and ``resList``, and for two to four hands that entries follow."""
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(b"{"):
        return b'"resList"' in text and b'"play"' in text and not text[1:].lstrip().startswith(b'"phz"')
    return _BARE.match(text) is not None


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """Every round of the file, accepted or refused, in file order."""

    def one(line: Line, index: int) -> Record:
        return _read(line, params, Provenance(name, index, NAME, line=line.number))

    return or_nothing(documents_read(stream, one), no_round())


def _read(line: Line, params: Params, source: Provenance) -> Record:
    check_length(line)
    if line.raw.removeprefix(BOM).lstrip().startswith(b"{"):
        return wrapped_round(decode(line.raw, last=line.open_end), params, source)
    text = text_of(line.raw, last=line.open_end).strip()
    if line.open_end and not text.endswith(";"):
        raise Fault("TRUNCATED", "最后一项没有写完", "the last entry is unfinished")
    return bare_round(text, params, source)


ADAPTER = Adapter(NAME, 1, "sy599 playLog", (".json", ".playlog"), sniff, read, write, PARAMS)
