"""Which column of a table is what: the mapping file beside a CSV file. docs/formats.md explains its keys."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ingest.adapters.fields import brief, key_text
from ingest.encoding import BOM, EncodingError, decode
from ingest.encodings import ENCODINGS, Encoding
from ingest.limits import Fault, halves
from ingest.notation import dotted_line

MAX_MAPPING = 64 * 1024
"""Bytes of a mapping file."""

PER_SEAT = frozenset({"players", "hands", "points", "totals", "left"})
"""Facts with an entry a person: a column a person; for other than cards also one column of several entries."""
ROUND = PER_SEAT | {
    *("platform", "room", "session", "round_no", "started_at", "ruleset", "options", "persons", "sitter", "dealer"),
    *("liang", "wall", "complete", "omits", "tags", "note", "visible", "offers", "moves", "n_rows"),
    *("winner", "win_card", "win_source", "from_seat", "groups", "huxi", "fan", "units"),
    *("xing", "xing_hits", "rest", "penalties"),
}
EVENT = frozenset({"seq", "seat", "action", "card", "a", "b", "cards", "bi", "wanted", "face", "t_ms", "at"})
_NAMES = ("platform", "room", "session", "round_no")

Columns = str | tuple[str, ...]


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mapping file. ``round``, ``event``: fact → its column; ``options``, ``tags``, ``fan``: name → its column;
    ``fixed``: fact → what stands for its cell where there is none; ``values``: column → cell → what to read instead.
    """

    csv: Literal[1]
    round: dict[str, Columns]
    event: dict[str, str] = {}
    group: tuple[str, ...] | None = None
    options: dict[str, str] = {}
    tags: dict[str, str] = {}
    fan: dict[str, str] = {}
    fixed: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    cards: str = "characters"
    card_separator: str | None = None
    separator: str = " "
    unknown: str = "?"
    delimiter: str | None = None
    quote: bool = True
    apostrophe: bool = False
    seat_base: Literal[0, 1] = 0
    clock: Literal["iso", "unix_s", "unix_ms"] = "iso"

    @property
    def encoding(self) -> Encoding:
        """How cards are written."""
        return ENCODINGS[self.cards]

    def facts(self) -> set[str]:
        """The columns whose cells say the same on every row of a round."""
        found = {*self.options.values(), *self.tags.values(), *self.fan.values(), *self.keys()}
        for columns in self.round.values():
            found |= {columns} if isinstance(columns, str) else set(columns)
        return found

    def keys(self) -> tuple[str, ...]:
        """The columns that together name the round of a row."""
        if self.group is not None:
            return self.group
        found = (self.round.get(name) for name in _NAMES)
        return tuple(column for column in found if isinstance(column, str))


def find_mapping(given: str, name: str) -> Mapping | None:
    """The mapping for the data file ``name``: the file ``given``, else one beside it; None where there is none.

    Raises ``Fault`` for one that cannot be used, and for a ``given`` one that is not there.
    """
    data = Path(name)
    places = [Path(given)] if given else [data.with_name(f"{data.name}.toml"), data.with_suffix(".toml")]
    places += [] if given else [data.with_name("mapping.toml")]
    for place in places:
        try:
            with place.open("rb") as stream:
                raw = stream.read(MAX_MAPPING + 1)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError) and not given:
                continue
            zh, en = f"打不开列对应文件 {place}：{error}", f"the mapping {place} cannot be opened: {error}"
            raise Fault("UNREADABLE", zh, en) from None
        return parse_mapping(raw, place.name)
    return None


def no_mapping(name: str, header: Sequence[str]) -> Fault:
    """What to write where no mapping was found."""
    wanted = f"{Path(name).name}.toml"
    there = brief([key_text(column) for column in header], ", ")
    zh = (
        f"没有列对应。请在旁边写 {wanted} 或 mapping.toml：csv = 1；[round] 写 ruleset、players、dealer、hands "
        f"等各在哪一列，[event] 写 seat、action、card 等（样本见 docs/formats.md）。本文件的列：{there}"
    )
    en = (
        f"no mapping of columns. Write {wanted} or mapping.toml beside the file: csv = 1; under [round] the columns of "
        f"ruleset, players, dealer, hands and so on, under [event] those of seat, action, card (docs/formats.md has "
        f"samples). Columns of this file: {there}"
    )
    return Fault("WRONG_FORMAT", zh, en)


