"""Players that cheat on purpose: honest ones stay as they were, each cheat does what it says and breaks no rule."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ingest.codes import Action
from replay import cheats, players
from replay.bulk import run_audit
from replay.engine import engine
from replay.kernels import features, layout
from replay.kernels.audit import S_FOUND, S_PHASE
from replay.kernels.bits import RED_LOW
from replay.kernels.jit import compiled, plain
from replay.kernels.match import R_POINTS
from replay.kernels.play import EVENT
from replay.kernels.reading import READING_SIZE
from replay.players import VICES, PlayerError, Room, cheat_of, play_deals, play_session, room, who
from replay.rulesets import RULESETS

HONEST = ["steady"] * 3
ALL = [cheats.soft(1), cheats.feed(1), cheats.peek(), cheats.clock(), *map(cheats.stacked, ("kan", "red", "wall"))]
PINNED = {
    "qq": "05c5b2ca2ae2b6935bf9f13b",
    "guilin": "5d387b41be37e716e71080d9",
    "general": "3146e581162b3990d618ad71",
    "ningxiang": "1c9766486a77747d66082934",
}
"""Deals and a session of random, greedy and steady, pinned: cheats must not change them."""


def beside(cheat: str) -> list[str]:
    return [cheat, "steady", "steady"]


def hash_of(arrays: Any) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
    return digest.hexdigest()


def faults(at: Room, deals: Any, events: Any, spans: Any) -> int:
    """Findings of an audit, and rounds that are not over."""
    wholes = np.ones(len(spans) - 1, dtype=np.int64)
    summaries, _ = run_audit(engine(at.ruleset, compiled()), deals, events, spans, wholes)
    return int(summaries[:, S_FOUND].sum()) + int((summaries[:, S_PHASE] != layout.OVER).sum())


@pytest.fixture(scope="module")
def qq() -> Room:
    return room(RULESETS["qq"])


@pytest.mark.parametrize("name", PINNED)
def test_honest_players_play_as_before(name: str) -> None:
    at = room(RULESETS[name])
    seatings = [["random", "greedy", "steady"], HONEST, ["greedy", "random", "steady"]]
    rows = play_deals(at, 7, 40, seatings)
    assert hash_of((rows, *play_session(at, 7, 1, 30, ["steady", "greedy", "random"]))) == PINNED[name]


def test_a_strength_of_0_is_the_base_player(qq: Room) -> None:
    before = hash_of(play_session(qq, 5, 0, 20, HONEST))
    for cheat in ALL:
        base, vice, _, partner = cheat_of(cheat)
        idle = f"{base}+{vice.name}:0" + (f"@{partner}" if partner >= 0 else "")
        assert hash_of(play_session(qq, 5, 0, 20, beside(idle))) == before, idle
    played = hash_of(play_deals(qq, 5, 20, [["random", "steady+soft:0@0", "greedy"]])[:, 0, None])
    assert played == hash_of(play_deals(qq, 5, 20, [["random", "steady", "greedy"]]))


def test_cheating_draws_nothing_from_the_table(qq: Room) -> None:
    """An honest deal and what a random player draws in it stay the same beside a cheat that never finds a chance."""
    cheat = ["random", "steady+clock", "random"]
    assert (play_deals(qq, 5, 30, [cheat]) == play_deals(qq, 5, 30, [["random", "steady", "random"]])).all()


def test_the_same_seed_gives_the_same_rounds(qq: Room) -> None:
    for cheat in ALL:
        rounds = 5 if "peek" in cheat else 20
        first, second = (hash_of(play_session(qq, 9, 2, rounds, beside(cheat))) for _ in range(2))
        assert first == second
        if "clock" not in cheat:
            assert first != hash_of(play_session(qq, 9, 2, rounds, HONEST)), cheat


def test_compiled_and_plain_cheats_play_the_same() -> None:
    for name in ("qq", "general"):
        fast, slow = room(RULESETS[name]), room(RULESETS[name])
        slow.kernels = plain("players")
        slow.state, slow.weights, slow.net = ([*map(kind, numbers)] for kind, numbers in (
            (int, slow.state), (int, slow.weights), (float, slow.net)
        ))  # fmt: skip
        slow.plans, slow.table = slow.plans.tolist(), bytes(slow.table)
        for cheat in ALL:
            spec = cheat.replace(":1000", ":200") if "peek" in cheat else cheat
            assert (play_deals(fast, 3, 1, [beside(spec)]) == play_deals(slow, 3, 1, [beside(spec)])).all(), cheat


@pytest.mark.parametrize("name", RULESETS)
def test_cheats_break_no_rule(name: str) -> None:
    """Rounds of every cheat at every table of the ruleset, with a paid or unpaid fourth person where there is one."""
    ruleset = RULESETS[name]
    for persons in ruleset.persons:
        at = room(ruleset, min(persons, 3), paid=persons == 4 and ruleset.sitter == "xing")
        for cheat in ALL:
            spec = cheat.replace(":1000", ":100") if "peek" in cheat else cheat
            deals, events, spans, _ = play_session(at, 11, 0, 20, [spec, *["steady"] * (persons - 1)])
            assert faults(at, deals, events, spans) == 0, (cheat, persons)
            if "stacked" in cheat:
                for deal in deals.reshape(-1, layout.DEAL_SIZE):
                    cards = [deal[layout.D_LIANG - layout.DEAL0], *deal[layout.D_HANDS - layout.DEAL0 :]]
                    counts = np.bincount([card for card in cards if card >= 0], minlength=20)
                    assert (counts[:20] == 4).all()


# soft and feed


def taken(events: Any, spans: Any, taker: int, giver: int) -> int:
    """How often ``taker`` takes by 碰, 吃 or 胡 what ``giver`` drew or threw."""
    rows = events.reshape(-1, EVENT)
    n = 0
    for first, end in pairwise(spans.tolist()):
        owner = -1
        for seat, action in rows[first:end, :2].tolist():
            if action in (Action.DRAW, Action.DISCARD):
                owner = seat
            n += seat == taker and owner == giver and action in (Action.PENG, Action.CHI, Action.HU)
    return n


def test_soft_takes_nothing_of_its_partner(qq: Room) -> None:
    counts = []
    for strength in (0, 500, 1000):
        _, events, spans, _ = play_session(qq, 21, 0, 200, beside(cheats.soft(2, strength)))
        counts.append(taken(events, spans, 0, 2))
        assert taken(events, spans, 0, 1) > 50
    honest, half, always = counts
    assert honest > 150
    assert 0.25 * honest < half < 0.75 * honest
    assert always == 0


def fed(at: Room, persons: list[str], giver: int, partner: int) -> tuple[int, int]:
    """Discards of ``giver``, and those that ``partner`` could take."""
    deals, events, spans, _ = play_session(at, 22, 0, 20, persons)
    machine = engine(at.ruleset)
    rows = events.reshape(-1, EVENT).tolist()
    thrown = could = 0
    for number, deal in enumerate(deals.reshape(-1, layout.DEAL_SIZE).tolist()):
        machine.state[layout.DEAL0 : layout.DEAL0 + layout.DEAL_SIZE] = deal
        machine.kernels.begin(machine.state)
        played = rows[spans[number] : spans[number + 1]]
        for seq, (event, then) in enumerate(zip(played, [*played[1:], [0] * EVENT], strict=True)):
            machine.state[layout.SEQ] = seq
            machine.kernels.step(machine.state, machine.table, *event)
            if machine.state[layout.CHI_SEAT] >= 0 and then[1] != Action.BI:
                machine.kernels.finish_chi(machine.state)
            if event[:2] == [giver, Action.DISCARD]:
                rights = machine.state[layout.SEAT0 + layout.SEAT_SIZE * partner + layout.RIGHTS]
                thrown += 1
                could += rights & (layout.R_HU | layout.R_PENG | layout.R_CHI) != 0
    return thrown, could


@pytest.mark.parametrize("name", ["qq", "general"])
def test_feed_throws_what_its_partner_can_take(name: str) -> None:
    at = room(RULESETS[name])
    for partner in (1, 2):
        thrown, could = fed(at, HONEST, 0, partner)
        more, fed_cards = fed(at, beside(cheats.feed(partner)), 0, partner)
        assert min(thrown, more) > 40
        assert fed_cards / more > could / thrown + 0.15


# peek


def test_peek_wins_more_than_its_base(qq: Room) -> None:
    """The same deals, seat 0 once peeking and once not: one-sided bound of 99 %."""
    rows = play_deals(qq, 31, 250, [beside(cheats.peek()), HONEST])[:, :, R_POINTS].astype(float)
    gain = rows[:, 0] - rows[:, 1]
    assert gain.mean() - 2.326 * gain.std(ddof=1) / sqrt(len(gain)) > 0.5


# stacked


def hands_of(deals: Any, seat: int) -> Any:
    begin = layout.D_HANDS - layout.DEAL0 + 20 * seat
    return deals.reshape(-1, layout.DEAL_SIZE)[:, begin : begin + 20]


def kan(deals: Any, seat: int) -> float:
    return float(np.mean([(np.bincount(hand, minlength=20) == 3).sum() for hand in hands_of(deals, seat)]))


def red(deals: Any, seat: int) -> float:
    return float(np.mean([sum(RED_LOW >> 2 * card & 1 for card in hand) for hand in hands_of(deals, seat).tolist()]))


def needs_in_front(deals: Any, seat: int) -> float:
    """Of the wall's cards that make a pair of the seat three, the share in the first half."""
    front = number = 0
    for deal, hand in zip(deals.reshape(-1, layout.DEAL_SIZE), hands_of(deals, seat), strict=True):
        pairs = np.flatnonzero(np.bincount(hand, minlength=20) == 2)
        wall = deal[layout.D_WALL - layout.DEAL0 :][: deal[layout.D_WALL_N - layout.DEAL0]]
        there = np.flatnonzero(np.isin(wall, pairs))
        front += int((there < len(wall) // 2).sum())
        number += len(there)
    return front / number


@pytest.mark.parametrize(
    ("way", "measure", "more"), [("kan", kan, 0.9), ("red", red, 2.5), ("wall", needs_in_front, 0.12)]
)
def test_a_stacked_deal_favours_its_seat(qq: Room, way: str, measure: Any, more: float) -> None:
    plain_deals, _, _, _ = play_session(qq, 41, 0, 300, HONEST)
    values = [measure(plain_deals, 0)]
    for strength in (500, 1000):
        deals, _, _, _ = play_session(qq, 41, 0, 300, beside(cheats.stacked(way, strength)))
        values.append(measure(deals, 0))
        if way != "wall":
            assert abs(measure(deals, 1) - measure(plain_deals, 1)) < 0.75 * more
    honest, half, always = values
    assert always > honest + more
    assert honest + 0.25 * more < half < always


# specs


def test_specs() -> None:
    assert cheat_of("steady+soft:500@1") == ("steady", VICES["soft"], 500, 1)
    assert cheat_of("value+peek") == ("value", VICES["peek"], 1000, -1)
    assert cheat_of("greedy+stacked-red:0") == ("greedy", VICES["stacked-red"], 0, -1)
    assert [vice.version for vice in VICES.values()] == [1] * 7


@pytest.mark.parametrize(
    "spec",
    ["steady+", "steady+nap", "steady+soft", "steady+soft:500", "steady+peek@1", "steady+peek:1001", "random+peek",
     "search+feed@1", "steady+peek:", "steady+soft:-1@1", "steady+soft@", "nobody+peek", "steady+soft@0",
     "steady+feed@3"],
)  # fmt: skip
def test_bad_specs_are_refused(qq: Room, spec: str) -> None:
    with pytest.raises(PlayerError):
        who(qq, beside(spec))


def test_value_may_be_the_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With made-up numbers: what is tried is that every cheat works on a fitted value."""
    numbers = [i * 7919 % 2001 * 10 - 10_000 for i in range(features.NUMBERS)]
    (tmp_path / "qq.json").write_text(json.dumps({"numbers": numbers, "reading": [1] * READING_SIZE, "clip": 60}))
    monkeypatch.setattr(players, "VALUES", tmp_path)
    players.fitted.cache_clear()
    at = room(RULESETS["qq"])
    players.fitted.cache_clear()
    honest = hash_of(play_session(at, 51, 0, 5, ["value"] * 3))
    for cheat in ALL:
        spec = cheat.replace("steady", "value")
        deals, events, spans, results = play_session(at, 51, 0, 5, [spec, "value", "value"])
        assert faults(at, deals, events, spans) == 0, spec
        assert (hash_of((deals, events, spans, results)) == honest) == ("clock" in cheat), spec
