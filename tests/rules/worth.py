"""A hand judged by the engine, after the second engine of the tests has said the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import replay
from ingest import cards as names
from ingest.codes import NO_SEAT, SOURCE_NAMES, Form, Source
from replay import HandValue
from tests.oracle import general
from tests.oracle.groups import Meld, counts_of, equal
from tests.oracle.hu import Shape, shapes
from tests.oracle.rules import rules_of
from tests.oracle.scoring import Win, score
from tests.oracle.seats import Seat

_FORMS = {"碰": Form.PENG, "偎": Form.WEI, "臭偎": Form.CHOU_WEI, "跑": Form.PAO, "提": Form.TI}
_SOURCES = {name: source for source, name in SOURCE_NAMES.items()}


def worth(
    hand: str,
    card: str | None,
    source: str | None,
    melds: Sequence[str] = (),
    *,
    ruleset: str,
    dealer: bool = False,
    special: str = "",
    sitter: bool = False,
    last: bool = False,
    options: Mapping[str, Any] | None = None,
) -> HandValue:
    """``replay.evaluate_hand`` of a hand of 21 cards with the winning one; ``special``: tianhu, dihu or nothing.

    Checked against the oracle: wins, 胡息, units, points of winner, discarder (or next), third and 醒家. ``card`` None:
    the hand is whole, as dealt.
    """
    value = replay.evaluate_hand(
        hand,
        melds,
        card,
        source,
        ruleset,
        options,
        dealer=dealer,
        last_card=last,
        tianhu=special == "tianhu",
        dihu=special == "dihu",
        sitter=sitter,
    )
    rules = rules_of(ruleset, dict(options or {}))
    laid = [_meld(text) for text in melds]
    won = names.parse_one(card) if card is not None else None
    held = counts_of(names.parse(hand))
    told = _SOURCES[source] if source is not None else Source.NONE
    found = _general(held, laid, won, told) if rules["draw_to_hand"] else shapes(rules, tuple(held), laid, won, told)
    if not found:
        assert not value.wins
        return value
    assert value.wins
    discarder = 1 if told == Source.DISCARD else NO_SEAT
    quads = sum(meld.form in (Form.PAO, Form.TI) for meld in laid)
    win = Win(0, told, tuple(found), special, discarder, last, quads)
    expected = score(rules, 3, 0 if dealer else 1, sitter, win)
    assert (value.huxi, value.payments) == (expected["huxi"], expected["points"])
    return value


def _general(held: list[int], laid: list[Meld], card: int | None, source: Source) -> list[Shape]:
    if card is not None and source == Source.OWN_DRAW:
        held[card] += 1
        card = None
    return general.shapes(Seat(held, laid), card)


def _meld(text: str) -> Meld:
    word, _, rest = text.partition(" ")
    cards = names.parse(rest)
    if word in _FORMS:
        return equal(_FORMS[word], cards[0])
    kinds = tuple(sorted(cards))
    ranks = [card % 10 for card in kinds]
    if len(set(ranks)) == 1:
        return Meld(Form.JIAO, kinds)
    return Meld(Form.SHUN if ranks[2] - ranks[0] == 2 else Form.SHUN_2710, kinds)
