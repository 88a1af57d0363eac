"""Events, offers and groups as players write them: ``1 吃 玖 柒捌``. docs/notation.md has the grammar."""

from __future__ import annotations

import re

from ingest import cards
from ingest.codes import ACTION_CHARS, FACE_UNKNOWN, FORM_CHARS, NO_CARD, NO_SEAT, Action, Form
from ingest.limits import Fault
from ingest.record import Cards, Group, Move, Offer, Penalty
from ingest.validate import SEATLESS, SHAPES

_ACTIONS = {char: action for action, char in ACTION_CHARS.items()}
_FORMS = {char: form for form, char in FORM_CHARS.items()}
_NONE = "-"
# How many cards stand behind the action: least and most.
_CARDS = {action: (shape.count("c"), shape.count("c") + shape.count("o")) for action, shape in SHAPES.items()}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,9})", re.ASCII)
_FACE = re.compile(r"明([0-5])", re.ASCII)
_TIME = re.compile(r"@(0|[1-9][0-9]{0,9})", re.ASCII)
_SEAT = re.compile(r"[0-9]", re.ASCII)
_LETTER = re.compile(r"[A-Z]", re.ASCII)
_SEQ = re.compile(r"(-1|0|[1-9][0-9]{0,5}):", re.ASCII)


def write_move(move: Move) -> str:
    """One event as text."""
    action = Action(move.action)
    words = [] if action in SEATLESS else [str(move.seat)]
    words.append(ACTION_CHARS[action])
    if action == Action.CLAIM:
        words.append(ACTION_CHARS[Action(move.a)])
    if move.card != NO_CARD:
        words.append(cards.name(move.card))
    if action == Action.CHI:
        words.append(cards.text((move.a, move.b)))
    elif action == Action.BI:
        words[-1] += cards.text((move.a, move.b))
    if move.face != FACE_UNKNOWN:
        words.append(f"明{move.face - 1}")
    if move.t_ms is not None:
        words.append(f"@{move.t_ms}")
    return " ".join(words)


def read_move(text: str, *path: str | int) -> Move:
    """The event that ``text`` says; ``Fault`` with ``path`` otherwise."""
    words = text.split()
    t_ms, face = None, FACE_UNKNOWN
    if words and (found := _TIME.fullmatch(words[-1])):
        t_ms = int(found[1])
        words.pop()
    if words and (found := _FACE.fullmatch(words[-1])):
        face = int(found[1]) + 1
        words.pop()
    if not words:
        raise Fault("BAD_MOVE", f"{text!r} 里没有动作", f"no event in {text!r}", *path)
    seat = NO_SEAT
    if _SEAT.fullmatch(words[0]):
        seat = int(words.pop(0))
    action = _read_action(words.pop(0) if words else "", text, path)
    if (action in SEATLESS) != (seat == NO_SEAT):
        if seat == NO_SEAT:
            zh, en = f"{text!r} 前面缺座位号", f"{text!r} must begin with the number of a seat"
        else:
            zh, en = f"{text!r} 不属于任何座位", f"{text!r} belongs to no seat"
        raise Fault("BAD_SEAT", zh, en, *path)
    a = b = NO_CARD
    if action == Action.CLAIM:
        a = _read_action(words.pop(0) if words else "", text, path)
    named = read_cards(" ".join(words), *path)
    least, most = _CARDS[action]
    if not least <= len(named) <= most:
        want = str(least) if least == most else f"{least}–{most}"
        zh = f"{text!r}：“{ACTION_CHARS[action]}”后应有 {want} 张牌，而有 {len(named)} 张"
        en = f"{text!r}: {want} card(s) expected after the action, found {len(named)}"
        raise Fault("BAD_MOVE", zh, en, *path)
    if most == 3:
        card, a, b = named
    else:
        card = named[0] if named else NO_CARD
    return Move(seat, int(action), card, int(a), b, face, t_ms)