def parse_mapping(raw: bytes, name: str) -> Mapping:
    """A mapping as bytes; ``Fault`` names the file and what is wrong in it."""
    try:
        if len(raw) > MAX_MAPPING:
            raise Fault("LIMIT", f"超过 {MAX_MAPPING} 字节", f"more than {MAX_MAPPING} bytes")
        found = _parsed(decode(raw.removeprefix(BOM)))
        _check(found)
    except EncodingError as error:
        raise _named(Fault("NOT_UTF8", *halves(error.reason)), name) from None
    except Fault as fault:
        raise _named(fault, name) from None
    return found


def _named(fault: Fault, name: str) -> Fault:
    zh, en = halves(fault.reason)
    return Fault(fault.code, f"列对应 {name}：{zh}", f"mapping {name}: {en}")


def _parsed(text: str) -> Mapping:
    if dotted_line(text) is not None:
        raise Fault("LIMIT", "点太多", "too many dots in a line")
    try:
        return msgspec.convert(tomllib.loads(text), Mapping)
    except msgspec.ValidationError as error:
        raise Fault("BAD_FIELD", str(error), str(error)) from None
    except RecursionError:
        raise Fault("LIMIT", "嵌套太深", "nested too deep") from None
    except ValueError as error:
        raise Fault("SYNTAX", f"TOML 语法错误：{error}", f"TOML syntax: {error}") from None


def _check(found: Mapping) -> None:
    for title, keys, known in (
        ("round", found.round, ROUND),
        ("event", found.event, EVENT),
        ("fixed", found.fixed, ROUND - {"moves", "n_rows", "hands", "left"}),
    ):
        for key in keys:
            if key not in known:
                names = ", ".join(sorted(known))
                raise Fault("BAD_FIELD", f"没有 {key!r}；有 {names}", f"no such fact {key!r}, but {names}", title)
    for key, columns in found.round.items():
        if isinstance(columns, tuple) and (key not in PER_SEAT or not 2 <= len(columns) <= 4):
            raise Fault("BAD_FIELD", f"{key} 应是一列", f"{key} is one column", "round")
        if isinstance(columns, str) and key in ("hands", "left"):
            raise Fault("BAD_FIELD", f"{key} 应每家一列", f"{key} is a column a person", "round")
    for key in ("ruleset", "players", "dealer"):
        if key not in found.round and key not in found.fixed:
            raise Fault("BAD_FIELD", f"[round] 或 [fixed] 里要有 {key}", f"{key} is needed, in [round] or [fixed]")
    if ("moves" in found.round) == bool(found.event):
        zh, en = "要么写 round.moves，要么写 [event]", "either round.moves or [event] is needed"
        raise Fault("BAD_FIELD", zh, en)
    if found.event and "action" not in found.event:
        raise Fault("BAD_FIELD", "[event] 里要有 action", "[event] needs action")
    _check_signs(found)


def _check_signs(found: Mapping) -> None:
    if found.cards not in ENCODINGS:
        names = ", ".join(ENCODINGS)
        raise Fault("BAD_FIELD", f"牌的写法有 {names}", f"the encodings are {names}", "cards")
    if found.delimiter is not None and (len(found.delimiter) != 1 or found.delimiter in '"\r\n'):
        raise Fault("BAD_FIELD", "应是一个字符", "one character, please", "delimiter")
    if not found.separator or found.separator in found.unknown:
        raise Fault("BAD_FIELD", "不能为空，也不能与 unknown 相同", "neither empty nor part of unknown", "separator")
    if card_separator(found) == "" and any(len(str(one)) != 1 for names in found.encoding.names for one in names):
        zh, en = f"{found.cards} 的牌之间要有分隔", f"cards of {found.cards} need something between them"
        raise Fault("BAD_FIELD", zh, en, "card_separator")


def card_separator(found: Mapping) -> str:
    """What stands between two cards of one cell: nothing where every card is one character, unless it is told."""
    if found.card_separator is not None:
        return found.card_separator
    return "" if found.cards == "characters" else found.separator


def used_columns(found: Mapping) -> set[str]:
    """Every column that the mapping says something of."""
    return found.facts() | set(found.event.values())


def check_columns(found: Mapping, header: Sequence[str]) -> None:
    """Raise ``Fault`` for a column that the mapping names and the header lacks."""
    used = sorted(used_columns(found) | set(found.values))
    known = frozenset(header)
    missing = [key_text(column) for column in used if column not in known]
    if missing:
        there = brief([key_text(column) for column in header], ", ")
        zh = f"表里没有列 {brief(missing, ', ')}；有 {there}"
        raise Fault("BAD_FIELD", zh, f"the table lacks the columns {brief(missing, ', ')}; it has {there}")
