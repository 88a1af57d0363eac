"""The hand calculator: what a hand is worth, what it waits for, what it may 吃. Public API, plain Python inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ingest import cards as names
from ingest.cards import CardError, parse
from ingest.codes import FORM_CHARS, SOURCE_NAMES, Action, Form, Source
from ingest.record import Move
from replay.engine import Engine, engine
from replay.explain import Item, triple_index
from replay.kernels import layout
from replay.kernels.hands import GROUPS, run_table
from replay.kernels.hands import split as split_kernel
from replay.kernels.layout import (
    O_DENG,
    O_HUXI,
    O_POINTS,
    O_RED,
    O_UNITS,
)
from replay.ruleset import Ruleset
from replay.rulesets import resolve
from replay.score import fan_names, groups_of_win
from replay.table import Table, put


class HandError(ValueError):
    """Input that is no hand: the message names the bad card and its place, or what is wrong with the counts."""


@dataclass(frozen=True, slots=True)
class HandValue:
    """``complete``: a legal shape exists; ``huxi``: its best value, even below the minimum; ``wins``: it may be won.

    ``groups``: ``(form, cards, 胡息)``; ``fan``: name → 番; ``deng``: 等/子 of the 胡息 alone; ``units``: after 番;
    ``points``: what the winner gets in all; ``payments``: winner first, then the next two seats and a paid 醒家.
    """

    complete: bool
    wins: bool
    huxi: int
    groups: tuple[Item, ...]
    fan: Mapping[str, int]
    deng: int
    units: int
    points: int
    payments: tuple[int, ...]
    red: int


@dataclass(frozen=True, slots=True)
class ChiOption:
    """One complete 吃: the group with the eaten card and its 比 groups, each ascending."""

    first: tuple[int, ...]
    bi: tuple[tuple[int, ...], ...]


_ACTIONS = {
    "碰": Action.PENG,
    "偎": Action.WEI,
    "臭偎": Action.CHOU_WEI,
    "跑": Action.PAO,
    "提": Action.TI_OPEN,
    "亮提": Action.TI_OPEN,
    "吃": Action.CHI,
    "比": Action.BI,
}
_SOURCES = {name: source for source, name in SOURCE_NAMES.items() if source != Source.NONE}


def best_split(loose_counts: Sequence[int], jiang: bool) -> int:
    """Best 胡息 of splitting loose cards (copies of each of the 20 kinds, 0..3) into triples, plus one pair iff
    ``jiang``; -1 when impossible. Standard 胡息 (rules 9.1)."""
    if len(loose_counts) != names.KINDS or any(not 0 <= n <= 3 for n in loose_counts):
        raise HandError("loose_counts must be 20 numbers, 0..3 each")
    loose = sum(n << 2 * kind for kind, n in enumerate(loose_counts))
    return split_kernel(loose, int(jiang), run_table(3, 3, 6, 6), [0] * 80)


def _read(text: str | Iterable[int], what: str) -> list[int]:
    try:
        cards = parse(text) if isinstance(text, str) else list(text)
    except CardError as error:
        raise HandError(f"{what}: {error}") from None
    for place, card in enumerate(cards):
        if not 0 <= card < names.KINDS:
            raise HandError(f"{what}: unknown card at place {place + 1}")
    return cards


def _melds(melds: Iterable[str], ruleset: Ruleset) -> tuple[Table, list[Move]]:
    table = Table()
    moves = []
    for place, text in enumerate(melds):
        what = f"meld {place + 1} {text!r}"
        word, _, rest = text.strip().partition(" ")
        if word not in _ACTIONS:
            raise HandError(f"{what}: write 碰/偎/臭偎/跑/提 and a card, or 吃/比 and three cards")
        action = _ACTIONS[word]
        cards = _read(rest, what)
        if action in (Action.CHI, Action.BI):
            if len(cards) != 3 or triple_index(cards) < 0:
                raise HandError(f"{what}: these are not three cards of a 顺, 二七十 or 绞")
            moves.append(Move(0, action, *cards))
        else:
            if not cards or len(set(cards)) != 1:
                raise HandError(f"{what}: name one kind of card")
            moves.append(Move(0, action, cards[0]))
        put(table, moves[-1], ruleset)
    return table, moves


@lru_cache(maxsize=16)
def _engine(ruleset: Ruleset) -> Engine:
    return engine(ruleset)


def _lay_out(machine: Engine, hand: Sequence[int], table: Table) -> None:
    """Put hand and melds of seat 0 into the engine's state."""
    state = machine.state
    for i in range(layout.STATE0, layout.STATE_END):
        state[i] = 0
    at = layout.SEAT0
    state[layout.N_SEATS] = layout.SEATS
    state[layout.D_PAID_SITTER] = 0
    state[layout.LEAVER] = -1
    state[layout.PHASE] = layout.OVER
    state[at + layout.KNOWN] = 1
    for seat in (1, 2):
        state[layout.SEAT0 + seat * layout.SEAT_SIZE + layout.UNSEEN] = 20
    for card in hand:
        machine.kernels.give(state, at, card)
    for meld in table.melds[0]:
        state[at + layout.MELDS] += 1
        machine.kernels.lay(state, 0, meld.cards[0], 0, meld.huxi)
        for card in meld.cards:
            machine.kernels.lay(state, 0, card, 1, 0)
        unit = 1 << 2 * meld.cards[0]
        if meld.form == Form.PENG:
            state[at + layout.PENGS] |= unit
        elif meld.form in (Form.WEI, Form.CHOU_WEI):
            state[at + layout.WEIS] |= unit
        elif meld.form in (Form.PAO, Form.TI):
            state[at + layout.N_QUADS] += 1
            state[at + layout.FOURS] |= unit
        else:
            state[at + layout.RUNS] = 1


