"""Cells of a table as facts. A cell that is not as expected raises a ``Fault`` that names its column."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from ingest.adapters.csv_mapping import Mapping, card_separator
from ingest.adapters.fields import bad, decode, integer, obj, ratio, word
from ingest.cards import UNKNOWN
from ingest.codes import ACTION_CHARS, NO_SEAT, SOURCE_NAMES, Action, Source
from ingest.limits import INT32, MAX_EVENTS, MAX_ITEMS, MAX_OFFERS, Fault
from ingest.record import Cards, Option, Ratio

NOBODY = "荒"
"""The winner of a round that nobody won."""
NOTHING = "-"
"""A list of which is known that it is empty."""
ACTIONS = {char: action for action, char in ACTION_CHARS.items()}

_SOURCES = {name: source for source, name in SOURCE_NAMES.items()}
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_FRACTION = re.compile(r"(-?[0-9]{1,10})/([0-9]{1,10})", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,10}\.[0-9]{1,9}", re.ASCII)
_PARTS = re.compile(r"[;\n]")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_UNIT = {"unix_s": 1000, "unix_ms": 1}


def whole(text: str, where: str, low: int = -INT32, high: int = INT32) -> int:
    """A whole number within the bounds."""
    return integer(int(text) if _INTEGER.fullmatch(text) else text, (where,), low, high)


def seat(text: str, where: str, mapping: Mapping) -> int:
    """A seat from 0, of one counted from ``seat_base``."""
    return whole(text, where, mapping.seat_base, mapping.seat_base + 3) - mapping.seat_base


def winner(text: str, where: str, mapping: Mapping) -> int:
    """A seat, or -1 for a round that nobody won."""
    return NO_SEAT if text == NOBODY else seat(text, where, mapping)


def truth(text: str, where: str) -> bool:
    """``true`` or ``false``."""
    if text not in ("true", "false"):
        raise bad((where,), f"应是 true 或 false，却是 {text!r:.40}", f"true or false expected, found {text!r:.40}")
    return text == "true"


def source(text: str, where: str) -> Source:
    """Where the winning card came from, by its name in our notation."""
    if text not in _SOURCES:
        names = ", ".join(_SOURCES)
        raise bad((where,), f"{text!r:.40} 应为 {names} 之一", f"{text!r:.40} is none of {names}")
    return _SOURCES[text]


def units(text: str, where: str) -> Ratio:
    """``3``, ``17/5`` or ``3.4``."""
    found = _FRACTION.fullmatch(text)
    if found:
        return Ratio(integer(int(found[1]), (where,)), integer(int(found[2]), (where,), 1))
    if _INTEGER.fullmatch(text):
        return Ratio(whole(text, where))
    return ratio(Decimal(text) if _DECIMAL.fullmatch(text) else text, (where,))


def action(text: str, where: str) -> Action:
    """An action by its character in our notation; numbers of other programs are for ``values`` to translate."""
    if text not in ACTIONS:
        chars = "、".join(ACTIONS)
        zh = f"{text!r:.40} 不是动作 {chars}；请在 values 里对应"
        raise Fault("BAD_MOVE", zh, f"{text!r:.40} is no action of {chars}: translate it under values", where)
    return ACTIONS[text]


def items(text: str, mapping: Mapping) -> list[str]:
    """The entries of a cell that holds several."""
    return [] if text == NOTHING else text.split(mapping.separator)


def card(text: str, where: str, mapping: Mapping) -> int:
    """One card, or ``UNKNOWN``."""
    return UNKNOWN if text == mapping.unknown else mapping.encoding.decode(text, where)


def cards(text: str, where: str, mapping: Mapping, ids: list[str] | None = None) -> Cards:
    """The cards of a cell. ``ids`` takes what was written for each that is known."""
    if text == NOTHING:
        return ()
    between = card_separator(mapping)
    pieces = text.split(between) if between else list(text)
    if len(pieces) > MAX_ITEMS:
        raise Fault("LIMIT", f"{len(pieces)} 张牌太多", f"{len(pieces)} cards are too many", where)
    if ids is not None:
        ids += [piece for piece in pieces if piece != mapping.unknown]
    return tuple(card(piece, where, mapping) for piece in pieces)


def said(text: str, where: str, parse: Callable[..., Any], most: int = MAX_EVENTS) -> tuple[Any, ...]:
    """Pieces of our notation, between semicolons or ends of lines."""
    pieces = [] if text == NOTHING else [piece.strip() for piece in _PARTS.split(text)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) > most:
        raise Fault("LIMIT", f"超过 {most} 项", f"more than {most} items", where)
    return tuple(parse(piece, where, place) for place, piece in enumerate(pieces))


def offers(text: str, where: str, parse: Callable[..., Any]) -> tuple[Any, ...]:
    """As ``said``, as many as a record may have."""
    return said(text, where, parse, MAX_OFFERS)


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        found = obj(decode(text.encode("utf-8", "surrogatepass"), last=False), (where,))
    except Fault as fault:
        raise Fault(fault.code, "应是 JSON 对象", "a JSON object expected", where) from None
    except RecursionError:
        raise Fault("LIMIT", "嵌套太深", "nested too deep", where) from None
    if len(found) > MAX_ITEMS:
        raise Fault("LIMIT", "条目太多", "too many entries", where)
    return found


def options(text: str, where: str) -> dict[str, Option]:
    """A JSON object of options."""
    return {key: _option(value, where) for key, value in _object(text, where).items()}


def _option(value: Any, where: str) -> Option:
    if isinstance(value, list):
        return tuple(_plain(one, where) for one in value)
    return value if isinstance(value, bool) else _plain(value, where)


def _plain(value: Any, where: str) -> int | str:
    return value if isinstance(value, str) else integer(value, (where,))


def texts(text: str, where: str) -> dict[str, str]:
    """A JSON object of texts."""
    found = _object(text, where)
    for value in found.values():
        if not isinstance(value, str):
            raise bad((where,), "值应是文本", "texts expected as values")
    return found


def numbers(text: str, where: str) -> dict[str, int]:
    """A JSON object of whole numbers."""
    return {key: integer(value, (where,)) for key, value in _object(text, where).items()}


def option(text: str) -> Option:
    """A cell of an option of its own: a number, ``true``, ``false``, else a text."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _INTEGER.fullmatch(text) and len(text) <= 10 else text


def moment(text: str, where: str, mapping: Mapping) -> str:
    """A time as ISO text: as written, or of seconds or milliseconds since 1970."""
    return word(text, (where,)) if mapping.clock == "iso" else instant(text, where, mapping).isoformat()


def instant(text: str, where: str, mapping: Mapping) -> datetime.datetime:
    """A time on the clock of the mapping; one without a zone counts as UTC."""
    try:
        if mapping.clock == "iso":
            found = datetime.datetime.fromisoformat(text)
            return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)
        ms = whole(text, where, 0, 10**15) * _UNIT[mapping.clock]
        return _EPOCH + datetime.timedelta(milliseconds=ms)
    except Fault:
        raise
    except (ValueError, OverflowError):
        raise bad((where,), f"不是时间：{text!r:.40}", f"no time: {text!r:.40}") from None
