"""What a round says does not depend on how it is written: seats, names, formats, the order of cards.

Legal generated rounds of every ruleset and the same with one thing changed at random; each is written another way, and
verdict, findings, score and choices must be those of the first, with seats renumbered.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest import notation, rows
from ingest.adapters import jsonl
from ingest.codes import Action
from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.naming import round_id
from ingest.reader import read_path
from ingest.record import HAND, Move, Penalty, Record, Result
from ingest.store import open_store
from ingest.validate import check_found
from replay.accept import accept
from replay.bulk import replay_store
from replay.engine import Engine, engine
from replay.kernels.jit import compiled
from replay.replayer import Replay, replay_round
from replay.rulesets import RULESETS
from replay.session import check_session
from replay.simulate import Player, sessions

replaced = msgspec.structs.replace

PLAYERS = [Player("甲"), Player("乙", peng=90, chi=95), Player("丙", hu=40, chi=30), Player("丁", lone=20)]
ROUNDS = 120
"""Of each ruleset at each table; every one also with a planted change."""

TABLES = [(name, persons) for name, rules in RULESETS.items() for persons in rules.persons]
EACH = pytest.mark.parametrize(("ruleset", "persons"), TABLES, ids=[f"{name}-{persons}" for name, persons in TABLES])


@lru_cache(maxsize=16)
def machine(ruleset: str) -> Engine:
    return engine(RULESETS[ruleset], compiled())


@lru_cache(maxsize=16)
def legal_rounds(ruleset: str, persons: int) -> tuple[Record, ...]:
    return tuple(sessions(machine(ruleset), 3000 + persons, ROUNDS, PLAYERS, persons=persons))


# Planted changes


def _seat(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves[at] = replaced(moves[at], seat=rng.randrange(len(record.players)))


def _card(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves[at] = replaced(moves[at], card=rng.randrange(20))


def _action(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    alike = (Action.DISCARD, Action.DRAW, Action.PENG, Action.WEI, Action.CHOU_WEI, Action.PAO, Action.TI, Action.HU)
    moves[at] = Move(moves[at].seat, rng.choice(alike), moves[at].card)


def _group(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves[at] = Move(moves[at].seat, Action.CHI, moves[at].card, rng.randrange(20), rng.randrange(20))


def _left_out(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    del moves[at]


def _twice(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves.insert(at, moves[at])


def _swapped(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves[at], moves[at - 1] = moves[at - 1], moves[at]


def _leaves(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    moves[at:] = [Move(rng.randrange(len(record.players)), Action.LEAVE)]


def _claimed(rng: random.Random, record: Record, moves: list[Move], at: int) -> None:
    wanted = rng.choice((Action.HU, Action.PENG, Action.CHI, Action.PAO))
    moves.insert(at, Move(rng.randrange(len(record.players)), Action.CLAIM, moves[at].card, wanted))


CHANGES = (_seat, _card, _action, _group, _left_out, _twice, _swapped, _leaves, _claimed)


def spoiled(rng: random.Random, record: Record) -> Record:
    """The round with one event or one reported number changed; still one that the importer would take."""
    while True:
        moves = list(record.moves)
        result = record.result
        kind = rng.randrange(len(CHANGES) + 2)
        if kind < len(CHANGES):
            CHANGES[kind](rng, record, moves, rng.randrange(len(moves)))
        elif kind == len(CHANGES):
            result = replaced(result or Result(), **_report(rng, record))
        else:
            moves = moves[: rng.randrange(len(moves))]
        whole = kind <= len(CHANGES)
        other = replaced(record, moves=tuple(moves), result=result if whole else None, complete=whole)
        if other != record and check_found(other) is None:
            return other


def _report(rng: random.Random, record: Record) -> dict[str, Any]:
    n = len(record.players)
    reports: tuple[dict[str, Any], ...] = (
        {"points": tuple(rng.randrange(-9, 10) for _ in range(n))},
        {"winner": rng.randrange(-1, n)},
        {"from_seat": rng.randrange(n)},
        {"huxi": rng.randrange(10, 30)},
        {
            "penalties": (
                Penalty(rng.randrange(n), rng.choice("ABCDE"), tuple(rng.randrange(-9, 10) for _ in range(n))),
            )
        },
    )
    return rng.choice(reports)


@lru_cache(maxsize=16)
def tried(ruleset: str, persons: int) -> tuple[tuple[Record, Replay], ...]:
    """The rounds of a table with what they say: the legal ones, then the changed ones."""
    rng = random.Random(f"{ruleset}-{persons}")
    legal = legal_rounds(ruleset, persons)
    every = [*legal, *(spoiled(rng, record) for record in legal)]
    return tuple((record, replay_round(record, machine(ruleset))) for record in every)


# Seats renumbered


NO_SEATS = frozenset({"FIFTH_COPY", "SHAO_BI", "ZHA_HU_XI", "HAND_COUNT", "WRONG_XI", "UNDERCLAIM"})
"""Findings whose words begin with other numbers."""


class Rotation:
    """Every person moves ``by`` seats on."""

    def __init__(self, n: int, by: int) -> None:
        self.n, self.by = n, by

    def seat(self, seat: int) -> int:
        return seat if seat < 0 else (seat + self.by) % self.n

    def maybe(self, seat: int | None) -> int | None:
        return None if seat is None else self.seat(seat)

    def row(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """One entry for each person."""
        return tuple(row[(seat - self.by) % self.n] for seat in range(self.n))

    def text(self, text: str, code: str = "") -> str:
        """Seats in the words of a finding or reason: of an event, a winner, a giver, points, a penalty."""
        if code in NO_SEATS:
            return text
        if code == "PENALTY_MISAPPLIED" and text:
            seat, letter, *points = text.split()
            return " ".join((str(self.seat(int(seat))), letter, *self.row(points)))
        text = re.sub(r"^(\d)(?= \S)" if code != "WRONG_TURN" else r"^(\d)", self._first, text)
        text = re.sub(r"\b(winner|from|seat|dealer|sitter) (\d)", self._named, text)
        return re.sub(r"(?<=\[)[^]]*", lambda found: ", ".join(self.row(found[0].split(", "))), text)

    def _first(self, found: re.Match[str]) -> str:
        return str(self.seat(int(found[1])))

    def _named(self, found: re.Match[str]) -> str:
        return f"{found[1]} {self.seat(int(found[2]))}"

    def result(self, result: Result | None) -> Result | None:
        if result is None:
            return None
        return replaced(
            result,
            winner=self.maybe(result.winner),
            from_seat=self.maybe(result.from_seat),
            points=None if result.points is None else self.row(result.points),
            penalties=result.penalties
            and tuple(Penalty(self.seat(one.seat), one.letter, self.row(one.points)) for one in result.penalties),
        )

    def record(self, record: Record) -> Record:
        return replaced(
            record,
            players=self.row(record.players),
            hands=self.row(record.hands),
            dealer=self.seat(record.dealer),
            sitter=self.maybe(record.sitter),
            moves=tuple(replaced(move, seat=self.seat(move.seat)) for move in record.moves),
            result=self.result(record.result),
        )


def said(replay: Replay, turn: Rotation) -> dict[str, Any]:
    """What a replay says of its round, with seats renumbered."""
    score = replay.score
    findings = sorted(
        (
            found.seq,
            found.code,
            turn.seat(found.seat),
            found.severity,
            found.clause,
            turn.text(found.expected, found.code),
            turn.text(found.actual, found.code),
            found.follows_from is None,
        )
        for found in replay.findings
    )
    return {
        "verdict": replay.verdict,
        "undecidable": sorted(map(turn.text, replay.undecidable)),
        "findings": findings,
        "score": score
        and (
            turn.seat(score.winner),
            score.source,
            turn.maybe(score.from_seat),
            score.huxi,
            sorted((form, sorted(cards), huxi) for form, cards, huxi in score.groups),
            score.fan,
            score.fan_total,
            score.deng,
            score.units,
            turn.row(score.points),
            score.special,
            score.card,
            score.xing,
            score.xing_hits,
            sorted((turn.seat(seat), letter, seq) for seat, letter, seq in score.charges),
        ),
        "decisions": sorted((one.seq, turn.seat(one.seat), one.options, one.taken) for one in replay.decisions),
    }


class Same(Rotation):
    """Nobody moves."""

    def __init__(self) -> None:
        super().__init__(1, 0)

    def seat(self, seat: int) -> int:
        return seat

    def row(self, row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(row)


def agree(
    ruleset: str, persons: int, write: Callable[[Record], Record], turn: Rotation | None = None, every: int = 1
) -> None:
    """``write`` changes nothing that is said, in one round of ``every``."""
    for record, first in tried(ruleset, persons)[::every]:
        other = write(record)
        assert check_found(other) is None
        again = replay_round(other, machine(ruleset))
        assert said(again, Same()) == said(first, turn or Same()), record


@EACH
def test_the_planted_changes_are_seen(ruleset: str, persons: int) -> None:
    """Else the tests below would compare faultless rounds only."""
    verdicts = [replay.verdict for _, replay in tried(ruleset, persons)]
    assert verdicts[:ROUNDS] == ["clean"] * ROUNDS
    assert verdicts[ROUNDS:].count("violations") > ROUNDS // 2
    codes = {found.code for _, replay in tried(ruleset, persons) for found in replay.findings}
    assert len(codes) >= 12, codes


@EACH
@pytest.mark.parametrize("by", [1, 2])
def test_seats_rotated(ruleset: str, persons: int, by: int) -> None:
    turn = Rotation(persons, by)
    agree(ruleset, persons, turn.record, turn)


@EACH
def test_players_renamed(ruleset: str, persons: int) -> None:
    names = ("Z", "a b", "甲乙", "0")
    agree(ruleset, persons, lambda record: replaced(record, players=names[: len(record.players)]), every=2)


def _through_phz(record: Record) -> Record:
    (found,) = notation.loads(notation.dumps([record]), "x.phz")
    assert isinstance(found, Record)
    return found


def _through_jsonl(record: Record) -> Record:
    (found,) = jsonl.read_lines(io.BytesIO(jsonl.dump_line(record)), "x.jsonl")
    assert isinstance(found, Record)
    return found


def _through_rows(record: Record) -> Record:
    (found,) = rows.records(rows.frame([(round_id(record), record, 1)]))
    return found


@EACH
@pytest.mark.parametrize("through", [_through_phz, _through_jsonl, _through_rows], ids=["phz", "jsonl", "rows"])
def test_another_encoding(ruleset: str, persons: int, through: Callable[[Record], Record]) -> None:
    def write(record: Record) -> Record:
        other = through(record)
        assert replaced(other, source=record.source) == record
        assert round_id(other) == round_id(record)
        return other

    agree(ruleset, persons, write, every=4)


def _reordered(record: Record, rng: random.Random) -> Record:
    """Hands in another order, and the two cards that are laid with a third."""
    return replaced(
        record,
        hands=tuple(None if hand is None else tuple(rng.sample(hand, len(hand))) for hand in record.hands),
        moves=tuple(replaced(move, a=move.b, b=move.a) if move.action in (3, 4) else move for move in record.moves),
    )


@EACH
def test_another_order_of_cards(ruleset: str, persons: int) -> None:
    rng = random.Random(4)
    agree(ruleset, persons, lambda record: _reordered(record, rng))


def _liang_listed(record: Record, rng: random.Random) -> Record:
    """The 亮张 also among the dealer's cards, or before the wall, or both."""
    where = rng.randrange(1, 4)
    assert record.liang is not None
    assert record.wall is not None
    hands = list(record.hands)
    if where & 1:
        hand = [*(hands[record.dealer] or ()), record.liang]
        hands[record.dealer] = tuple(rng.sample(hand, HAND + 1))
    wall = (record.liang, *record.wall) if where & 2 else record.wall
    return replaced(record, hands=tuple(hands), wall=wall)


