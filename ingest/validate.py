"""Checks every record must pass before it is stored: the sizes and ranges of its parts, never a rule of play.

A fifth copy that only an event or the settlement brings is not refused here: the replay reports it as a finding.
"""

from __future__ import annotations

import datetime
import re
from urllib.parse import quote

from ingest import limits
from ingest.adapters.registry import Reject
from ingest.cards import CHARS, DECK, KINDS, UNKNOWN, over_copied
from ingest.codes import ACTION_CHARS, NO_CARD, NO_SEAT, Action, Form, Source
from ingest.limits import INT32, Fault
from ingest.record import Cards, Record, Result

HAND = 20
"""Cards dealt to each playing seat, the dealer's 亮张 not counted."""
FACES = 6

_A = Action
# Which of card, a and b an action names: "c" a card, "o" a card or none, "n" none, "x" an action.
SHAPES: dict[int, str] = {
    _A.CHI: "ccc",
    _A.BI: "ccc",
    _A.HU: "onn",
    _A.PASS: "onn",
    _A.UNCLAIMED: "onn",
    _A.HUANG: "nnn",
    _A.CLAIM: "oxn",
    **dict.fromkeys((_A.DISCARD, _A.DRAW, _A.PENG, _A.WEI, _A.CHOU_WEI, _A.PAO, _A.TI, _A.TI_OPEN, _A.BU), "cnn"),
}
SEATLESS = frozenset({Action.HUANG, Action.UNCLAIMED})

_CARD = frozenset(range(UNKNOWN, KINDS))
_ALLOWED = {"c": _CARD, "o": _CARD | {NO_CARD}, "n": frozenset({NO_CARD}), "x": frozenset(SHAPES) - SEATLESS}
_PARTS = {action: tuple(_ALLOWED[part] for part in shape) for action, shape in SHAPES.items()}
# Events that were found right, by the seats that play: most events of a log are such as were seen before.
_KNOWN: dict[tuple[bool, ...], set[tuple[int, ...]]] = {}
_MOST_KNOWN = 50_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_BAD_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f�\ud800-\udfff]")


def check_deal(record: Record) -> Reject | None:
    """The reason why the record cannot be stored, or None. ``index`` and ``line`` are those of its provenance."""
    try:
        check(record)
    except Fault as fault:
        return Reject(fault.code, fault.reason, record.source.index, record.source.line or None)
    return None


def check(record: Record) -> None:
    """Raise ``Fault`` with the place of the first part that is wrong."""
    _check_names(record)
    plays = _check_seats(record)
    _check_cards(record, plays)
    _check_moves(record, plays)
    _check_offers(record, plays)
    if record.result is not None:
        _check_result(record.result, len(record.players))


def _check_names(record: Record) -> None:
    for field in ("ruleset", "platform", "room", "session"):
        _check_text(getattr(record, field), field)
    for seat, player in enumerate(record.players):
        _check_text(player, "players", seat)
    _check_text(record.source.note, "source", "note", most=limits.MAX_NOTE)
    if not record.ruleset:
        raise Fault("UNKNOWN_RULESET", "没有写规则名", "the ruleset is empty", "ruleset")
    if len(quote(record.platform)) > limits.MAX_PARTITION:
        raise Fault("LIMIT", "平台名太长", "the platform's name is too long", "platform")
    if record.round_no is not None:
        _check_int(record.round_no, "round_no")
    if record.started_at is not None:
        _check_date(record.started_at)
    for field in ("options", "tags"):
        table = getattr(record, field)
        if len(table) > limits.MAX_ITEMS:
            raise Fault("LIMIT", "条目太多", "too many entries", field)
        for key, value in table.items():
            _check_text(key, field, key)
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, str):
                    _check_text(item, field, key)
                else:
                    _check_int(item, field, key)


def _check_date(text: str) -> None:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        datetime.datetime.fromisoformat(text)
    except ValueError:
        zh, en = f"{text!r} 不是 ISO 日期时间", f"{text!r} is no ISO date and time"
        raise Fault("BAD_FIELD", zh, en, "started_at") from None


