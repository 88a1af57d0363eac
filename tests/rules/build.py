"""Builds whole legal deals round the few cards that a rule is about.

``deal`` takes the cards and moves that matter and deals the rest of the 80 so that nothing else happens: no other seat
is dealt a 坎 or 提, and nobody holds a pair of a card that is drawn or discarded, unless it was asked for.

    record = deal({1: "五五伍"}, moves=["0 打 五", "1 碰", "1 打 九"])
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ingest import cards
from ingest.codes import ACTION_CHARS, FACE_UNKNOWN, NO_CARD, NO_SEAT, Action
from ingest.record import Move, Record, Result

SEATS = 3
HAND = 20
WALL = 19
_ACTIONS = {char: action for action, char in ACTION_CHARS.items()}
_OPENS = (Action.DISCARD, Action.DRAW)


def moves_of(texts: Iterable[str], liang: int = NO_CARD) -> tuple[Move, ...]:
    """Events written as ``1 吃 五 四六``; a card left out is the card that lies open, ``-`` is no card.

    A number of cards that lie face up may follow: ``1 偎 明0``.
    """
    moves: list[Move] = []
    open_card = liang
    for text in texts:
        words = text.split()
        seat = int(words.pop(0)) if words[0].isdigit() else NO_SEAT
        action = _ACTIONS[words.pop(0)]
        wanted = _ACTIONS[words.pop(0)] if action == Action.CLAIM else NO_CARD
        face = FACE_UNKNOWN
        if words and words[-1].startswith("明"):
            face = int(words.pop()[1:]) + 1
        named = [NO_CARD] if words == ["-"] else cards.parse("".join(words))
        if not named:
            named = [NO_CARD if action == Action.HUANG else open_card]
        card, a, b = [*named, NO_CARD, NO_CARD][:3]
        if action in _OPENS:
            open_card = card
        moves.append(Move(seat, action, card, wanted if action == Action.CLAIM else a, b, face))
    return tuple(moves)


def deal(
    hands: Mapping[int, str] | None = None,
    moves: Sequence[str] = (),
    *,
    liang: str | None = None,
    wall_front: str | None = None,
    wall_end: str = "",
    ruleset: str = "qq",
    dealer: int = 0,
    options: Mapping[str, Any] | None = None,
    add_missing: bool = True,
    avoid: Mapping[int, str] | None = None,
    result: Result | None = None,
    complete: bool | None = None,
) -> Record:
    """A record with these cards among the dealt ones and these moves.

    ``wall_front``: the first wall cards, by default those that the moves draw; ``wall_end``: the last ones.
    ``add_missing``: a card that a seat discards, eats or lays with is dealt to it even if ``hands`` forgot it.
    ``avoid``: kinds of which a seat gets no further copy; a kind that it eats is one of them. ``complete``: by default
    whether the moves end with a win or 荒庄.
    """
    liang_card = None if liang is None else cards.parse_one(liang)
    read = moves_of(moves, NO_CARD if liang_card is None else liang_card)
    front = [move.card for move in read if move.action == Action.DRAW]
    if wall_front is not None:
        front = cards.parse(wall_front)
    front = front[:WALL]
    end = cards.parse(wall_end)
    given = [cards.parse((hands or {}).get(seat, "")) for seat in range(SEATS)]
    if add_missing:
        _add_used(given, read, None if liang_card is None else (dealer, liang_card))
    hot = {move.card for move in read if move.action in _OPENS} | set(front) | set(end)
    barred = [set(cards.parse((avoid or {}).get(seat, ""))) for seat in range(SEATS)]
    for move in read:
        if move.action == Action.CHI:  # a further copy in hand would call for a 比
            barred[move.seat].add(move.card)
    for attempt in range(400):
        filled = _fill(random.Random(attempt), given, liang_card, front, end, dealer, hot, barred)
        if filled is not None:
            dealt, turned, wall = filled
            break
    else:
        raise AssertionError("no deal fits; ask for less")
    full = [*(card for hand in dealt for card in hand), turned, *wall]
    assert Counter(full) == dict.fromkeys(range(cards.KINDS), cards.COPIES)
    if liang_card is None:
        # The open card of the opening is now known.
        read = moves_of(moves, turned)
    last = read[-1].action if read else None
    return Record(
        ruleset=ruleset,
        players=("甲", "乙", "丙"),
        dealer=dealer,
        hands=tuple(tuple(hand) for hand in dealt),
        liang=turned,
        wall=tuple(wall),
        moves=read,
        options=dict(options or {}),
        result=result,
        complete=last in (Action.HU, Action.HUANG) if complete is None else complete,
    )


def _add_used(given: list[list[int]], moves: Sequence[Move], extra: tuple[int, int] | None) -> None:
    """Give each seat what it plays from its hand."""
    for seat in range(SEATS):
        used: Counter[int] = Counter()
        for move in moves:
            if move.seat != seat:
                continue
            if move.action == Action.DISCARD:
                used[move.card] += 1
            elif move.action == Action.CHI:
                used.update((move.a, move.b))
            elif move.action == Action.BI:
                used.update((move.card, move.a, move.b))
        if extra is not None and extra[0] == seat:
            used[extra[1]] -= 1
        held = Counter(given[seat])
        given[seat] += sorted((used - held).elements())


def _fill(
    rng: random.Random,
    given: Sequence[Sequence[int]],
    liang: int | None,
    front: Sequence[int],
    end: Sequence[int],
    dealer: int,
    hot: set[int],
    barred: Sequence[set[int]],
) -> tuple[list[list[int]], int, list[int]] | None:
    """Deal the rest, quiet cards first: one of a kind to a seat, then pairs of cards that are never opened."""
    left = Counter(dict.fromkeys(range(cards.KINDS), cards.COPIES))
    fixed = [*(card for hand in given for card in hand), *front, *end, *([] if liang is None else [liang])]
    left.subtract(Counter(fixed))
    if min(left.values()) < 0:
        raise AssertionError("more than four copies were asked for")
    if max(map(len, given)) > HAND or len(front) + len(end) > WALL:
        raise AssertionError("too many cards were asked for")
    hands = [list(hand) for hand in given]
    counts = [Counter(hand) for hand in hands]
    if liang is not None:
        counts[dealer][liang] += 1
    order = sorted(range(SEATS), key=lambda seat: (-len(hands[seat]), rng.random()))
    while any(len(hand) < HAND for hand in hands):
        for seat in order:
            if len(hands[seat]) == HAND:
                continue
            choices = [
                kind
                for kind in range(cards.KINDS)
                if left[kind] and kind not in barred[seat] and counts[seat][kind] < (1 if kind in hot else 2)
            ]
            if not choices:
                return None
            kind = min(choices, key=lambda kind: (counts[seat][kind], -left[kind], rng.random()))
            hands[seat].append(kind)
            counts[seat][kind] += 1
            left[kind] -= 1
    if liang is None:
        quiet = [
            kind
            for kind in sorted(left)
            if left[kind] and counts[dealer][kind] < 2 and kind not in hot and kind not in barred[dealer]
        ]
        if not quiet:
            return None
        liang = rng.choice(quiet)
        left[liang] -= 1
    middle = sorted(left.elements())
    return [sorted(hand) for hand in hands], liang, [*front, *middle, *end]


def quiet_round(
    hands: Mapping[int, str] | None = None,
    *,
    ruleset: str = "qq",
    draws: int = WALL,
    last: str = "",
    liang: str | None = None,
    **more: Any,
) -> tuple[Record, list[str]]:
    """A round in which the dealer discards and ``draws`` wall cards are turned and left, and its moves as text.

    No draw forces anything. ``last``: the wall's last card. Moves that should follow are for the caller to add with
    ``with_moves``.
    """
    end = cards.parse(last)
    turned = None if liang is None else cards.parse_one(liang)
    for attempt in range(400):
        rng = random.Random(attempt)
        given = [cards.parse((hands or {}).get(seat, "")) for seat in range(SEATS)]
        filled = _fill(rng, given, turned, [], end, more.get("dealer", 0), set(), _avoid(more))
        if filled is None:
            continue
        dealt, shown, wall = filled
        head = wall[: len(wall) - len(end)]
        rng.shuffle(head)
        wall = head + end
        dealer = more.get("dealer", 0)
        counts = [Counter(hand) for hand in dealt]
        counts[dealer][shown] += 1
        throw = next((kind for kind in sorted(counts[dealer]) if counts[dealer][kind] == 1), None)
        if throw is None or any(counts[seat][throw] >= 2 for seat in range(SEATS)):
            continue
        counts[dealer][throw] -= 1
        if all(_calm(counts, (dealer + 1 + place) % SEATS, card) for place, card in enumerate(wall[:draws])):
            break
    else:
        raise AssertionError("no quiet deal fits")
    texts = [f"{dealer} 打 {cards.name(throw)}"]
    texts += [f"{(dealer + 1 + place) % SEATS} 摸 {cards.name(card)}" for place, card in enumerate(wall[:draws])]
    record = Record(
        ruleset=ruleset,
        players=("甲", "乙", "丙"),
        dealer=dealer,
        hands=tuple(map(tuple, dealt)),
        liang=shown,
        wall=tuple(wall),
        moves=moves_of(texts, shown),
        options=dict(more.get("options", {})),
        complete=False,
    )
    return record, texts


def _avoid(more: Mapping[str, Any]) -> list[set[int]]:
    return [set(cards.parse(more.get("avoid", {}).get(seat, ""))) for seat in range(SEATS)]


def _calm(counts: Sequence[Counter[int]], drawer: int, card: int) -> bool:
    return counts[drawer][card] <= 1 and all(count[card] <= 2 for count in counts)


def extra_card(record: Record, seat: int) -> Record:
    """The same round with the last wall card dealt to ``seat`` as 补 (`guilin` 12.2)."""
    assert record.wall is not None
    given = Move(seat, Action.BU, record.wall[-1])
    return msgspec.structs.replace(record, wall=record.wall[:-1], moves=(given, *record.moves))


def with_moves(record: Record, texts: Sequence[str], **changes: Any) -> Record:
    """The same deal with other moves (and other fields)."""
    moves = moves_of(texts, NO_CARD if record.liang is None else record.liang)
    complete = bool(moves) and moves[-1].action in (Action.HU, Action.HUANG)
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return Record(**(fields | {"moves": moves, "complete": complete} | changes))
