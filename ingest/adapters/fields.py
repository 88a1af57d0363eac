"""Single fields of JSON records. Strict: what is not as expected raises a ``Fault`` that names the field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from ingest.adapters.lines import text_of
from ingest.cards import KINDS
from ingest.limits import INT32, MAX_ITEMS, MAX_TEXT, Fault
from ingest.record import Ratio

Where = tuple[str | int, ...]
Fields = Mapping[str, Any]

MAX_EXPONENT = 30
_PATH = re.compile(r" - at `\$\.?(.*)`$")


def decode(line: bytes, *, last: bool) -> Fields:
    """One line as a JSON object; numbers with a fraction stay exact.

    ``last``: nothing, not even an end of line, follows, so that an unfinished text means a file cut short.
    """
    text = text_of(line, last=last)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_float=Decimal, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False, default=str).encode()
    except Fault:
        raise
    except RecursionError as error:
        raise Fault("LIMIT", "嵌套太深", "nested too deep") from error
    except UnicodeEncodeError as error:
        raise Fault("NOT_UTF8", "有半个 UTF-16 字符", "half of a UTF-16 pair is no character") from error
    except (ValueError, InvalidOperation) as error:
        if last and _cut(text.strip(), error):
            raise Fault("TRUNCATED", "最后一行不完整", "the last line is unfinished") from error
        raise Fault("SYNTAX", f"不是 JSON：{error}", f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Fault("SYNTAX", "一行应是一个 JSON 对象", "a line must be one JSON object")
    return value


def _cut(text: str, error: Exception) -> bool:
    return text.startswith("{") and (not text.endswith("}") or getattr(error, "pos", -1) >= len(text))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        key = _short(twice(key for key, _ in pairs))
        raise Fault("SYNTAX", f"字段 {key} 重复", f"the key {key} stands twice in one object")
    return found


def twice(names: Iterable[str]) -> str | None:
    """The first name that was there before; None where each is there once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _no_constant(name: str) -> Any:
    raise Fault("SYNTAX", f"{name} 不是数", f"{name} is no number")


def unfit(message: str) -> Fault:
    """What msgspec says of a value that is no record, with the place that it names."""
    place = _PATH.search(message)
    what = message[: place.start()] if place else message
    return Fault("BAD_FIELD", f"字段不对：{what}", what, *([place[1]] if place and place[1] else []))


def bad(where: Where, zh: str, en: str) -> Fault:
    """A ``BAD_FIELD`` fault at that place."""
    return Fault("BAD_FIELD", zh, en, *where)


def need(fields: Fields, name: str, where: Where) -> Any:
    """The value of a field that must be there."""
    if name not in fields:
        there = brief([key_text(key) for key in sorted(fields)], ", ")
        raise bad(where, f"缺少字段 {name!r}，只有 {there}", f"no field {name!r}; there are {there}")
    return fields[name]


def key_text(key: str) -> str:
    """A key of the file, fit to stand in a message or a tag."""
    return key if key.isprintable() and len(key) <= 40 else _short(key)


def obj(value: Any, where: Where) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise bad(where, f"应是对象，却是 {_short(value)}", f"expected an object, found {_short(value)}")
    return value


def array(value: Any, where: Where, most: int = MAX_ITEMS) -> list[Any]:
    """A JSON array of at most that many items."""
    if not isinstance(value, list):
        raise bad(where, f"应是数组，却是 {_short(value)}", f"expected an array, found {_short(value)}")
    if len(value) > most:
        raise Fault("LIMIT", f"超过 {most} 项", f"more than {most} items", *where)
    return value


def integer(value: Any, where: Where, low: int = -INT32, high: int = INT32) -> int:
    """A whole number within the bounds."""
    if type(value) is not int or not low <= value <= high:
        raise bad(
            where,
            f"应是 {low} 到 {high} 的整数，却是 {_short(value)}",
            f"expected a whole number from {low} to {high}, found {_short(value)}",
        )
    return value


def word(value: Any, where: Where) -> str:
    """A short printable text."""
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise bad(where, f"应是短文本，却是 {_short(value)}", f"expected a short text, found {_short(value)}")
    return value


def moment(value: Any, where: Where, *, zone: bool = False) -> datetime:
    """A date, or a date and time; one with a time zone only with ``zone``."""
    text = word(value, where)
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise bad(where, f"不是日期时间：{text:.40}", f"no date or time: {text:.40}") from error
    if found.tzinfo is not None and not zone:
        raise bad(where, f"不应有时区：{text:.40}", f"a time zone was not expected: {text:.40}")
    return found


def card(value: Any, where: Where) -> int:
    """A card written 1..20, or as the same number in quotes, as its kind 0..19."""
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4 else value
    if type(number) is not int:
        raise bad(where, f"应是牌号，却是 {_short(value)}", f"expected a card number, found {_short(value)}")
    if not 1 <= number <= KINDS:
        raise Fault("UNKNOWN_CARD", f"牌号 {number} 不在 1..20", f"card number {number} is outside 1..20", *where)
    return number - 1


def cards(value: Any, where: Where) -> tuple[int, ...]:
    """A list of cards."""
    return tuple(card(item, (*where, place)) for place, item in enumerate(array(value, where)))


def groups(value: Any, where: Where) -> list[tuple[int, ...]]:
    """A list of lists of cards."""
    return [cards(item, (*where, place)) for place, item in enumerate(array(value, where))]


def seat(value: Any, seats: Mapping[str, int], where: Where) -> int:
    """The seat number of a player label."""
    if not isinstance(value, str) or value not in seats:
        known = ", ".join(map(key_text, seats))
        raise Fault("BAD_SEAT", f"{_short(value)} 不在座位 {known}", f"{_short(value)} is none of {known}", *where)
    return seats[value]


def ratio(value: Any, where: Where) -> Ratio:
    """A number as it was written, as an exact fraction: 3.4 is 17/5."""
    if type(value) is int:
        return Ratio(integer(value, where))
    if not isinstance(value, Decimal) or not -MAX_EXPONENT <= value.adjusted() <= MAX_EXPONENT or len(str(value)) > 40:
        raise bad(where, f"应是数，却是 {_short(value)}", f"expected a number, found {_short(value)}")
    exact = Fraction(value)
    return Ratio(integer(exact.numerator, where), integer(exact.denominator, where))


def one_kind(value: Any, where: Where) -> int:
    """The kind of a non-empty list of equal cards."""
    laid = cards(value, where)
    if not laid or set(laid) != {laid[0]}:
        raise bad(where, f"应是同一种牌，却是 {_short(value)}", f"expected copies of one card, found {_short(value)}")
    return laid[0]


def extra_keys(fields: Fields, known: frozenset[str], prefix: str) -> list[str]:
    """The keys of an object that no build seen so far has."""
    return [prefix + key_text(key) for key in fields if key not in known]


def tag_text(value: Any) -> str:
    """A value as the text of a tag; what a tag cannot hold shows as an ellipsis."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def brief(items: Sequence[str], sep: str = " ") -> str:
    """As many items as a tag can hold, and how many were left out."""
    kept: list[str] = []
    size = 0
    for item in items:
        size += len(item) + len(sep)
        if size > MAX_TEXT - 16:
            return sep.join([*kept, f"…+{len(items) - len(kept)}"])
        kept.append(item)
    return sep.join(kept)


def counted(counts: Mapping[str, int]) -> str:
    """How often each was there, as ``name×times`` in the order of the names, as much of it as a tag can hold."""
    return brief([f"{name}×{times}" for name, times in sorted(counts.items())])


def _short(value: Any) -> str:
    text = ascii(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
