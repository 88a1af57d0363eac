"""The engine under test, asked in the oracle's terms. Only its public interface is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import replay
from tests.oracle.cards import CHARACTERS, from_numbers, to_text
from tests.oracle.chi import Option
from tests.oracle.hand import Value
from tests.oracle.hands import Hand, meld_text


def engine_value(hand: Hand, ruleset: str = "qq", **options: Any) -> Any:
    return replay.evaluate_hand(
        to_text(hand.cards),
        melds=[meld_text(text) for text in hand.melds],
        win_card=CHARACTERS[hand.win_card] if hand.win_card else None,
        source=hand.source,
        ruleset=ruleset,
        **options,
    )


def engine_waits(cards: Iterable[str], melds: Iterable[str] = (), ruleset: str = "qq") -> dict[tuple[str, str], Any]:
    found = replay.waits(to_text(cards), melds=[meld_text(text) for text in melds], ruleset=ruleset)
    kinds = {character: kind for kind, character in CHARACTERS.items()}
    return {(kinds[card], source): value for (card, source), value in found.items()}


def engine_chi(cards: Iterable[str], card: str, ruleset: str = "qq", discard_due: bool = True) -> set[Option]:
    found = replay.chi_options(to_text(cards), CHARACTERS[card], ruleset=ruleset, discard_due=discard_due)
    options = [(from_numbers(option.first), tuple(sorted(map(from_numbers, option.bi)))) for option in found]
    assert len(options) == len(set(options)), "an option is listed twice"
    return set(options)


def points_of(value: Any) -> tuple[int, ...]:
    """The winner's points first; the hand alone does not tell which seats the others are."""
    assert value.points == value.payments[0]
    return tuple(sorted(value.payments, reverse=True))


def groups_of(value: Any) -> Counter[tuple[tuple[str, ...], int]]:
    return Counter((from_numbers(cards), huxi) for _, cards, huxi in value.groups)


def difference(found: Any, expected: Value) -> str:
    """Empty when the engine's value says what the oracle's says; otherwise what differs."""
    pairs: list[tuple[str, object, object]] = [
        ("complete", found.complete, expected.complete),
        ("wins", found.wins, expected.wins),
    ]
    if expected.complete:
        pairs.append(("huxi", found.huxi, expected.huxi))
        pairs.append(("group huxi", sum(huxi for _, _, huxi in found.groups), expected.huxi))
        pairs.append(("groups", len(found.groups), 7))
    if expected.wins:
        pairs.append(("points", points_of(found), expected.points))
    return "; ".join(f"{name}: engine {ours}, oracle {theirs}" for name, ours, theirs in pairs if ours != theirs)
