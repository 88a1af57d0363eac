"""Legal rounds have no findings, and one field changed in one event is found, or is another legal move.

The result of the changed round is left out: the events alone must tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
import pytest

import replay
from ingest.codes import NO_CARD, Action
from ingest.notation_moves import write_move
from ingest.record import Move, Record
from ingest.validate import SHAPES, check_found
from replay.engine import Engine, engine
from replay.kernels.jit import compiled
from replay.replayer import steps
from replay.rulesets import RULESETS, resolve
from replay.seating import seated
from replay.simulate import Player, Stream, events_of_move, legal_moves, sessions

PLAYERS = (
    Player("甲"),
    Player("乙", hu=90, peng=40, chi=50, lone=50),
    Player("丙", hu=70, peng=80, chi=80, lone=20),
    Player("丁", peng=30, chi=90, lone=60),
)
SEED = 20_260_101
LEGAL_ROUNDS = 334
FEWEST = {"general": 20}
"""No ending is rarer than one round in ten, but 荒 in `general`: one in twenty."""
TAMPERED_ROUNDS = 60
CHANGES = 40
"""Changes tried in each tampered round."""
FIELDS = ("seat", "action", "card", "a", "b")


@cache
def machine(ruleset: str) -> Engine:
    return engine(resolve(ruleset), compiled())


def made(ruleset: str, seed: int, rounds: int) -> Iterator[Record]:
    """Sessions of five rounds; every other session writes its passes down."""
    return sessions(machine(ruleset), seed, rounds, PLAYERS, per_session=5)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_legal_rounds_have_no_findings(ruleset: str) -> None:
    outcomes = Counter[str]()
    for record in made(ruleset, SEED, LEGAL_ROUNDS):
        outcome = replay.replay_round(record, machine(ruleset))
        faults = [found for found in outcome.findings if found.severity > 0]
        assert faults == [], (record.session, record.round_no)
        assert outcome.verdict == "clean"
        outcomes["passes" if any(move.action == Action.PASS for move in record.moves) else "no passes"] += 1
        outcomes["荒" if record.moves[-1].action == Action.HUANG else "胡"] += 1
    assert outcomes["荒"] + outcomes["胡"] == LEGAL_ROUNDS
    assert min(outcomes.values()) >= LEGAL_ROUNDS // FEWEST.get(ruleset, 10), outcomes


def changed(stream: Stream, move: Move) -> Move | None:
    """The move with one field changed, or None where the drawn field has no other value."""
    field = FIELDS[stream.below(len(FIELDS))]
    old = getattr(move, field)
    if field == "seat":
        choices = [0, 1, 2]
    elif field == "action":  # mostly acts that name as many cards; the others are refused at import
        alike = [int(action) for action in Action if SHAPES[action] == SHAPES[move.action]]
        choices = alike if stream.below(4) else [int(action) for action in Action]
    else:
        choices = [] if old == NO_CARD else list(range(20))
    choices = [choice for choice in choices if choice != old]
    return msgspec.structs.replace(move, **{field: choices[stream.below(len(choices))]}) if choices else None


def plain(move: Move) -> tuple[int, ...]:
    """The move without what its notation leaves open: the order of cards laid from the hand."""
    if move.action == Action.CHI:
        return (move.seat, move.action, move.card, *sorted((move.a, move.b)))
    if move.action == Action.BI:
        return (move.seat, move.action, *sorted((move.card, move.a, move.b)))
    return (move.seat, move.action, move.card)


def turn_at(moves: Sequence[Move], seq: int) -> list[tuple[int, ...]]:
    """The event ``seq``, with its 比 if it is a 吃; the order of the 比 does not matter (rules 5.12)."""
    end = seq + 1
    while end < len(moves) and moves[end].action == Action.BI and moves[seq].action == Action.CHI:
        end += 1
    return [plain(moves[seq]), *sorted(plain(move) for move in moves[seq + 1 : end])]


def is_legal(ruleset: str, original: Record, tampered: Record, seq: int) -> bool:
    """Is the changed event, or the 吃 that it belongs to, one of the legal moves where it stands?"""
    while original.moves[seq].action == Action.BI:
        seq -= 1
    cut = msgspec.structs.replace(original, moves=original.moves[:seq])
    for _ in steps(seated(cut, machine(ruleset).ruleset), machine(ruleset)):
        pass
    legal = [turn_at(events_of_move(move), 0) for move in legal_moves(machine(ruleset))]
    return turn_at(tampered.moves, seq) in legal


def fate(ruleset: str, original: Record, tampered: Record, seq: int) -> str:
    """refused (at import) | found | legal | missed."""
    if check_found(tampered) is not None:
        return "refused"
    if any(found.severity > 0 for found in replay.replay_round(tampered, machine(ruleset)).findings):
        return "found"
    return "legal" if is_legal(ruleset, original, tampered, seq) else "missed"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_changed_event_is_found_or_is_another_legal_move(ruleset: str) -> None:
    stream = Stream(SEED)
    fates = Counter[str]()
    missed = []
    for number, made_round in enumerate(made(ruleset, SEED + 1, TAMPERED_ROUNDS)):
        record = msgspec.structs.replace(made_round, result=None)
        for _ in range(CHANGES):
            seq = stream.below(len(record.moves))
            move = changed(stream, record.moves[seq])
            if move is None:
                continue
            moves = (*record.moves[:seq], move, *record.moves[seq + 1 :])
            end = fate(ruleset, record, msgspec.structs.replace(record, moves=moves), seq)
            fates[end] += 1
            if end == "missed":
                before = [write_move(one) for one in record.moves[max(0, seq - 2) : seq]]
                missed.append(
                    f"round {number} event {seq}: {before} {write_move(record.moves[seq])} → {write_move(move)}"
                )
    print(f"{ruleset}: {dict(fates)}")
    assert missed == []
    assert fates["found"] >= 10 * fates["legal"] > 0
