"""Many rounds under many variants of one ruleset: the findings of each round, replayed only where they can differ.

What the compiled kernels say of a round under a variant (its row) decides its findings, together with the few options
that are read outside the kernels. So a round whose row is known needs no second look, and one whose result reports
nothing but what the row holds needs no replay at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from ingest.codes import Action
from ingest.record import Option, Record, Result
from replay import fan
from replay.bulk import audit_arrays, plain, run_audit
from replay.engine import Engine, engine
from replay.findings import Finding, from_rows, link
from replay.kernels import layout
from replay.kernels.audit import S_FOUND, S_PHASE, S_VALUE, S_WINNER
from replay.kernels.hands import run_table
from replay.kernels.jit import compiled
from replay.kernels.layout import O_FAN, O_HITS, O_HUXI, SCORE0
from replay.penalties import penalties
from replay.replayer import check_deal, hidden_parts, replay_round
from replay.ruleset import Ruleset
from replay.rulesets import OPTIONS, resolve
from replay.score import Score, score_of
from replay.seating import Seating, seated
from replay.settlement import ledger, told, wrong_winner

SESSION_OPTIONS = ("dealer_next", "huang_next", "huang_three")
"""Options that only the rounds beside a round can show."""
_SCORING = frozenset(
    [option for option in OPTIONS if option.startswith("fan_") and option != "fan_level"]
    + ["haidi_alone", "zi_step", "deng_cap", "zimo", "tianhu_is_zimo", "tianhu_factor", "quad_units", "xing"]
    + ["base_points", "pay_discard", "xing_fee", "huang_fee", "qianti_bonus"]
)
"""Options that act on the settlement alone."""
_OUTSIDE = ("last_wins", "chou_wei_hidden", "penalties", "letters", "void_win", "fan_level", "shape")
"""Options that are read outside the kernels where a round reports nothing but what its row holds."""
_PLAY = tuple(option for option in OPTIONS if option not in _SCORING and option not in SESSION_OPTIONS)
_MEMO = 300_000


@dataclass(frozen=True, slots=True)
class Judged:
    """What one round is found to be. ``score`` is always None: sessions read the findings alone."""

    findings: tuple[Finding, ...]
    undecidable: bool
    score: Score | None = None

    @property
    def roots(self) -> list[Finding]:
        """The findings that count: no information, and no echo of another one."""
        return [f for f in self.findings if f.severity > 0 and f.follows_from is None]


@dataclass(slots=True)
class Judge:
    """Rounds under variants of the ruleset ``name``. Every record must be playable by it."""

    records: Sequence[Record]
    name: str
    _seatings: list[Seating] = field(init=False)
    _plain: list[bool] = field(init=False)
    _broken: dict[bool, list[bool]] = field(init=False, default_factory=dict)
    _known: dict[Any, Judged] = field(init=False, default_factory=dict)
    _left: list[bool] = field(init=False)
    _engine: Engine = field(init=False)
    _deals: list[Any] = field(init=False)
    _arrays: dict[tuple[int, ...], Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        base = resolve(self.name)
        self._left = [any(move.action == Action.LEAVE for move in record.moves) for record in self.records]
        self._engine = engine(base, compiled())
        self._seatings = [seated(record, base) for record in self.records]
        self._deals = [audit_arrays([seating]) for seating in self._seatings]
        self._plain = [plain(seating.record) and not hidden_parts(seating) for seating in self._seatings]

    @property
    def slow(self) -> bool:
        """True where most rounds must be replayed event by event."""
        return 2 * sum(self._plain) < len(self._plain)

    def record(self, index: int, options: Mapping[str, Option]) -> Record:
        """The round as one of this ruleset."""
        return msgspec.structs.replace(self.records[index], ruleset=self.name, options=dict(options))

    def rows(self, options: Mapping[str, Option], which: Sequence[int]) -> list[bytes]:
        """What the kernels say of each of the rounds, for comparison."""
        return [row + told_rows for row, told_rows in self._audit(self._machine(options), which)]

    def judged(self, options: Mapping[str, Option], which: Sequence[int]) -> Iterator[tuple[int, Judged]]:
        """The rounds one by one, in the order asked for."""
        machine = self._machine(options)
        rules = machine.ruleset
        broken = self._broken_deals(rules)
        play = tuple(getattr(rules, option) for option in _PLAY)
        outside = tuple(getattr(rules, option) for option in _OUTSIDE)
        for index, (row, rows) in zip(which, self._audit(machine, which), strict=True):
            ints = np.frombuffer(row, dtype=np.int64)
            worth = _worth(int(ints[O_FAN - SCORE0]), rules)
            key: tuple[Any, ...] = (index, row, rows, worth, play)
            if broken[index]:
                key = (index, play)
            elif self._whole_key(index, ints):
                key = (index, rules)
            elif self._plain[index]:
                key = (index, row, rows, worth, outside)
            if key not in self._known:
                if len(self._known) > _MEMO:
                    self._known.clear()
                self._known[key] = self._judge(index, machine, options, ints.tolist(), rows, broken[index])
            yield index, self._known[key]

    def _machine(self, options: Mapping[str, Option]) -> Engine:
        """The one engine, its parameters and table set."""
        rules = resolve(self.name, options)
        if rules is not self._engine.ruleset:
            params = rules.to_params()
            self._engine.state[layout.PARAM0 : layout.PARAM0 + len(params)] = params
            self._engine.ruleset = rules
            self._engine.table = _table(rules.huxi_123, rules.huxi_2710)
        return self._engine

    def _broken_deals(self, rules: Ruleset) -> list[bool]:
        if rules.last_wins not in self._broken:
            self._broken[rules.last_wins] = [bool(check_deal(seating, rules)) for seating in self._seatings]
        return self._broken[rules.last_wins]

    def _whole_key(self, index: int, row: Any) -> bool:
        """Must every option be looked at? Where somebody left, and where less was claimed than could be."""
        result = self.records[index].result or Result()
        less = result.groups is not None and result.huxi not in (None, int(row[O_HUXI - SCORE0]))
        return self._left[index] or less

    def _audit(self, machine: Engine, which: Sequence[int]) -> list[tuple[bytes, bytes]]:
        asked = tuple(which)
        if asked not in self._arrays:
            if len(self._arrays) > 8:
                self._arrays.clear()
            self._arrays[asked] = _joined([self._deals[index] for index in asked])
        summaries, flat = run_audit(machine, *self._arrays[asked])
        rows = flat.reshape(-1, 1 + layout.ROW)
        ends = np.searchsorted(rows[:, 0], np.arange(len(asked) + 1)).tolist()
        return [
            (summary.tobytes(), rows[first:end, 1:].tobytes())
            for summary, first, end in zip(summaries, ends, ends[1:], strict=False)
        ]

    def _judge(
        self, index: int, machine: Engine, options: Mapping[str, Option], row: list[int], rows: bytes, broken: bool
    ) -> Judged:
        quick = None if broken or not self._plain[index] else _quick(self._seatings[index], machine.ruleset, row, rows)
        if quick is not None:
            return Judged(tuple(link(quick)), False)
        replay = replay_round(self.record(index, options), machine)
        return Judged(replay.findings, bool(replay.undecidable))


@lru_cache(maxsize=32)
def _half(run: int, reds: int) -> bytes:
    """The half of a kernel's table that is for one size of cards."""
    table = run_table(run, reds, run, reds)
    return table[: len(table) // 2]


@lru_cache(maxsize=8)
def _table(runs: tuple[int, int], reds: tuple[int, int]) -> Any:
    """``run_table`` as an array."""
    return np.frombuffer(_half(runs[0], reds[0]) + _half(runs[1], reds[1]), dtype=np.uint8)


def _joined(arrays: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """``audit_arrays`` of rounds from those of each."""
    if not arrays:
        return audit_arrays([])
    deals, events, spans, wholes = zip(*arrays, strict=True)
    ends = np.concatenate([[0], np.cumsum([span[1] for span in spans])]).astype(np.int64)
    return np.concatenate(deals), np.concatenate(events), ends, np.concatenate(wholes)


def _worth(bits: int, rules: Ruleset) -> tuple[int, ...]:
    """What the patterns of a row count: all that a row does not tell of them."""
    if not bits:
        return ()
    return (rules.fan_more, *(rules.fan_value(f"fan_{each.key}") for i, each in enumerate(fan.FAN) if bits >> i & 1))


def _quick(seating: Seating, rules: Ruleset, row: list[int], rows: bytes) -> list[Finding] | None:
    """The findings of a plain round from its row, None where a replay must tell them."""
    record = seating.record
    result = record.result or Result()
    found = from_rows(np.frombuffer(rows, dtype=np.int64).tolist(), seating.person)
    left = any(move.action == Action.LEAVE for move in record.moves)
    if left or row[S_FOUND] > layout.MAX_FOUND or penalties(link(found), rules):
        return None
    over, winner = row[S_PHASE] == layout.OVER, row[S_WINNER]
    if record.result is None:
        return found
    wrong = wrong_winner(seating, winner) if over else []
    void = winner >= 0 and row[S_VALUE] < 0
    if over and not wrong and not void:
        if winner >= 0 and row[O_HITS - SCORE0] < 0:
            return None  # the card turned for 醒 is not known
        return found + told(result, score_of(row, seating, rules, ()), rules, len(record.moves))
    return found + wrong + ledger(result, len(record.moves))
