"""Rounds as ``playback`` documents of H5PaohuziServer, with the claims that its code can log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ingest.adapters.registry import Params
from ingest.adapters.threes import laid_with
from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.limits import Fault
from ingest.record import HAND, Move, Record, dealt

SEATS = 3
DISCARD, DRAW, CHI, TI, HU = 100, 101, 1, 4, 6
CLAIMS = {2: Action.PENG, 3: Action.WEI, -3: Action.CHOU_WEI, 4: Action.TI, 5: Action.PAO}
LOST = frozenset({Action.PASS, Action.UNCLAIMED, Action.CLAIM})
"""Events that the format has no entry for."""


def write(records: Iterable[Record], _: Params) -> Iterator[bytes]:
    """A document a line; ``Fault`` for a round that the format cannot carry."""
    for index, record in enumerate(records):
        yield json.dumps(_document(record, index), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _document(record: Record, index: int) -> dict[str, Any]:
    hands = [list(hand) if hand is not None else [UNKNOWN] for hand in dealt(record).hands]
    if len(hands) != SEATS or record.sitter is not None:
        raise Fault("BAD_SEAT", "这种格式只记三人的牌局", "the format is of three seats", "players")
    liang = dealt(record).liang
    if liang not in (None, UNKNOWN):
        hands[record.dealer].append(liang)
    if any(UNKNOWN in hand for hand in hands) or len(hands[record.dealer]) != HAND + 1:
        raise Fault(
            "DEAL_SIZE", "要有全部的手牌和庄家的第 21 张", "all hands, and the dealer's of 21, must be known", "hands"
        )
    room = {"roomid": record.room, "roomType": 1, "zDeskStation": record.dealer + 1}
    users = {str(seat + 1): {"uid": player} for seat, player in enumerate(record.players)}
    cards = {str(seat + 1): [_told(card) for card in sorted(hand)] for seat, hand in enumerate(hands)}
    entries = list(_entries(record.moves))
    data = {"roomdata": room, "initialCard": cards, "userList": users, "actionList": entries}
    return {"id": index + 1, "data": data}


def _told(card: int) -> dict[str, int]:
    return {"type": card // 10 + 1, "number": card % 10 + 1, "pos": -1}


def _entries(moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    codes = {int(action): code for code, action in CLAIMS.items()} | {int(Action.TI_OPEN): TI}
    player = behind = 0
    for seq, move in enumerate(moves):
        entry: dict[str, Any] = {"action": 0, "pos": move.seat + 1, "cardVal": move.card, "playPos": player}
        if move.action in LOST or seq < behind:
            continue
        if move.action in (Action.DISCARD, Action.DRAW):
            player = move.seat + 1
            yield {"action": DISCARD if move.action == Action.DISCARD else DRAW, "pos": player, "cardVal": move.card}
        elif move.action == Action.CHI:
            bi = laid_with(moves, seq)
            behind = seq + 1 + len(bi)
            laid = [card for three in (move, *bi) for card in (three.card, three.a, three.b)]
            pair = [_told(move.a), _told(move.b)]
            yield entry | {"action": CHI, "resPai": [_told(card) for card in laid], "resChi": pair}
        elif move.action in codes:
            size = 4 if move.action in (Action.PAO, Action.TI, Action.TI_OPEN) else 3
            yield entry | {"action": codes[move.action], "resPai": [_told(move.card)] * size}
        elif move.action == Action.HU:
            yield entry | {"action": HU, "cardVal": max(move.card, -1)}
        elif move.action == Action.HUANG:
            yield {"action": HU, "pos": -1, "cardVal": -1, "playPos": player}
        else:
            zh, en = f"没有动作 {move.action} 的写法", f"no entry for the action {move.action}"
            raise Fault("BAD_MOVE", zh, en, "moves", seq)
