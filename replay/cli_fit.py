"""``phz fit``: which ruleset and options explain recorded rounds, and what in them says so."""

from __future__ import annotations

import dataclasses
import json as json_module
import sys
from collections.abc import Iterator, Mapping, Sequence

from ingest import progress
from ingest.adapters.registry import Reject
from ingest.cli import OK, UNREADABLE, print_rejects
from ingest.limits import in_lang
from ingest.reader import read_paths
from ingest.record import Record
from replay.cli import FINDINGS
from replay.fit import Candidate, Example, Fit, Fitted, fit
from replay.options import MEANINGS, chosen, value_text
from replay.ruleset import RulesetError
from replay.rulesets import RULESETS
from replay.version import ENGINE_VERSION


def run(
    paths: Sequence[str],
    format: str | None = None,  # noqa: A002
    options: Sequence[str] = (),
    options_file: str | None = None,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """Fit the rounds of files and folders; options given, and a ruleset that their file names, are held fixed.

    0 when the best explanation leaves no finding, 1 when it leaves some, 2 when something was unreadable or no
    ruleset can be played with the records.
    """
    rounds: list[tuple[str, Record]] = []
    quarantined = 0
    try:
        choice = chosen(options_file, options)
        for file, item in read_paths(paths, format):
            if isinstance(item, Reject):
                quarantined += 1
                print_rejects(file, [item], lang)
            else:
                rounds.append((file, item))
        with progress.one("fit", json) as shown:
            found = fit(rounds, choice.ruleset, choice.options, shown)
    except (OSError, RulesetError) as error:
        print(f"phz fit: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        said = {"engine_version": ENGINE_VERSION, "quarantined": quarantined, **dataclasses.asdict(found)}
        print(json_module.dumps(said, ensure_ascii=False))
    else:
        for line in lines(found, lang):
            print(line)
    if quarantined or not found.candidates:
        return UNREADABLE
    return FINDINGS if found.candidates[0].findings else OK


def options_text(options: Mapping[str, object]) -> str:
    """``zimo=none base_points=1``."""
    return " ".join(f"{option}={value_text(value)}" for option, value in options.items())


def _examples(examples: Sequence[Example]) -> str:
    return " ".join(f"{one.file}:{one.index + 1}@{one.seq} {one.code}" for one in examples)


def _candidate(one: Candidate, lang: str) -> Iterator[str]:
    zh = lang == "zh"
    ruleset = RULESETS[one.ruleset]
    named = f"{one.ruleset} {ruleset.zh if zh else ruleset.en}"
    options = options_text(one.options)
    counts = (one.findings, one.clean, one.violations, one.undecidable)
    if zh:
        said = "{}：问题 {}；无误 {} 局，有问题 {} 局，无法判定 {} 局".format(named, *counts)
        said += f"，不能用的 {one.refused} 局" if one.refused else ""
    else:
        said = "{}: {} findings; rounds: {} clean, {} with findings, {} undecidable".format(named, *counts)
        said += f", {one.refused} that cannot be played so" if one.refused else ""
    yield said
    if options:
        yield f"  {'选项' if zh else 'options'} {options}"
    if one.codes:
        codes = ", ".join(f"{code} {n}" for code, n in one.codes.items())
        yield f"  {codes}  ({_examples(one.examples)})"


def _option(one: Fitted, lang: str) -> str:
    """A decided option: how many findings the nearest other value adds, and where."""
    zh = lang == "zh"
    nearest = min(one.alternatives, key=lambda other: other.more)
    meaning = MEANINGS[one.option][not zh]
    mark = " *" if one.value != one.default else ""
    other = value_text(nearest.value)
    more = f"若为 {other} 多 {nearest.more} 处" if zh else f"{nearest.more} more with {other}"
    return f"  {one.option} = {value_text(one.value)}{mark}  {meaning}  {more}  ({_examples(nearest.examples)})"


def lines(found: Fit, lang: str) -> Iterator[str]:
    """The report for people: candidates, the best first, then what decides each option of the best."""
    zh = lang == "zh"
    if not found.candidates:
        yield "没有规则可用于这些牌谱" if zh else "no ruleset can be played with these records"
        return
    recorded = ", ".join(f"{name or '–'} {n}" for name, n in found.recorded.items())
    yield f"{found.rounds} 局（牌谱自称 {recorded}）" if zh else f"{found.rounds} rounds (they say: {recorded})"
    if found.given:
        yield ("给定 " if zh else "given ") + options_text(found.given)
    for candidate in found.candidates:
        yield from _candidate(candidate, lang)
    best = found.candidates[0]
    same = [o.ruleset for o in found.candidates[1:] if (o.findings, o.refused) == (best.findings, best.refused)]
    if same:
        names = ", ".join(same)
        yield f"{names} 改动选项后解释得一样好" if zh else f"with its options changed, as good: {names}"
    decided = [one for one in found.options if one.decided]
    open_ = [one for one in found.options if not one.decided and one.option not in found.given]
    yield f"{best.ruleset}：牌谱能判定的选项" if zh else f"{best.ruleset}: options that the records decide"
    for one in decided:
        yield _option(one, lang)
    yield "牌谱不能判定的选项（另有同样好的值）" if zh else "options that they do not decide (another value is as good)"
    for one in open_:
        if one.alternatives:
            yield f"  {one.option} = {value_text(one.value)}{_as_good(one)}"
    unseen = ", ".join(one.option for one in open_ if not one.alternatives)
    yield f"没有用到的选项：{unseen}" if zh else f"options never in play: {unseen}"


def _as_good(one: Fitted) -> str:
    values = [value_text(other.value) for other in one.alternatives if other.more <= 0]
    return f"  [{'|'.join(values[:6])}{'|…' if len(values) > 6 else ''}]"
