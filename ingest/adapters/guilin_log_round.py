"""One round of a 桂林字牌 ``fightDetail.log``: from its lines to a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ingest.adapters.fields import bad, brief
from ingest.adapters.guilin_codes import ACTS, FORCED, TABLED, WALL
from ingest.adapters.guilin_log_seats import SEATS, Event, bi_of, turn_order, who_acts
from ingest.adapters.guilin_record import PLATFORM
from ingest.adapters.lines import RoundLines
from ingest.adapters.registry import Params
from ingest.cards import COPIES, DECK
from ingest.codes import Action
from ingest.encodings import ENCODINGS
from ingest.limits import Fault
from ingest.record import HAND, Cards, Move, Provenance, Record

MOST_LINES = 400
OMITS = (int(Action.HU), int(Action.HUANG))
"""What this log never tells: how a round ends."""

Parts = Mapping[str, str | None]
_CODE = ENCODINGS["1..20"]


@dataclass
class LogRound(RoundLines[Parts]):
    """The lines of one round of a room while they come in."""

    room: str = ""
    most = MOST_LINES

    @property
    def deal_only(self) -> bool:
        """Whether nothing but the deal was told."""
        deals = (parts["wall"] is not None or parts["hand"] is not None for _, parts in self.told)
        return self.fault is None and all(deals)


@dataclass
class _Deal:
    line: int
    at: datetime | None
    circle: int
    wall: Cards
    names: list[str] = field(default_factory=list)
    hands: list[Cards] = field(default_factory=list)


def log_round(found: LogRound, params: Params, source: Provenance) -> Record:
    """The record of those lines; raises ``Fault`` where one is not as expected or a seat cannot be told for certain."""
    if found.fault is not None:
        raise found.fault
    deal, rest = _deal(found.told)
    events = list(_Hands(deal).events(rest))
    dealer, liang = _dealer(deal, events)
    circle, how = turn_order(events, dealer, params["order"])
    moves = [Move(circle.index(who), Action.BU, card) for who, card in _extra(deal, dealer)]
    forced = []
    for event, who in zip(events, who_acts(events, circle, dealer), strict=True):
        if event.code in FORCED:
            forced.append(f"{len(moves)}:{event.code}")
        moves += [Move(circle.index(who), m.action, m.card, m.a, m.b, t_ms=m.t_ms) for m in event.moves]
    return Record(
        ruleset="guilin",
        players=tuple(deal.names[who] for who in circle),
        dealer=circle.index(dealer),
        hands=tuple(deal.hands[who][:HAND] for who in circle),
        liang=liang,
        wall=deal.wall,
        moves=tuple(moves),
        platform=PLATFORM,
        room=found.room,
        round_no=deal.circle,
        started_at=None if deal.at is None else deal.at.isoformat(timespec="milliseconds"),
        complete=False,
        omits=OMITS,
        tags={"lines": str(len(found.told)), "seat_order": how} | ({"forced": brief(forced)} if forced else {}),
        source=source,
    )


def _deal(told: Sequence[tuple[int, Parts]]) -> tuple[_Deal, Sequence[tuple[int, Parts]]]:
    """The deal, which the first lines tell, and the other lines."""
    number, first = told[0]
    if first["wall"] is None:
        zh, en = (
            "没有这一局的发牌（afterLorderRemainCard）",
            "the deal of this round (afterLorderRemainCard) is missing",
        )
        raise bad(("line", number), zh, en)
    deal = _Deal(number, _moment(first, number), int(first["circle"] or 0), _cards(first["wall"], number, "wall"))
    place = 1
    while place < len(told) and (hand := told[place][1]["hand"]) is not None:
        at = told[place][0]
        deal.names.append(told[place][1]["name"] or f"seat{place - 1}")
        deal.hands.append(_cards(hand, at, "hand"))
        place += 1
    if len(deal.hands) != SEATS:
        zh, en = f"应有三手牌，而有 {len(deal.hands)} 手", f"three hands expected, found {len(deal.hands)}"
        raise Fault("DEAL_SIZE", zh, en, "line", told[place - 1][0])
    for number, parts in told[place:]:
        if parts["wall"] is not None or parts["hand"] is not None:
            raise bad(("line", number), "一局里有两次发牌", "a second deal in one round")
        if int(parts["circle"] or 0) != deal.circle:
            zh, en = f"局号不是 {deal.circle}", f"not of round {deal.circle}"
            raise bad(("line", number), zh, en)
    _check_deck(deal)
    return deal, told[place:]


def _check_deck(deal: _Deal) -> None:
    where = ("line", deal.line)
    dealt = Counter(deal.wall)
    for hand in deal.hands:
        dealt.update(hand)
    if dealt.total() < DECK and len(deal.wall) < WALL - SEATS:
        raise Fault("DEBUG_DECK", f"只有 {dealt.total()} 张牌", f"only {dealt.total()} cards: not the deck", *where)
    if dealt.total() != DECK:
        raise Fault("DEAL_SIZE", f"应为 80 张，而有 {dealt.total()} 张", f"{dealt.total()} cards, not 80", *where)
    if min(map(len, deal.hands)) < HAND:
        sizes = [len(hand) for hand in deal.hands]
        raise Fault("DEAL_SIZE", f"各手 {sizes} 张", f"hands of {sizes} cards", *where)
    if max(dealt.values()) > COPIES:
        raise Fault("FIFTH_COPY", "有一种牌超过四张", "a card is there more than four times", *where)


def _dealer(deal: _Deal, events: Sequence[Event]) -> tuple[int, int]:
    """Whose last card is the 亮张, and that card. Two dealt quads bring one card more: sizes may not decide."""
    where = ("line", deal.line)
    sizes = [len(hand) for hand in deal.hands]
    could = [who for who, size in enumerate(sizes) if size > HAND]
    if len(could) > 1 and events and events[0].who in could and events[0].moves[0].action == Action.DISCARD:
        could = [events[0].who]
    if len(could) != 1:
        raise Fault(
            "DEAL_SIZE", f"各手 {sizes} 张，看不出庄家", f"hands of {sizes} cards do not show the dealer", *where
        )
    return could[0], deal.hands[could[0]][-1]


def _extra(deal: _Deal, dealer: int) -> list[tuple[int, int]]:
    """Who was dealt which card beyond 20, the 亮张 apart."""
    return [
        (who, card) for who, hand in enumerate(deal.hands) for card in (hand[HAND:-1] if who == dealer else hand[HAND:])
    ]


class _Hands:
    """The hands and the wall while the lines are read."""

    def __init__(self, deal: _Deal) -> None:
        self.deal = deal
        self.hands = [Counter(hand) for hand in deal.hands]
        self.wall = deal.wall
        self.open: int | None = None

    def events(self, told: Sequence[tuple[int, Parts]]) -> Sequence[Event]:
        return [self._event(number, parts) for number, parts in told]

    def _event(self, number: int, parts: Parts) -> Event:
        t_ms = self._time(parts, number)
        if (rest := parts["rest"]) is not None:
            return self._draw(_cards(rest, number, "remainCardList"), number, t_ms)
        if (post := parts["post"]) is not None:
            card = _card(post, number, "postID")
            after = Counter(_cards(parts["posted"] or "", number, "afterPostHandList"))
            who, _ = self._changed(parts, after, number, lambda gone: gone == Counter([card]))
            self.open = card
            return Event((Move(who, Action.DISCARD, card, t_ms=t_ms),), who)
        return self._act(parts, number, t_ms)

    def _time(self, parts: Parts, number: int) -> int | None:
        at = _moment(parts, number)
        if at is None or self.deal.at is None:
            return None
        if not timedelta() <= at - self.deal.at < timedelta(days=1):
            raise bad(("line", number), f"{at} 不在发牌后一天之内", f"{at} is not within a day of the deal")
        return (at - self.deal.at) // timedelta(milliseconds=1)

    def _draw(self, rest: Cards, number: int, t_ms: int | None) -> Event:
        if not self.wall or rest != self.wall[1:]:
            zh, en = "墩不是少了最前的一张", "this is not the wall without its first card"
            raise bad(("line", number, "remainCardList"), zh, en)
        self.open, self.wall = self.wall[0], rest
        return Event((Move(0, Action.DRAW, self.open, t_ms=t_ms),), None)

    def _act(self, parts: Parts, number: int, t_ms: int | None) -> Event:
        where = ("line", number)
        code = int(parts["act"] or 0)
        action = ACTS.get(code)
        used = _cards(parts["used"] or "", number, "actCard")
        after = Counter(_cards(parts["acted"] or "", number, "afterActHandList"))
        if action is None:
            raise Fault("BAD_MOVE", f"未知的动作 {code}", f"unknown act {code}", *where, "actType")
        if self.open is None:
            raise Fault("BAD_MOVE", "桌上没有牌", "no card is open", *where, "actType")
        if action == Action.CHI and len(used) != 2:
            raise bad((*where, "actCard"), "吃应有两张手牌", "a 吃 needs two hand cards")
        if action != Action.CHI and len(set(used)) != 1:
            raise bad((*where, "actCard"), "应是同一种牌", "expected copies of one card")
        laid = Counter() if code in TABLED else Counter(used)

        def fits(gone: Counter[int]) -> bool:
            more = gone - laid
            if more + laid != gone:
                return False
            if action == Action.CHI:
                return more.total() in (0, 3, 6)
            return not more or (action in (Action.PAO, Action.TI) and set(more.values()) == {COPIES})

        who, gone = self._changed(parts, after, number, fits)
        more = gone - laid
        moves = [Move(who, action, used[0], t_ms=t_ms)]
        if action == Action.CHI:
            moves = [Move(who, action, self.open, used[0], used[1], t_ms=t_ms)]
            moves += [Move(who, Action.BI, *three, t_ms=t_ms) for three in bi_of(more, self.open, where)]
        else:
            moves += [Move(who, Action.TI_OPEN, card, t_ms=t_ms) for card in sorted(more)]
        self.open = None
        return Event(tuple(moves), who, code)

    def _changed(
        self, parts: Parts, after: Counter[int], number: int, fits: Callable[[Counter[int]], bool]
    ) -> tuple[int, Counter[int]]:
        """Whose hand became ``after`` by losing cards that ``fits`` allows, and these; certain, or a ``Fault``."""
        name = parts["name"]
        named = [who for who, one in enumerate(self.deal.names) if name is None or one == (name or f"seat{who}")]
        if not named:
            zh, en = f"三家里没有 {name!r:.60}", f"{name!r:.60} is none of the three"
            raise Fault("BAD_SEAT", zh, en, "line", number, "playerName")
        lost = [(who, self.hands[who] - after) for who in named if after <= self.hands[who]]
        could = [(who, gone) for who, gone in lost if fits(gone)]
        if len(could) != 1:
            zh = "不合任何一家的手牌" if not could else "不止一家的手牌相合，分不清是谁"
            en = "it fits no hand" if not could else "it fits more than one hand: nobody can say whose it is"
            raise bad(("line", number), zh, en)
        self.hands[could[0][0]] = after
        return could[0]


def _moment(parts: Parts, number: int) -> datetime | None:
    at = parts["at"]
    try:
        return None if at is None else datetime.fromisoformat(at)
    except ValueError as error:
        raise bad(("line", number), f"没有这个时间：{at}", f"no such time: {at}") from error


def _cards(text: str, number: int, what: str) -> Cards:
    items = text.split(",") if text else []
    if len(items) > DECK:
        raise Fault("LIMIT", f"{len(items)} 张牌太多", f"{len(items)} cards are too many", "line", number, what)
    return tuple(_card(item, number, what) for item in items)


def _card(item: str, number: int, what: str) -> int:
    return _CODE.decode(item, "line", number, what)
