"""By what a round is known: the name its platform gave it, else what happened in it.

Two accounts of one round, such as the views of two seats, differ in what they tell. Where the platform names its rounds
(platform, session or room and day, number in the session), the name and what everybody at the table sees at the deal,
the dealer and the 亮张, are the round. Where it does not, only accounts that tell the very same play are one round.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from ingest.adapters.jsonl import dump_line
from ingest.cards import UNKNOWN
from ingest.encoding import raw_hash
from ingest.record import Cards, Record, Sheet, dealt

ABSENT = 0xFF
"""Length byte of cards that are not known."""
NAMED, UNNAMED, SHEET = b"\x01", b"\x00", b"\x02"

_options = msgspec.json.Encoder(order="deterministic").encode


def round_id(record: Record) -> str:
    """32 hex digits, equal for two accounts of one round from two files, two logs or two formats."""
    return raw_hash(facts(record))


def sheet_id(sheet: Sheet) -> str:
    """32 hex digits, equal for two equal score sheets."""
    numbers = [[] if values is None else values for values in (sheet.points, sheet.raw)]
    told = (sheet.platform, sheet.room, sheet.session, sheet.started_at or "", *sheet.players)
    return raw_hash(SHEET + texts(told) + msgspec.json.encode([numbers, sheet.raw is None, sheet.rounds]))


def account(record: Record) -> int:
    """A label, 32 bits, of all that this account tells; equal accounts have equal labels."""
    return zlib.crc32(dump_line(record)[:-1])


def named(record: Record) -> bool:
    """Whether the platform's own name tells this round from all others."""
    place = record.session or (record.room and record.started_at)
    return bool(record.platform and place and record.round_no is not None)


def facts(record: Record) -> bytes:
    """What makes the round this round, as bytes; the layout is in docs/event-log.md.

    Of a round without a name: the deal wherever the 亮张 is listed, without the order of a hand, and the play without
    clock times, faces and the order of the two cards laid with a third. Not the result, tags, offers, provenance.
    """
    deal = dealt(record)
    told = record.round_no is not None
    number = bytes((told,)) + (record.round_no or 0).to_bytes(4, "little", signed=True)
    liang = None if deal.liang == UNKNOWN else deal.liang
    seats = bytes((_byte(record.sitter), record.dealer & 0xFF, _byte(liang)))
    if named(record):
        day = "" if record.session else (record.started_at or "")[:10]
        return NAMED + texts((record.platform, record.room, record.session, day)) + number + seats[1:]
    known = (record.platform, record.room, record.session, record.ruleset, _options(record.options).decode())
    hands = b"".join(_cards(None if hand is None else tuple(sorted(hand))) for hand in deal.hands)
    return b"".join((UNNAMED, texts((*known, *record.players)), number, seats, hands, _cards(deal.wall), _play(record)))


def _play(record: Record) -> bytes:
    play = bytearray()
    for move in record.moves:
        a, b = (move.a, move.b) if move.a <= move.b else (move.b, move.a)
        play += bytes(part & 0xFF for part in (move.seat, move.action, move.card, a, b))
    return bytes(play)


def texts(parts: Iterable[str]) -> bytes:
    """Each text as UTF-8 with a zero byte behind it, and one more at the end."""
    return b"".join(part.encode() + b"\0" for part in parts) + b"\0"


def _cards(cards: Cards | None) -> bytes:
    return bytes((ABSENT,)) if cards is None else bytes((len(cards), *(card & 0xFF for card in cards)))


def _byte(number: int | None) -> int:
    return ABSENT - 1 if number is None else number & 0xFF
