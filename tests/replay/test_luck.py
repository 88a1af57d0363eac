"""The ledger of luck: its terms add up to what was paid, and each of them says what it claims to say."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
import pytest

from ingest.codes import Action
from replay.engine import engine
from replay.fit_luck import fit_luck, tables_of
from replay.fit_value import text_of
from replay.kernels import foresee, layout, luck, memo, play, rounds
from replay.kernels import ledger as kernel
from replay.kernels.jit import compiled
from replay.kernels.ledger import L_DECISIONS, L_PAID, LEDGER, T_DECISION, T_DRAW, T_REVISION, TERM_VALUE
from replay.kernels.legal import legal
from replay.kernels.luck import MICRO
from replay.kernels.match import R_POINTS
from replay.kernels.play import EVENT, MOST_EVENTS
from replay.luck import (
    FORESIGHTS,
    REASONS,
    REFERENCE,
    VERSION,
    Books,
    Draw,
    Ledger,
    LuckError,
    books,
    evaluator_hash,
    foresight,
    ledger,
    ledger_of,
    ledgers,
    luck_adjusted,
    luck_of,
    reference,
    rest_of,
    table_key,
    variance_saved,
    with_wall,
)
from replay.players import PLAYERS, SCALE, VALUES, play_session, room
from replay.rulesets import RULESETS, resolve
from replay.simulated import Run, session
from tests.replay.generated import batch

pytestmark = pytest.mark.slow  # compiles kernels of its own: by hand

FITTED = sorted(path.stem for path in FORESIGHTS.glob("*.json"))
PLAYED = [name for name in FITTED if (VALUES / f"{name}.json").exists()]
TABLES = [
    ("qq", ["value", "steady", "greedy"]),
    ("guilin", ["steady", "random", "value"]),
    ("bisai", ["greedy", "value", "steady"]),
    ("bisai", ["greedy", "value", "steady", "random"]),
    ("luzhou", ["steady", "greedy"]),
]


@lru_cache(maxsize=16)
def table_of(name: str, persons: int, *, jit: bool = True) -> Books:
    paid = persons == 4 and RULESETS[name].sitter == "xing"
    return books(room(RULESETS[name], min(persons, 3), paid=paid, jit=jit))


def one_round(deals: Any, events: Any, spans: Any, r: int) -> tuple[list[int], list[int]]:
    """The deal and the events of round ``r``."""
    deal = deals[layout.DEAL_SIZE * r : layout.DEAL_SIZE * (r + 1)]
    return deal.tolist(), events[EVENT * int(spans[r]) : EVENT * int(spans[r + 1])].tolist()


def added_up(found: Ledger) -> list[int]:
    """The terms of a ledger, added up for each seat."""
    columns = [found.expectation, found.deal, found.revision]
    columns += [draw.luck for draw in found.draws] + [decision.effect for decision in found.decisions]
    return [sum(column) for column in zip(*columns, strict=True)]


# The terms add up


@pytest.mark.parametrize(("name", "persons"), TABLES)
def test_terms_add_up_to_what_was_paid(name: str, persons: list[str]) -> None:
    at = table_of(name, len(persons))
    seats = at.room.seats
    for part in range(6):
        deals, events, spans, results = play_session(at.room, 3, part, 20, persons)
        table, terms, cuts = ledgers(at, deals, events, spans, terms=True)
        assert (table[:, 0] == 0).all()
        assert (table[:, L_PAID : L_PAID + seats] == MICRO * results[:, R_POINTS : R_POINTS + seats]).all()
        assert (rest_of(table, seats) == 0).all()
        assert (ledgers(at, deals, events, spans)[0] == table).all()
        for r in (0, 19):
            one = ledger(at, *one_round(deals, events, spans, r))
            assert isinstance(one, Ledger)
            assert added_up(one) == list(one.payoff) == (MICRO * results[r, R_POINTS : R_POINTS + seats]).tolist()
            assert len(one.draws) + len(one.decisions) <= cuts[r + 1] - cuts[r]
        assert len(terms) == cuts[-1]


@pytest.mark.parametrize("name", FITTED)
def test_terms_add_up_in_random_rounds_with_passes(name: str) -> None:
    """Random play answers every card, also by 过, and refuses what must not be refused but 跑 and 提."""
    for seats, paid in tables_of(RULESETS[name]):
        at = books(room(RULESETS[name], seats, paid=paid))
        machine = engine(RULESETS[name], compiled())
        deals, events, spans = batch(machine, np.array([5, 6], dtype=np.int64), seats, int(paid), 40)
        assert (events.reshape(-1, EVENT)[:, 1] == Action.PASS).any()
        table, terms, cuts = ledgers(at, deals, events, spans, terms=True)
        assert set(table[:, 0].tolist()) <= {kernel.COMPLETE, kernel.FAULTS}
        whole = table[:, 0] == kernel.COMPLETE
        assert whole.mean() > 0.5
        assert (rest_of(table[whole], seats) == 0).all()
        for r in np.flatnonzero(whole):  # a draw is told once, in its place
            rows = terms[cuts[r] : cuts[r + 1]]
            _, flat = one_round(deals, events, spans, r)
            drawn = [i for i in range(len(flat) // EVENT) if flat[EVENT * i + 1] == Action.DRAW]
            assert rows[rows[:, 0] == T_DRAW][:, 1].tolist() == drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_terms_add_up_in_many_rounds(name: str) -> None:
    at = table_of(name, 3)
    for part in range(500):
        deals, events, spans, results = play_session(at.room, 4, part, 20, ["value", "steady", "greedy"])
        table, _, _ = ledgers(at, deals, events, spans)
        assert (table[:, 0] == 0).all()
        assert (table[:, L_PAID : L_PAID + 3] == MICRO * results[:, R_POINTS : R_POINTS + 3]).all()
        assert (rest_of(table) == 0).all()


def test_what_is_gained_is_lost() -> None:
    at = table_of("qq", 3)
    deals, events, spans, _ = play_session(at.room, 3, 1, 20, ["value", "steady", "greedy"])
    table, terms, _ = ledgers(at, deals, events, spans, terms=True)
    sums = terms[:, TERM_VALUE : TERM_VALUE + 3].sum(axis=1)
    assert (sums[terms[:, 0] == T_DECISION] == 0).all()
    assert set(sums[terms[:, 0] == T_DRAW].tolist()) <= {0, 1, 2}  # each seat's mean is rounded down
    assert (np.abs(luck_of(table).sum(axis=1)) < 60).all()
    assert (table[:, L_DECISIONS:LEDGER].reshape(-1, 3).sum(axis=1) == 0).all()
    assert (luck_adjusted(table) + luck_of(table) == table[:, L_PAID : L_PAID + 3]).all()


# The same everywhere


@pytest.mark.parametrize(("name", "persons"), TABLES[:2])
def test_plain_and_compiled_agree(name: str, persons: list[str]) -> None:
    fast, slow = (table_of(name, len(persons), jit=jit) for jit in (True, False))
    deals, events, spans, _ = play_session(fast.room, 8, 0, 3, persons)
    for quick, plainly in zip(
        ledgers(fast, deals, events, spans, terms=True), ledgers(slow, deals, events, spans, terms=True), strict=True
    ):
        assert (quick == plainly).all()


def test_order_and_company_do_not_matter() -> None:
    at = table_of("qq", 3)
    deals, events, spans, _ = play_session(at.room, 3, 2, 20, ["greedy", "steady", "random"])
    table, _, _ = ledgers(at, deals, events, spans)
    others = [books(room(RULESETS["qq"])) for _ in range(2)]
    for r in range(19, -1, -1):
        deal, flat = one_round(deals, events, spans, r)
        alone, _, _ = ledgers(others[r % 2], deal, flat, [0, len(flat) // EVENT])
        assert (alone[0] == table[r]).all()


# Draws


@pytest.mark.parametrize("name", ["qq", "luzhou"])
def test_luck_of_a_draw_is_what_every_other_card_would_have_been(name: str) -> None:
    """The mean over all cards of the wall, each put first in its turn, by walking the round afresh for each."""
    at = table_of(name, 3, jit=False)
    deals, events, spans, _ = play_session(table_of(name, 3).room, 11, 0, 2, ["random", "greedy", "steady"])
    deal, flat = one_round(deals, events, spans, 1)
    found = ledger(at, deal, flat)
    assert isinstance(found, Ledger)
    assert len(found.draws) > 2
    for draw in (found.draws[0], found.draws[len(found.draws) // 2], found.draws[-1]):
        worths = [worth_of(at, deal, flat, draw, k) for k in range(left_at(deal, flat, draw))]
        if name == "luzhou":  # whose last card is black: the only black one left comes last (rules 15.3)
            assert {card % 10 in (1, 6, 9) for card, _ in worths[-1:]} == {False}
        blacks = [card for card, _ in worths if card % 10 not in (1, 6, 9)]
        if name == "luzhou" and len(blacks) == 1 and len(worths) > 1:
            worths = worths[:-1]
        for seat in range(3):
            mean = sum(worth[seat] for _, worth in worths) // len(worths)
            assert draw.luck[seat] == worths[0][1][seat] - mean
            assert 0 <= sum(worth[seat] - mean for _, worth in worths) < len(worths)


def left_at(deal: list[int], flat: list[int], draw: Draw) -> int:
    """Cards in the wall before a draw."""
    before = sum(flat[EVENT * i + 1] == Action.DRAW for i in range(draw.seq))
    return deal[layout.D_WALL_N - layout.DEAL0] - before


def worth_of(at: Books, deal: list[int], flat: list[int], draw: Draw, k: int) -> tuple[int, list[int]]:
    """What the round is worth when the ``k``-th card left in the wall is drawn instead, and which card that is."""
    s = walked(at, deal, flat, draw.seq)
    first = layout.D_WALL + s[layout.WALL_AT]
    s[first], s[first + k] = s[first + k], s[first]
    card = s[first]
    rounds.carry(s, at.room.table, [draw.seat, Action.DRAW, card, -2, -2], 0, 1)
    rounds.ask_nobody(s)
    luck.play_to_draw(s, at.room.table, at.room.plans, at.room.weights, at.room.net, at.mind, [1, 1], at.book, luck.NEW)
    return card, at.book[luck.NEW : luck.NEW + 3]


def walked(at: Books, deal: list[int], flat: list[int], seq: int) -> Any:
    """The memory before event ``seq``, with the reference player at every seat."""
    s = at.room.state
    s[layout.DEAL0 : layout.DEAL0 + layout.DEAL_SIZE] = deal
    s[memo.EXPLORE], s[memo.NOTED] = 0, -1
    kind, begin = reference()
    for seat in range(3):
        s[memo.KIND + seat], s[memo.WEIGHTS + seat] = kind, begin
    rounds.start(s, at.room.table, [], 0, at.room.seats, 0)
    for i in range(seq):
        end = i + 1
        if flat[EVENT * i + 1] == Action.BI:
            continue
        while end < seq and flat[EVENT * end + 1] == Action.BI:
            end += 1
        rounds.carry(s, at.room.table, flat, i, end)
    return s


def test_the_only_black_card_is_not_drawn_before_the_last() -> None:
    at = table_of("luzhou", 3, jit=False)
    s = at.room.state
    s[layout.WALL_AT], s[layout.WALL_N] = 0, 3
    s[layout.D_WALL : layout.D_WALL + 3] = [1, 6, 0]
    assert luck.count_ways(s, at.book) == 2
    assert at.book[luck.COUNTS : luck.COUNTS + 7] == [0, 1, 0, 0, 0, 0, 1]
    s[layout.WALL_AT] = 2
    assert luck.count_ways(s, at.book) == 1
    s[layout.WALL_AT], s[layout.P_LAST_WINS] = 0, 1
    assert luck.count_ways(s, at.book) == 3
    s[layout.P_LAST_WINS] = 0


# Decisions


@pytest.mark.parametrize("name", PLAYED)
def test_the_reference_player_decides_nothing_of_note(name: str) -> None:
    """What must be done is no decision either: 提, 偎, 跑 and 亮提 of these rounds have no terms."""
    at = table_of(name, 3)
    done = set()
    for part in range(5):
        deals, events, spans, _ = play_session(at.room, 6, part, 20, [REFERENCE] * 3)
        table, terms, _ = ledgers(at, deals, events, spans, terms=True)
        assert (terms[:, 0] != T_DECISION).all()
        assert (table[:, L_DECISIONS:LEDGER] == 0).all()
        # Between two draws nothing is learned either: what the evaluator takes back, it takes back at a draw.
        flat = events.reshape(-1, EVENT)
        done |= set(flat[:, 1].tolist())
        cuts = ledgers(at, deals, events, spans, terms=True)[2]
        for r in range(20):
            for term in terms[cuts[r] : cuts[r + 1]]:
                assert term[0] != T_REVISION or flat[spans[r] + term[1], 1] == Action.DRAW
    assert {Action.TI_OPEN, Action.WEI, Action.PAO} & done or name == "general"


def other_round(at: Books, deal: list[int], flat: list[int], seq: int, event: list[int]) -> list[int]:
    """The round's events with ``event`` in place of number ``seq``, and the reference player's from there on."""
    s = walked(at, deal, flat, seq)
    events = flat[: EVENT * seq] + event + [0] * (EVENT * MOST_EVENTS)
    n = rounds.carry(s, at.room.table, events, seq, seq + 1)
    rounds.ask_nobody(s)
    room = at.room
    n = rounds.play_out(s, room.table, room.plans, room.weights, room.net, [1, 1], events, n)
    return events[: EVENT * n]


def test_a_planted_discard_is_found_where_it_was_made() -> None:
    at, fast = table_of("qq", 3, jit=False), table_of("qq", 3)
    deals, events, spans, _ = play_session(fast.room, 6, 0, 3, [REFERENCE] * 3)
    deal, flat = one_round(deals, events, spans, 2)
    discards = [i for i in range(len(flat) // EVENT) if flat[EVENT * i + 1] == Action.DISCARD]
    for seq in discards[-3:-1]:
        seat, card = flat[EVENT * seq], flat[EVENT * seq + 2]
        s = walked(at, deal, flat, seq)
        moves = [s[layout.MOVES + play.MOVE * i :][:3] for i in range(legal(s, at.room.table))]
        others = [move[2] for move in moves if move[1] == Action.DISCARD and move[2] != card]
        effects = []
        for other in others[::3]:
            found = ledger(fast, deal, other_round(at, deal, flat, seq, [seat, Action.DISCARD, other, -2, -2]))
            assert isinstance(found, Ledger)
            assert added_up(found) == list(found.payoff)
            assert {(one.seq, one.seat) for one in found.decisions} <= {(seq, seat)}
            effects += [one.effect[seat] for one in found.decisions]
        assert effects
        assert min(effects) < 0


def test_who_lets_a_card_go_answers_for_it() -> None:
    """A 碰 or 吃 of the reference player's left undone is told of the seat, at the draw that shows it."""
    at, fast = table_of("qq", 3, jit=False), table_of("qq", 3)
    deals, events, spans, _ = play_session(fast.room, 6, 1, 20, [REFERENCE] * 3)
    seen = 0
    for r in range(20):
        deal, flat = one_round(deals, events, spans, r)
        claims = [i for i in range(len(flat) // EVENT) if flat[EVENT * i + 1] in (Action.CHI, Action.PENG)]
        if not claims or seen == 3:
            continue
        seq, seat = claims[0], flat[EVENT * claims[0]]
        s = walked(at, deal, flat, seq)
        moves = [s[layout.MOVES + play.MOVE * i :][:3] for i in range(legal(s, at.room.table))]
        if [move for move in moves if move[0] != seat and move[1] not in (Action.DRAW, Action.HUANG)]:
            continue
        draw = next(move for move in moves if move[1] == Action.DRAW)
        left = other_round(at, deal, flat, seq, [draw[0], Action.DRAW, draw[2], -2, -2])
        said = other_round(at, deal, flat, seq, [seat, Action.PASS, flat[EVENT * seq + 2], -2, -2])
        for changed in (left, said):  # silently, or by 过
            found = ledger(fast, deal, changed)
            assert isinstance(found, Ledger)
            assert added_up(found) == list(found.payoff)
            assert [(one.seq, one.seat) for one in found.decisions] == [(seq, seat)]
        seen += 1
    assert seen == 3


# Rounds without a ledger


def test_rounds_without_a_ledger_say_why() -> None:
    at = table_of("qq", 3)
    deals, events, spans, _ = play_session(at.room, 6, 1, 1, ["steady"] * 3)
    deal, flat = one_round(deals, events, spans, 0)
    discard = next(i for i in range(0, len(flat), EVENT) if flat[i + 1] == Action.DISCARD)
    hand = [deal[1], *deal[6 + 20 * flat[discard] :][:20]]
    absent = next(card for card in range(20) if card not in hand)
    thrown = [*flat[: discard + 2], absent, *flat[discard + 3 :]]
    draw = next(i for i in range(0, len(flat), EVENT) if flat[i + 1] == Action.DRAW)
    drawn = [*flat[: draw + 2], (flat[draw + 2] + 1) % 20, *flat[draw + 3 :]]
    nowhere = [*flat[: draw + 2], absent_of_wall(deal), *flat[draw + 3 :]]
    hidden = [*deal[:6], -1, *deal[7:]]
    assert isinstance(ledger(at, deal, flat), Ledger)
    told = [
        ledger(at, deal, thrown),
        ledger(at, deal, drawn),
        ledger(at, deal, nowhere),
        ledger(at, deal, [*flat, *flat[-EVENT:]]),
        ledger(at, hidden, flat),
        ledger(at, deal, flat[: -2 * EVENT]),
        ledger(at, deal, [*flat[: -2 * EVENT], 1, Action.LEAVE, -2, -2, -2]),
        ledger(at, deal, [*flat[:EVENT], 3, Action.PASS, -2, -2, -2]),
        ledger(at, deal, []),
        ledger(at, deal, [*flat[: draw + 2], -2, *flat[draw + 3 :]]),
        ledger(at, deal, [*flat[:EVENT], 1, Action.CHI, flat[2], 0, -2]),
    ]
    expected = [*["faults"] * 4, "unknown_cards", "unfinished", "left_early", "faults", "unfinished"]
    assert told == [*expected, *["unknown_cards"] * 2]
    assert set(told) <= set(REASONS)


def absent_of_wall(deal: list[int]) -> int:
    wall = deal[layout.D_WALL - layout.DEAL0 :]
    return next(card for card in range(20) if card not in wall)


def test_a_missed_pao_is_a_fault() -> None:
    at = table_of("qq", 3)
    for part in range(20):
        deals, events, spans, _ = play_session(at.room, 6, part, 20, ["steady"] * 3)
        for r in range(20):
            deal, flat = one_round(deals, events, spans, r)
            pao = [i for i in range(0, len(flat), EVENT) if flat[i + 1] == Action.PAO]
            if pao:
                assert ledger(at, deal, flat[: pao[0]] + flat[pao[0] + EVENT :]) == "faults"
                return
    pytest.fail("no 跑 in 400 rounds")


# Records


def test_a_record_has_the_ledger_of_its_round() -> None:
    for name in ("qq", "guilin", "bisai"):
        records = session(Run(RULESETS[name], ("steady", "greedy", "value"), 5, seed=3), 0)
        at = books(room(RULESETS[name]))
        for record in records:
            found = ledger_of(at, record)
            assert isinstance(found, Ledger)
            assert record.result is not None
            assert [MICRO * points for points in record.result.points or ()] == added_up(found)
            bare = ledger_of(at, msgspec.structs.replace(record, wall=None))
            assert bare == (found if name != "guilin" else "unknown_cards")  # whose 醒 needs the wall's order


def test_a_wall_that_is_not_told_is_made_of_what_is_left() -> None:
    at = table_of("luzhou", 3)
    deals, events, spans, _ = play_session(at.room, 6, 1, 5, ["steady"] * 3)
    begin, number = layout.D_WALL - layout.DEAL0, layout.D_WALL_N - layout.DEAL0
    for r in range(5):
        deal, flat = one_round(deals, events, spans, r)
        bare = [*deal[:number], -1, *deal[number + 1 : begin], *[-1] * layout.MAX_WALL]
        made = with_wall(bare, flat, black_last=True)
        n = deal[number]
        assert made[number] == n
        assert sorted(made[begin : begin + n]) == sorted(deal[begin : begin + n])
        assert ledger(at, made, flat) == ledger(at, deal, flat)
        broken = [*bare[:6], *[0] * 5, *bare[11:]]
        assert with_wall(broken, flat, black_last=True) == broken


# What the evaluator is


@pytest.mark.parametrize("name", FITTED)
def test_files_fit_the_code(name: str) -> None:
    kept = json.loads((FORESIGHTS / f"{name}.json").read_text(encoding="utf-8"))
    assert kept["layers"] == [foresee.SEEN_AT_ALL, foresee.WIDE, foresee.NARROW, 1]
    assert (kept["ruleset"], kept["version"], kept["scale"]) == (name, VERSION, SCALE)
    assert (kept["reference"], kept["reference_version"]) == (REFERENCE, PLAYERS[REFERENCE].version)
    assert len(kept["numbers"]) == foresee.MIND_SIZE
    assert kept["evaluator"] == evaluator_hash(kept)
    assert kept["deals"] >= 200_000
    tables = {table_key(seats, int(paid)): seats for seats, paid in tables_of(RULESETS[name])}
    assert {key: len(roles) for key, roles in kept["expectations"].items()} == dict.fromkeys(tables, 3)
    for key, roles in kept["expectations"].items():
        if name != "general":  # where a drawn card is kept the dealer is not ahead
            assert roles[0] > max(roles[1 : tables[key]])
        if key == "3+1":
            assert kept["sums"][key] < 0
            assert sum(roles) == pytest.approx(kept["sums"][key], rel=0.02)
        else:
            assert kept["sums"][key] == 0
            assert abs(sum(roles)) <= 2
    assert text_of(kept) == (FORESIGHTS / f"{name}.json").read_text(encoding="utf-8")


def test_fitting_again_gives_the_same_file() -> None:
    once, again = (text_of(fit_luck("qq", 2, chunk=40, deals=200, quiet=True)) for _ in range(2))
    assert once == again


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", PLAYED)
def test_fitting_reproduces_the_shipped_file(name: str) -> None:
    assert text_of(fit_luck(name)) == (FORESIGHTS / f"{name}.json").read_text(encoding="utf-8")


def test_other_options_have_expectations_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.luck.FEW_DEALS", 300)
    ruleset = resolve("qq", {"base_points": 5})
    roles = books(room(ruleset)).roles
    assert roles != tuple(foresight("qq")["expectations"]["3"])
    assert abs(sum(roles)) <= 2


def test_a_ruleset_without_a_file_is_refused() -> None:
    with pytest.raises(LuckError, match="no luck ledger for nowhere"):
        foresight("nowhere")


# What it is worth


def test_luck_has_mean_zero_and_takes_half_of_the_variance() -> None:
    at = table_of("qq", 3)
    tables, sessions = [], []
    for part in range(100):
        deals, events, spans, _ = play_session(at.room, 9, part, 20, ["steady"] * 3)
        tables.append(ledgers(at, deals, events, spans)[0])
        sessions += [part] * 20
    table = np.concatenate(tables)
    chance = luck_of(table)
    assert (np.abs(chance.mean(axis=0)) < 4 * chance.std(axis=0) / len(table) ** 0.5).all()
    saved, low, high = variance_saved(table, sessions)
    assert 0.42 < saved < 0.72
    assert low < saved < high
    assert variance_saved(table, sessions, quarters=0)[0] == 0
    quarter = 4 * (table[:, L_PAID : L_PAID + 3] - luck_adjusted(table, quarters=3)) - 3 * chance
    assert ((quarter <= 0) & (quarter > -4)).all()