@EACH
def test_the_liang_listed_elsewhere(ruleset: str, persons: int) -> None:
    rng = random.Random(5)
    agree(ruleset, persons, lambda record: _liang_listed(record, rng))


def _bi_swapped(moves: Sequence[Move]) -> Iterator[Move]:
    at = 0
    while at < len(moves):
        pair = moves[at : at + 2]
        if len(pair) == 2 and pair[0].action == pair[1].action == Action.BI:
            yield from reversed(pair)
            at += 2
        else:
            yield moves[at]
            at += 1


@EACH
def test_another_order_of_bi(ruleset: str, persons: int) -> None:
    for record, first in tried(ruleset, persons)[:ROUNDS]:
        other = replaced(record, moves=tuple(_bi_swapped(record.moves)))
        ours, theirs = said(replay_round(other, machine(ruleset)), Same()), said(first, Same())
        for told in (ours, theirs):
            told["decisions"] = [one for one in told["decisions"] if not _laying(record, one[0])]
        assert ours == theirs


def _laying(record: Record, seq: int) -> bool:
    return record.moves[seq].action == Action.BI


@pytest.mark.parametrize("ruleset", ["qq", "hu15", "bisai", "ningxiang"])
def test_no_choice_while_bi_is_laid(ruleset: str) -> None:
    for record, replay in tried(ruleset, 3)[:ROUNDS]:
        assert not any(_laying(record, one.seq) for one in replay.decisions)


