"""A record as ``.phz`` text: fixed order of keys, one way of saying each thing, a screen at most for a round."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ingest import cards
from ingest.codes import ACTION_CHARS, SOURCE_NAMES, Action, Source
from ingest.notation_moves import write_group, write_move, write_offer, write_penalty
from ingest.record import Cards, Option, Ratio, Record, Result
from ingest.validate import check

HEADER = "phz = 1\n"
UNKNOWN_HAND = "?"
ONE_UNKNOWN_CARD = "1?"
"""A hand of which only is known that it holds one card; ``?`` alone is a hand of which nothing is known."""

_WIDTH = 100
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dumps(records: Iterable[Record]) -> str:
    """The records as one ``.phz`` text. Raises ``limits.Fault`` for a record that ``validate`` refuses."""
    return HEADER + "".join(map(write_round, records))


def write_round(record: Record) -> str:
    """One ``[[round]]`` table, an empty line before it."""
    check(record)
    lines = ["", "[[round]]"]

    def put(key: str, value: str) -> None:
        lines.append(f"{key} = {value}")

    put("ruleset", _string(record.ruleset))
    if record.options:
        put("options", _table(record.options))
    for key in ("platform", "room", "session"):
        if getattr(record, key):
            put(key, _string(getattr(record, key)))
    if record.round_no is not None:
        put("round_no", str(record.round_no))
    if record.started_at is not None:
        put("started_at", _string(record.started_at))
    put("players", _list(map(_string, record.players)))
    if record.sitter is not None:
        put("sitter", str(record.sitter))
    put("dealer", str(record.dealer))
    if not record.complete:
        put("complete", "false")
    if record.omits:
        put("omits", _list(_string(ACTION_CHARS[Action(action)]) for action in record.omits))
    if record.tags:
        put("tags", _table(record.tags))
    if record.source.note:
        put("source", _table({"note": record.source.note}))
    put("hands", _block([_string(_hand(hand)) for hand in record.hands]))
    if record.liang is not None:
        put("liang", _string(cards.name(record.liang)))
    if record.wall is not None:
        put("wall", _string(cards.text(record.wall)))
    if record.result is not None:
        _put_result(record.result, put)
    if record.visible is not None:
        put("visible", _list(map(str, record.visible)))
    if record.offers is not None:
        put("offers", _block([_string(write_offer(offer)) for offer in record.offers], fill=True))
    # Last, so that a text cut short lacks its moves and cannot pass for a whole round.
    put("moves", _block([_string(write_move(move)) for move in record.moves], fill=True))
    return "\n".join(lines) + "\n"


def _put_result(result: Result, put: object) -> None:
    assert callable(put)
    if result == Result():
        put("result", "{}")
    if result.winner is not None:
        put("result.winner", str(result.winner))
    if result.card is not None:
        put("result.card", _string(cards.name(result.card)))
    if result.source is not None:
        put("result.source", _string(SOURCE_NAMES[Source(result.source)]))
    if result.from_seat is not None:
        put("result.from_seat", str(result.from_seat))
    if result.groups is not None:
        put("result.groups", _block([_string(write_group(group)) for group in result.groups], fill=True))
    if result.huxi is not None:
        put("result.huxi", str(result.huxi))
    if result.fan is not None:
        put("result.fan", _table(result.fan))
    if result.units is not None:
        put("result.units", _ratio(result.units))
    for key in ("points", "totals"):
        if getattr(result, key) is not None:
            put(f"result.{key}", _list(map(str, getattr(result, key))))
    if result.xing is not None:
        put("result.xing", _string(cards.text(result.xing)))
    if result.xing_hits is not None:
        put("result.xing_hits", str(result.xing_hits))
    if result.hands is not None:
        put("result.hands", _block([_string(_hand(hand)) for hand in result.hands]))
    if result.rest is not None:
        put("result.rest", _string(cards.text(result.rest)))
    if result.penalties is not None:
        put("result.penalties", _block([_string(write_penalty(penalty)) for penalty in result.penalties], fill=True))


def _hand(hand: Cards | None) -> str:
    if hand is None:
        return UNKNOWN_HAND
    return ONE_UNKNOWN_CARD if hand == (cards.UNKNOWN,) else cards.text(hand)


def _ratio(ratio: Ratio) -> str:
    return str(ratio.num) if ratio.den == 1 else _string(f"{ratio.num}/{ratio.den}")


def _string(text: str) -> str:
    def escape(char: str) -> str:
        if char in _SHORT_ESCAPES:
            return _SHORT_ESCAPES[char]
        return f"\\u{ord(char):04X}" if ord(char) < 32 or ord(char) == 127 else char

    return '"' + "".join(map(escape, text)) + '"'


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _string(text)


def _value(value: Option) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, tuple):
        return _list(map(_value, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table(entries: dict[str, Option] | dict[str, str] | dict[str, int]) -> str:
    return (
        "{ " + ", ".join(f"{_key(key)} = {_value(value)}" for key, value in entries.items()) + " }" if entries else "{}"
    )


def _list(items: Iterable[str]) -> str:
    return "[" + ", ".join(items) + "]"


def _block(items: list[str], fill: bool = False) -> str:
    """A list on one line where it fits, else an item a line, or (``fill``) as many on a line as fit."""
    flat = _list(items)
    if _columns(flat) <= _WIDTH - 12:
        return flat
    lines: list[str] = []
    line = ""
    for item in items:
        if line and (not fill or _columns(line) + _columns(item) + 2 > _WIDTH):
            lines.append(line)
            line = ""
        line += f" {item}," if line else f"  {item},"
    return "[\n" + "\n".join([*lines, line]) + "\n]"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