def seated_hand(cards: str | Iterable[int], melds: Iterable[str], rules: Ruleset) -> Engine:
    """An engine with concealed ``cards`` and ``melds`` in seat 0, its own until the next call. Raises ``HandError``."""
    table, _ = _melds(melds, rules)
    hand = _read(cards, "hand")
    _check_copies(hand, table, None)
    machine = _engine(rules)
    _lay_out(machine, hand, table)
    return machine


def _check_copies(hand: Sequence[int], table: Table, card: int | None) -> None:
    every = [*hand, *(c for meld in table.melds[0] for c in meld.cards), *([] if card is None else [card])]
    over = names.over_copied(every)
    if over:
        kind = over[0]
        raise HandError(f"FIFTH_COPY: {every.count(kind)} copies of {names.name(kind)} in hand, melds and winning card")


def evaluate_hand(
    cards: str | Iterable[int],
    melds: Iterable[str] = (),
    win_card: str | int | None = None,
    source: str | None = None,
    ruleset: str | Ruleset = "qq",
    options: Mapping[str, Any] | None = None,
    dealer: bool = False,
    last_card: bool = False,
    tianhu: bool = False,
    xing_hits: int = 0,
    dihu: bool = False,
    sitter: bool = False,
) -> HandValue:
    """Value of concealed ``cards`` and ``melds`` with ``win_card`` from ``source`` (rules chapters 8 to 10, 12).

    ``source``: own_draw | other_draw | discard | liang, or None when the concealed cards are already complete.
    ``dealer`` matters on the 亮张 (and for who pays), ``last_card`` is 海底, ``tianhu`` a win on the dealt cards,
    ``dihu`` one on the dealer's first discard or in the first round; ``sitter``: a 醒家 is paid too.
    Raises ``HandError`` for a bad card, a fifth copy or an unknown source.
    """
    rules = resolve(ruleset, options) if isinstance(ruleset, str) else ruleset
    table, _ = _melds(melds, rules)
    hand = _read(cards, "hand")
    card = None if win_card is None else (_read(win_card, "win_card") if isinstance(win_card, str) else [win_card])[0]
    if (card is None) != (source is None):
        raise HandError("win_card and source go together")
    if source is not None and source not in _SOURCES:
        raise HandError(f"source {source!r} is not one of {', '.join(_SOURCES)}")
    _check_copies(hand, table, card)
    machine = _engine(rules)
    in_hand = (source == "liang" and dealer) or (rules.draw_to_hand and source == "own_draw")
    held = [*hand, card] if in_hand and card is not None else hand
    _lay_out(machine, held, table)
    state = machine.state
    state[layout.D_PAID_SITTER] = int(sitter and rules.sitter == "xing")
    state[layout.WIN_SPECIAL] = layout.DIHU if dihu else layout.TIANHU_BY_LIANG if tianhu else 0
    return _value(
        machine, table, -1 if card is None or held is not hand else card, source, dealer, last_card, xing_hits
    )