def _check_seats(record: Record) -> tuple[bool, ...]:
    """Which seats play."""
    n = len(record.players)
    if not 2 <= n <= 4:
        raise Fault("BAD_SEAT", f"应有 2 至 4 个座位，而有 {n} 个", f"2 to 4 seats expected, found {n}", "players")
    if record.sitter is not None:
        _check_range(record.sitter, range(n), "BAD_SEAT", "sitter")
    plays = tuple(seat != record.sitter for seat in range(n))
    if not 2 <= sum(plays) <= 3:
        zh = f"{sum(plays)} 家各 20 张不成局；不打牌的一家写在 sitter"
        en = f"{sum(plays)} seats of 20 cards make no deal; name the seat that does not play in `sitter`"
        raise Fault("BAD_SEAT", zh, en, "players")
    if not (0 <= record.dealer < n and plays[record.dealer]):
        zh, en = f"庄家 {record.dealer} 不是打牌的座位", f"dealer {record.dealer} is no playing seat"
        raise Fault("BAD_SEAT", zh, en, "dealer")
    seen = set()
    for place, seat in enumerate(record.visible or ()):
        _check_range(seat, range(n), "BAD_SEAT", "visible", place)
        if seat in seen:
            raise Fault("BAD_SEAT", f"座位 {seat} 重复", f"seat {seat} stands twice", "visible", place)
        seen.add(seat)
    return plays


def _check_cards(record: Record, plays: tuple[bool, ...]) -> None:
    n = len(plays)
    if len(record.hands) != n:
        zh, en = f"应有 {n} 手牌，而有 {len(record.hands)} 手", f"{n} hands expected, found {len(record.hands)}"
        raise Fault("DEAL_SIZE", zh, en, "hands")
    dealt: list[int] = []
    for seat, hand in enumerate(record.hands):
        if hand is None:
            continue
        if not plays[seat]:
            zh, en = "不打牌的一家不该有手牌", "a seat that does not play has no hand"
            raise Fault("BAD_SEAT", zh, en, "hands", seat)
        _check_card_list(hand, "hands", seat)
        if len(hand) != HAND:
            zh, en = f"应为 {HAND} 张，而有 {len(hand)} 张", f"{HAND} cards expected, found {len(hand)}"
            if len(hand) == HAND + 1 and seat == record.dealer:
                zh, en = zh + "；亮张写在 liang", en + "; the 亮张 belongs in `liang`"
            raise Fault("DEAL_SIZE", zh, en, "hands", seat)
        dealt += hand
    if record.liang is not None:
        _check_card_list((record.liang,), "liang")
        dealt.append(record.liang)
    if record.wall is not None:
        _check_card_list(record.wall, "wall")
        extra = [move.action for move in record.moves].count(Action.BU)
        most = DECK - HAND * sum(plays) - 1 - extra
        if len(record.wall) > most:
            zh = f"亮张之后墩里至多 {most} 张，而有 {len(record.wall)} 张"
            en = f"at most {most} cards are left after the 亮张, found {len(record.wall)}"
            raise Fault("DEAL_SIZE", zh, en, "wall")
        dealt += record.wall
    over = over_copied(dealt)
    if over:
        kinds = "、".join(f"{CHARS[kind]}×{dealt.count(kind)}" for kind in over)
        zh, en = (
            f"{kinds}，手牌、亮张与墩里每种至多四张",
            f"{kinds}: four copies of a card at most in hands, 亮张 and wall",
        )
        raise Fault("FIFTH_COPY", zh, en, *_where_fifth(record, over[0]))


def _where_fifth(record: Record, kind: int) -> tuple[str | int, ...]:
    """The part of the deal in which the fifth copy stands."""
    left = 4
    for seat, hand in enumerate(record.hands):
        left -= (hand or ()).count(kind)
        if left < 0:
            return ("hands", seat)
    return ("liang",) if left == 0 and record.liang == kind else ("wall",)