def test_through_a_store(tmp_path: Path) -> None:
    """.phz → store → rows of verdicts and scores: those of the records themselves."""
    every = {round_id(record): (record, replay) for table in TABLES for record, replay in tried(*table)}
    path = tmp_path / "rounds.phz"
    path.write_text(dumps([record for record, _ in every.values()], "phz"), encoding="utf-8")
    assert all(isinstance(found, Record) for found in read_path(path))
    store = open_store(tmp_path / "store")
    import_paths([str(path)], store, accept)
    replay_store(store)
    stored = {row["round_id"]: row for row in store.scan("scores").collect().iter_rows(named=True)}
    found: dict[str, list[tuple[Any, ...]]] = {key: [] for key in every}
    for row in store.scan("findings").sort("round_id", "idx").collect().iter_rows(named=True):
        if not row["clause"].startswith(("14.13", "15.1", "18.")):  # those of the session stand beside them
            found[row["round_id"]].append((row["seq"], row["code"], row["seat"], row["expected"], row["actual"]))
    for key, (record, replay) in every.items():
        assert found[key] == [(f.seq, f.code, f.seat, f.expected, f.actual) for f in replay.findings], record
        points = None if replay.score is None else list(replay.score.points)
        assert (stored[key]["points"] if key in stored else None) == points


