"""The commands ``audit``, ``show`` and ``replay`` as plain functions that return exit codes.

Few rounds run as plain Python and load neither numba nor Polars; many run compiled.
"""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ingest import progress
from ingest.adapters.registry import Reject, placed
from ingest.cli import OK, UNREADABLE, print_rejects
from ingest.limits import StoreError, both, in_lang
from ingest.naming import round_id
from ingest.reader import read_path, read_paths
from ingest.record import Record
from replay.accept import accept
from replay.engine import Engine, engine
from replay.options import Choice, chosen, completed
from replay.replayer import Replay, replay_round, rules_of, with_findings
from replay.rulesets import Ruleset, RulesetError
from replay.session import session_findings
from replay.timeline import reported_json, score_json
from replay.transcript import finding_text, transcript, words
from replay.version import ENGINE_VERSION

FINDINGS = 1
COMPILE_FROM = 3_000
"""Rounds from which compiling (or loading the compiled kernels) pays."""


def read_records(
    paths: Sequence[str],
    format: str | None,  # noqa: A002
    choice: Choice = Choice(),  # noqa: B008 - frozen
) -> Iterator[tuple[str, Record | Reject]]:
    """Every record of the files and folders with the file it is in; refused ones, also with the options chosen for
    what they do not set, as ``Reject``."""
    for file, item in read_paths(paths, format):
        reject = None if isinstance(item, Reject) else accept(completed(item, choice))
        if isinstance(item, Reject) or reject is None:
            yield file, item
        else:
            yield file, placed(reject, item.source)


def round_json(record: Record, replay: Replay, file: str) -> dict[str, Any]:
    """One round of ``phz audit --json``."""
    return {
        "round_id": replay.round_id,
        "file": file,
        "index": record.source.index,
        "ruleset": replay.ruleset,
        "options": replay.options,
        "verdict": replay.verdict,
        "undecidable": list(replay.undecidable),
        "findings": [{slot: getattr(finding, slot) for slot in finding.__slots__} for finding in replay.findings],
        "score": score_json(replay.score),
        "reported": reported_json(replay.reported),
    }


def audit(
    paths: Sequence[str],
    format: str | None = None,  # noqa: A002
    json: bool = False,
    lang: str = "zh",
    options: Sequence[str] = (),
    options_file: str | None = None,
) -> int:
    """Files in, findings out. 0 clean or undecidable, 1 findings, 2 something was unreadable.

    The options given hold where a record does not set them itself; round ids stay those of the records.
    """
    try:
        choice = chosen(options_file, options)
    except RulesetError as error:
        print(f"phz audit: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    rounds: list[dict[str, Any]] = []
    whole: list[tuple[str, Record, Record, Replay]] = []  # rounds of one session are judged together at the end
    counts = {"clean": 0, "violations": 0, "undecidable": 0}
    quarantined = 0
    engines: dict[Ruleset, Engine] = {}
    kernels = None
    w = words(lang)
    done = changed = 0
    try:
        for file, item in read_records(paths, format, choice):
            if isinstance(item, Reject):
                quarantined += 1
                print_rejects(file, [item], lang)
                continue
            done += 1
            if done == COMPILE_FROM:
                from replay.kernels.jit import compiled

                kernels = compiled()
                engines.clear()
            played = completed(item, choice)
            changed += played is not item
            rules = rules_of(played)
            if rules not in engines:
                engines[rules] = engine(rules, kernels)
            replay = replace(replay_round(played, engines[rules]), round_id=round_id(item), decisions=())
            whole.append((file, item, played, replay))
    except OSError as error:
        print(f"phz audit: {error}", file=sys.stderr)
        return UNREADABLE
    joint = session_findings([played for _, _, played, _ in whole], [replay for *_, replay in whole])
    for (file, item, _, alone), more in zip(whole, joint, strict=True):
        replay = with_findings(alone, more)
        counts[replay.verdict] += 1
        if json:
            rounds.append(round_json(item, replay, file))
            continue
        for finding in replay.findings:
            label = item.tags.get("id") or f"#{item.source.index + 1}"
            print(f"{file} {label} @{finding.seq}: {finding_text(finding, lang)}")
    if json:
        summary = {
            "engine_version": ENGINE_VERSION,
            "records": done + quarantined,
            "accepted": done,
            "quarantined": quarantined,
            "rounds": rounds,
        }
        print(json_module.dumps(summary, ensure_ascii=False))
    else:
        print(", ".join(f"{w[verdict]} {n}" for verdict, n in counts.items()) + f", ✗ {quarantined}")
    if choice.options:
        said = both(
            f"给定的选项用于 {changed} 局没有写明的地方；牌谱自己的选项优先",
            f"the given options hold in {changed} rounds, where they set none themselves",
        )
        print(in_lang(said, lang), file=sys.stderr)
    if quarantined or not done:
        return UNREADABLE
    return FINDINGS if counts["violations"] else OK


def find_round(wanted: str, store: str) -> Record | None:
    """A round by its id (or the beginning of it) in the store, or as ``FILE`` or ``FILE:NUMBER`` (from 1)."""
    path, _, number = wanted.rpartition(":")
    if not number.isdigit() or not path:
        path, number = wanted, "1"
    if Path(path).is_file():
        items = [item for item in read_path(path) if isinstance(item, Record)]
        wanted_index = int(number) - 1
        return items[wanted_index] if 0 <= wanted_index < len(items) else None
    import polars as pl

    from ingest.rows import records
    from ingest.store import open_store

    found = open_store(store).scan("rounds").filter(pl.col("round_id").str.starts_with(wanted)).head(2).collect()
    return next(records(found)) if len(found) == 1 else None


def show(
    wanted: str,
    store: str,
    json: bool = False,
    lang: str = "zh",
    page: tuple[str, Callable[[Record, str], str]] | None = None,
) -> int:
    """Print the transcript of one round, or its timeline as JSON.

    ``page``: a file to write instead, and the function that makes its text from the record and the language.
    """
    try:
        record = find_round(wanted, store)
    except StoreError as error:
        print(f"phz show: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if record is None:
        print(
            f"phz show: {wanted}: "
            + ("没有这一局，或编号不唯一" if lang == "zh" else "no such round, or the id is not unique"),
            file=sys.stderr,
        )
        return UNREADABLE
    try:
        if json:
            from replay.timeline import timeline

            print(json_module.dumps(timeline(record), ensure_ascii=False))
            return OK
        if page is not None:
            Path(page[0]).write_text(page[1](record, lang), encoding="utf-8")
            print(page[0])
            return OK
        replay = replay_round(record)
    except (RulesetError, StoreError) as error:
        print(f"phz show: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    for line in transcript(record, replay, lang):
        print(line)
    return FINDINGS if replay.verdict == "violations" else OK


def replay(store: str, json: bool = False, lang: str = "zh") -> int:
    """Replay every round of the store and write verdicts, findings and scores."""
    from ingest.store import open_store
    from replay.bulk import replay_store

    w = words(lang)
    try:
        with progress.one("replay", json) as shown:
            summary = replay_store(open_store(store), shown)
    except (StoreError, OSError) as error:
        print(f"phz replay: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        print(
            json_module.dumps(
                {
                    "engine_version": ENGINE_VERSION,
                    "rounds": summary.rounds,
                    "events": summary.events,
                    "verdicts": summary.verdicts,
                    "findings": summary.findings,
                }
            )
        )
    else:
        print(", ".join(f"{w.get(verdict, verdict)} {n}" for verdict, n in summary.verdicts.items()))
        for code, n in summary.findings.items():
            print(f"  {code} {n}")
    return OK
