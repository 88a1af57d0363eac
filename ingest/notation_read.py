"""One parsed ``[[round]]`` table as a record. Whatever it does not know, it refuses by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ingest.codes import ACTION_CHARS, SOURCE_NAMES
from ingest.limits import Fault
from ingest.notation_moves import read_cards, read_group, read_move, read_offer, read_penalty
from ingest.notation_write import ONE_UNKNOWN_CARD, UNKNOWN_HAND
from ingest.record import Cards, Option, Provenance, Ratio, Record, Result

Path = tuple[str | int, ...]
Reader = Callable[[Any, Path], Any]

_RATIO = re.compile(r"(-?[0-9]{1,10})/([0-9]{1,10})", re.ASCII)
_KINDS = {
    str: ("字符串", "a string"),
    int: ("整数", "an integer"),
    bool: ("true 或 false", "true or false"),
    list: ("列表", "a list"),
    dict: ("表", "a table"),
}


def read_round(table: Mapping[str, Any]) -> Record:
    """The record that the table says. Raises ``Fault`` with the place of the first part that is wrong."""
    fields = _read_table(table, _ROUND, ())
    for key in ("ruleset", "players", "dealer", "hands", "moves"):
        if key not in fields:
            raise Fault("BAD_FIELD", f"缺少 {key}", f"{key} is missing")
    fields.setdefault("liang", None)
    fields.setdefault("wall", None)
    return Record(**fields)


def _read_table(value: Any, readers: Mapping[str, Reader], path: Path) -> dict[str, Any]:
    fields = {}
    for key, part in _typed(value, dict, path).items():
        reader = readers.get(key)
        if reader is None:
            known = ", ".join(readers)
            raise Fault("BAD_FIELD", f"没有这个字段；字段有 {known}", f"no such key; keys are {known}", *path, key)
        fields[key] = reader(part, (*path, key))
    return fields


def _typed(value: Any, kind: type, path: Path) -> Any:
    # bool is a kind of int in Python, not in a record.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        zh, en = _KINDS[kind]
        raise Fault("BAD_FIELD", f"应为{zh}，而是 {value!r:.80}", f"{en} expected, found {value!r:.80}", *path)
    return value


def _text(value: Any, path: Path) -> str:
    return str(_typed(value, str, path))


def _int(value: Any, path: Path) -> int:
    return int(_typed(value, int, path))


def _bool(value: Any, path: Path) -> bool:
    return bool(_typed(value, bool, path))


def _tuple_of(item: Reader) -> Reader:
    def read(value: Any, path: Path) -> tuple[Any, ...]:
        return tuple(item(part, (*path, place)) for place, part in enumerate(_typed(value, list, path)))

    return read


def _dict_of(item: Reader) -> Reader:
    def read(value: Any, path: Path) -> dict[str, Any]:
        return {key: item(part, (*path, key)) for key, part in _typed(value, dict, path).items()}

    return read


def _said(parse: Callable[..., Any]) -> Reader:
    """Reader of a string that ``parse`` understands."""
    return lambda value, path: parse(_text(value, path), *path)


def _action(value: Any, path: Path) -> int:
    text = _text(value, path)
    for action, char in ACTION_CHARS.items():
        if char == text:
            return int(action)
    raise Fault("BAD_MOVE", f"没有动作 {text!r:.40}", f"no such action {text!r:.40}", *path)


def _cards(value: Any, path: Path) -> Cards:
    return read_cards(_text(value, path), *path)


def _card(value: Any, path: Path) -> int:
    found = _cards(value, path)
    if len(found) != 1:
        zh, en = f"应为一张牌，而有 {len(found)} 张", f"one card expected, found {len(found)}"
        raise Fault("BAD_FIELD", zh, en, *path)
    return found[0]


def _hand(value: Any, path: Path) -> Cards | None:
    if value == UNKNOWN_HAND:
        return None
    return read_cards("?", *path) if value == ONE_UNKNOWN_CARD else _cards(value, path)


def _option(value: Any, path: Path) -> Option:
    if isinstance(value, list):
        return tuple(_plain(item, (*path, place)) for place, item in enumerate(value))
    return value if isinstance(value, bool) else _plain(value, path)


def _plain(value: Any, path: Path) -> int | str:
    return value if isinstance(value, str) else _int(value, path)


def _ratio(value: Any, path: Path) -> Ratio:
    if not isinstance(value, str):
        return Ratio(_int(value, path))
    found = _RATIO.fullmatch(value)
    if found is None or int(found[2]) < 2:
        zh, en = f"{value!r} 应为整数或“分子/分母”", f'{value!r} should be an integer or "numerator/denominator"'
        raise Fault("BAD_FIELD", zh, en, *path)
    return Ratio(int(found[1]), int(found[2]))


def _source_name(value: Any, path: Path) -> int:
    for source, name in SOURCE_NAMES.items():
        if value == name:
            return int(source)
    names = ", ".join(SOURCE_NAMES.values())
    raise Fault("BAD_FIELD", f"{value!r} 应为 {names} 之一", f"{value!r} is none of {names}", *path)


def _result(value: Any, path: Path) -> Result:
    return Result(**_read_table(value, _RESULT, path))


def _note(value: Any, path: Path) -> Provenance:
    return Provenance(**_read_table(value, {"note": _text}, path))


_RESULT: dict[str, Reader] = {
    "winner": _int,
    "card": _card,
    "source": _source_name,
    "from_seat": _int,
    "groups": _tuple_of(_said(read_group)),
    "huxi": _int,
    "fan": _dict_of(_int),
    "units": _ratio,
    "points": _tuple_of(_int),
    "totals": _tuple_of(_int),
    "xing": _cards,
    "xing_hits": _int,
    "hands": _tuple_of(_hand),
    "rest": _cards,
    "penalties": _tuple_of(_said(read_penalty)),
}
_ROUND: dict[str, Reader] = {
    "ruleset": _text,
    "options": _dict_of(_option),
    "platform": _text,
    "room": _text,
    "session": _text,
    "round_no": _int,
    "started_at": _text,
    "players": _tuple_of(_text),
    "sitter": _int,
    "dealer": _int,
    "complete": _bool,
    "omits": _tuple_of(_action),
    "tags": _dict_of(_text),
    "source": _note,
    "hands": _tuple_of(_hand),
    "liang": _card,
    "wall": _cards,
    "result": _result,
    "visible": _tuple_of(_int),
    "offers": _tuple_of(_said(read_offer)),
    "moves": _tuple_of(_said(read_move)),
}
