"""The reference players and the tables they sit at: whole deals and sessions played inside the kernels.

A player is a name and a version: the same version plays the same way for ever, so a figure in docs/players.md can be
measured again. What each looks at is told there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ingest.limits import both
from replay.arrange import arrangements
from replay.engine import engine
from replay.kernels import features, layout, vices
from replay.kernels.jit import compiled, plain
from replay.kernels.match import RESULT
from replay.kernels.memo import CLIP, MEMO_END, READING, WAYS
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.kernels.policies import FITTED, RANDOM, SEARCHING, WEIGHED, WEIGHT_SIZE
from replay.kernels.reading import READING_SIZE
from replay.kernels.worlds import MOST_WEIS
from replay.ruleset import Ruleset

VALUES = Path(__file__).with_name("values")
"""The fitted numbers of `value`, a file for each ruleset (written by ``replay.fit_value``)."""
SCALE = 1 << 16
"""The numbers are kept as whole multiples of 1/SCALE, so that a file has them exactly."""
WAYS_ROOM = 21 * 22 * 22 * (1 + MOST_WEIS) ** 2


class PlayerError(ValueError):
    """An unknown player, or one that does not play the ruleset; the text says which ones do."""


@dataclass(frozen=True, slots=True)
class Player:
    """A reference player: how it decides (``kernels.policies``) and its weights."""

    name: str
    version: int
    kind: int
    zh: str
    en: str
    weights: tuple[int, ...] = (0,) * WEIGHT_SIZE


PLAYERS = {
    player.name: player
    for player in (
        Player("random", 1, RANDOM, "乱打：能做的事机会均等", "any legal move, each as likely"),
        Player("greedy", 1, WEIGHED, "贪心：离听最近，留胡息", "fewest steps, keeps 胡息", (150, 0, 0, 0, 0, 0, 0, 0)),
        Player(
            "steady",
            1,
            WEIGHED,
            "稳健：步数、活张、胡息，权重由搜索得出",
            "steps, live outs and 胡息 by searched weights",
            (350, 10, 10, 20, 36, -150, -10, 0),
        ),
        Player("value", 2, FITTED, "估值：自对弈拟合的价值", "a value fitted by self-play"),
        Player(
            "search",
            2,
            SEARCHING,
            "搜索：按别家的打法取样看不见的牌，由估值往下打",
            "play-outs by value from hidden hands sampled by what the others did",
            (3000, 6, 10, 30, 50, 7, 4, 0),
        ),
    )
}
"""From weak to strong."""


@dataclass(frozen=True, slots=True)
class Vice:
    """A way to cheat (``kernels.vices``), and whether it is done for a partner."""

    name: str
    version: int
    number: int
    zh: str
    en: str
    for_partner: bool = False


VICES = {
    vice.name: vice
    for vice in (
        Vice("soft", 1, vices.SOFT, "放水：不拿同伙的牌", "takes nothing that its partner draws or throws", True),
        Vice("feed", 1, vices.FEED, "喂牌：打同伙要的牌", "throws what its partner can take", True),
        Vice("peek", 1, vices.PEEK, "偷看：知道别家的手牌", "knows the hands of the others"),
        Vice("clock", 1, vices.CLOCK, "机器：想的时间不变", "thinks as long each time (replay.cheats)"),
        Vice("stacked-kan", 1, vices.KAN, "做牌：对子发成坎", "is dealt a third copy for a pair"),
        Vice("stacked-red", 1, vices.RED, "做牌：多发红字", "is dealt more red cards"),
        Vice("stacked-wall", 1, vices.WALL, "做牌：要的牌先来", "has what it waits for early in the wall"),
    )
}
"""What a player may do beside its play: docs/cheats.md."""
_SPEC = re.compile(r"(?P<base>[a-z]+)\+(?P<vice>[a-z-]+)(?::(?P<strength>\d{1,4}))?(?:@(?P<partner>\d))?")
_ORDER = list(PLAYERS)
_WEIGHTS = [number for player in PLAYERS.values() for number in player.weights]


def player(name: str, ruleset: Ruleset) -> Player:
    """The player of the name, of a cheat its base player.

    Raises ``PlayerError`` where there is none, or it was not fitted for the ruleset.
    """
    if "+" in name:
        name = cheat_of(name)[0]
    found = PLAYERS.get(name)
    if found is None:
        known = ", ".join(_ORDER)
        raise PlayerError(both(f"没有选手 {name!r}；可用 {known}", f"no player {name!r}; there are {known}"))
    if found.kind >= FITTED and not (VALUES / f"{ruleset.name}.json").exists():
        known = ", ".join(sorted(path.stem for path in VALUES.glob("*.json"))) or "–"
        zh = f"选手 {name} 没有为 {ruleset.name} 拟合过；拟合过的有 {known}"
        raise PlayerError(both(zh, f"{name} was not fitted for {ruleset.name}; fitted are {known}"))
    return found


def cheat_of(spec: str) -> tuple[str, Vice, int, int]:
    """Base player, vice, ‰ and partner (-1 nobody) of ``BASE+VICE[:STRENGTH][@PARTNER]``.

    STRENGTH is 1000 where it is left out, PARTNER the partner's place among the players, from 0. Raises
    ``PlayerError`` for anything else.
    """
    parts = _SPEC.fullmatch(spec)
    vice = VICES.get(parts["vice"]) if parts else None
    strength = int((parts and parts["strength"]) or 1000)
    honest = parts is None or parts["base"] not in PLAYERS or PLAYERS[parts["base"]].kind in (WEIGHED, FITTED)
    if parts is None or vice is None or strength > 1000 or not honest or bool(parts["partner"]) != vice.for_partner:
        raise PlayerError(
            f"看不懂作弊选手 {spec!r}：应为 底子+手法[:千分比][@同伙]，手法有 {'、'.join(VICES)}，"
            "底子是 greedy、steady 或 value，soft 和 feed 要同伙的座次"
            f" / not a cheating player: {spec!r}; it is BASE+VICE[:0..1000][@PARTNER], vices are {', '.join(VICES)}, "
            "with a base of greedy, steady or value, and the partner's place for soft and feed"
        )
    return parts["base"], vice, strength, int(parts["partner"] or -1)


@lru_cache(maxsize=8)
def fitted(ruleset_name: str) -> tuple[Any, Any, int]:
    """The numbers of `value` for a ruleset, ``(NUMBERS,)`` float64, those by which hands are read,
    ``(READING_SIZE,)`` float64, and the points of a value of 1.

    Zeros where it was not fitted.
    """
    path = VALUES / f"{ruleset_name}.json"
    if not path.exists():
        return np.zeros(features.NUMBERS), np.zeros(READING_SIZE), 1
    kept = json.loads(path.read_text(encoding="utf-8"))
    numbers, reading = (np.array(kept[key], dtype=np.float64) / SCALE for key in ("numbers", "reading"))
    return numbers, reading, int(kept["clip"])


@dataclass(slots=True)
class Room:
    """A ruleset with all that its players need: not shared between threads."""

    ruleset: Ruleset
    seats: int
    paid: int
    kernels: Any = field(repr=False)
    state: Any = field(repr=False)
    table: Any = field(repr=False)
    plans: Any = field(repr=False)
    weights: Any = field(repr=False)
    net: Any = field(repr=False)


def room(ruleset: Ruleset, seats: int = 3, *, paid: bool = False, jit: bool = True, part: str = "players") -> Room:
    """A room for ``seats`` seats that play; ``paid``: a fourth person is paid (rules 14.4).

    ``jit`` false: the kernels as plain Python, which play the very same rounds. ``part``: which ones (``jit.PARTS``).
    """
    machine = engine(ruleset, compiled() if jit else None)
    net = np.zeros(WAYS + WAYS_ROOM)
    state = [*map(int, machine.state), *[0] * (MEMO_END - len(machine.state))]
    net[: features.NUMBERS], net[READING : READING + READING_SIZE], state[CLIP] = fitted(ruleset.name)
    plans = arrangements(ruleset, features.WEIGHT)
    return Room(
        ruleset=ruleset,
        seats=seats,
        paid=int(paid),
        kernels=compiled(part) if jit else plain(part),
        state=np.array(state, dtype=np.int64) if jit else state,
        table=machine.table,
        plans=plans if jit else plans.tolist(),
        weights=np.array(_WEIGHTS, dtype=np.int64) if jit else list(_WEIGHTS),
        net=net if jit else net.tolist(),
    )


def who(at: Room, seating: Sequence[str]) -> list[int]:
    """``match.WHO`` ints a person: the kind of player, where its weights begin, how it cheats, ‰ and for whom."""
    flat: list[int] = []
    for place, name in enumerate(seating):
        base = player(name, at.ruleset)
        flat += (base.kind, WEIGHT_SIZE * _ORDER.index(base.name))
        if "+" not in name:
            flat += (vices.HONEST, 0, -1)
            continue
        _, vice, strength, partner = cheat_of(name)
        if vice.for_partner and (partner == place or partner >= len(seating)):
            raise PlayerError(f"{name!r} 的同伙不在别的座位上 / the partner of {name!r} is no other player")
        flat += (vice.number if strength else vices.HONEST, strength, partner)
    return flat


def stream_of(seed: int, part: int = 0) -> Any:
    """The generators of a part of a run (see ``kernels.play.draw_below``); parts do not depend on each other."""
    numbers = np.random.SeedSequence((seed, part)).generate_state(4, np.uint64) % 2147483398 + 1
    return numbers.astype(np.int64)


def play_deals(at: Room, seed: int, deals: int, seatings: Sequence[Sequence[str]], part: int = 0) -> Any:
    """Play fresh deals, each once for every seating (a player's name for each seat).

    Returns int64 ``(deals, seatings, RESULT)``, see ``kernels.match``. Points are game points (rules chapter 12).
    """
    names = np.array([number for seating in seatings for number in who(at, seating)], dtype=np.int64)
    results = np.zeros(deals * len(seatings) * RESULT, dtype=np.int64)
    events = np.zeros(EVENT * (MOST_EVENTS + 8), dtype=np.int64)
    done = at.kernels.play_deals(
        at.state, at.table, at.plans, at.weights, at.net, stream_of(seed, part), deals, len(seatings), names,
        at.seats, at.paid, int(at.ruleset.two_ti_extra), events, results,
    )  # fmt: skip
    if done != deals * len(seatings):
        raise RuntimeError("a round does not end")
    return results.reshape(deals, len(seatings), RESULT)


_NEXT = ("winner", "creator", "dice")
_HUANG = ("keep", "next", "creator")


def play_session(at: Room, seed: int, part: int, rounds: int, persons: Sequence[str]) -> tuple[Any, Any, Any, Any]:
    """Play session ``part`` of a run: deals, events, spans (as ``bulk.run_audit`` takes them) and results a round."""
    rules = at.ruleset
    deals = np.zeros(layout.DEAL_SIZE * rounds, dtype=np.int64)
    most = MOST_EVENTS * (rounds + 1)
    events = np.zeros(EVENT * most, dtype=np.int64)
    spans = np.zeros(rounds + 1, dtype=np.int64)
    results = np.zeros(RESULT * rounds, dtype=np.int64)
    done = at.kernels.play_session(
        at.state, at.table, at.plans, at.weights, at.net, stream_of(seed, part), rounds,
        np.array(who(at, persons), dtype=np.int64), len(persons), at.seats, at.paid, int(rules.two_ti_extra),
        _NEXT.index(rules.dealer_next), _HUANG.index(rules.huang_next), int(rules.huang_three),
        deals, events, most, spans, results,
    )  # fmt: skip
    if done != rounds:
        raise RuntimeError("a round does not end")
    return deals, events[: EVENT * int(spans[-1])], spans, results.reshape(rounds, RESULT)