def write_offer(offer: Offer) -> str:
    """One offer as text: ``12: 1 吃 玖 柒捌``."""
    card = _NONE if offer.card == NO_CARD else cards.name(offer.card)
    words = [f"{offer.seq}:", str(offer.seat), ACTION_CHARS[Action(offer.action)], card]
    rest = offer.cards
    if offer.action == Action.CHI:
        # The two hand cards, then each 比 as a word of its own.
        words += [cards.text(rest[:2])] * bool(rest)
        words += [cards.text(rest[i : i + 3]) for i in range(2, len(rest), 3)]
    elif rest:
        words.append(cards.text(rest))
    return " ".join(words)


def read_offer(text: str, *path: str | int) -> Offer:
    """The offer that ``text`` says; ``Fault`` with ``path`` otherwise."""
    words = text.split()
    seq = _SEQ.fullmatch(words[0]) if words else None
    if seq is None or len(words) < 4 or not _SEAT.fullmatch(words[1]):
        zh, en = f"{text!r} 应写作“事件号: 座位 动作 牌 …”", f"{text!r} should read `event: seat action card …`"
        raise Fault("BAD_FIELD", zh, en, *path)
    action = _read_action(words[2], text, path)
    if words[3] == _NONE:
        card = NO_CARD
    else:
        first = read_cards(words[3], *path)
        if len(first) != 1:
            zh, en = f"{text!r}：动作后应有一张牌", f"{text!r}: one card expected after the action"
            raise Fault("BAD_FIELD", zh, en, *path)
        card = first[0]
    return Offer(int(seq[1]), int(words[1]), int(action), card, read_cards(" ".join(words[4:]), *path))


def write_group(group: Group) -> str:
    """One group of the result as text: ``碰 五五五 1``; form and 胡息 only where they were reported."""
    words = [] if group.form is None else [FORM_CHARS[Form(group.form)]]
    words.append(cards.text(group.cards))
    if group.huxi is not None:
        words.append(str(group.huxi))
    return " ".join(words)


def read_group(text: str, *path: str | int) -> Group:
    """The group that ``text`` says; ``Fault`` with ``path`` otherwise."""
    words = text.split()
    huxi = int(words.pop()) if words and _NUMBER.fullmatch(words[-1]) else None
    form = None
    if len(words) == 2:
        form = _FORMS.get(words.pop(0))
        if form is None:
            chars = "、".join(_FORMS)
            raise Fault("BAD_FIELD", f"{text!r} 的名目应为 {chars}", f"{text!r}: a form is one of {chars}", *path)
    if len(words) != 1:
        zh, en = f"{text!r} 应写作“[名目] 牌 [胡息]”", f"{text!r} should read `[form] cards [胡息]`"
        raise Fault("BAD_FIELD", zh, en, *path)
    return Group(read_cards(words[0], *path), None if form is None else int(form), huxi)


def write_penalty(penalty: Penalty) -> str:
    """One penalty of the result as text: ``0 C -9 3 3 3``."""
    return " ".join([str(penalty.seat), penalty.letter, *map(str, penalty.points)])


def read_penalty(text: str, *path: str | int) -> Penalty:
    """The penalty that ``text`` says; ``Fault`` with ``path`` otherwise."""
    words = text.split()
    right = len(words) > 2 and _SEAT.fullmatch(words[0]) and _LETTER.fullmatch(words[1])
    if not right or not all(map(_NUMBER.fullmatch, words[2:])):
        zh, en = f"{text!r} 应写作“座位 字母 各家的分”", f"{text!r} should read `seat letter points of each person`"
        raise Fault("BAD_FIELD", zh, en, *path)
    return Penalty(int(words[0]), words[1], tuple(map(int, words[2:])))


def _read_action(word: str, text: str, path: tuple[str | int, ...]) -> Action:
    action = _ACTIONS.get(word)
    if action is None:
        chars = "、".join(_ACTIONS)
        zh, en = f"{text!r} 里的 {word!r} 不是动作；动作有 {chars}", f"{text!r}: {word!r} is no action of {chars}"
        raise Fault("BAD_MOVE", zh, en, *path)
    return action


def read_cards(text: str, *path: str | int) -> Cards:
    """Cards of one string; ``Fault`` with ``path`` names the piece that is none."""
    try:
        return tuple(cards.parse(text))
    except cards.CardError as error:
        raise Fault("UNKNOWN_CARD", f"没有这张牌：{error}", str(error), *path) from None