def _check_moves(record: Record, plays: tuple[bool, ...]) -> None:
    if len(record.moves) > limits.MAX_EVENTS:
        zh, en = f"超过 {limits.MAX_EVENTS} 个事件", f"more than {limits.MAX_EVENTS} events"
        raise Fault("LIMIT", zh, en, "moves")
    known = _KNOWN.setdefault(plays, set())
    facts = [(m.seat, m.action, m.card, m.a, m.b, m.face) for m in record.moves]
    if not known.issuperset(facts):
        for seq, fact in enumerate(facts):
            _check_move(fact, plays, seq)
        if len(known) < _MOST_KNOWN:
            known.update(facts)
    times = [move.t_ms for move in record.moves if move.t_ms is not None]
    if times and not 0 <= min(times) <= max(times) <= INT32:
        zh, en = f"时间应在 0 至 {INT32} 毫秒之间", f"times must be between 0 and {INT32} ms"
        raise Fault("BAD_MOVE", zh, en, "moves", _first_bad_time(record))


def _first_bad_time(record: Record) -> int:
    return next(seq for seq, m in enumerate(record.moves) if m.t_ms is not None and not 0 <= m.t_ms <= INT32)


def _check_move(facts: tuple[int, int, int, int, int, int], plays: tuple[bool, ...], seq: int) -> None:
    seat, action, card, a, b, face = facts
    parts = _PARTS.get(action)
    if parts is None:
        raise Fault("BAD_MOVE", f"没有动作 {action}", f"no such action {action}", "moves", seq)
    if action in SEATLESS:
        if seat != NO_SEAT:
            zh, en = f"这个事件不属于任何座位，而写了 {seat}", f"this event belongs to no seat, found {seat}"
            raise Fault("BAD_SEAT", zh, en, "moves", seq)
    elif not (0 <= seat < len(plays) and plays[seat]):
        zh = f"座位 {seat} 不能做“{ACTION_CHARS[Action(action)]}”；打牌的座位：{_seats(plays)}"
        en = f"seat {seat} cannot act ({Action(action).name}); playing seats: {_seats(plays)}"
        raise Fault("BAD_SEAT", zh, en, "moves", seq)
    if not (card in parts[0] and a in parts[1] and b in parts[2]):
        _bad_parts(action, (card, a, b), seq)
    if not 0 <= face < FACES:
        raise Fault("BAD_MOVE", f"明牌数 {face - 1} 不对", f"{face - 1} cards face up", "moves", seq)


def _seats(plays: tuple[bool, ...]) -> str:
    return ", ".join(str(seat) for seat, play in enumerate(plays) if play)


def _bad_parts(action: int, given: tuple[int, int, int], seq: int) -> None:
    for name, part, value, allowed in zip(("card", "a", "b"), SHAPES[action], given, _PARTS[action], strict=True):
        if value in allowed:
            continue
        code = "UNKNOWN_CARD" if part in "co" and value != NO_CARD else "BAD_MOVE"
        char = ACTION_CHARS[Action(action)]
        zh, en = f"“{char}”的 {name} 不能是 {value}", f"{name} of {Action(action).name} cannot be {value}"
        raise Fault(code, zh, en, "moves", seq)


def _check_offers(record: Record, plays: tuple[bool, ...]) -> None:
    offers = record.offers or ()
    if len(offers) > limits.MAX_OFFERS:
        zh, en = f"超过 {limits.MAX_OFFERS} 个选项", f"more than {limits.MAX_OFFERS} offers"
        raise Fault("LIMIT", zh, en, "offers")
    for place, offer in enumerate(offers):
        if not -1 <= offer.seq < len(record.moves):
            zh, en = f"没有第 {offer.seq} 个事件", f"there is no event {offer.seq}"
            raise Fault("BAD_FIELD", zh, en, "offers", place)
        if not (0 <= offer.seat < len(plays) and plays[offer.seat]):
            zh, en = f"座位 {offer.seat} 不打牌", f"seat {offer.seat} does not play"
            raise Fault("BAD_SEAT", zh, en, "offers", place)
        if offer.action not in SHAPES or offer.action in SEATLESS:
            zh, en = f"动作 {offer.action} 不能作选项", f"action {offer.action} cannot be offered"
            raise Fault("BAD_FIELD", zh, en, "offers", place)
        if offer.card not in _ALLOWED["o"]:
            raise Fault("UNKNOWN_CARD", f"没有牌 {offer.card}", f"no card {offer.card}", "offers", place)
        _check_card_list(offer.cards, "offers", place)


