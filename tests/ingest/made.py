"""Records for tests: a plain one, and Hypothesis strategies that reach every field."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import msgspec
from hypothesis import strategies as st

from ingest.adapters.registry import Reject
from ingest.codes import NO_CARD, NO_SEAT, Action, Form, Source
from ingest.notation_moves import read_move
from ingest.record import Group, Move, Offer, Penalty, Provenance, Ratio, Record, Result

A = Action


def deck(seed: int) -> list[int]:
    cards = [kind for kind in range(20) for _ in range(4)]
    random.Random(seed).shuffle(cards)
    return cards


def plain(seed: int = 0, **fields: object) -> Record:
    """Three seats, a full deal and a few events; not a legal round, only a well-formed one."""
    cards = deck(seed)
    hands = tuple(tuple(cards[seat * 20 : seat * 20 + 20]) for seat in range(3))
    moves = (
        Move(0, A.DISCARD, cards[0]),
        Move(1, A.CHI, cards[0], 3, 4, 4, 1200),
        Move(1, A.DISCARD, cards[21]),
        Move(2, A.DRAW, cards[61], face=2),
        Move(2, A.PASS),
        Move(0, A.HU, cards[61]),
    )
    given = {
        "ruleset": "qq",
        "players": ("甲", "乙", "丙"),
        "dealer": 0,
        "hands": hands,
        "liang": cards[60],
        "wall": tuple(cards[61:]),
        "moves": moves,
        "platform": "测试",
        "session": f"s{seed}",
        "started_at": f"2024-03-{1 + seed % 28:02d}T20:00:00",
        "result": Result(winner=0, huxi=15, points=(24, -12, -12)),
    }
    return Record(**(given | fields))


SAID = (
    *(
        "0 打 玖",
        "1 吃 玖 柒捌 明2 @1200",
        "1 比 玖柒捌",
        "0 摸 ? 明0",
        "2 碰 五",
        "2 偎 五",
        "2 臭偎 五 明1",
        "2 跑 五",
    ),
    *("2 提 五", "0 亮提 五", "0 补 五", "1 求 碰", "1 求 碰 五", "2 过", "2 过 ?", "无人要", "无人要 五", "2 逃"),
    *("1 胡", "1 胡 五", "荒"),
)


def _every() -> Record:
    result = Result(
        winner=1,
        card=4,
        source=int(Source.DISCARD),
        from_seat=0,
        groups=(Group((1, 6, 9), 2, 3), Group((4, 4, 4))),
        huxi=15,
        fan={"红胡": 2},
        units=Ratio(17, 5),
        points=(-4, 8, -4),
        totals=(0, 1, -1),
        xing=(3,),
        xing_hits=0,
        hands=((), None, (1, -1)),
        rest=(),
        penalties=(Penalty(0, "C", (-6, 3, 3)),),
    )
    return plain(
        7,
        moves=tuple(map(read_move, SAID)),
        result=result,
        players=("甲,乙", '"引号"', "=SUM(A1)"),
        hands=(plain(7).hands[0], None, (*plain(7).hands[2][:19], -1)),
        wall=plain(7).wall[:5],
        options={"min_huxi": 10, "letters": ("A", 1), "zimo": "double", "x": True},
        offers=(Offer(0, 1, A.CHI, 18, (16, 17)),),
        visible=(0, 2),
        room="@房",
        round_no=3,
        tags={"两行": "一\n二", "-": "'"},
        omits=(A.BI, A.PASS),
        complete=False,
        source=Provenance(note="+1\r\n'2"),
    )


EVERY = _every()
"""A record with every event and every field."""
UNTOLD = plain(8, players=("甲", "乙", "丙", "丁"), sitter=2, dealer=1, hands=(None,) * 4, liang=None, wall=None)
UNTOLD = msgspec.structs.replace(UNTOLD, result=None, moves=(), started_at=None, platform="", session="")
"""One of which next to nothing is known."""


def filled(hands: Sequence[str], wall: str, size: int, apart: Iterable[int]) -> list[tuple[int, ...]]:
    """Hands and a wall of ``size`` of chosen cards: kinds as letters a..t, each filled up with what is left.

    ``apart``: the kinds of cards that stand elsewhere.
    """
    left = [kind for kind in range(20) for _ in range(4)]
    given = [[ord(char) - 97 for char in text] for text in (*hands, wall)]
    for kind in [*apart, *(card for part in given for card in part)]:
        left.remove(kind)
    random.Random(5).shuffle(left)
    for part, most in zip(given, (*(20 for _ in hands), size), strict=True):
        while len(part) < most:
            part.append(left.pop())
    return [tuple(part) for part in given]


def bare(record: Record) -> Record:
    """The record without the place where it was read."""
    return msgspec.structs.replace(record, source=Provenance(note=record.source.note))


def taken(found: list[Record | Reject]) -> list[Record]:
    assert not [one for one in found if isinstance(one, Reject)], found
    return [bare(one) for one in found if isinstance(one, Record)]


def refused(found: list[Record | Reject]) -> list[Reject]:
    return [one for one in found if isinstance(one, Reject)]


INTS = st.integers(-(2**31) + 1, 2**31 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="�"), max_size=6).filter(
    lambda text: not any((ord(char) < 32 and char not in "\t\n\r") or ord(char) == 127 for char in text)
)
CARDS = st.integers(-1, 19)
MAYBE_CARD = st.integers(-1, 19) | st.just(NO_CARD)
TIMES = st.none() | st.integers(0, 2**31 - 1)
ASKED = sorted(set(Action) - {A.HUANG, A.UNCLAIMED, A.LEAVE})
OPTIONS = INTS | TEXTS | st.booleans() | st.lists(INTS | TEXTS, max_size=4).map(tuple)


@st.composite
def moves(draw: st.DrawFn, seats: list[int]) -> Move:
    action = draw(st.sampled_from(sorted(Action)))
    seat = NO_SEAT if action in (A.HUANG, A.UNCLAIMED) else draw(st.sampled_from(seats))
    card, a, b = NO_CARD, NO_CARD, NO_CARD
    if action in (A.CHI, A.BI):
        card, a, b = draw(CARDS), draw(CARDS), draw(CARDS)
    elif action in (A.HU, A.PASS, A.UNCLAIMED, A.CLAIM):
        card = draw(MAYBE_CARD)
    elif action not in (A.HUANG, A.LEAVE):
        card = draw(CARDS)
    if action == A.CLAIM:
        a = int(draw(st.sampled_from(ASKED)))
    return Move(seat, int(action), card, a, b, draw(st.integers(0, 5)), draw(TIMES))


def some(strategy: st.SearchStrategy, most: int = 4) -> st.SearchStrategy:
    return st.lists(strategy, max_size=most).map(tuple)


@st.composite
def results(draw: st.DrawFn, n: int) -> Result:
    groups = st.builds(
        Group,
        cards=st.lists(CARDS, min_size=1, max_size=4).map(tuple),
        form=st.none() | st.integers(1, len(Form)),
        huxi=st.none() | INTS,
    )
    per_seat = st.lists(INTS, min_size=n, max_size=n).map(tuple)
    penalties = st.builds(Penalty, st.integers(0, n - 1), st.sampled_from("ABCDEZ"), per_seat)
    hands = st.lists(st.none() | some(CARDS), min_size=n, max_size=n).map(tuple)
    return Result(
        winner=draw(st.none() | st.integers(-1, n - 1)),
        card=draw(st.none() | CARDS),
        source=draw(st.none() | st.integers(0, 4)),
        from_seat=draw(st.none() | st.integers(0, n - 1)),
        groups=draw(st.none() | some(groups)),
        huxi=draw(st.none() | INTS),
        fan=draw(st.none() | st.dictionaries(TEXTS, INTS, max_size=3)),
        units=draw(st.none() | st.builds(Ratio, INTS, st.integers(1, 9))),
        points=draw(st.none() | per_seat),
        totals=draw(st.none() | per_seat),
        xing=draw(st.none() | some(CARDS)),
        xing_hits=draw(st.none() | INTS),
        hands=draw(st.none() | hands),
        rest=draw(st.none() | some(CARDS)),
        penalties=draw(st.none() | some(penalties)),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record that can be stored."""
    n = draw(st.integers(2, 4))
    sitter = draw(st.integers(0, n - 1)) if n == 4 else draw(st.none() | st.integers(0, n - 1)) if n == 3 else None
    seats = [seat for seat in range(n) if seat != sitter]
    cards = deck(draw(st.integers(0, 9999)))
    for at in draw(st.lists(st.integers(0, 79), max_size=8)):
        cards[at] = -1
    hands: list[tuple[int, ...] | None] = [None] * n
    dealer = draw(st.sampled_from(seats))
    rest = cards[20 * len(seats) :]
    for place, seat in enumerate(seats):
        if draw(st.integers(0, 3)):
            hands[seat] = tuple(cards[place * 20 : place * 20 + 20])
    if hands[dealer] is not None and draw(st.booleans()):
        hands[dealer] = (*hands[dealer], rest[0])
    events = draw(st.lists(moves(list(range(n))), max_size=12))
    extra = sum(event.action == A.BU for event in events)
    size = draw(st.integers(0, max(0, len(rest) - 1 - extra)))
    walls = [None, tuple(rest[1 : 1 + size]), tuple(rest[: max(0, len(rest) - extra)])]
    offers = st.builds(
        Offer,
        st.integers(-1, len(events) - 1),
        st.sampled_from(seats),
        st.sampled_from([int(action) for action in ASKED]),
        MAYBE_CARD,
        some(CARDS, 8),
    )
    return Record(
        ruleset=draw(TEXTS.filter(bool)),
        players=tuple(draw(st.lists(TEXTS, min_size=n, max_size=n))),
        dealer=dealer,
        hands=tuple(hands),
        liang=draw(st.sampled_from([None, rest[0]])),
        wall=draw(st.sampled_from(walls)),
        moves=tuple(events),
        options=draw(st.dictionaries(TEXTS, OPTIONS, max_size=3)),
        result=draw(st.none() | st.just(Result()) | results(n)),
        offers=draw(st.none() | some(offers)),
        visible=draw(st.none() | st.lists(st.integers(0, n - 1), unique=True).map(tuple)),
        platform=draw(TEXTS),
        room=draw(TEXTS),
        session=draw(TEXTS),
        round_no=draw(st.none() | INTS),
        started_at=draw(st.sampled_from([None, "2017-05-03", "2024-02-29T23:59:59.123+08:00", "2020-01-01 00:00Z"])),
        sitter=sitter,
        complete=draw(st.booleans()),
        tags=draw(st.dictionaries(TEXTS, TEXTS, max_size=3)),
        source=Provenance(note=draw(TEXTS)),
    )
