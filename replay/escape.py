"""逃跑: what a player who leaves loses (rules 10.16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ingest.cards import counts
from ingest.codes import Form
from replay.explain import best_partial, same

if TYPE_CHECKING:
    from replay.explain import Item
    from replay.rulesets import Ruleset


def most_huxi(hand: Iterable[int], melds: Iterable[Item], ruleset: Ruleset) -> int:
    """The most 胡息 of unfinished cards: the groups on the table, 坎 and 提 in the hand, and disjoint 一二三 and 二七十
    of its other cards; what is left counts nothing. ``hand``: all known cards in hand, a dealt 提 included.
    """
    total = sum(huxi for _, _, huxi in melds)
    loose = 0
    for kind, n in enumerate(counts(hand)):
        if n >= 3:
            total += same(Form.KAN if n == 3 else Form.TI, kind, ruleset)[2]
        else:
            loose |= n << 2 * kind
    return total + sum(huxi for _, _, huxi in best_partial(loose, ruleset))


def escape_loss(total: int, ruleset: Ruleset) -> int:
    """Points lost by the leaver when those who stay have ``total`` 胡息 together; 0 where leaving costs nothing."""
    if ruleset.escape == "off":
        return 0
    over = total - 12
    thirds = -(-over // 3) if over < 0 and ruleset.escape == "trunc" else over // 3
    return (thirds + 8) * ruleset.base_points


def escape_points(leaver: int, persons: int, huxi: Sequence[int], ruleset: Ruleset) -> tuple[int, ...]:
    """Points of each person: only the leaver loses, nobody receives. ``huxi``: ``most_huxi`` of each who stays."""
    loss = escape_loss(sum(huxi), ruleset)
    return tuple(-loss if person == leaver else 0 for person in range(persons))
