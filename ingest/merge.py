"""Several accounts of one round as one record, and where they contradict each other.

The account that tells most is the base. What it does not know is filled in from the others; what they tell otherwise is
reported field by field and changes nothing. The outcome depends on the set of accounts only, not on their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ingest.adapters.jsonl import dump_line
from ingest.cards import UNKNOWN, text
from ingest.codes import FACE_UNKNOWN, NO_CARD, Action
from ingest.limits import MAX_ITEMS, Fault
from ingest.record import Cards, Move, Offer, Record, Result, dealt
from ingest.validate import check

SILENT = frozenset({Action.PASS, Action.UNCLAIMED, Action.CLAIM})
"""Events that one log of a round has and another leaves out."""
_NOWHERE = -2


class Conflict(NamedTuple):
    """A field that ``other``, an index into the sorted accounts, tells otherwise than what was kept."""

    field: str
    kept: str
    told: str
    other: int


Report = Callable[[str, Any, Any], None]


def in_order(accounts: Iterable[Record]) -> list[Record]:
    """The distinct accounts, the one that tells most first: nothing omitted, whole, then the longest."""
    lines = {dump_line(record): record for record in accounts}

    def most(line: bytes) -> tuple[int, bool, int, bytes]:
        record = lines[line]
        return -len(record.omits), record.complete, len(line), line

    return [lines[line] for line in sorted(lines, key=most, reverse=True)]


def merge(accounts: Sequence[Record]) -> tuple[Record, list[Conflict]]:
    """The record and the contradictions of accounts that stand ``in_order``."""
    merged, conflicts = accounts[0], []
    for index, other in enumerate(accounts[1:], 1):

        def report(field: str, kept: Any, told: Any, other: int = index) -> None:
            conflicts.append(Conflict(field, _show(kept), _show(told), other))

        filled = _fill(merged, other, report)
        try:
            check(filled)
        except Fault as fault:
            # Each account can be, both together cannot: a fifth copy, say.
            report("record", "-", fault.reason)
        else:
            merged = filled
    return merged, conflicts


def _show(value: Any) -> str:
    shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return shown if len(shown) <= 256 else shown[:255] + "…"


def _fill(base: Record, other: Record, report: Report) -> Record:
    deal, told = dealt(base), dealt(other)
    changes: dict[str, Any] = {}
    _compare("players", base.players, other.players, report)
    for field in ("ruleset", "sitter", "round_no"):
        changes[field] = _known(field, getattr(base, field), getattr(other, field), report)
    changes["options"] = _table("options", base.options, other.options, report)
    if base.hands != other.hands or base.wall != other.wall or base.liang != other.liang:
        changes["hands"] = _hands(deal.hands, told.hands, report)
        changes["wall"] = _cards("wall", deal.wall, told.wall, report)
        changes["liang"] = _card("liang", deal.liang, told.liang, report)
    steps = _steps(base, other, report)
    if steps is not None:
        moves = list(base.moves)
        for at, move in zip(steps, other.moves, strict=False):
            if at != _NOWHERE:
                moves[at] = _move(at, moves[at], move, report)
        rest = other.moves[len(steps) :]  # the base stops earlier
        changes["moves"] = (*moves, *rest)
        changes["complete"] = base.complete or other.complete
        steps += range(len(base.moves), len(base.moves) + len(rest))
        changes |= _offers(base, other, steps, report)
    changes["started_at"] = _start(base.started_at, other.started_at, report)
    changes["result"] = _result(base.result, other.result, report)
    if other.tags.keys() - base.tags.keys():
        tags = dict(sorted(other.tags.items())) | base.tags
        changes["tags"] = dict(list(tags.items())[-MAX_ITEMS:])
    return msgspec.structs.replace(base, **changes)


def _known(field: str, base: Any, other: Any, report: Report) -> Any:
    if base is None:
        return other
    if other is not None and other != base:
        report(field, base, other)
    return base


def _compare(field: str, base: Sequence[Any], other: Sequence[Any], report: Report) -> None:
    if len(base) != len(other):
        report(field, base, other)
        return
    for place, (one, two) in enumerate(zip(base, other, strict=True)):
        if one != two:
            report(f"{field}[{place}]", one, two)


def _table(field: str, base: dict[str, Any], other: dict[str, Any], report: Report) -> dict[str, Any]:
    """Of two tables that both may leave things out."""
    merged = dict(base)
    for key, value in sorted(other.items()):
        merged[key] = _known(f"{field}.{key}", base.get(key), value, report)
    return merged


def _start(base: str | None, other: str | None, report: Report) -> str | None:
    """Two logs' clocks differ; a difference in the day is one of the facts."""
    if base is None or other is None:
        return base if other is None else other
    if base[:10] != other[:10]:
        report("started_at", base, other)
    return base if len(base) >= len(other) or base[:10] != other[:10] else other


def _card(field: str, base: int | None, other: int | None, report: Report) -> int | None:
    if base in (None, UNKNOWN):
        return base if other is None else other
    if other not in (None, UNKNOWN, base):
        report(field, _name(base), _name(other))
    return base


def _name(card: int | None) -> str:
    return "-" if card is None or card == NO_CARD else text((card,))


def _cards(field: str, base: Cards | None, other: Cards | None, report: Report) -> Cards | None:
    """Cards in an order that tells something, such as the wall; the shorter is the beginning of the longer."""
    if base is None or other is None:
        return other if base is None else base
    both = [_card(f"{field}[{place}]", one, two, report) for place, (one, two) in enumerate(zip(base, other))]  # noqa: B905
    longer = base if len(base) >= len(other) else other
    return (*(UNKNOWN if card is None else card for card in both), *longer[len(both) :])


