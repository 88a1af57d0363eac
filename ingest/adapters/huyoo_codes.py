"""Messages of the Huyoo replay: their codes, the layout of each payload, and what the codes stand for."""

from __future__ import annotations

import struct
from functools import cache

from ingest.codes import Action, Form

NAME = "huyoo"
HEADER = struct.Struct("<HHHH")
"""wIdentifier, wDataSize, main command, sub command."""
BEFORE_SIZE = 2
"""Bytes of a header before wDataSize."""
CHUNK = struct.Struct("<HHHH36s")
"""Before each piece of an answer: wKindID, wTotalSize, wPos, wDataSize, szMD5."""

USER, GAME, FRAME = 2, 100, 101
MAINS = frozenset({USER, GAME, FRAME})

START, TI, PAO, WEI, PENG, CHI, NOTIFY, OUT_NOTIFY, OUT, SEND, END = range(100, 111)
WILD = {111: "王钓", 112: "王闯", 113: "死守", 114: "三王闯"}
"""Play with 王, and 死守, which only such games have."""
BESIDE = frozenset({119, 120, 128, 150, 151, 500, 501, 503, 1001})
"""Game messages that tell nothing of the play: 冲分, errors, hints, talk, the room's settings."""

NOBODY = 0xFFFF
WILD_CARD = 0x21
MOST_PERSONS = 4
WEAVES = 7

_LAYOUT = {
    START: "HH{l}21sBH",  # banker, current, cell score, cards, number of 王, chair
    TI: "HBB",  # user, card, cards removed
    PAO: "HBB",
    WEI: "HB",
    PENG: "HB",
    CHI: "HBB9s",  # user, card, groups, three groups of three cards
    NOTIFY: "HBHH",  # user, card, code, sub code
    OUT_NOTIFY: "BH",  # flag, user
    OUT: "HB",
    SEND: "BBH",  # card, shown, user
    # reason, card, winner, provider, type, fan, huxi, tun, rate; tax, scores; wall left; hands; 王; 醒;
    # the winning hand: eye, huxi, groups, card, 王 of it; scores as written; one number that means nothing
    END: "BBHHHHHHH{l}4{l}B84s4s84s4s4sBBB49sB4sB4{l}I",
}


@cache
def layouts(long: int) -> dict[int, struct.Struct]:
    """Sub command → payload, for a ``long`` of 4 or 8 bytes."""
    return {sub: struct.Struct("<" + text.format(l="i" if long == 4 else "q")) for sub, text in _LAYOUT.items()}


DUMMY = 4
"""Bytes at the end of END that mean nothing: they are there because the end of a file may be missing."""

COME = struct.Struct("<IH")
"""A person comes to the table: user id, chair; then the rest, which is passed over."""
COME_SUB = 100
COME_REST = 32 + 256 + 1 + 4 + 1 + 1 + 16
"""Bytes after user id and chair, one ``long`` besides."""
TABLE_SUB = 131
TABLE = struct.Struct("<HH")
"""Rounds of the session, number of this one; then eight ``long``, a byte, eight ``long``."""

OPTIONS = {
    0x1: Action.TI,
    0x2: Action.PAO,
    0x4: Action.WEI,
    0x20: Action.CHI,
    0x40: Action.CHI,
    0x80: Action.PENG,
    0x100: Action.HU,
    0x200: Action.HU,
}
WILD_OPTIONS = 0x8 | 0x10

FORMS: dict[int, Form | None] = {
    0x1: Form.TI,
    0x2: Form.PAO,
    0x4: None,  # three equal cards, laid down or held
    0x20: None,
    0x40: None,
    0x80: Form.PENG,
}
