"""Which ruleset and which options explain recorded rounds with the fewest findings, and what in them decides it.

For every ruleset that can be played with the records' seats all rounds are judged with its own options, whatever the
records say; then one option at a time is changed, each time the one that leaves the fewest findings, as long as that
helps. The search goes over a sample first and, for the rulesets that explain it best, over all rounds. Fewest findings
win, then fewest changed options, then the name. In the end every option of the winner is set to every other value: the
findings that this adds are the evidence for its value, and where it adds none the records do not decide.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from ingest.record import Option, Record
from replay.accept import accept
from replay.findings import Finding
from replay.fit_judge import SESSION_OPTIONS, Judge, Judged
from replay.fit_variants import Options, changes, values_of, variant
from replay.options import clause_of
from replay.ruleset import RulesetError
from replay.rulesets import OPTIONS, RULESETS, resolve
from replay.session import session_findings

SAMPLE, SLOW_SAMPLE = 48, 16
"""Rounds of the first search, and where most must be replayed event by event."""
FINALISTS = 2
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A round that speaks: its file, its place in it (from 0), the event and the code found there."""

    file: str
    index: int
    seq: int
    code: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ruleset with the ``options`` that differ from its own. ``refused``: rounds that it cannot be played with."""

    ruleset: str
    options: Options
    refused: int
    findings: int
    clean: int
    violations: int
    undecidable: int
    codes: dict[str, int]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another value of an option: the findings with it, how many more, and the first rounds that show one more.

    ``beside``: other options that had to change with it.
    """

    value: Option
    findings: int
    more: int
    beside: Options
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Fitted:
    """One option of the best candidate. ``decided``: every other value that was tried adds findings."""

    option: str
    value: Option
    default: Option
    clause: str
    decided: bool
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """Candidates, the best first; ``options`` of the best in the order of ``OPTIONS``."""

    rounds: int
    recorded: dict[str, int]
    given: Options
    candidates: tuple[Candidate, ...]
    options: tuple[Fitted, ...]


