"""The rows of one round, an event a row, gathered into a record."""

from __future__ import annotations

import datetime
import hashlib
from collections import Counter
from collections.abc import Mapping as Table

from ingest.adapters import csv_cells
from ingest.adapters.csv_mapping import Mapping
from ingest.adapters.csv_record import extras, record_of
from ingest.adapters.csv_rows import Row
from ingest.adapters.fields import bad
from ingest.cards import UNKNOWN
from ingest.codes import NO_CARD, NO_SEAT, Action
from ingest.limits import INT32, MAX_EVENTS, Fault
from ingest.record import Cards, Move, Record
from ingest.validate import SEATLESS, SHAPES

DEAL, LIANG, SKIP = "deal", "liang", "skip"
"""Rows that are no event: a hand that is dealt, the 亮张 that is shown, and what is counted only."""

_LAID = frozenset({Action.PENG, Action.WEI, Action.CHOU_WEI, Action.PAO, Action.TI, Action.TI_OPEN})
"""Claims that lay cards of one kind, however many of them a row lists."""
_OF_OPEN = _LAID - {Action.TI_OPEN} | {Action.CHI}


class Round:
    """What the rows of one round told so far. ``fault``: the first one, and the line of its row."""

    def __init__(self, mapping: Mapping, facts: frozenset[str], row: Row) -> None:
        self.mapping = mapping
        self.facts = facts
        self.line, self.offset = row.line, row.offset
        self.digest = hashlib.blake2b(digest_size=16)
        self.fault: Fault | None = None
        self.fault_line = row.line
        self.cells: dict[str, str] = {}
        self.moves: list[Move] = []
        self.dealt: dict[int, Cards] = {}
        self.liang: int | None = None
        self.extra: Counter[str] = Counter()
        self.rows = self.others = 0
        self.seq: int | None = None
        self.start: datetime.datetime | None = None
        self.open: int = UNKNOWN

    def spoil(self, fault: Fault, line: int) -> None:
        """The round cannot be read; the first reason counts."""
        if self.fault is None:
            self.fault, self.fault_line = fault, line

    def add(self, row: Row, cells: Table[str, str], extra: list[str]) -> None:
        """One more row; ``cells`` are those that are not empty, ``extra`` the columns of which nothing is known."""
        self.digest.update(row.raw)
        self.rows += 1
        if self.fault is not None:
            return
        self.extra.update(extra)
        try:
            self._facts(cells)
            self._event(cells)
        except Fault as fault:
            self.spoil(fault, row.line)

    def record(self) -> Record:
        """The record of all rows; raises ``Fault``."""
        if self.fault is not None:
            raise self.fault
        column = self.mapping.round.get("n_rows")
        if isinstance(column, str) and column in self.cells:
            wanted = csv_cells.whole(self.cells[column], column, 0)
            if wanted != self.rows:
                zh, en = f"应有 {wanted} 行，而有 {self.rows} 行", f"{wanted} rows expected, found {self.rows}"
                raise Fault("TRUNCATED", zh, en, column)
        tags = extras(self.extra)
        if self.others:
            tags["other_messages"] = str(self.others)
        return record_of(self.mapping, self.cells, tuple(self.moves), self.dealt, self.liang, tags)

    def _facts(self, cells: Table[str, str]) -> None:
        for column in self.facts & cells.keys():
            if self.cells.setdefault(column, cells[column]) != cells[column]:
                zh = f"同一局里前后不一：{self.cells[column]!r:.40}、{cells[column]!r:.40}"
                en = f"{self.cells[column]!r:.40} and {cells[column]!r:.40} in one round"
                raise bad((column,), zh, en)

    def _event(self, cells: Table[str, str]) -> None:
        found = {name: cells[column] for name, column in self.mapping.event.items() if column in cells}
        where = self.mapping.event
        if "seq" in found:
            seq = csv_cells.whole(found["seq"], where["seq"])
            if self.seq is not None and seq <= self.seq:
                zh, en = f"{seq} 不在 {self.seq} 之后", f"{seq} does not follow {self.seq}"
                raise bad((where["seq"],), zh, en)
            self.seq = seq
        said = found.get("action", "")
        if said == SKIP:
            self.others += 1
        elif said == DEAL:
            self._deal(found)
        elif said == LIANG:
            self.liang = self.open = csv_cells.card(found.get("card", ""), where.get("card", LIANG), self.mapping)
        elif said:
            self._move(csv_cells.action(said, where["action"]), found)
        elif found.keys() - {"seq"}:
            raise Fault("BAD_MOVE", "没有动作", "no action", where["action"])

    def _deal(self, found: Table[str, str]) -> None:
        where = self.mapping.event
        seat = csv_cells.seat(found.get("seat", ""), where.get("seat", "seat"), self.mapping)
        ids: list[str] = []
        hand = csv_cells.cards(found.get("cards", ""), where.get("cards", "cards"), self.mapping, ids)
        if self.dealt.setdefault(seat, hand) != hand:
            raise bad(
                (where.get("cards", "cards"),), f"第 {seat} 家发了两次", f"the hand of seat {seat} is dealt twice"
            )

    def _move(self, action: Action, found: Table[str, str]) -> None:
        where = self.mapping.event
        if len(self.moves) >= MAX_EVENTS:
            raise Fault("LIMIT", f"超过 {MAX_EVENTS} 个事件", f"more than {MAX_EVENTS} events", where["action"])
        seat = NO_SEAT
        if action not in SEATLESS:
            seat = csv_cells.seat(found.get("seat", ""), where.get("seat", "seat"), self.mapping)
        elif found.get("seat", "-1") != "-1":
            zh, en = (
                f"“{found['seat']:.20}”：这个事件不属于任何座位",
                f"{found['seat']!r:.20}: the event belongs to no seat",
            )
            raise Fault("BAD_SEAT", zh, en, where["seat"])
        card, a, b = self._named(action, found)
        face = csv_cells.whole(found["face"], where["face"], 0, 4) + 1 if "face" in found else 0
        t_ms = self._time(found)
        self._check_open(action, card)
        self.moves.append(Move(seat, int(action), card, a, b, face, t_ms))
        if "bi" in found:
            self._bi(action, seat, card, found["bi"], t_ms)

    def _named(self, action: Action, found: Table[str, str]) -> tuple[int, int, int]:
        """The cards of an event: ``card``, ``a`` and ``b`` of a ``Move``."""
        where, mapping = self.mapping.event, self.mapping
        one, a, b = (
            csv_cells.card(found[name], where[name], mapping) if name in found else None for name in ("card", "a", "b")
        )
        listed = list(csv_cells.cards(found["cards"], where["cards"], mapping)) if "cards" in found else []
        listed += [card for card in (a, b) if card is not None]
        shape = SHAPES[action]
        if shape == "ccc":
            return self._three(one, listed)
        named = [*([] if one is None else [one]), *listed]
        asked = NO_CARD
        if action == Action.CLAIM:
            asked = int(csv_cells.action(found.get("wanted", ""), where.get("wanted", "wanted")))
        if not named:
            return (UNKNOWN if shape[0] == "c" else NO_CARD), asked, NO_CARD
        if shape[0] == "n" or (len(named) > 1 and action not in _LAID):
            zh, en = f"这个动作不会有 {len(named)} 张牌", f"the action cannot have {len(named)} cards"
            raise Fault("BAD_MOVE", zh, en, where["action"])
        if len(set(named)) > 1:
            zh, en = "应是同一种牌；牌的写法对吗？", "cards of one kind expected; is the encoding right?"
            raise Fault("BAD_MOVE", zh, en, where["action"])
        return named[0], asked, NO_CARD

    def _three(self, one: int | None, listed: list[int]) -> tuple[int, int, int]:
        if len(listed) == 3:
            taken = listed[0] if one is None else one
            if taken not in listed:
                zh, en = "三张里没有所吃的牌", "the card taken is not among the three"
                raise Fault("BAD_MOVE", zh, en, self.mapping.event["action"])
            listed.remove(taken)
            return taken, listed[0], listed[1]
        if len(listed) not in (0, 2):
            zh, en = f"应是三张牌，却有 {len(listed)} 张", f"three cards expected, found {len(listed)}"
            raise Fault("BAD_MOVE", zh, en, self.mapping.event["action"])
        a, b = listed or (UNKNOWN, UNKNOWN)
        return (UNKNOWN if one is None else one), a, b

    def _bi(self, action: Action, seat: int, eaten: int, text: str, t_ms: int | None) -> None:
        where = self.mapping.event["bi"]
        laid = list(csv_cells.cards(text, where, self.mapping))
        if action != Action.CHI or not laid or len(laid) % 3:
            raise Fault("BAD_MOVE", "比牌是吃牌时的三张或六张", "a 比 is three or six cards beside a 吃", where)
        for at in range(0, len(laid), 3):
            three = laid[at : at + 3]
            if eaten in three:
                three.remove(eaten)
                three.insert(0, eaten)
            self.moves.append(Move(seat, int(Action.BI), three[0], three[1], three[2], t_ms=t_ms))

    def _time(self, found: Table[str, str]) -> int | None:
        where = self.mapping.event
        if "t_ms" in found:
            return csv_cells.whole(found["t_ms"], where["t_ms"], 0)
        if "at" not in found:
            return None
        now = csv_cells.instant(found["at"], where["at"], self.mapping)
        if self.start is None:
            self.start = now
        t_ms = round((now - self.start) / datetime.timedelta(milliseconds=1))
        if not 0 <= t_ms <= INT32:
            zh, en = "时间早于本局第一个时间，或太晚", "before the first time of the round, or too late"
            raise bad((where["at"],), zh, en)
        return t_ms

    def _check_open(self, action: Action, card: int) -> None:
        """With an id for each of the 80 cards: what is taken is the open card, or the numbers mean something else."""
        if action in (Action.DISCARD, Action.DRAW):
            self.open = card
            return
        told = action in _OF_OPEN and UNKNOWN not in (card, self.open)
        if self.mapping.encoding.physical and told and card != self.open:
            zh, en = "不是桌上的牌；牌的写法对吗？", "not the open card; is the encoding right?"
            raise Fault("BAD_MOVE", zh, en, self.mapping.event["action"])
