"""Rounds as sy599 writes them: a JSON wrapper a line around the text ``playLog``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ingest.adapters.registry import Params
from ingest.adapters.sy599_codes import (
    BU,
    CHI,
    CHOU_WEI,
    DISCARD,
    DRAW,
    FORMS,
    GUO,
    HU,
    OPTION_ACTIONS,
    OPTIONS,
    PAO,
    PENG,
    TI,
    WEI,
)
from ingest.adapters.sy599_round import encoding_of
from ingest.adapters.threes import laid_with
from ingest.cards import COPIES, UNKNOWN
from ingest.codes import NO_CARD, Action, Form
from ingest.encodings import Encoding
from ingest.limits import Fault
from ingest.record import HAND, Move, Record, Result, dealt

LOST = frozenset({Action.HUANG, Action.UNCLAIMED, Action.CLAIM})
"""Events that the log has no entry for."""
_CLAIMS = {Action.PENG: (PENG, 2), Action.WEI: (WEI, 2), Action.CHOU_WEI: (CHOU_WEI, 2)}
_QUADS = {Action.PAO: PAO, Action.TI: TI}


def write(records: Iterable[Record], params: Params) -> Iterator[bytes]:
    """A line a round; ``Fault`` for a round that the format cannot carry."""
    code = encoding_of(params)
    for record in records:
        yield json.dumps(_Log(record, code).wrapper(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class _Log:
    """One round while it is written: who holds which ids."""

    def __init__(self, record: Record, code: Encoding) -> None:
        self.record, self.code = record, code
        self.used = [0] * 20
        deal = dealt(record)
        self.hands: list[list[tuple[int, Any]]] = []
        self.first: Any = None
        for seat, hand in enumerate(deal.hands):
            if hand is None and seat != record.sitter:
                raise Fault("DEAL_SIZE", "要有全部的手牌", "all hands must be known", "hands", seat)
            self.hands.append([self._new(card, "hands", seat) for card in hand or ()])
        dealer = self.hands[record.dealer]
        if deal.liang is not None and (deal.liang != UNKNOWN or len(dealer) == HAND):
            dealer.append(self._new(deal.liang, "liang"))
            self.first = dealer[-1][1]
        if len(dealer) != HAND + 1:
            raise Fault("DEAL_SIZE", "庄家应有 21 张", "the dealer has 21 cards in this format", "hands", record.dealer)
        self.dealt = [_joined(hand) for hand in self.hands]
        wall = deal.wall or ()
        self.whole = deal.wall is not None and UNKNOWN not in wall
        known = wall if self.whole else wall[: wall.index(UNKNOWN)] if wall else ()
        self.wall = [self._new(card, "wall") for card in known]
        self.at = 0
        self.extra: dict[int, list[Any]] = {}
        self.open: tuple[int, Any] | None = None
        self.tabled: list[dict[int, list[Any]]] = [{} for _ in deal.hands]

    def _new(self, card: int, *where: str | int) -> tuple[int, Any]:
        """The next copy of a kind."""
        if card == UNKNOWN or self.used[card] >= COPIES:
            zh, en = "有不知道的牌，或第五张同样的牌", "an unknown card, or a fifth copy"
            raise Fault("DEAL_SIZE" if card == UNKNOWN else "FIFTH_COPY", zh, en, *where)
        self.used[card] += 1
        return card, self.code.encode(card, self.used[card] - 1)

    def wrapper(self) -> dict[str, Any]:
        record = self.record
        told: dict[str, Any] = {"tableId": record.room} if record.room else {}
        if record.round_no is not None:
            told["playCount"] = record.round_no
        if record.started_at is not None:
            told["time"] = record.started_at[:19].replace("T", " ")
        told["play"] = "".join(f"{entry};" for entry in self._entries())
        result = record.result or Result()
        told["resList"] = [
            json.dumps(self._person(seat, result), ensure_ascii=False) for seat in range(len(self.hands))
        ]
        if record.complete:
            told["closingMsg"] = json.dumps(self._closing(result), ensure_ascii=False)
        return told

    def _entries(self) -> Iterator[str]:
        yield from self.dealt
        yield from self._offered(-1)
        moves = self.record.moves
        seq = 0
        while seq < len(moves):
            move, bi = moves[seq], laid_with(moves, seq)
            end = seq + 1 + len(bi)
            if move.action not in LOST:
                yield self._entry(move, bi, seq)
            for place in range(seq, end):
                yield from self._offered(place)
            seq = end

    def _offered(self, seq: int) -> Iterator[str]:
        given: dict[int, set[int]] = {}
        for offer in self.record.offers or ():
            if offer.seq == seq and offer.action in OPTION_ACTIONS:
                given.setdefault(offer.seat, set()).add(offer.action)
        for seat in sorted(given):
            flags = ",".join("1" if action in given[seat] else "0" for action in OPTION_ACTIONS)
            yield f"{seat + 1}_{OPTIONS}_{flags}"

    def _entry(self, move: Move, bi: Sequence[Move], seq: int) -> str:
        seat, action, card = move.seat, move.action, move.card
        if action in (Action.DRAW, Action.BU):
            one = self._drawn(card, action == Action.BU, seq)
            if action == Action.BU:
                self.hands[seat].append(one)
                return f"{seat + 1}_{BU}_{one[1]}"
            self.open = one
            return f"{seat + 1}_{DRAW}_{one[1]}"
        if action == Action.DISCARD:
            self.open = (card, self._take(seat, card, 1, seq)[0])
            return f"{seat + 1}_{DISCARD}_{self.open[1]}"
        if action in (Action.PASS, Action.HU):
            told = (
                ""
                if card in (NO_CARD, UNKNOWN)
                else self.open[1]
                if self._opens(card) and self.open
                else self.code.encode(card)
            )
            return f"{seat + 1}_{GUO if action == Action.PASS else HU}_{told}"
        if action == Action.TI_OPEN:
            return f"{seat + 1}_{TI}_{_text(self._take(seat, card, 4, seq))}"
        if not self._opens(card) or self.open is None:
            raise Fault("BAD_MOVE", "桌上没有这张牌", "that card is not open", "moves", seq)
        ids = [self.open[1]]
        if action == Action.CHI:
            for kind in (move.a, move.b, *(other for each in bi for other in (each.card, each.a, each.b))):
                ids += self._take(seat, kind, 1, seq)
            code = CHI
        elif action in _CLAIMS:
            code, size = _CLAIMS[Action(action)]
            ids += self._take(seat, card, size, seq)
            self.tabled[seat][card] = list(ids)
        elif action in _QUADS:
            code = _QUADS[Action(action)]
            ids += self.tabled[seat].pop(card, []) or self._take(seat, card, 3, seq)
        else:
            zh, en = f"没有动作 {move.action} 的写法", f"no entry for the action {move.action}"
            raise Fault("BAD_MOVE", zh, en, "moves", seq)
        self.open = None
        return f"{seat + 1}_{code}_{_text(ids)}"

    def _opens(self, card: int) -> bool:
        return self.open is not None and self.open[0] == card

    def _drawn(self, card: int, extra: bool, seq: int) -> tuple[int, Any]:
        if extra or (not self.whole and self.at == len(self.wall)):
            one = self._new(card, "moves", seq)
            if extra:
                self.extra.setdefault(self.at, []).append(one[1])
            return one
        if self.at >= len(self.wall) or self.wall[self.at][0] != card:
            zh, en = "摸的不是墩上最前的牌", "the drawn card is not the next of the wall"
            raise Fault("BAD_MOVE", zh, en, "moves", seq)
        self.at += 1
        return self.wall[self.at - 1]

    def _take(self, seat: int, card: int, size: int, seq: int) -> list[Any]:
        ids = [one for kind, one in self.hands[seat] if kind == card][:size]
        if len(ids) < size:
            raise Fault("BAD_MOVE", "牌不在手里", "the hand does not hold the cards", "moves", seq)
        left = list(self.hands[seat])
        for one in ids:
            left.remove((card, one))
        self.hands[seat] = left
        return ids

    def _person(self, seat: int, result: Result) -> dict[str, Any]:
        told: dict[str, Any] = {"userId": self.record.players[seat], "seat": seat + 1}
        for name, values in (("point", result.points), ("totalPoint", result.totals)):
            if values is not None:
                told[name] = values[seat]
        if result.hands is not None and (hand := result.hands[seat]) is not None:
            told["cards"] = self._kinds(hand)
        return told

    def _closing(self, result: Result) -> dict[str, Any]:
        told: dict[str, Any] = {"firstCard": self.first} if self.first is not None else {}
        if self.wall:
            told["startLeftCards"] = []
            for place, (_, one) in enumerate([*self.wall, (0, None)]):
                told["startLeftCards"] += [*self.extra.get(place, ()), *([one] if one is not None else [])]
        if result.winner is None:
            told["isBreak"] = 1
        elif result.winner >= 0:
            told["huSeat"] = result.winner + 1
            if result.card not in (None, UNKNOWN):
                told["huCard"] = self.code.encode(result.card)
        if result.huxi is not None:
            told["huxi"] = result.huxi
        if result.units is not None and result.units.den == 1:
            told["tun"] = result.units.num
        if result.rest is not None:
            told["leftCards"] = self._kinds(result.rest)
        actions = {form: action for action, form in reversed(FORMS.items())}
        if result.groups:
            told["cards"] = [
                {"cards": self._kinds(group.cards), "action": actions.get(Form(group.form), 0) if group.form else 0}
                | ({} if group.huxi is None else {"huxi": group.huxi})
                for group in result.groups
            ]
        return told

    def _kinds(self, cards: Sequence[int]) -> list[Any]:
        if UNKNOWN in cards:
            raise Fault("BAD_FIELD", "有不知道的牌", "an unknown card", "result")
        return [self.code.encode(card, cards[:place].count(card)) for place, card in enumerate(cards)]


def _joined(hand: Sequence[tuple[int, Any]]) -> str:
    return _text([one for _, one in hand])


def _text(ids: Sequence[Any]) -> str:
    return ",".join(map(str, ids))