def fit(
    rounds: Sequence[tuple[str, Record]],
    ruleset: str | None = None,
    given: Mapping[str, Option] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Fit:
    """Fit ``(file, record)`` pairs. ``ruleset`` and ``given`` options are held fixed where they are named.

    The options and the ruleset in the records play no part. ``progress(done, total)`` is called between steps. There
    are no candidates where no ruleset can be played with any of the records.
    """
    fixed = dict(given or {})
    names = [name for name in RULESETS if ruleset in (None, name) and _resolves(name, fixed)]
    refused = {
        name: [accept(msgspec.structs.replace(record, ruleset=name, options=fixed)) is not None for _, record in rounds]
        for name in names
    }
    names = [name for name in names if not all(refused[name])]
    fewest = min((sum(refused[name]) for name in names), default=0)
    total = len(names) + FINALISTS + len(OPTIONS)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(min(done, total), total)

    searches = []
    for name in names:
        kept = [pair for pair, out in zip(rounds, refused[name], strict=True) if not out]
        search = _Search(name, kept, fixed)
        if sum(refused[name]) == fewest:
            search.descend(search.sample())
        searches.append((search, sum(refused[name])))
        step()
    searches.sort(key=lambda pair: (pair[1], *pair[0].rank()))
    for search, out in searches[:FINALISTS]:
        if out == fewest:
            search.descend(range(len(search.rounds)))
        step()
    searches.sort(key=lambda pair: (pair[1], *pair[0].rank()))
    fitted = tuple(searches[0][0].evidence(step)) if searches else ()
    if progress is not None:
        progress(total, total)
    recorded = Counter(record.ruleset for _, record in rounds)
    return Fit(
        len(rounds),
        dict(sorted(recorded.items())),
        fixed,
        tuple(search.candidate(out) for search, out in searches),
        fitted,
    )


def _resolves(name: str, options: Options) -> bool:
    try:
        resolve(name, options)
    except RulesetError:
        return False
    return True


class _Search:
    """The search for the options of one ruleset."""

    def __init__(self, name: str, rounds: Sequence[tuple[str, Record]], given: Options) -> None:
        self.name = name
        self.rounds = rounds
        self.given = given
        self.options = changes(resolve(name, given))
        self.judge = Judge([record for _, record in rounds], name)

    def sample(self) -> list[int]:
        """Rounds spread evenly over all of them."""
        n = min(len(self.rounds), SLOW_SAMPLE if self.judge.slow else SAMPLE)
        return [i * len(self.rounds) // n for i in range(n)]

    def rank(self) -> tuple[int, int, str]:
        """The order of candidates."""
        return sum(map(len, self.roots(self.options))), len(self.options), self.name

    def judged(self, options: Options) -> list[Judged]:
        """All rounds under the options, what their sessions show included."""
        found = [one for _, one in self.judge.judged(options, range(len(self.rounds)))]
        records = [self.judge.record(index, options) for index in range(len(self.rounds))]
        return [
            replace(one, findings=one.findings + more) if more else one
            for one, more in zip(found, session_findings(records, found), strict=True)
        ]

    def roots(self, options: Options) -> list[list[Finding]]:
        """The findings that count, of every round."""
        return [one.roots for one in self.judged(options)]

    def descend(self, which: Sequence[int]) -> None:
        """Change one option at a time, the best first, as long as the rounds get fewer findings."""
        while True:
            counts = {index: len(one.roots) for index, one in self.judge.judged(self.options, which)}
            total = sum(counts.values())
            order = sorted(which, key=lambda index: (-counts[index], index))  # a bad variant shows early
            best: tuple[int, int] = (total, len(self.options))
            chosen: Options | None = None
            for _, _, trial in self._trials(order, list(self.options) if total == 0 else OPTIONS):
                cost = self._cost(trial, order, best[0])
                if (cost, len(trial)) < best:
                    best, chosen = (cost, len(trial)), trial
            if chosen is None:
                break
            self.options = chosen
        self._descend_session()

    def _trials(self, which: Sequence[int], options: Sequence[str]) -> Iterator[tuple[str, Option, Options]]:
        """Every other value of the options: the option, the value, all options with it."""
        now = resolve(self.name, self.options)
        for option in OPTIONS:
            if option in options and option not in self.given and option not in SESSION_OPTIONS:
                for value in self._telling(option, which):
                    trial = None if getattr(now, option) == value else variant(self.name, self.options, option, value)
                    if trial is not None and all(getattr(resolve(self.name, trial), o) == v for o, v in self._held()):
                        yield option, value, trial

    def _held(self) -> list[tuple[str, object]]:
        rules = resolve(self.name, self.given)
        return [(option, getattr(rules, option)) for option in self.given]

    def _telling(self, option: str, which: Sequence[int]) -> tuple[Any, ...]:
        """The values of an option; of a long run of numbers none where neither 0 nor 1 changes what the kernels say."""
        values = values_of(option)
        if len(values) <= 10 or not isinstance(values[0], int):
            return values
        now = self.judge.rows(self.options, which)
        tried = (variant(self.name, self.options, option, value) for value in values[:2])
        return values if any(trial is not None and self.judge.rows(trial, which) != now for trial in tried) else ()

    def _cost(self, options: Options, which: Sequence[int], limit: int) -> int:
        """Findings of the rounds under the options; no more are counted once they exceed ``limit``."""
        cost = 0
        for part in (which[:8], which[8:]):
            for _, one in self.judge.judged(options, part):
                cost += len(one.roots)
                if cost > limit:
                    return cost
        return cost

    def _descend_session(self) -> None:
        free = [option for option in SESSION_OPTIONS if option not in self.given]
        best = (sum(map(len, self.roots(self.options))), len(self.options))
        for values in itertools.product(*(values_of(option) for option in free)):
            trial = changes(resolve(self.name, {**self.options, **dict(zip(free, values, strict=True))}))
            rank = (sum(map(len, self.roots(trial))), len(trial))
            if rank < best:
                best, self.options = rank, trial

    def candidate(self, refused: int) -> Candidate:
        """What the search came to."""
        found = self.judged(self.options)
        roots = [one.roots for one in found]
        wrong = sum(1 for one in roots if one)
        undecidable = sum(1 for one in found if one.undecidable and not one.roots)
        codes = Counter(f.code for one in roots for f in one)
        return Candidate(
            self.name,
            self.options,
            refused,
            sum(map(len, roots)),
            len(found) - wrong - undecidable,
            wrong,
            undecidable,
            dict(sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))),
            self._examples([[] for _ in roots], roots),
        )

    def _examples(self, before: Sequence[Sequence[Finding]], after: Sequence[Sequence[Finding]]) -> tuple[Example, ...]:
        """The first rounds that have more findings than before, each with the first that is new."""
        told: list[Example] = []
        for (file, record), old, new in zip(self.rounds, before, after, strict=True):
            if len(new) > len(old) and len(told) < EXAMPLES:
                known = {(f.seq, f.code) for f in old}
                first = next((f for f in new if (f.seq, f.code) not in known), new[-1])
                told.append(Example(file, record.source.index, first.seq, first.code))
        return tuple(told)

    def evidence(self, step: Callable[[], None]) -> Iterator[Fitted]:
        """What the rounds say of every option."""
        which = range(len(self.rounds))
        now = resolve(self.name, self.options)
        base = self.roots(self.options)
        total = sum(map(len, base))
        for option in OPTIONS:
            alternatives = []
            for value in self._telling(option, which) if option not in self.given else ():
                trial = None if value == getattr(now, option) else variant(self.name, self.options, option, value)
                if trial is None:
                    continue
                found = self.roots(trial)
                n = sum(map(len, found))
                beside = {o: v for o, v in trial.items() if o != option and self.options.get(o, None) != v}
                alternatives.append(Alternative(value, n, n - total, beside, self._examples(base, found)))
            yield Fitted(
                option,
                getattr(now, option),
                getattr(RULESETS[self.name], option),
                clause_of(option),
                bool(alternatives) and all(other.more > 0 for other in alternatives),
                tuple(alternatives),
            )
            step()