# Sessions


@EACH
def test_sessions_rotated_and_renamed(ruleset: str, persons: int) -> None:
    rounds = legal_rounds(ruleset, persons)[:20]
    rng = random.Random(6)
    for spoil in (False, True):
        told = [spoiled(rng, record) if spoil and rng.random() < 0.3 else record for record in rounds]
        first = check_session([(record, replay_round(record, machine(ruleset))) for record in told])
        for by in (0, 1, 2):
            turn = Rotation(persons, by)
            names = dict(zip(rounds[0].players, ("Z", "a b", "甲乙", "0"), strict=False))
            moved = [turn.record(replaced(record, players=tuple(map(names.get, record.players)))) for record in told]  # type: ignore[arg-type]
            again = check_session([(record, replay_round(record, machine(ruleset))) for record in moved])
            assert again.order == first.order
            assert again.huang_counts == first.huang_counts
            assert again.dealers == tuple(
                None if seats is None else tuple(sorted(map(turn.seat, seats))) for seats in first.dealers
            )
            assert again.totals == tuple(
                None if totals is None else {names[name]: points for name, points in totals.items()}
                for totals in first.totals
            )
            for ours, theirs in zip(again.findings, first.findings, strict=True):
                assert [(f.code, f.seat, f.expected, f.actual) for f in ours] == [
                    (f.code, turn.seat(f.seat), _dealers(f.expected, turn), turn.text(f.actual, f.code)) for f in theirs
                ]


def _dealers(text: str, turn: Rotation) -> str:
    """``dealer 1 or 2``, in order again once renumbered."""
    head, *seats = re.split(r" or | (?=\d)", text)
    if head != "dealer":
        return turn.text(text)
    return "dealer " + " or ".join(map(str, sorted(turn.seat(int(seat)) for seat in seats)))
