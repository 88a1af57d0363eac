"""Checks every record must pass before it is stored: the sizes and ranges of its parts, never a rule of play.

A fifth copy that only an event or the settlement brings is not refused here: the replay reports it as a finding.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from urllib.parse import quote

from ingest import limits
from ingest.adapters.registry import Reject, placed
from ingest.cards import CHARS, COPIES, over_copied
from ingest.codes import ACTION_CHARS, NO_CARD, NO_SEAT, Action
from ingest.limits import INT32, Fault
from ingest.parts import CARD, check_card_list, check_int, check_range, check_result, check_text
from ingest.record import HAND, Cards, Option, Record, Sheet, wall_size

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
    _A.LEAVE: "nnn",
    _A.CLAIM: "oxn",
    **dict.fromkeys((_A.DISCARD, _A.DRAW, _A.PENG, _A.WEI, _A.CHOU_WEI, _A.PAO, _A.TI, _A.TI_OPEN, _A.BU), "cnn"),
}
SEATLESS = frozenset({Action.HUANG, Action.UNCLAIMED})
UNASKED = SEATLESS | {Action.LEAVE}
"""What nobody is offered or claims."""

_ALLOWED = {"c": CARD, "o": CARD | {NO_CARD}, "n": frozenset({NO_CARD}), "x": frozenset(SHAPES) - UNASKED}
_PARTS = {action: tuple(_ALLOWED[part] for part in shape) for action, shape in SHAPES.items()}
# Events that were found right, by the number of persons: most events of a log are such as were seen before.
_KNOWN: dict[int, set[tuple[int, ...]]] = {}
_MOST_KNOWN = 50_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)


def check_found(found: Record | Sheet) -> Reject | None:
    """The reason why it cannot be stored, or None. ``index`` and ``line`` are those of its provenance."""
    try:
        if isinstance(found, Record):
            check(found)
        else:
            check_sheet(found)
    except Fault as fault:
        return placed(Reject(fault.code, fault.reason), found.source)
    return None


def check(record: Record) -> None:
    """Raise ``Fault`` with the place of the first part that is wrong."""
    _check_names(record)
    plays = _check_seats(record)
    _check_cards(record, plays)
    _check_moves(record)
    _check_offers(record, plays)
    if record.result is not None:
        check_result(record.result, len(record.players))


def _check_names(record: Record) -> None:
    check_text(record.ruleset, "ruleset")
    _check_place(record)
    if not record.ruleset:
        raise Fault("UNKNOWN_RULESET", "没有写规则名", "the ruleset is empty", "ruleset")
    if record.round_no is not None:
        check_int(record.round_no, "round_no")
    check_table("options", record.options)


def check_sheet(sheet: Sheet) -> None:
    """Raise ``Fault`` with the place of the first part of a score sheet that is wrong."""
    _check_place(sheet)
    n = len(sheet.players)
    if not 2 <= n <= 8:
        raise Fault("BAD_SEAT", f"应有 2 至 8 人，而有 {n} 人", f"2 to 8 persons expected, found {n}", "players")
    for field in ("points", "raw"):
        values = getattr(sheet, field)
        if values is None:
            continue
        if len(values) != n:
            zh, en = f"应有 {n} 项，而有 {len(values)} 项", f"{n} entries expected, found {len(values)}"
            raise Fault("BAD_FIELD", zh, en, field)
        for place, value in enumerate(values):
            check_int(value, field, place)
    if sheet.rounds is not None:
        check_int(sheet.rounds, "rounds")


def _check_place(found: Record | Sheet) -> None:
    """Where and when, who, and whatever was added as tags."""
    for field in ("platform", "room", "session"):
        check_text(getattr(found, field), field)
    for seat, player in enumerate(found.players):
        check_text(player, "players", seat)
    check_text(found.source.note, "source", "note", most=limits.MAX_NOTE)
    if len(quote(found.platform)) > limits.MAX_PARTITION:
        raise Fault("LIMIT", "平台名太长", "the platform's name is too long", "platform")
    if found.started_at is not None:
        _check_date(found.started_at)
    check_table("tags", found.tags)


def check_table(field: str, table: Mapping[str, Option]) -> None:
    """Raise ``Fault`` for options or tags with too many entries, or one that cannot be stored."""
    if len(table) > limits.MAX_ITEMS:
        raise Fault("LIMIT", "条目太多", "too many entries", field)
    for key, value in table.items():
        check_text(key, field, key)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, str):
                check_text(item, field, key)
            else:
                check_int(item, field, key)


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
        check_range(record.sitter, range(n), "BAD_SEAT", "sitter")
    plays = tuple(seat != record.sitter for seat in range(n))
    if not 2 <= sum(plays) <= 3:
        zh = f"{sum(plays)} 家各 20 张不成局；不打牌的一家写在 sitter"
        en = f"{sum(plays)} seats of 20 cards make no deal; name the seat that does not play in `sitter`"
        raise Fault("BAD_SEAT", zh, en, "players")
    if not (0 <= record.dealer < n and plays[record.dealer]):
        zh, en = f"庄家 {record.dealer} 不是打牌的座位", f"dealer {record.dealer} is no playing seat"
        raise Fault("BAD_SEAT", zh, en, "dealer")
    _check_omits(record.omits)
    seen = set()
    for place, seat in enumerate(record.visible or ()):
        check_range(seat, range(n), "BAD_SEAT", "visible", place)
        if seat in seen:
            raise Fault("BAD_SEAT", f"座位 {seat} 重复", f"seat {seat} stands twice", "visible", place)
        seen.add(seat)
    return plays


def _check_omits(omits: tuple[int, ...]) -> None:
    for place, action in enumerate(omits):
        if action not in SHAPES or action in omits[:place]:
            zh, en = f"{action} 不是动作，或重复", f"{action} is no action or stands twice"
            raise Fault("BAD_FIELD", zh, en, "omits", place)
    if list(omits) != sorted(omits):
        raise Fault("BAD_FIELD", "应从小到大", "in ascending order, please", "omits")


def _check_cards(record: Record, plays: tuple[bool, ...]) -> None:
    n = len(plays)
    if len(record.hands) != n:
        zh, en = f"应有 {n} 手牌，而有 {len(record.hands)} 手", f"{n} hands expected, found {len(record.hands)}"
        raise Fault("DEAL_SIZE", zh, en, "hands")
    parts: list[tuple[Cards, tuple[str | int, ...]]] = []
    wall: Cards = ()
    listed = False  # the 亮张 also stands in the dealer's hand or in the wall
    for seat, hand in enumerate(record.hands):
        if hand is None:
            continue
        if not plays[seat]:
            zh, en = "不打牌的一家不该有手牌", "a seat that does not play has no hand"
            raise Fault("BAD_SEAT", zh, en, "hands", seat)
        check_card_list(hand, "hands", seat)
        _check_hand_size(len(hand), seat, seat == record.dealer)
        listed |= len(hand) > HAND
        parts.append((hand, ("hands", seat)))
    if record.wall is not None:
        check_card_list(record.wall, "wall")
        behind = wall_size(record)
        if len(record.wall) > behind + 1:
            zh = f"墩里至多 {behind} 张，连亮张 {behind + 1} 张，而有 {len(record.wall)} 张"
            en = f"at most {behind} cards are left, {behind + 1} with the 亮张, found {len(record.wall)}"
            raise Fault("DEAL_SIZE", zh, en, "wall")
        first = len(record.wall) > behind
        wall = record.wall[1:] if listed and first else record.wall
        listed |= first
    if record.liang is not None:
        check_card_list((record.liang,), "liang")
        parts += [((record.liang,), ("liang",))] * (not listed)
    _check_copies([*parts, (wall, ("wall",))])


def _check_hand_size(size: int, seat: int, deals: bool) -> None:
    if size == HAND or (deals and size == HAND + 1):
        return
    want = f"{HAND}–{HAND + 1}" if deals else str(HAND)
    raise Fault("DEAL_SIZE", f"应为 {want} 张，而有 {size} 张", f"{want} cards expected, found {size}", "hands", seat)


def _check_copies(parts: list[tuple[Cards, tuple[str | int, ...]]]) -> None:
    dealt = [card for cards, _ in parts for card in cards]
    over = over_copied(dealt)
    if not over:
        return
    kinds = "、".join(f"{CHARS[kind]}×{dealt.count(kind)}" for kind in over)
    zh = f"{kinds}，手牌、亮张与墩里每种至多四张"
    en = f"{kinds}: four copies of a card at most in hands, 亮张 and wall"
    left = COPIES
    for cards, path in parts:
        left -= cards.count(over[0])
        if left < 0:
            raise Fault("FIFTH_COPY", zh, en, *path)


def _check_moves(record: Record) -> None:
    n = len(record.players)
    if len(record.moves) > limits.MAX_EVENTS:
        zh, en = f"超过 {limits.MAX_EVENTS} 个事件", f"more than {limits.MAX_EVENTS} events"
        raise Fault("LIMIT", zh, en, "moves")
    known = _KNOWN.setdefault(n, set())
    facts = [(m.seat, m.action, m.card, m.a, m.b, m.face) for m in record.moves]
    if not known.issuperset(facts):
        for seq, fact in enumerate(facts):
            _check_move(fact, n, seq)
        if len(known) < _MOST_KNOWN:
            known.update(facts)
    times = [move.t_ms for move in record.moves if move.t_ms is not None]
    if times and not 0 <= min(times) <= max(times) <= INT32:
        zh, en = f"时间应在 0 至 {INT32} 毫秒之间", f"times must be between 0 and {INT32} ms"
        raise Fault("BAD_MOVE", zh, en, "moves", _first_bad_time(record))


def _first_bad_time(record: Record) -> int:
    return next(seq for seq, m in enumerate(record.moves) if m.t_ms is not None and not 0 <= m.t_ms <= INT32)


def _check_move(facts: tuple[int, int, int, int, int, int], n: int, seq: int) -> None:
    seat, action, card, a, b, face = facts
    parts = _PARTS.get(action)
    if parts is None:
        raise Fault("BAD_MOVE", f"没有动作 {action}", f"no such action {action}", "moves", seq)
    if action in SEATLESS:
        if seat != NO_SEAT:
            zh, en = f"这个事件不属于任何座位，而写了 {seat}", f"this event belongs to no seat, found {seat}"
            raise Fault("BAD_SEAT", zh, en, "moves", seq)
    elif not 0 <= seat < n:
        # What the person who does not play does is a fact too; that it was not allowed is for the replay to say.
        raise Fault("BAD_SEAT", f"座位 {seat} 不在 0..{n - 1} 之内", f"seat {seat} is outside 0..{n - 1}", "moves", seq)
    if not (card in parts[0] and a in parts[1] and b in parts[2]):
        _bad_parts(action, (card, a, b), seq)
    if not 0 <= face < FACES:
        raise Fault("BAD_MOVE", f"明牌数 {face - 1} 不对", f"{face - 1} cards face up", "moves", seq)


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
        if offer.action not in SHAPES or offer.action in UNASKED:
            zh, en = f"动作 {offer.action} 不能作选项", f"action {offer.action} cannot be offered"
            raise Fault("BAD_FIELD", zh, en, "offers", place)
        if offer.card not in _ALLOWED["o"]:
            raise Fault("UNKNOWN_CARD", f"没有牌 {offer.card}", f"no card {offer.card}", "offers", place)
        check_card_list(offer.cards, "offers", place)