def _value(
    machine: Engine, table: Table, card: int, source: str | None, dealer: bool, last_card: bool, hits: int
) -> HandValue:
    """The value of what lies in seat 0 of the engine, ``WIN_SPECIAL`` telling 天胡 and 地胡."""
    state, kernels, rules = machine.state, machine.kernels, machine.ruleset
    at = layout.SEAT0
    code = int(_SOURCES[source]) if source else int(Source.NONE)
    special = int(state[layout.WIN_SPECIAL])
    tianhu = special == layout.TIANHU_BY_LIANG
    by_quads = tianhu and kernels.quads_tianhu(state, 0) == 1 and not table.melds[0]
    kernel_source = int(Source.OWN_DRAW) if card < 0 else code
    value = kernels.hu_value(state, machine.table, 0, card, kernel_source)
    huxi = value >> layout.HUXI_AT if value >= 0 else 0
    allowed = source != "discard" or rules.win_discard or (rules.dihu == "next" and special == layout.DIHU)
    if (last_card and not rules.last_wins) or (rules.draw_to_hand and source == "other_draw"):
        allowed = False
    if source == "liang":
        allowed = rules.liang_win == "all" or (rules.liang_win == "dealer" and dealer)
    wins = value >= 0 and huxi >= rules.min_huxi and allowed
    if by_quads:
        special, wins = layout.TIANHU_BY_QUADS, True
    elif source == "liang":
        special = layout.TIANHU_BY_LIANG
    state[layout.WINNER] = 0
    state[layout.WIN_CARD] = card if card >= 0 else -1
    state[layout.WIN_SOURCE] = int(Source.NONE) if by_quads else code
    state[layout.WIN_VALUE] = max(value, 0) if by_quads else value
    state[layout.WIN_SPECIAL] = special
    state[layout.DEALER] = 0 if dealer else 1
    state[layout.OPEN_SEAT] = 0 if source == "own_draw" else 1
    state[layout.ORIGIN] = layout.FROM_HAND if source == "discard" else layout.FROM_WALL
    state[layout.WALL_N] = state[layout.WALL_AT] = 1 if last_card else 0
    if not last_card:
        state[layout.WALL_N] = 19
    kernels.settle(state, hits)
    groups: tuple[Item, ...] = ()
    if value >= 0 or by_quads:
        found = groups_of_win(
            rules,
            table.melds[0],
            hand=state[at + layout.HAND],
            quads=state[at + layout.QUADS],
            card=card,
            source=kernel_source,
            special=special,
            dealer=False,
            value=value,
        )
        groups = tuple(found)
    persons = layout.SEATS + state[layout.D_PAID_SITTER]
    if not wins:
        return HandValue(value >= 0, False, huxi, groups, {}, 0, 0, 0, (0,) * persons, state[O_RED])
    return HandValue(
        value >= 0,
        True,
        state[O_HUXI],
        groups,
        fan_names(machine),
        state[O_DENG],
        state[O_UNITS],
        state[O_POINTS],
        tuple(state[O_POINTS : O_POINTS + persons]),
        state[O_RED],
    )


def waits(
    cards: str | Iterable[int],
    melds: Iterable[str] = (),
    ruleset: str | Ruleset = "qq",
    options: Mapping[str, Any] | None = None,
) -> dict[tuple[str, str], HandValue]:
    """``(card, source)`` → value for every card that wins: own_draw, other_draw and, where allowed, discard."""
    rules = resolve(ruleset, options) if isinstance(ruleset, str) else ruleset
    table, _ = _melds(melds, rules)
    hand = _read(cards, "hand")
    _check_copies(hand, table, None)
    every = [*hand, *(c for meld in table.melds[0] for c in meld.cards)]
    machine = _engine(rules)
    found = {}
    for card in range(names.KINDS):
        if every.count(card) == names.COPIES:
            continue
        for source in ("own_draw", "other_draw", "discard"):
            if source == "discard" and not rules.win_discard:
                continue
            drawn_in = rules.draw_to_hand and source == "own_draw"
            _lay_out(machine, [*hand, card] if drawn_in else hand, table)
            value = _value(machine, table, -1 if drawn_in else card, source, False, False, 0)
            if value.wins:
                found[names.name(card), source] = value
    return found


def chi_options(
    hand: str | Iterable[int],
    card: str | int,
    ruleset: str | Ruleset = "qq",
    discard_due: bool = True,
    options: Mapping[str, Any] | None = None,
) -> list[ChiOption]:
    """Every legal 吃 of ``card`` with its complete 比 (rules 5.1, 5.8 to 5.10).

    ``discard_due``: a discard follows, so a choice that leaves nothing to discard is none (rules 3.11).
    """
    rules = resolve(ruleset, options) if isinstance(ruleset, str) else ruleset
    held = _read(hand, "hand")
    eaten = (_read(card, "card") if isinstance(card, str) else [card])[0]
    _check_copies(held, Table(), eaten)
    machine = _engine(rules)
    _lay_out(machine, held, Table())
    owned = machine.kernels.owned_of(machine.state, 0)
    machine.state[layout.SEAT0 + layout.OFFSET] = (20 if discard_due else 19) - owned
    n = machine.kernels.chi_options(machine.state, 0, eaten, 0)
    found = []
    for code in machine.state[layout.CHI : layout.CHI + n]:
        bi = [GROUPS[(code >> shift & 63) - 1] for shift in (6, 12) if code >> shift & 63]
        found.append(ChiOption(tuple(sorted(GROUPS[code & 63])), tuple(sorted(tuple(sorted(g)) for g in bi))))
    return found


def group_text(item: Item) -> str:
    """A group as players say it, e.g. ``坎 五五五 3``."""
    form, cards, huxi = item
    return f"{FORM_CHARS[Form(form)]} {names.text(cards)} {huxi}"


__all__ = ["ChiOption", "HandError", "HandValue", "best_split", "chi_options", "evaluate_hand", "group_text", "waits"]
