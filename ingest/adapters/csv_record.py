"""The cells of one round as a record: facts that stand once for the round, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping as Table
from typing import Any

from ingest.adapters import csv_cells
from ingest.adapters.csv_mapping import Columns, Mapping
from ingest.adapters.fields import bad, counted, key_text
from ingest.codes import Action
from ingest.encodings import distinct
from ingest.limits import Fault
from ingest.notation_moves import read_group, read_offer, read_penalty
from ingest.record import HAND, Cards, Move, Provenance, Record, Result

ENDINGS = frozenset({Action.HU, Action.HUANG, Action.LEAVE})

Cells = Table[str, str]
"""Column → its cell, where it is not empty."""
Reader = Callable[[str, str, Mapping], Any]


def _text(text: str, _: str, __: Mapping) -> str:
    return text


def _plain(read: Callable[[str, str], Any]) -> Reader:
    return lambda text, where, _: read(text, where)


def _said(parse: Callable[..., Any]) -> Reader:
    return lambda text, where, _: csv_cells.said(text, where, parse)


def _cards(text: str, where: str, mapping: Mapping) -> Cards:
    return csv_cells.cards(text, where, mapping)


def _seats(text: str, where: str, mapping: Mapping) -> Cards:
    return tuple(csv_cells.seat(piece, where, mapping) for piece in csv_cells.items(text, mapping))


def _actions(text: str, where: str, mapping: Mapping) -> Cards:
    return tuple(int(csv_cells.action(piece, where)) for piece in csv_cells.items(text, mapping))


_RECORD: dict[str, Reader] = {
    "platform": _text,
    "room": _text,
    "session": _text,
    "ruleset": _text,
    "round_no": _plain(csv_cells.whole),
    "started_at": csv_cells.moment,
    "options": _plain(csv_cells.options),
    "sitter": csv_cells.seat,
    "dealer": csv_cells.seat,
    "liang": csv_cells.card,
    "wall": _cards,
    "complete": _plain(csv_cells.truth),
    "omits": _actions,
    "tags": _plain(csv_cells.texts),
    "visible": _seats,
    "offers": lambda text, where, _: csv_cells.offers(text, where, read_offer),
}
_RESULT: dict[str, tuple[str, Reader]] = {
    "winner": ("winner", csv_cells.winner),
    "win_card": ("card", csv_cells.card),
    "win_source": ("source", lambda text, where, _: int(csv_cells.source(text, where))),
    "from_seat": ("from_seat", csv_cells.seat),
    "groups": ("groups", _said(read_group)),
    "huxi": ("huxi", _plain(csv_cells.whole)),
    "fan": ("fan", _plain(csv_cells.numbers)),
    "units": ("units", _plain(csv_cells.units)),
    "xing": ("xing", _cards),
    "xing_hits": ("xing_hits", _plain(csv_cells.whole)),
    "rest": ("rest", _cards),
    "penalties": ("penalties", _said(read_penalty)),
}


def translate(mapping: Mapping, cells: dict[str, str]) -> None:
    """Puts in place of cells what they say: their values translated, the sign before a text taken away."""
    if mapping.apostrophe:
        for column, text in cells.items():
            if text.startswith("'"):
                cells[column] = text[1:]
    for column, table in mapping.values.items():
        text = cells.get(column, "")
        cells[column] = table.get(text, text)
        if not cells[column]:
            del cells[column]


def told(mapping: Mapping, cells: Cells, name: str) -> tuple[str, str] | None:
    """What is told of a fact in one column, or for all rounds, and where; None where nothing is."""
    column = mapping.round.get(name)
    if isinstance(column, str) and column in cells:
        return cells[column], column
    return (mapping.fixed[name], f"fixed.{name}") if name in mapping.fixed else None


def extras(times: Table[str, int]) -> dict[str, str]:
    """The tag that names the columns of which nothing is known, with the number of their cells."""
    there: Counter[str] = Counter()
    for column, n in times.items():
        if n:
            there[key_text(column)] += n
    return {"extra_fields": counted(there)} if there else {}


def record_of(
    mapping: Mapping,
    cells: Cells,
    moves: tuple[Move, ...],
    dealt: Table[int, Cards],
    liang: int | None,
    tags: Table[str, str],
) -> Record:
    """The record of a round; ``dealt`` and ``liang`` as rows of the table told them. Raises ``Fault``."""
    facts = {}
    for name, read in _RECORD.items():
        found = told(mapping, cells, name)
        if found is not None:
            facts[name] = read(*found, mapping)
    for name in ("ruleset", "dealer"):
        if name not in facts:
            raise bad((name,), "没有写明", "not told")
    players = _players(mapping, cells)
    ids: list[str] = []
    facts["hands"] = _hands(mapping, cells, len(players), dealt, ids)
    if liang is not None and facts.setdefault("liang", liang) != liang:
        raise bad(("liang",), "亮张前后不一", "the 亮张 is told twice, and not alike")
    if mapping.encoding.physical:
        _check_ids(mapping, cells, ids)
    result = _result(mapping, cells, len(players))
    over = any(move.action in ENDINGS for move in moves) or (result is not None and result.winner is not None)
    facts.setdefault("complete", over)
    facts.setdefault("liang", None)
    facts.setdefault("wall", None)
    return Record(
        players=players,
        moves=moves,
        result=result,
        tags={**facts.pop("tags", {}), **_named(mapping.tags, cells), **_ruleset_from(mapping, cells), **tags},
        options={
            **facts.pop("options", {}),
            **{name: csv_cells.option(text) for name, text in _named(mapping.options, cells).items()},
        },
        source=Provenance(note=(told(mapping, cells, "note") or ("",))[0]),
        **facts,
    )


def _named(columns: Table[str, str], cells: Cells) -> dict[str, str]:
    return {name: cells[column] for name, column in columns.items() if column in cells}


def _ruleset_from(mapping: Mapping, cells: Cells) -> dict[str, str]:
    return {} if mapping.round.get("ruleset") in cells else {"ruleset_from": "mapping"}


def _per_seat(mapping: Mapping, cells: Cells, name: str, persons: int | None, read: Reader) -> tuple[Any, ...] | None:
    """An entry a person, None for an empty cell; None where all are."""
    columns: Columns | None = mapping.round.get(name)
    if not isinstance(columns, tuple):
        found = told(mapping, cells, name)
        if found is None:
            return None
        text, where = found
        return tuple(read(piece, where, mapping) for piece in csv_cells.items(text, mapping))
    if not any(column in cells for column in columns):
        return None
    size = len(columns) if persons is None else persons
    for column in columns[size:]:
        if column in cells:
            zh, en = f"{size} 人的局，却有第 {len(columns)} 家", f"a cell of a person beyond the {size} there are"
            raise Fault("BAD_SEAT", zh, en, column)
    entries = [read(cells[column], column, mapping) if column in cells else None for column in columns[:size]]
    return tuple(entries + [None] * (size - len(entries)))


def _players(mapping: Mapping, cells: Cells) -> tuple[str, ...]:
    found = told(mapping, cells, "persons")
    columns = mapping.round.get("players")
    persons = csv_cells.whole(*found, 2, 4) if found else len(columns) if isinstance(columns, tuple) else None
    names = _per_seat(mapping, cells, "players", persons, _text)
    if names is None and persons is not None:
        names = (None,) * persons
    if names is None:
        raise bad(("players",), "没有写明", "not told")
    if persons is not None and len(names) != persons:
        raise Fault("BAD_SEAT", f"应有 {persons} 人，而有 {len(names)} 人", f"{persons} persons expected", "players")
    # A person without a name is still somebody.
    return tuple(name or f"seat{seat}" for seat, name in enumerate(names))


def _hands(
    mapping: Mapping, cells: Cells, persons: int, dealt: Table[int, Cards], ids: list[str]
) -> tuple[Cards | None, ...]:
    def read(text: str, where: str, _: Mapping) -> Cards:
        return csv_cells.cards(text, where, mapping, ids)

    hands = list(_per_seat(mapping, cells, "hands", persons, read) or (None,) * persons)
    for seat, hand in dealt.items():
        if seat >= persons:
            raise Fault("BAD_SEAT", f"没有座位 {seat}", f"there is no seat {seat}", "hands")
        if hands[seat] not in (None, hand):
            raise bad(
                ("hands",), f"第 {seat} 家的手牌前后不一", f"the hand of seat {seat} is told twice, and not alike"
            )
        hands[seat] = hand
    return tuple(hands)


def _check_ids(mapping: Mapping, cells: Cells, ids: list[str]) -> None:
    """No card with a number of its own is dealt twice; the first of the wall may be the dealer's 21st."""
    wall: list[str] = []
    found = told(mapping, cells, "wall")
    if found is not None:
        csv_cells.cards(*found, mapping, wall)
    distinct([int(one) for one in wall], "wall")
    distinct([int(one) for one in ids + wall[1 if len(ids) % HAND else 0 :]], "hands")


def _result(mapping: Mapping, cells: Cells, persons: int) -> Result | None:
    facts: dict[str, Any] = {}
    for name, (field, read) in _RESULT.items():
        found = told(mapping, cells, name)
        if found is not None:
            facts[field] = read(*found, mapping)
    fan = {name: csv_cells.whole(text, mapping.fan[name]) for name, text in _named(mapping.fan, cells).items()}
    if fan:
        facts["fan"] = {**facts.get("fan", {}), **fan}
    for name in ("points", "totals"):
        values = _per_seat(mapping, cells, name, persons, _plain(csv_cells.whole))
        if values is not None and None in values:
            raise bad((name,), "应各家都有，或都没有", "told for all or for none, please")
        if values is not None:
            facts[name] = values
    left = _per_seat(mapping, cells, "left", persons, _cards)
    if left is not None:
        facts["hands"] = left
    return Result(**facts) if facts else None
