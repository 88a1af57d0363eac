"""Every fault planted many times into generated legal rounds: is it found, at its event, and nothing else?

``python -m tests.replay.injections`` writes the table of docs/validation.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

import replay
from replay.engine import Engine, engine
from replay.inject import INJECTORS, Planted, Round, walk
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS, resolve
from replay.session import session_findings
from replay.simulate import Player, Stream, sessions
from replay.version import ENGINE_VERSION
from tests.docs.tables import ROOT, rows

PLAYERS = (
    Player("甲"),
    Player("乙", hu=90, peng=40, chi=50, lone=50),
    Player("丙", hu=70, peng=80, chi=80, lone=20),
    Player("丁", hu=0, peng=50, chi=70),
    Player("戊", hu=0, peng=90, chi=90, lone=10),
)
SEED = 20_260_301
NOT_LOCKED = ("general",)
_SESSION = ("WRONG_DEALER", "WRONG_TOTAL")


def applies() -> dict[str, tuple[str, ...]]:
    """Code → the rulesets that have it, as docs/violations.md says."""
    found = {}
    for cells in rows(ROOT / "docs" / "violations.md", columns=7):
        if cells[0] in INJECTORS:
            every = tuple(RULESETS)
            locked = tuple(name for name in every if name not in NOT_LOCKED)
            named = tuple(piece.strip() for piece in cells[6].split(","))
            found[cells[0]] = {"all": every, "locked": locked}.get(cells[6], named)
    return found


@cache
def machine_of(ruleset: str) -> Engine:
    return engine(resolve(ruleset), compiled())


class Pool:
    """Legal rounds of a ruleset without any finding, made as they are asked for. ``machine``: by default compiled."""

    def __init__(self, ruleset: str, seed: int, machine: Engine | None = None) -> None:
        self.machine = machine or machine_of(ruleset)
        self.rounds: list[Round] = []
        self._more = self._made(ruleset, seed)

    def _made(self, ruleset: str, seed: int) -> Iterator[Round]:
        tables = [
            sessions(self.machine, seed + persons, 1 << 30, PLAYERS, per_session=1, persons=persons)
            for persons in resolve(ruleset).persons
        ]
        while True:
            for table in tables:
                record = next(table)
                # As read from a file: plain numbers, which the compiled kernels take without a detour.
                moves = tuple(msgspec.structs.replace(move, action=int(move.action)) for move in record.moves)
                played = walk(msgspec.structs.replace(record, moves=moves), self.machine)
                if played.clean:
                    yield played

    def at(self, number: int) -> Round:
        while len(self.rounds) <= number:
            self.rounds.append(next(self._more))
        return self.rounds[number]


@dataclass
class Tally:
    """What came of the faults of one code in one ruleset. ``missed`` and ``false`` keep examples."""

    planted: int = 0
    found: int = 0
    alarms: int = 0
    missed: list[tuple[Planted, Any]] = field(default_factory=list)
    false: list[tuple[Planted, Any]] = field(default_factory=list)


def roots_of(planted: Planted, machine: Engine) -> list[tuple[int, str, int]]:
    """The findings of the round that follow from no other, as (event, code, person)."""
    records = [*planted.before, planted.record]
    replays = [replay.replay_round(record, machine) for record in records]
    findings = list(replays[-1].findings)
    if planted.code in _SESSION:
        joint = session_findings(records, replays)
        findings += joint[-1]
        assert not any(joint[:-1]), joint
        assert not any(one.findings for one in replays[:-1])
    return [(f.seq, f.code, f.seat) for f in findings if f.follows_from is None]


def judge(planted: Planted, machine: Engine, tally: Tally) -> None:
    roots = roots_of(planted, machine)
    due = (planted.seq, planted.code, planted.seat)
    tally.planted += 1
    found = {due, *planted.also} <= set(roots)
    tally.found += found
    if not found:
        tally.missed.append((planted, roots))
    extra = Counter(roots) - Counter([due, *planted.also])
    tally.alarms += bool(extra)
    if extra and found:
        tally.false.append((planted, roots))


def inject(code: str, ruleset: str, want: int, pool: Pool, *, most_rounds: int, tries: int) -> Tally:
    """Plant a code up to ``want`` times, no round twice the same."""
    tally = Tally()
    stream = Stream(SEED + sum(map(ord, code + ruleset)))
    seen: set[int] = set()
    for attempt in range(tries):
        if tally.planted >= want:
            break
        planted = INJECTORS[code].place(pool.at(attempt % most_rounds), stream)
        if planted is None:
            continue
        key = hash(msgspec.msgpack.encode(planted.record))
        if key not in seen:
            seen.add(key)
            judge(planted, pool.machine, tally)
    return tally


def wanted(rulesets: tuple[str, ...], least: int, total: int) -> int:
    """How often to plant a code in each of its rulesets."""
    return max(least, -(-total // len(rulesets)))


def cell(tally: Tally) -> str:
    """``found/planted`` where they differ, ``+n`` rounds with other findings."""
    text = f"{tally.planted:,}" if tally.found == tally.planted else f"{tally.found:,}/{tally.planted:,}"
    return text + (f" +{tally.alarms}" if tally.alarms else "")


def table(least: int, total: int, most_rounds: int) -> tuple[list[str], Tally]:
    """The rows of docs/validation.md, and everything summed up."""
    codes = applies()
    cells: dict[tuple[str, str], str] = {}
    every = Tally()
    for ruleset in RULESETS:
        pool = Pool(ruleset, SEED)
        for code, rulesets in codes.items():
            if ruleset in rulesets:
                want = wanted(rulesets, least, total)
                tally = inject(code, ruleset, want, pool, most_rounds=most_rounds, tries=40 * want)
                cells[code, ruleset] = cell(tally)
                print(code, ruleset, cells[code, ruleset], flush=True)
                every.planted += tally.planted
                every.found += tally.found
                every.alarms += tally.alarms
    lines = [f"| code | {' | '.join(RULESETS)} |", "|---" * (1 + len(RULESETS)) + "|"]
    lines += [f"| {code} | {' | '.join(cells.get((code, name), '–') for name in RULESETS)} |" for code in sorted(codes)]
    return lines, every


BEGIN, END = "<!-- injections:begin -->", "<!-- injections:end -->"


PAGE = """\
引擎版本 Engine version {version}。把每一种差错单独放进随机生成的合法牌局，共 {planted:,} 局：
在准确的事件、准确的座位、以准确的代号查出 {found:,} 局；另有误报的 {alarms:,} 局。

`replay.inject` plants every code of [violations.md](violations.md) into generated legal rounds, one fault a round;
after it the round is played on legally to its end, or, where the log can no longer be true, the record stops. A fault
counts as found when the finding has the code, the event and the seat that were planted and follows from no other; any
other finding that follows from none makes the round a false alarm. (A win without the right to it, a broken 提 that
should lie open, or a wrong penalty may need another offence, which must then be found as well.) A number says how many
rounds, all different, were planted and found; `a/b`: found in a of b; `+n`: n rounds with a false alarm; –: the ruleset
has no such finding. `tests/replay/test_inject.py` repeats a part of it in every run.

{lines}"""


def main(least: int = 500, total: int = 1_000, most_rounds: int = 1_000) -> None:
    """Measure and write the page."""
    path = ROOT / "docs" / "validation.md"
    lines, every = table(least, total, most_rounds)
    written = PAGE.format(
        version=ENGINE_VERSION,
        planted=every.planted,
        found=every.found,
        alarms=every.alarms,
        lines="\n".join(lines),
    )
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{written}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
