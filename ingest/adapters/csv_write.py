"""Rounds as CSV tables in two layouts, and the mappings that say what their columns are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ingest.adapters.csv_cells import NOBODY, NOTHING
from ingest.adapters.registry import Params
from ingest.cards import name, text
from ingest.codes import ACTION_CHARS, NO_CARD, NO_SEAT, SOURCE_NAMES, Action, Source
from ingest.limits import MAX_LINE, Fault
from ingest.notation_moves import write_group, write_move, write_offer, write_penalty
from ingest.record import Cards, Move, Ratio, Record, Result
from ingest.validate import check

NAME = "csv"
ROUNDS, EVENTS = "rounds", "events"
PERSONS = 4

_PER_SEAT = {"players": "player", "hands": "hand", "points": "points", "totals": "total", "left": "left"}
_FACTS = (
    *("platform", "room", "session", "round_no", "started_at", "ruleset", "options", "persons", "players"),
    *("sitter", "dealer", "hands", "liang", "wall", "winner", "win_card", "win_source", "from_seat", "groups"),
    *("huxi", "fan", "units", "points", "totals", "xing", "xing_hits", "left", "rest", "penalties"),
    *("visible", "offers", "omits", "complete", "tags", "note"),
)
_EVENT = ("seat", "card", "a", "b", "wanted", "face", "t_ms", "action")
KEY, ROWS, MOVES = "round", "rows", "moves"
_RISKY = ("=", "+", "-", "@", "\t", "\r", "'")
"""What a spreadsheet takes for the beginning of a formula."""

_json = msgspec.json.Encoder(order="deterministic").encode


def columns(layout: str) -> list[str]:
    """The columns of a layout, in their order."""
    found = [KEY, ROWS] if layout == EVENTS else []
    for fact in _FACTS:
        found += [f"{_PER_SEAT[fact]}_{seat}" for seat in range(PERSONS)] if fact in _PER_SEAT else [fact]
    return [*found, *(_EVENT if layout == EVENTS else (MOVES,))]


def header(layout: str) -> bytes:
    """The first row, without the end of line."""
    return ",".join(columns(layout)).encode()


def _mapping(layout: str) -> str:
    lines = ["csv = 1", "apostrophe = true"]
    if layout == EVENTS:
        lines.append(f'group = ["{KEY}"]')
    lines += ["", "[round]"]
    for fact in _FACTS:
        if fact in _PER_SEAT:
            lines.append(f"{fact} = [" + ", ".join(f'"{_PER_SEAT[fact]}_{n}"' for n in range(PERSONS)) + "]")
        else:
            lines.append(f'{fact} = "{fact}"')
    if layout == EVENTS:
        lines += [f'n_rows = "{ROWS}"', "", "[event]", *(f'{name} = "{name}"' for name in _EVENT)]
    else:
        lines.append(f'{MOVES} = "{MOVES}"')
    return "\n".join(lines) + "\n"


MAPPINGS = {layout: _mapping(layout) for layout in (ROUNDS, EVENTS)}
"""Layout → its mapping as text, to be written beside a table that other programs change."""


def write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    """A table of the layout that ``params`` names. Raises ``Fault`` for a round that does not fit into a row."""
    layout = params["layout"]
    if layout not in MAPPINGS:
        names = ", ".join(MAPPINGS)
        raise Fault("BAD_FIELD", f"layout 应为 {names} 之一", f"layout is one of {names}", "layout")
    yield header(layout) + b"\n"
    for number, record in enumerate(records, 1):
        check(record)
        lines = _event_rows(record, number) if layout == EVENTS else _round_row(record)
        for line in lines:
            row = _row(line)
            if len(row) > MAX_LINE:
                zh, en = f"一行超过 {MAX_LINE} 字节", f"a row of more than {MAX_LINE} bytes"
                raise Fault("LIMIT", f"第 {number} 局：{zh}", f"round {number}: {en}")
            yield row


def _row(cells: list[str]) -> bytes:
    # The last cell is always quoted, so that a file cut inside a row cannot pass for whole.
    return (",".join([*map(_cell, cells[:-1]), _quoted(cells[-1])]) + "\n").encode()


def _cell(text: str) -> str:
    return _quoted(text) if any(sign in text for sign in ',"\r\n\t') or text != text.strip() else text


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _round_row(record: Record) -> Iterator[list[str]]:
    yield [*_facts(record), _joined(map(write_move, record.moves))]


def _event_rows(record: Record, number: int) -> Iterator[list[str]]:
    """The facts stand on the first row of a round."""
    count = max(1, len(record.moves))
    facts = [str(count), *_facts(record)]
    for move in record.moves:
        yield [str(number), *facts, *_event(move)]
        facts = [""] * len(facts)
    if not record.moves:
        yield [str(number), *facts, *[""] * len(_EVENT)]


def _event(move: Move) -> list[str]:
    claim = move.action == Action.CLAIM
    return [
        "" if move.seat == NO_SEAT else str(move.seat),
        _card(move.card),
        "" if claim else _card(move.a),
        _card(move.b),
        ACTION_CHARS[Action(move.a)] if claim else "",
        str(move.face - 1) if move.face else "",
        "" if move.t_ms is None else str(move.t_ms),
        ACTION_CHARS[Action(move.action)],
    ]


def _card(card: int | None) -> str:
    return "" if card is None or card == NO_CARD else name(card)


def _facts(record: Record) -> list[str]:
    cells: list[str] = []
    for fact in _FACTS:
        if fact in _PER_SEAT:
            found = _seats(record, fact)
            cells += [*found, *[""] * (PERSONS - len(found))]
        else:
            cells.append(_FACT[fact](record))
    return cells


def _seats(record: Record, fact: str) -> list[str]:
    result = record.result or Result()
    if fact == "players":
        return [_safe(player) for player in record.players]
    if fact == "hands":
        return [_cards(hand) for hand in record.hands]
    if fact == "left":
        return [_cards(hand) for hand in result.hands or ()]
    return [str(points) for points in (result.points if fact == "points" else result.totals) or ()]


def _safe(said: str) -> str:
    return f"'{said}" if said.startswith(_RISKY) else said


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _cards(cards: Cards | None) -> str:
    if cards is None:
        return ""
    return text(cards) if cards else NOTHING


def _joined(pieces: Iterable[str]) -> str:
    return "; ".join(pieces) or NOTHING


def _units(units: Ratio | None) -> str:
    if units is None:
        return ""
    return str(units.num) if units.den == 1 else f"{units.num}/{units.den}"


def _of_result(show: Callable[[Result], str]) -> Callable[[Record], str]:
    return lambda record: "" if record.result is None else show(record.result)


def _winner(winner: int | None) -> str:
    return NOBODY if winner == NO_SEAT else _number(winner)


_FACT: dict[str, Callable[[Record], str]] = {
    "platform": lambda record: _safe(record.platform),
    "room": lambda record: _safe(record.room),
    "session": lambda record: _safe(record.session),
    "round_no": lambda record: _number(record.round_no),
    "started_at": lambda record: record.started_at or "",
    "ruleset": lambda record: _safe(record.ruleset),
    "options": lambda record: _json(record.options).decode() if record.options else "",
    "persons": lambda record: str(len(record.players)),
    "sitter": lambda record: _number(record.sitter),
    "dealer": lambda record: str(record.dealer),
    "liang": lambda record: _card(record.liang),
    "wall": lambda record: _cards(record.wall),
    "winner": _of_result(lambda result: _winner(result.winner)),
    "win_card": _of_result(lambda result: _card(result.card)),
    "win_source": _of_result(lambda result: "" if result.source is None else SOURCE_NAMES[Source(result.source)]),
    "from_seat": _of_result(lambda result: _number(result.from_seat)),
    "groups": _of_result(lambda result: "" if result.groups is None else _joined(map(write_group, result.groups))),
    "huxi": _of_result(lambda result: _number(result.huxi)),
    "fan": _of_result(lambda result: "" if result.fan is None else _json(result.fan).decode()),
    "units": _of_result(lambda result: _units(result.units)),
    "xing": _of_result(lambda result: _cards(result.xing)),
    "xing_hits": _of_result(lambda result: _number(result.xing_hits)),
    "rest": _of_result(lambda result: _cards(result.rest)),
    "penalties": _of_result(
        lambda result: "" if result.penalties is None else _joined(map(write_penalty, result.penalties))
    ),
    "visible": lambda record: "" if record.visible is None else " ".join(map(str, record.visible)) or NOTHING,
    "offers": lambda record: "" if record.offers is None else _joined(map(write_offer, record.offers)),
    "omits": lambda record: " ".join(ACTION_CHARS[Action(action)] for action in record.omits),
    "complete": lambda record: str(record.complete).lower(),
    "tags": lambda record: _json(record.tags).decode() if record.tags else "",
    "note": lambda record: _safe(record.source.note),
}
