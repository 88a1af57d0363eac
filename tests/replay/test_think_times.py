"""Times added to records: people's grow with the options and vary, a machine's do not."""

from __future__ import annotations

import statistics

import pytest

from ingest.codes import Action
from ingest.record import Record
from ingest.validate import check
from replay import cheats
from replay.engine import engine
from replay.players import PlayerError
from replay.replayer import replay_round
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.simulated import Run, session


def waits_of(record: Record, seating: list[str], seed: int) -> dict[int, list[int]]:
    """Milliseconds before each discard and claim, by person."""
    timed = cheats.timed(record, seating, seed)
    assert replay_round(timed).verdict == "clean"
    waits: dict[int, list[int]] = {}
    last = 0
    for move in timed.moves:
        assert move.t_ms is not None
        if move.action in (Action.DISCARD, Action.CHI, Action.PENG):
            waits.setdefault(move.seat, []).append(move.t_ms - last)
        last = move.t_ms
    return waits


@pytest.mark.parametrize(("name", "persons"), [("qq", 3), ("guilin", 4)])
def test_a_machine_thinks_as_long_each_time(name: str, persons: int) -> None:
    seating = [cheats.clock(), cheats.clock(500), "steady", "greedy"][:persons]
    habits = [Player("甲"), Player("乙"), Player("丙"), Player("丁")]
    waits: dict[int, list[int]] = {person: [] for person in range(persons)}
    for seed, record in enumerate(sessions(engine(RULESETS[name]), 3, 12, habits, persons=persons)):
        again = cheats.think_times(record, seating, seed)
        assert again == cheats.think_times(record, seating, seed)
        assert again != cheats.think_times(record, seating, seed + 1)
        for person, times in waits_of(record, seating, seed).items():
            waits[person] += [time for time in times if time > cheats.SERVER_MS]
    spread = [statistics.pstdev(times) for times in waits.values()]
    assert spread[0] < 10
    assert spread[1] > 500
    assert spread[2] > spread[1]
    machine = [time for time in waits[1] if abs(time - cheats.MACHINE_MS) <= cheats.MACHINE_SPREAD]
    assert 0.3 < len(machine) / len(waits[1]) < 0.7
    with pytest.raises(PlayerError, match="players are needed"):
        cheats.think_times(record, seating[:2], 1)


def test_people_think_longer_of_more() -> None:
    stream = cheats.Stream(1)
    few, many = ([cheats.people_ms(stream, n) for _ in range(4000)] for n in (2, 10))
    for times, options in ((few, 2), (many, 10)):
        middle = cheats.FIRST_MS + options * cheats.OPTION_MS
        assert abs(statistics.median(times) / middle - 1) < 0.06
        assert statistics.mean(times) > 1.1 * middle


def test_simulated_rounds_tell_how_long_all_thought_where_a_clock_plays() -> None:
    seating = ("steady+clock", "steady", "greedy")
    waits: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for record in session(Run(RULESETS["qq"], seating, 20), 0):
        check(record)
        last = 0
        for move in record.moves:
            assert move.t_ms is not None
            if move.action == Action.DISCARD and move.t_ms - last > cheats.SERVER_MS:
                waits[move.seat].append(move.t_ms - last)
            last = move.t_ms
    spread = [statistics.pstdev(times) for times in waits.values()]
    assert spread[0] < 10
    assert min(spread[1:]) > 500
    honest = session(Run(RULESETS["qq"], ("steady",) * 3, 2), 0)
    assert all(move.t_ms is None for record in honest for move in record.moves)
