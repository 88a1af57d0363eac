"""The numbers and names that other programs write for cards, each encoding under its own name.

The same number means different cards in different encodings (docs/formats.md), so a reader always names the one it
expects, and a value outside it is a ``Fault``, never a guess. That a file was read with the wrong encoding shows in
what it then says: five copies of a card, an id dealt twice, a 碰 of unequal cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ingest.cards import ASCII_NAMES, CHARS, COPIES, KINDS
from ingest.limits import Fault


class Encoding(msgspec.Struct, frozen=True):
    """One way of writing cards; ``names[kind]`` lists what stands for a kind, an id a copy where each has its own."""

    name: str
    names: tuple[tuple[int | str, ...], ...]
    kinds: Mapping[int | str, int]

    @property
    def physical(self) -> bool:
        """Whether each of the 80 cards has a number of its own."""
        return len(self.names[0]) == COPIES

    def decode(self, value: Any, *path: str | int) -> int:
        """The kind 0..19; ``Fault`` with ``UNKNOWN_CARD`` for anything else. A number in quotes is the same number."""
        key = value
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
            key = int(value)
        # True and 1.0 equal 1 as keys of a table.
        kind = self.kinds.get(key) if type(key) in (int, str) else None
        if kind is None:
            shown = ascii(value)
            shown = shown if len(shown) <= 40 else shown[:37] + "..."
            raise Fault("UNKNOWN_CARD", f"{shown} 不是 {self.name} 的牌", f"{shown} is no card of {self.name}", *path)
        return kind

    def encode(self, kind: int, copy: int = 0) -> int | str:
        """What stands for a known card; ``copy`` 0..3 chooses the id where each copy has one."""
        return self.names[kind][copy % len(self.names[kind])]


def _encoding(name: str, *columns: list[int] | list[str] | tuple[str, ...]) -> Encoding:
    names = tuple(tuple(column[kind] for column in columns) for kind in range(KINDS))
    return Encoding(name, names, {one: kind for kind in range(KINDS) for one in names[kind]})


def _two(small: int, big: int) -> list[int]:
    """Ten numbers from ``small`` on for 一..十 and ten from ``big`` on for 壹..拾."""
    return [*range(small, small + 10), *range(big, big + 10)]


ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        _encoding("0..19", _two(0, 10)),
        _encoding("1..20", _two(1, 11)),
        _encoding("nibble", _two(0x01, 0x11)),
        _encoding("rank+100", _two(1, 101)),
        _encoding("100+200", _two(101, 201)),
        _encoding("1..10,21..30", _two(1, 21)),
        _encoding("1..80 by kind", *([4 * kind + copy + 1 for kind in range(KINDS)] for copy in range(COPIES))),
        _encoding("1..80 by copy", *(_two(10 * copy + 1, 10 * copy + 41) for copy in range(COPIES))),
        _encoding("x/d", [f"{size}{rank}" for size in "xd" for rank in range(1, 11)]),
        _encoding("s/b", ASCII_NAMES),
        _encoding("characters", list(CHARS)),
    )
}
"""Name → encoding. The names stand in docs/formats.md and in mapping files."""


def distinct(ids: list[int], *path: str | int) -> None:
    """Raise ``Fault`` when a physical card is there twice."""
    seen: set[int] = set()
    for one in ids:
        if one in seen:
            raise Fault("FIFTH_COPY", f"编号 {one} 的牌出现两次", f"the card with id {one} is there twice", *path)
        seen.add(one)
