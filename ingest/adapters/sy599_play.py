"""The entries of a sy599 ``playLog``: hands first, then ``seat_action_ids``, as deals, moves and offers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.adapters.fields import bad
from ingest.adapters.sy599_codes import (
    BU,
    CHI,
    CLAIMS,
    DISCARD,
    DRAW,
    GUO,
    HU,
    NOTES,
    OPTION_ACTIONS,
    OPTIONS,
    PASS,
)
from ingest.adapters.threes import is_three
from ingest.codes import NO_CARD, Action
from ingest.encodings import Encoding, distinct
from ingest.limits import MAX_EVENTS, MAX_ITEMS, Fault
from ingest.record import HAND, Move, Offer

_ENTRY = re.compile(r"(\d{1,2})_(\d{1,3})(?:_([^_]*))?(?:_[^_]*)?", re.ASCII)
_IDS = re.compile(r"\d{1,4}(?:,\d{1,4})*", re.ASCII)
MAX_ENTRIES = 2 * MAX_EVENTS
YI_WU_SHI = (1, 5, 10)
"""一五十, a group in some of the rooms."""


@dataclass
class Play:
    """What the entries read so far have told. Ids are as written, cards kinds, seats from 0."""

    code: Encoding
    hands: list[list[int]]
    moves: list[Move] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    open_id: int | None = None
    opener: int = -1
    drawn: bool = False
    draws: list[int] = field(default_factory=list)
    extra: list[int] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)


def read_play(text: str, seats: int | None, code: Encoding) -> Play:
    """The whole text. ``seats``: how many hands it begins with, None to take all entries before the first move.

    Raises ``Fault`` with the place of the entry.
    """
    entries = text.split(";")
    if entries and not entries[-1].strip():
        entries.pop()
    if len(entries) > MAX_ENTRIES:
        raise Fault("LIMIT", f"超过 {MAX_ENTRIES} 项", f"more than {MAX_ENTRIES} entries", "play")
    hands, at, skipped = _hands(entries, seats, code)
    play = Play(code, hands)
    for place in skipped:
        _take(play, entries[place], place)
    for place in range(at, len(entries)):
        _take(play, entries[place], place)
    if code.physical:
        distinct([one for part in (*hands, play.draws, play.extra) for one in part], "play")
    return play


def _hands(entries: Sequence[str], seats: int | None, code: Encoding) -> tuple[list[list[int]], int, list[int]]:
    """The hands, where the moves begin, and the entries of other kinds that stand among the hands."""
    hands: list[list[int]] = []
    skipped: list[int] = []
    at = 0
    while at < len(entries) and (seats is None or len(hands) < seats):
        entry = entries[at].strip()
        if "_" not in entry:
            hands.append(_ids(entry, code, at))
        elif _parts(entry, at)[1] in NOTES | {OPTIONS}:
            skipped.append(at)
        elif seats is None:
            break
        else:
            zh, en = f"应先有 {seats} 手牌，而有 {len(hands)} 手", f"{seats} hands come first, found {len(hands)}"
            raise Fault("DEAL_SIZE", zh, en, "play", at)
        at += 1
    wanted = range(2, 5) if seats is None else (seats,)
    if len(hands) not in wanted:
        raise Fault("DEAL_SIZE", f"有 {len(hands)} 手牌", f"found {len(hands)} hands", "play")
    # Where the number of hands is not known, what stands after the last of them comes in its order later.
    while skipped and seats is None and skipped[-1] == at - 1:
        at = skipped.pop()
    return hands, at, skipped


def _parts(entry: str, at: int) -> tuple[int, int, str]:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        zh, en = f"不是 座位_动作_牌：{entry!r:.60}", f"not seat_action_ids: {entry!r:.60}"
        raise Fault("SYNTAX", zh, en, "play", at)
    return int(found[1]), int(found[2]), found[3] or ""


def _ids(text: str, code: Encoding, at: int) -> list[int]:
    """Card ids joined by commas; a single 0 or nothing is no card."""
    if text in ("", "null") or (text == "0" and 0 not in code.kinds):
        return []
    if _IDS.fullmatch(text) is None:
        raise bad(("play", at), f"应是牌号：{text!r:.60}", f"expected card ids: {text!r:.60}")
    ids = [int(one) for one in text.split(",")]
    if len(ids) > MAX_ITEMS:
        raise Fault("LIMIT", f"{len(ids)} 张牌太多", f"{len(ids)} cards are too many", "play", at)
    for one in ids:
        code.decode(one, "play", at)
    return ids


def _take(play: Play, entry: str, at: int) -> None:
    seat, action, text = _parts(entry.strip(), at)
    where = ("play", at)
    if not 1 <= seat <= len(play.hands):
        zh, en = f"座位 {seat} 不在 1..{len(play.hands)}", f"seat {seat} is outside 1..{len(play.hands)}"
        raise Fault("BAD_SEAT", zh, en, *where)
    seat -= 1
    if len(play.moves) > MAX_EVENTS:
        raise Fault("LIMIT", f"超过 {MAX_EVENTS} 个动作", f"more than {MAX_EVENTS} events", *where)
    if action == OPTIONS:
        _options(play, seat, text, where)
        play.kinds["offers"] += 1
        return
    if action in NOTES:
        play.notes[f"{action}"] += 1
        play.kinds["notes"] += 1
        return
    ids = _ids(text, play.code, at)
    play.kinds["moves"] += 1
    if action in (DISCARD, DRAW, BU):
        _turn_up(play, seat, action, ids, where)
    elif action in (PASS, GUO, HU):
        card = play.code.decode(ids[0]) if len(ids) == 1 else NO_CARD
        play.moves.append(Move(seat, Action.HU if action == HU else Action.PASS, card))
    elif action == CHI:
        _chi(play, seat, ids, where)
    elif action in CLAIMS:
        _claim(play, seat, CLAIMS[action], ids, where)
    else:
        raise Fault("BAD_MOVE", f"未知的动作 {action}", f"unknown action {action}", *where)


def _turn_up(play: Play, seat: int, action: int, ids: Sequence[int], where: tuple[str | int, ...]) -> None:
    if not ids and action != DISCARD:
        play.kinds["moves"] -= 1
        play.kinds["empty"] += 1
        return
    if len(ids) != 1:
        raise Fault("BAD_MOVE", f"应是一张牌，而有 {len(ids)} 张", f"one card expected, found {len(ids)}", *where)
    card = play.code.decode(ids[0])
    if action == BU:
        play.extra.append(ids[0])
        play.moves.append(Move(seat, Action.BU, card))
        return
    if action == DRAW:
        play.draws.append(ids[0])
    play.moves.append(Move(seat, Action.DRAW if action == DRAW else Action.DISCARD, card))
    play.open_id, play.opener, play.drawn = ids[0], seat, action == DRAW


def _options(play: Play, seat: int, text: str, where: tuple[str | int, ...]) -> None:
    flags = text.split(",")
    if len(flags) < len(OPTION_ACTIONS) or set(flags) - {"0", "1"} or len(flags) > MAX_ITEMS:
        raise bad(where, f"应是 0 与 1：{text!r:.60}", f"expected zeros and ones: {text!r:.60}")
    card = NO_CARD if play.open_id is None else play.code.decode(play.open_id)
    offered = [action for action, flag in zip(OPTION_ACTIONS, flags, strict=False) if flag == "1"]
    play.offers += [Offer(len(play.moves) - 1, seat, action, card) for action in offered]
    if "1" in flags[len(OPTION_ACTIONS) :]:
        play.notes["12+"] += 1


def _claim(play: Play, seat: int, action: Action, ids: list[int], where: tuple[str | int, ...]) -> None:
    kinds = {play.code.decode(one) for one in ids}
    if len(kinds) != 1 or len(ids) > 4:
        zh, en = "应是同一种牌；牌号也许是另一种排法", "expected copies of one card; the ids may be of another layout"
        raise Fault("BAD_MOVE", zh, en, *where)
    answers = _same(play, ids)
    if action == Action.TI and not (answers and play.drawn and play.opener == seat):
        action = Action.TI_OPEN
        if len(ids) != 4:
            raise Fault("BAD_MOVE", "手里的提应有四张", "a 提 from the hand has four cards", *where)
    elif not answers:
        zh, en = "没有桌上的那张牌", "the open card is not among them"
        raise Fault("BAD_MOVE", zh, en, *where)
    play.moves.append(Move(seat, action, kinds.pop()))
    if action != Action.TI_OPEN:
        play.open_id = None


def _same(play: Play, ids: Sequence[int]) -> bool:
    return play.open_id is not None and play.open_id in ids


def _chi(play: Play, seat: int, ids: list[int], where: tuple[str | int, ...]) -> None:
    if not ids or len(ids) % 3:
        raise Fault("BAD_MOVE", f"吃应是三的倍数，而有 {len(ids)} 张", f"a 吃 of {len(ids)} cards", *where)
    if not _same(play, ids[:3]):
        zh, en = "前三张里没有桌上的那张牌", "the open card is not among the first three"
        raise Fault("BAD_MOVE", zh, en, *where)
    assert play.open_id is not None
    eaten = play.code.decode(play.open_id)
    for start in range(0, len(ids), 3):
        three = [play.code.decode(one) for one in ids[start : start + 3]]
        if play.code.physical and not is_three(three, YI_WU_SHI):
            zh, en = "这三张不成一句；牌号也许是另一种排法", "no group of three; the ids may be of another layout"
            raise Fault("BAD_MOVE", zh, en, *where)
        first = three.pop(three.index(eaten) if eaten in three else 0)
        play.moves.append(Move(seat, Action.BI if start else Action.CHI, first, three[0], three[1]))
    play.open_id = None


def dealer_of(play: Play) -> int:
    """The seat with one card more than the others; ``Fault`` where none or several have."""
    most = [seat for seat, hand in enumerate(play.hands) if len(hand) > HAND]
    if len(most) != 1:
        sizes = [len(hand) for hand in play.hands]
        zh, en = f"各手 {sizes} 张，看不出庄家", f"hands of {sizes} cards do not show the dealer"
        raise Fault("DEAL_SIZE", zh, en, "play")
    return most[0]
