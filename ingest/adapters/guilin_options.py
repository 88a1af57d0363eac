"""The 吃 choices of one option push, whose nested 比 lists drift between server builds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ingest.adapters.fields import Fields, Where, bad, groups, key_text, obj
from ingest.cards import UNKNOWN

Triple = tuple[int, ...]
_REMOVED: Triple = (UNKNOWN,) * 3


def chi_choices(
    option: Fields, pairs: Sequence[Triple], eaten: int, where: Where
) -> tuple[list[tuple[int, ...]], bool]:
    """Every choice as pair, then three cards for each 比; and whether part of the lists could not be placed.

    ``xiahuo[i]`` lists the first 比 of pair ``i``, ``next_xiahuo[i][j]`` the second 比 after its ``j``-th first one.
    Some builds removed first 比 after counting ``j``. What they left are chains that already use two hand copies of
    the eaten kind, so a second list beside such a first 比 belongs to a removed one: that choice has three unknown
    cards for its first 比, and is reported as unplaced. The same two 比 in the other order are one choice.
    """
    firsts, odd = _keyed(option.get("xiahuo", {}), (*where, "xiahuo"))
    seconds: dict[int, dict[int, list[Triple]]] = {}
    for key, value in obj(option.get("next_xiahuo", {}), (*where, "next_xiahuo")).items():
        at = (*where, "next_xiahuo", key_text(key))
        if not _is_number(key):
            odd = True
            continue
        seconds[int(key)], odd_inner = _keyed(value, at)
        odd |= odd_inner
    choices: dict[tuple[Triple, tuple[Triple, ...]], tuple[int, ...]] = {}
    for place, pair in enumerate(pairs):
        if len(pair) != 2:
            raise bad((*where, "cardArr", place), "吃应有两张手牌", "a 吃 needs two hand cards")
        later = seconds.pop(place, {})
        chains: list[tuple[Triple, ...]] = []
        for j, first in enumerate(firsts.pop(place, [])):
            full = (*pair, *first).count(eaten) >= 2
            follow = [] if full else later.pop(j, [])
            chains += [(first, second) for second in follow] or [(first,)]
        for removed in later.values():
            odd |= bool(removed)
            chains += [(_REMOVED, second) for second in removed]
        for chain in chains or [()]:
            choices.setdefault((pair, tuple(sorted(chain))), (*pair, *(c for three in chain for c in three)))
    odd |= any(firsts.values()) or any(map(any, (inner.values() for inner in seconds.values())))
    return list(choices.values()), odd


def _keyed(value: Any, where: Where) -> tuple[dict[int, list[Triple]], bool]:
    lists: dict[int, list[Triple]] = {}
    odd = False
    for key, inner in obj(value, where).items():
        at = (*where, key_text(key))
        read = groups(inner, at)
        if any(len(three) != 3 for three in read):
            raise bad(at, "比应每组三张", "a 比 has three cards")
        if _is_number(key):
            lists[int(key)] = read
        else:
            odd = True
    return lists, odd


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 4
