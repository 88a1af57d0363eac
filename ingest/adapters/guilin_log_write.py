"""Rounds as the lines of a 桂林字牌 ``fightDetail.log``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from ingest.adapters.guilin_codes import WALL
from ingest.adapters.registry import Params
from ingest.adapters.threes import laid_with
from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import Move, Record, dealt

LOST = frozenset({Action.HU, Action.HUANG, Action.PASS, Action.UNCLAIMED, Action.CLAIM, Action.LEAVE})
"""Events that the log has no line for."""
_TURNED = {Action.PENG: "peng", Action.WEI: "wei", Action.CHOU_WEI: "wei"}
_CODE = ENCODINGS["1..20"]


def write(records: Iterable[Record], _: Params) -> Iterator[bytes]:
    """The lines of each round, in the order of the rounds; ``Fault`` for a round that the log cannot carry."""
    for record in records:
        for line in _Log(record).lines():
            yield line.encode() + b"\n"


class _Log:
    """One round while its lines are written."""

    def __init__(self, record: Record) -> None:
        deal = dealt(record)
        extra = sum(move.action == Action.BU for move in record.moves)
        if len(record.players) != 3 or record.sitter is not None:
            raise Fault("BAD_SEAT", "这种日志只记三人的牌局", "the log is of three seats", "players")
        if deal.liang is None or deal.wall is None or None in deal.hands or len(deal.wall) != WALL - extra:
            zh, en = "这种日志要有全部的手牌、亮张和墩", "the log tells all hands, the 亮张 and the wall"
            raise Fault("DEAL_SIZE", zh, en, "hands")
        self.record = record
        self.hands = [list(hand or ()) for hand in deal.hands]
        for move in record.moves:
            if move.action == Action.BU:
                self.hands[move.seat].append(move.card)
        self.hands[record.dealer].append(deal.liang)
        self.wall = list(deal.wall)
        if UNKNOWN in self.wall or any(UNKNOWN in hand for hand in self.hands):
            raise Fault("DEAL_SIZE", "有不知道的牌", "a card is not known", "hands")
        self.begin = None if record.started_at is None else datetime.fromisoformat(record.started_at)
        self.tabled: list[dict[int, str]] = [{}, {}, {}]
        self.quads = [0, 0, 0]
        self.last = record.dealer

    def lines(self) -> Iterator[str]:
        yield self._line(0, f"afterLorderRemainCard:{_list(self.wall)}")
        for seat, hand in enumerate(self.hands):
            yield self._line(0, f"{self._name(seat)}afterLorderHandList:{_list(hand)}")
        moves = self.record.moves
        seq = sum(move.action == Action.BU for move in moves)
        while seq < len(moves):
            move, after = moves[seq], laid_with(moves, seq, quads=True)
            if move.action not in LOST:
                yield self._line(move.t_ms, self._said(move, after, seq))
            seq += 1 + len(after)

    def _name(self, seat: int) -> str:
        name = self.record.players[seat]
        if not name.isprintable():
            raise Fault("BAD_FIELD", "名字里有换行或控制字符", "a name with a line end or control character", "players")
        return f"playerName:{name} "

    def _line(self, t_ms: int | None, said: str) -> str:
        prefix = ""
        if self.begin is not None and t_ms is not None:
            at = self.begin + timedelta(milliseconds=t_ms)
            prefix = (
                f"[{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}] [INFO] fightDetail - [fightHandler.js] [1] "
            )
        return f"{prefix}roomId:{self.record.room} currCircle:{self.record.round_no or 0} {said}"

    def _said(self, move: Move, after: Sequence[Move], seq: int) -> str:
        where = ("moves", seq)
        if move.action == Action.DRAW:
            if move.seat != (self.last + 1) % 3 or not self.wall or self.wall[0] != move.card:
                zh, en = (
                    "日志不写谁摸牌：只能是下家摸墩上最前的牌",
                    "the log names no drawer: the next seat turns the next card",
                )
                raise Fault("BAD_MOVE", zh, en, *where)
            self.last = move.seat
            del self.wall[0]
            return f"remainCardList:{_list(self.wall)}"
        self.last = move.seat
        if move.action == Action.DISCARD:
            self._take(move.seat, [move.card], seq)
            hand = _list(self.hands[move.seat])
            return f"{self._name(move.seat)}postID:{_CODE.encode(move.card)} afterPostHandList:{hand}"
        code, used = self._code(move, seq)
        for other in after:
            taken = [other.card, other.a, other.b] if other.action == Action.BI else [other.card] * 4
            self._take(move.seat, taken, seq)
        hand = _list(self.hands[move.seat])
        return f"{self._name(move.seat)}actType:{code} actCard:{_list(used)} afterActHandList:{hand}"

    def _code(self, move: Move, seq: int) -> tuple[int, list[int]]:
        """The type of an act and the cards it names."""
        tabled = self.tabled[move.seat]
        if move.action == Action.CHI:
            used = [move.a, move.b]
            self._take(move.seat, used, seq)
            return 4, used
        if move.action in _TURNED:
            used = [move.card] * 2
            self._take(move.seat, used, seq)
            tabled[move.card] = _TURNED[Action(move.action)]
            return {Action.PENG: 3, Action.WEI: 8, Action.CHOU_WEI: 7}[Action(move.action)], used
        if move.action not in (Action.PAO, Action.TI):
            zh = f"日志里没有单独的动作 {move.action}；比随吃、亮提随跑或提"
            en = f"the log has no line for the action {move.action} alone: 比 goes with a 吃, 亮提 with a 跑 or 提"
            raise Fault("BAD_MOVE", zh, en, "moves", seq)
        used = [move.card] * 3
        how = tabled.pop(move.card, "kan")
        if how == "kan":
            self._take(move.seat, used, seq)
        again = self.quads[move.seat] > 0
        self.quads[move.seat] += 1
        codes = {"kan": (1, 5), "wei": (2, 6), "peng": (31, 32)}
        if move.action == Action.TI:
            codes = {"kan": (9, 91), "wei": (10, 101)}
        if how not in codes:
            raise Fault("BAD_MOVE", "碰过的牌不能提", "no 提 of a 碰", "moves", seq)
        return codes[how][again], used

    def _take(self, seat: int, cards: list[int], seq: int) -> None:
        for card in cards:
            if card not in self.hands[seat]:
                raise Fault("BAD_MOVE", "打出的牌不在手里", "a card that the hand does not hold", "moves", seq)
            self.hands[seat].remove(card)


def _list(cards: Sequence[int]) -> str:
    return ",".join(str(_CODE.encode(card)) for card in cards)
