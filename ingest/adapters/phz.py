"""``.phz``: the notation of this project."""

from __future__ import annotations

import re

from ingest.adapters.registry import Adapter
from ingest.notation import read_rounds

_VERSION_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*phz[ \t]*=", re.MULTILINE)


def _sniff(head: bytes) -> bool:
    return _VERSION_LINE.search(head) is not None


ADAPTER = Adapter(
    name="phz",
    version=1,
    title="跑胡子牌谱 .phz",
    extensions=(".phz",),
    sniff=_sniff,
    read=read_rounds,
)
