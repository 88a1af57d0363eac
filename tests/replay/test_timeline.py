"""The timeline that the viewer draws: whole for any record, and in step with the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from ingest.cards import counts
from ingest.codes import Action
from ingest.reader import read_path
from ingest.record import Move, Penalty, Record, Result
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from replay.timeline import timeline
from tests.rules.build import deal
from tests.rules.seats import reported, with_sitter

PLAYERS = [Player("a"), Player("b", peng=90, chi=90), Player("c", chi=40)]


@pytest.mark.parametrize("name", RULESETS)
def test_every_frame_holds_all_eighty_cards(name: str) -> None:
    for record in sessions(engine(RULESETS[name]), 4, 15, PLAYERS):
        line = timeline(record)
        assert len(line["frames"]) == len(record.moves) + 1
        assert line["findings"] == []
        for frame in line["frames"]:
            cards = [card for hand in frame["hands"] for card in hand]
            cards += [card for melds in frame["melds"] for meld in melds for card in meld["cards"]]
            cards += [d["card"] for pile in frame["discards"] for d in pile if not d["claimed"]]
            wall = record.wall or ()
            cards += wall[len(wall) - frame["wall_left"] :]
            cards += [move.card for move in record.moves[frame["seq"] + 1 :] if move.action == Action.BU]
            won = frame["due"] == "over" and line["score"]["winner"] >= 0
            assert counts(cards) == [4] * 20 or (won and sum(counts(cards)) in (79, 80)), frame["seq"]


def test_rights_tell_what_became_of_them() -> None:
    fates: dict[str, int] = {}
    for record in sessions(engine(RULESETS["qq"]), 8, 40, PLAYERS):
        frames = timeline(record)["frames"]
        for frame in frames[:-1]:
            for right in frame["rights"]:
                fates[right["fate"]] = fates.get(right["fate"], 0) + 1
                if right["forced"]:
                    assert right["fate"] in ("taken", "preempted")
            after = frames[frame["seq"] + 2]["event"]
            taken = [r for r in frame["rights"] if r["fate"] == "taken"]
            assert len(taken) <= 1
            if after["action"] in (Action.CHI, Action.PENG, Action.PAO, Action.WEI, Action.TI):
                assert [r["seat"] for r in taken] == [after["seat"]]
    assert min(fates[fate] for fate in ("taken", "declined", "preempted")) > 10


def test_a_spoilt_record_still_has_its_timeline() -> None:
    rng = random.Random(1)
    for name in RULESETS:
        for record in sessions(engine(RULESETS[name]), 6, 12, PLAYERS):
            for _ in range(12):
                moves = list(record.moves)
                at = rng.randrange(len(moves))
                old = moves[at]
                seat = rng.randrange(3) if old.seat >= 0 else old.seat
                action = rng.choice([old.action, *range(1, 17)])
                moves[at] = Move(seat, action, rng.randrange(-1, 20), rng.randrange(-1, 20), rng.randrange(-1, 20))
                json.dumps(timeline(msgspec.structs.replace(record, moves=tuple(moves))))
            del moves[at]
            json.dumps(timeline(msgspec.structs.replace(record, moves=tuple(moves))))


def test_every_sample_has_its_timeline(samples: Path) -> None:
    for path in sorted(samples.glob("*.phz")):
        for record in read_path(path):
            assert isinstance(record, Record)
            line = timeline(record)
            assert len(line["frames"]) == len(record.moves) + 1 or line["frames"] == []
            json.dumps(line)


def test_penalties_are_laid_to_the_seat_of_their_person() -> None:
    """Person 3 of a match sits third among those who play: persons and seats differ after the one who sits out."""
    record = with_sitter(deal({2: "五五五"}, ["0 打 五", "1 摸 九", "2 胡"], ruleset="bisai"), sitter=2)
    told = reported(record, Result(winner=3, penalties=(Penalty(3, "B", (5, 5, 5, -15)),)))
    line = timeline(told)
    assert line["players"] == [record.players[person] for person in (0, 1, 3, 2)]
    assert {(f["code"], f["seat"]) for f in line["findings"]} == {("ZOU_PAO", 2), ("HU_BANNED", 2)}
    assert line["score"]["charges"] == [{"seat": 2, "letter": "B", "seq": 1}]
    assert line["score"]["points"] == [5, 5, -15, 5]
    assert line["reported"]["winner"] == 2
    assert line["reported"]["penalties"] == [{"seat": 2, "letter": "B", "points": [5, 5, -15, 5]}]