def _check_result(result: Result, n: int) -> None:
    for field, first in (("winner", NO_SEAT), ("from_seat", 0)):
        seat = getattr(result, field)
        if seat is not None:
            _check_range(seat, range(first, n), "BAD_SEAT", "result", field)
    if result.card is not None:
        _check_card_list((result.card,), "result", "card")
    if result.source is not None:
        _check_range(result.source, range(len(Source)), "BAD_FIELD", "result", "source")
    for place, group in enumerate(result.groups or ()):
        if not group.cards:
            raise Fault("BAD_FIELD", "没有牌", "a group without cards", "result", "groups", place)
        _check_card_list(group.cards, "result", "groups", place)
        if group.form is not None:
            _check_range(group.form, range(1, len(Form) + 1), "BAD_FIELD", "result", "groups", place)
        if group.huxi is not None:
            _check_int(group.huxi, "result", "groups", place)
    for field in ("huxi", "xing_hits"):
        if getattr(result, field) is not None:
            _check_int(getattr(result, field), "result", field)
    for name, value in (result.fan or {}).items():
        _check_text(name, "result", "fan", name)
        _check_int(value, "result", "fan", name)
    if result.units is not None:
        _check_int(result.units.num, "result", "units")
        _check_range(result.units.den, range(1, INT32 + 1), "BAD_FIELD", "result", "units")
    for field in ("points", "totals", "hands"):
        values = getattr(result, field)
        if values is not None and len(values) != n:
            zh, en = f"应有 {n} 项，而有 {len(values)} 项", f"{n} entries expected, found {len(values)}"
            raise Fault("BAD_FIELD", zh, en, "result", field)
    for field in ("points", "totals"):
        for seat, value in enumerate(getattr(result, field) or ()):
            _check_int(value, "result", field, seat)
    for field in ("xing", "rest"):
        _check_card_list(getattr(result, field) or (), "result", field)
    for seat, hand in enumerate(result.hands or ()):
        _check_card_list(hand or (), "result", "hands", seat)
    if any(len(part or ()) > limits.MAX_ITEMS for part in (result.groups, result.fan)):
        raise Fault("LIMIT", "条目太多", "too many entries", "result")


def _check_card_list(cards: Cards, *path: str | int) -> None:
    if len(cards) > limits.MAX_ITEMS:
        raise Fault("LIMIT", f"{len(cards)} 张牌太多", f"{len(cards)} cards are too many", *path)
    if _CARD.issuperset(cards):
        return
    for card in cards:
        if card not in _CARD:
            zh, en = f"没有编号 {card} 的牌", f"no card has the number {card}"
            raise Fault("UNKNOWN_CARD", zh, en, *path)


def _check_text(text: str, *path: str | int, most: int = limits.MAX_TEXT) -> None:
    if len(text) > most:
        raise Fault("LIMIT", f"超过 {most} 个字符", f"more than {most} characters", *path[:2])
    bad = _BAD_TEXT.search(text)
    if bad:
        char = f"U+{ord(bad[0]):04X}"
        raise Fault("BAD_FIELD", f"含有不可用的字符 {char}", f"holds the unusable character {char}", *path)


def _check_int(value: int, *path: str | int) -> None:
    if not -INT32 <= value <= INT32:
        raise Fault("BAD_FIELD", f"{value} 超出范围", f"{value} is out of range", *path)


def _check_range(value: int, allowed: range, code: str, *path: str | int) -> None:
    if value not in allowed:
        span = f"{allowed.start}..{allowed.stop - 1}"
        raise Fault(code, f"{value} 不在 {span} 之内", f"{value} is outside {span}", *path)