def _hands(base: Sequence[Cards | None], other: Sequence[Cards | None], report: Report) -> tuple[Cards | None, ...]:
    if len(base) != len(other):
        report("hands", len(base), len(other))
        return tuple(base)
    return tuple(
        _hand(f"hands[{seat}]", one, two, report) for seat, (one, two) in enumerate(zip(base, other, strict=True))
    )


def _hand(field: str, base: Cards | None, other: Cards | None, report: Report) -> Cards | None:
    """A hand in any order: that with fewer unknown cards, if the other's known cards are all in it."""
    if base is None or other is None:
        return other if base is None else base
    fuller, other_hand = (base, other) if base.count(UNKNOWN) <= other.count(UNKNOWN) else (other, base)
    missing = Counter(other_hand) - Counter(fuller)
    if len(base) != len(other) or set(missing) - {UNKNOWN}:
        report(field, text(sorted(base)), text(sorted(other)))
        return base
    return fuller


def _steps(base: Record, other: Record, report: Report) -> list[int] | None:
    """Which event of the base each event of the other is, as far as the base goes; None where they tell two plays.

    The other may leave out what it never tells and what logs often leave out, and it may stop early.
    """
    free = SILENT | set(other.omits)
    steps: list[int] = []
    at = 0
    for move in other.moves:
        if move.action in SILENT and not (at < len(base.moves) and _same(base.moves[at], move)):
            steps.append(_NOWHERE)  # what the base leaves out
            continue
        while at < len(base.moves) and not _same(base.moves[at], move) and base.moves[at].action in free:
            at += 1
        if at == len(base.moves):
            if base.complete:
                report(f"moves[{len(base.moves)}]", "-", _event(move))
                return None
            break
        if not _same(base.moves[at], move):
            report(f"moves[{at}]", _event(base.moves[at]), _event(move))
            return None
        steps.append(at)
        at += 1
    left = [move for move in base.moves[at:] if move.action not in free]
    if left and other.complete:
        report(f"moves[{at}]", _event(base.moves[at]), "-")
        return None
    return steps


def _same(one: Move, two: Move) -> bool:
    return (one.seat, one.action) == (two.seat, two.action)


def _event(move: Move) -> str:
    action = Action(move.action).name
    return f"{move.seat} {action} {_name(move.card)}"


def _move(at: int, base: Move, other: Move, report: Report) -> Move:
    """Two tellings of one event. The two cards laid with a third have no order."""
    card = _laid(f"moves[{at}].card", base.card, other.card, report)
    pair, told = sorted((base.a, base.b)), sorted((other.a, other.b))
    a, b = base.a, base.b
    if pair != told:
        a, b = (_laid(f"moves[{at}].cards", one, two, report) for one, two in zip(pair, told, strict=True))
    face = other.face if base.face == FACE_UNKNOWN else base.face
    if other.face not in (FACE_UNKNOWN, face):
        report(f"moves[{at}].face", base.face, other.face)
    return Move(base.seat, base.action, card, a, b, face, other.t_ms if base.t_ms is None else base.t_ms)


def _laid(field: str, base: int, other: int, report: Report) -> int:
    """A card of an event; one of them may name it and the other not."""
    if base < 0 <= other:
        return other
    if 0 <= other != base:
        report(field, _name(base), _name(other))
    return base


def _offers(base: Record, other: Record, steps: list[int], report: Report) -> dict[str, Any]:
    """The options of both: those of a seat that only one log shows, and where both show them they must be the same."""
    if other.offers is None:
        return {}
    place = {-1: -1} | {seq: at for seq, at in enumerate(steps) if at != _NOWHERE}
    theirs = [msgspec.structs.replace(o, seq=place[o.seq]) for o in other.offers if o.seq in place]
    if base.offers is None:
        return {"offers": tuple(theirs), "visible": other.visible}
    both = set(base.visible or ()) & set(other.visible or ())
    for seat in sorted(both):
        mine = {offer for offer in base.offers if offer.seat == seat}
        extra = sorted({offer for offer in theirs if offer.seat == seat} ^ mine, key=_place)
        for offer in extra:
            kept, told = ("+", "-") if offer in mine else ("-", "+")
            report(f"offers[{seat}]", kept + _offer(offer), told + _offer(offer))
    added = {offer for offer in theirs if offer.seat not in both} - set(base.offers)
    seats = sorted(set(base.visible or ()) | set(other.visible or ()))
    offers = sorted((*base.offers, *added), key=_place) if added else base.offers
    return {"offers": tuple(offers), "visible": tuple(seats) or None}


def _place(offer: Offer) -> tuple[int, int, int, int, Cards]:
    return offer.seq, offer.seat, offer.action, offer.card, offer.cards


def _offer(offer: Offer) -> str:
    return f"{offer.seq}: {Action(offer.action).name} {_name(offer.card)} {text(offer.cards)}"


def _result(base: Result | None, other: Result | None, report: Report) -> Result | None:
    if base is None or other is None:
        return other if base is None else base
    changes = dict(_result_fields(base, other, report))
    return msgspec.structs.replace(base, **changes)


def _result_fields(base: Result, other: Result, report: Report) -> Iterator[tuple[str, Any]]:
    for field in Result.__struct_fields__:
        mine, theirs = getattr(base, field), getattr(other, field)
        if mine == theirs:
            continue
        if field == "hands" and mine is not None and theirs is not None and len(mine) == len(theirs):
            hands = zip(mine, theirs, strict=True)
            yield field, tuple(_hand(f"result.hands[{n}]", one, two, report) for n, (one, two) in enumerate(hands))
        else:
            yield field, _known(f"result.{field}", mine, theirs, report)
