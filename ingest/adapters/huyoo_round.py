"""One round of the Huyoo replay: from its messages to a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ingest.adapters import huyoo_codes as codes
from ingest.adapters.fields import bad, brief
from ingest.adapters.registry import Params
from ingest.adapters.told import ToldRound, count
from ingest.cards import DECK, UNKNOWN, name
from ingest.codes import NO_CARD, NO_SEAT, Action, Form, Source
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import HAND, Cards, Group, Move, Provenance, Ratio, Record, Result

_NIBBLE = ENCODINGS["nibble"]


def card_of(value: int, *where: str | int) -> int:
    """The kind of a card byte; ``Fault`` for 王 and for what is no card."""
    if value == codes.WILD_CARD:
        raise Fault("UNKNOWN_CARD", "有王（0x21）的对局记不下来", "rounds with 王 (0x21) cannot be carried", *where)
    return _NIBBLE.decode(value, *where)


def _cards(values: Sequence[int], *where: str | int) -> Cards:
    return tuple(card_of(value, *where) for value in values)


@dataclass
class Told(ToldRound):
    """What the messages of one round have told so far."""

    asked: str = "nobody"
    dealer: int = -1
    hands: dict[int, bytes] = field(default_factory=dict)
    ids: dict[int, int] = field(default_factory=dict)
    identifiers: set[int] = field(default_factory=set)
    round_no: int | None = None
    result: Result | None = None
    scores: tuple[int, ...] = ()
    lefts: tuple[Cards, ...] = ()
    playing: bool = False


def start(told: Told, fields: tuple[Any, ...]) -> None:
    """The hand of one chair."""
    banker, current, cell, hand, wild, chair = fields
    if wild:
        raise Fault("UNKNOWN_CARD", f"有 {wild} 张王，记不下来", f"{wild} 王 dealt: they cannot be carried", "start")
    if chair >= codes.MOST_PERSONS or chair in told.hands:
        raise Fault("BAD_SEAT", f"座位 {chair} 不对或重复", f"chair {chair} is wrong or stands twice", "start", "chair")
    if told.hands and banker != told.dealer:
        raise Fault("BAD_SEAT", "各家所记庄家不同", "the chairs name different dealers", "start", "banker")
    told.dealer = banker
    told.hands[chair] = hand
    if told.tags.setdefault("cell_score", str(cell)) != str(cell):
        raise bad(("start",), "各家所记倍率不同", "the chairs name different cell scores")
    if current != banker:
        told.tags["first_seat"] = str(current)


def _laid(action: Action) -> Callable[[Told, tuple[Any, ...]], None]:
    def take(told: Told, fields: tuple[int, ...]) -> None:
        user, card = fields[:2]
        kind = action
        if len(fields) > 2:
            told.note("removed", f"{len(told.moves)}:{fields[2]}")
            if action == Action.TI and fields[2] == 4:
                kind = Action.TI_OPEN
            elif fields[2] > 4:
                raise bad(("removed",), f"不会去掉 {fields[2]} 张", f"{fields[2]} cards cannot be removed")
        told.move(user, kind, card_of(card))

    return take


def _chi(told: Told, fields: tuple[Any, ...]) -> None:
    user, value, count, raw = fields
    if not 1 <= count <= 3:
        raise Fault("BAD_MOVE", f"吃了 {count} 组", f"a 吃 of {count} groups")
    eaten = card_of(value)
    for place in range(count):
        group = list(_cards(raw[3 * place : 3 * place + 3]))
        if eaten not in group:
            zh = f"第 {place + 1} 组里没有{name(eaten)}"
            raise Fault("BAD_MOVE", zh, f"group {place + 1} does not hold {name(eaten)}")
        group.remove(eaten)
        told.move(user, Action.BI if place else Action.CHI, eaten, *group)
    if any(raw[3 * count :]):
        told.note("chi_rest", f"{len(told.moves) - 1}:{raw[3 * count :].hex()}")


def _notify(told: Told, fields: tuple[int, ...]) -> None:
    user, value, code, sub = fields
    if code & codes.WILD_OPTIONS:
        raise Fault("BAD_MOVE", "王钓、王闯记不下来", "王钓 and 王闯 cannot be carried")
    bits = [1 << place for place in range(16) if code >> place & 1]
    if unknown := [bit for bit in bits if bit not in codes.OPTIONS]:
        raise bad(("notify",), f"未知的选项 {unknown[0]:#x}", f"unknown option {unknown[0]:#x}")
    card = card_of(value) if value else NO_CARD
    told.note("notified", f"{len(told.moves) - 1}:{user}:{code:#x}" + (f":{sub:#x}" if sub else ""))
    if told.asked != "resume":
        return
    for action in dict.fromkeys(codes.OPTIONS[bit] for bit in bits):
        told.offer(user, action, card)


def _out_notify(told: Told, _: tuple[int, ...]) -> None:
    told.others["turns"] += 1


def _out(told: Told, fields: tuple[int, ...]) -> None:
    told.move(fields[0], Action.DISCARD, card_of(fields[1]))


def _send(told: Told, fields: tuple[int, ...]) -> None:
    value, shown, user = fields
    told.move(user, Action.DRAW, card_of(value), face=2 if shown else 1)


def _end(told: Told, fields: tuple[Any, ...]) -> None:
    reason, hu, winner, provider, kind, fan, huxi, tun, rate, tax = fields[:10]
    told.scores = fields[10:14]
    left_count, left, counts, held, wild, xing = fields[14:20]
    eye, hand_huxi, weave_count, weaves, current, wild_data, wild_eye = fields[20:27]
    written, dummy = fields[27:31], fields[31]
    if any(wild) or any(wild_data) or wild_eye:
        raise Fault("UNKNOWN_CARD", "有王的对局记不下来", "rounds with 王 cannot be carried", "end")
    if left_count > len(left) or sum(counts) > len(held):
        raise bad(("end",), "张数超出数组", "more cards than the array has")
    ends = [sum(counts[: place + 1]) for place in range(len(counts))]
    told.lefts = tuple(_cards(held[stop - n : stop], "end") for n, stop in zip(counts, ends, strict=True))
    won = winner != codes.NOBODY
    card = card_of(hu, "end") if hu else None
    if won:
        told.move(winner, Action.HU, NO_CARD if card is None else card)
    else:
        told.move(NO_SEAT, Action.HUANG)
    told.result = Result(
        winner=winner if won else NO_SEAT,
        card=card,
        source=_source(told.opened(), card, provider, winner) if won else None,
        from_seat=None if provider == codes.NOBODY else provider,
        groups=_groups(eye, weaves, weave_count),
        huxi=huxi if won or huxi else None,
        units=Ratio(tun) if won or tun else None,
        xing=tuple(card_of(one, "end") for one in xing[::2] if one) or None,
        rest=_cards(left[:left_count], "end"),
    )
    extras = {
        "reason": reason,
        "type_bits": f"{kind:#06x}" if kind else "",
        "fan_count": fan,
        "rate": rate,
        "tax": tax,
        "xing_counts": brief([str(n) for one, n in zip(xing[::2], xing[1::2], strict=True) if one or n]),
        "hand_huxi": str(hand_huxi) if hand_huxi != huxi else "",
        "current_card": name(card_of(current, "end")) if current else "",
        "written": " ".join(map(str, written)) if any(written) else "",
        "dummy": dummy,
    }
    told.tags |= {key: str(value) for key, value in extras.items() if value}
    told.ended = True


def _source(opened: Move | None, card: int | None, provider: int, winner: int) -> int | None:
    """Whence the winning card came, where the last card turned or discarded is that card of the provider."""
    if card is None or opened is None or (opened.seat, opened.card) != (provider, card):
        return None
    if opened.action == Action.DISCARD:
        return Source.DISCARD
    return Source.OWN_DRAW if provider == winner else Source.OTHER_DRAW


def _groups(eye: int, weaves: bytes, count: int) -> tuple[Group, ...] | None:
    if count > codes.WEAVES:
        raise bad(("end", "weaves"), f"有 {count} 组", f"{count} groups")
    found = []
    for place in range(count):
        kind, size, _, *values = weaves[7 * place : 7 * place + 7]
        if kind not in codes.FORMS or not 1 <= size <= 4:
            raise bad(("end", "weaves", place), f"未知的组合 {kind:#x}", f"unknown group {kind:#x} of {size} cards")
        found.append(Group(_cards(values[:size], "end", "weaves", place), codes.FORMS[kind]))
    if eye:
        found.append(Group((card_of(eye, "end", "eye"),) * 2, Form.JIANG))
    return tuple(found) or None


HANDLERS: dict[int, Callable[[Told, tuple[Any, ...]], None]] = {
    codes.START: start,
    codes.TI: _laid(Action.TI),
    codes.PAO: _laid(Action.PAO),
    codes.WEI: _laid(Action.WEI),
    codes.PENG: _laid(Action.PENG),
    codes.CHI: _chi,
    codes.NOTIFY: _notify,
    codes.OUT_NOTIFY: _out_notify,
    codes.OUT: _out,
    codes.SEND: _send,
    codes.END: _end,
}


def beside(told: Told, main: int, sub: int, payload: bytes, long: int) -> None:
    """A message that is not of the play: who sits where, which round it is; the others are counted."""
    if (main, sub) == (codes.USER, codes.COME_SUB) and len(payload) == codes.COME.size + codes.COME_REST + long:
        person, chair = codes.COME.unpack_from(payload)
        if chair < codes.MOST_PERSONS and person:
            told.ids[chair] = person
        elif chair < codes.MOST_PERSONS:
            told.ids.setdefault(chair, 0)
    elif (main, sub) == (codes.USER, codes.TABLE_SUB) and len(payload) == codes.TABLE.size + 16 * long + 1:
        rounds, told.round_no = codes.TABLE.unpack_from(payload)
        told.tags["session_rounds"] = str(rounds)
    else:
        if (main, sub) == (codes.GAME, 1001):
            told.tags["config"] = payload[:100].hex() + ("…" if len(payload) > 100 else "")
        count(told.others, f"{main}/{sub}")


def record_of(told: Told, params: Params, answer: Mapping[str, str], source: Provenance) -> Record:
    """The record; ``answer``: tags of the answer that held it. Raises ``Fault`` where the messages do not make one."""
    if not told.playing:
        raise Fault("TRUNCATED", "文件在发牌时断了", "the file stops in the deal", "start")
    if len(told.hands) < 2:
        zh, en = "每家应有一条开局消息", "each chair should have its message of the deal"
        raise bad(("start",), zh, en)
    persons = max([*told.hands, *told.ids]) + 1
    absent = [chair for chair in range(persons) if chair not in told.hands]
    if len(told.hands) == codes.MOST_PERSONS or len(absent) > 1:
        zh, en = f"{persons} 家发了 {len(told.hands)} 手牌", f"{len(told.hands)} hands dealt to {persons} persons"
        raise Fault("BAD_SEAT", zh, en, "start")
    sitter = absent[0] if persons == codes.MOST_PERSONS else None
    result = told.result
    if result is not None:
        idle = () if sitter is None else told.lefts[sitter]
        if any(told.scores[persons:]) or any(told.lefts[persons:]) or idle:
            raise Fault("BAD_SEAT", "没有人的座位有分或有牌", "a chair without a person has points or cards", "end")
        lefts = tuple(None if seat == sitter else told.lefts[seat] for seat in range(persons))
        told_lefts = lefts if any(told.lefts) else None
        result = msgspec.structs.replace(result, points=told.scores[:persons], hands=told_lefts)
    left = DECK - HAND * (persons - (sitter is not None)) - 1
    draws = [move.card for move in told.moves if move.action == Action.DRAW][:left]
    notes = told.texts() | {"identifiers": brief([str(one) for one in sorted(told.identifiers - {0})])}
    hands = [_hand(told, seat) for seat in range(persons)]
    dealt = hands[told.dealer] if told.dealer < persons else None
    if dealt is not None and params["liang"] == "last":
        hands[told.dealer] = dealt[:HAND]
        notes["liang_from"] = "place 21"
    return Record(
        ruleset=params["ruleset"],
        players=tuple(str(told.ids.get(seat) or f"seat{seat}") for seat in range(persons)),
        dealer=told.dealer,
        hands=tuple(hands),
        liang=dealt[HAND] if dealt is not None and params["liang"] == "last" else UNKNOWN,
        wall=(*draws, *[UNKNOWN] * (left - len(draws))),
        moves=tuple(told.moves),
        result=result,
        offers=tuple(told.offers) if told.asked == "resume" else None,
        platform=codes.NAME,
        round_no=told.round_no,
        sitter=sitter,
        complete=told.ended,
        omits=(int(Action.CHOU_WEI),),
        tags={"ruleset_from": "format", **answer} | told.tags | {key: text for key, text in notes.items() if text},
        source=source,
    )


def _hand(told: Told, seat: int) -> Cards | None:
    raw = told.hands.get(seat)
    if raw is None:
        return None
    size = HAND + (seat == told.dealer)
    if any(raw[size:]):
        zh, en = f"座位 {seat} 多了牌", f"chair {seat} has a card too many"
        raise Fault("DEAL_SIZE", zh, en, "start", seat)
    if 0 in raw[:size]:
        raise Fault("DEAL_SIZE", f"座位 {seat} 少了牌", f"chair {seat} lacks cards", "start", seat)
    return _cards(raw[:size], "start", seat)
