"""Checks of the plain parts of a record (cards, texts, numbers) and of the result made of them."""

from __future__ import annotations

import re

from ingest import limits
from ingest.cards import KINDS, UNKNOWN
from ingest.codes import NO_SEAT, Form, Source
from ingest.limits import INT32, Fault
from ingest.record import Cards, Penalty, Result

CARD = frozenset(range(UNKNOWN, KINDS))
"""Numbers that stand for a card, recorded or not."""
_LETTER = re.compile("[A-Z]")
_BAD_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f�\ud800-\udfff]")


def check_result(result: Result, n: int) -> None:
    """Raise ``Fault`` for a part that is no fact: a seat, card or number that cannot be; ``n`` persons."""
    for field, first in (("winner", NO_SEAT), ("from_seat", 0)):
        seat = getattr(result, field)
        if seat is not None:
            check_range(seat, range(first, n), "BAD_SEAT", "result", field)
    if result.card is not None:
        check_card_list((result.card,), "result", "card")
    if result.source is not None:
        check_range(result.source, range(len(Source)), "BAD_FIELD", "result", "source")
    for place, group in enumerate(result.groups or ()):
        if not group.cards:
            raise Fault("BAD_FIELD", "没有牌", "a group without cards", "result", "groups", place)
        check_card_list(group.cards, "result", "groups", place)
        if group.form is not None:
            check_range(group.form, range(1, len(Form) + 1), "BAD_FIELD", "result", "groups", place)
        if group.huxi is not None:
            check_int(group.huxi, "result", "groups", place)
    for field in ("huxi", "xing_hits"):
        if getattr(result, field) is not None:
            check_int(getattr(result, field), "result", field)
    for name, value in (result.fan or {}).items():
        check_text(name, "result", "fan", name)
        check_int(value, "result", "fan", name)
    if result.units is not None:
        check_int(result.units.num, "result", "units")
        check_range(result.units.den, range(1, INT32 + 1), "BAD_FIELD", "result", "units")
    for field in ("points", "totals", "hands"):
        values = getattr(result, field)
        if values is not None and len(values) != n:
            zh, en = f"应有 {n} 项，而有 {len(values)} 项", f"{n} entries expected, found {len(values)}"
            raise Fault("BAD_FIELD", zh, en, "result", field)
    for field in ("points", "totals"):
        for seat, value in enumerate(getattr(result, field) or ()):
            check_int(value, "result", field, seat)
    for field in ("xing", "rest"):
        check_card_list(getattr(result, field) or (), "result", field)
    for seat, hand in enumerate(result.hands or ()):
        check_card_list(hand or (), "result", "hands", seat)
    for place, penalty in enumerate(result.penalties or ()):
        _check_penalty(penalty, n, "result", "penalties", place)
    if any(len(part or ()) > limits.MAX_ITEMS for part in (result.groups, result.fan, result.penalties)):
        raise Fault("LIMIT", "条目太多", "too many entries", "result")


def _check_penalty(penalty: Penalty, n: int, *path: str | int) -> None:
    check_range(penalty.seat, range(n), "BAD_SEAT", *path)
    if not _LETTER.fullmatch(penalty.letter):
        zh, en = f"{penalty.letter!r:.40} 不是一个大写字母", f"{penalty.letter!r:.40} is no capital letter"
        raise Fault("BAD_FIELD", zh, en, *path)
    if len(penalty.points) != n:
        zh, en = f"应有 {n} 家的分", f"points of {n} persons expected, found {len(penalty.points)}"
        raise Fault("BAD_FIELD", zh, en, *path)
    for value in penalty.points:
        check_int(value, *path)


def check_card_list(cards: Cards, *path: str | int) -> None:
    """Raise ``Fault`` for a list that is too long or holds a number that is no card."""
    if len(cards) > limits.MAX_ITEMS:
        raise Fault("LIMIT", f"{len(cards)} 张牌太多", f"{len(cards)} cards are too many", *path)
    if CARD.issuperset(cards):
        return
    for card in cards:
        if card not in CARD:
            zh, en = f"没有编号 {card} 的牌", f"no card has the number {card}"
            raise Fault("UNKNOWN_CARD", zh, en, *path)


def check_text(text: str, *path: str | int, most: int = limits.MAX_TEXT) -> None:
    """Raise ``Fault`` for a text that is too long or holds characters that cannot be stored."""
    if len(text) > most:
        raise Fault("LIMIT", f"超过 {most} 个字符", f"more than {most} characters", *path[:2])
    bad = _BAD_TEXT.search(text)
    if bad:
        char = f"U+{ord(bad[0]):04X}"
        raise Fault("BAD_FIELD", f"含有不可用的字符 {char}", f"holds the unusable character {char}", *path)


def check_int(value: int, *path: str | int) -> None:
    """Raise ``Fault`` for a number of more than 32 bits."""
    if not -INT32 <= value <= INT32:
        raise Fault("BAD_FIELD", f"{value} 超出范围", f"{value} is out of range", *path)


def check_range(value: int, allowed: range, code: str, *path: str | int) -> None:
    """Raise ``Fault`` with ``code`` for a value outside ``allowed``."""
    if value not in allowed:
        span = f"{allowed.start}..{allowed.stop - 1}"
        raise Fault(code, f"{value} 不在 {span} 之内", f"{value} is outside {span}", *path)
