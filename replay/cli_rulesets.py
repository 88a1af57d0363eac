"""``phz rulesets``: the games, and every option of one with what it means."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence

from ingest.cli import OK, UNREADABLE
from ingest.limits import in_lang
from replay.options import MEANINGS, Choice, apply, chosen, clause_of, value_text, values_text
from replay.ruleset import RulesetError
from replay.rulesets import OPTIONS, RULESETS, allowed, effective_options


def rulesets(json: bool = False, lang: str = "zh") -> int:
    """List the rulesets."""
    if json:
        listed = {ruleset.name: effective_options(ruleset) for ruleset in RULESETS.values()}
        print(json_module.dumps(listed, ensure_ascii=False))
        return OK
    for ruleset in RULESETS.values():
        print(f"{ruleset.name}: {ruleset.zh if lang == 'zh' else ruleset.en}")
    return OK


def show(
    wanted: str,
    *,
    options: Sequence[str] = (),
    options_file: str | None = None,
    other: str | None = None,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """Every option of a ruleset: value, allowed values, clause and meaning; with ``other`` only those that differ.

    ``other`` is shown with its own values: the options given change the first ruleset alone.
    """
    try:
        ruleset = apply(wanted, chosen(options_file, options))
        against = None if other is None else apply(other, Choice())
    except RulesetError as error:
        print(f"phz rulesets: {in_lang(str(error), lang)}", file=sys.stderr)
        return UNREADABLE
    values = effective_options(ruleset)
    others = {} if against is None else effective_options(against)
    rows = [
        {
            "option": option,
            "value": values[option],
            **({} if against is None else {"other": others[option]}),
            "changed": values[option] != getattr(RULESETS[ruleset.name], option),
            "allowed": list(allowed(option)),
            "clause": clause_of(option),
            "zh": MEANINGS[option][0],
            "en": MEANINGS[option][1],
        }
        for option in OPTIONS
        if against is None or values[option] != others[option]
    ]
    if json:
        said = {"name": ruleset.name, **({} if against is None else {"other": against.name}), "options": rows}
        print(json_module.dumps(said, ensure_ascii=False))
        return OK
    named = [ruleset.zh if lang == "zh" else ruleset.en]
    named += [] if against is None else [against.zh if lang == "zh" else against.en]
    print(" / ".join(named))
    for row in rows:
        value = value_text(row["value"]) + (f" / {value_text(row['other'])}" if against is not None else "")
        mark = " *" if row["changed"] else ""
        where = f"规则 {row['clause']}" if lang == "zh" else f"rules {row['clause']}"
        meaning = row["zh" if lang == "zh" else "en"]
        print(f"{row['option']} = {value}{mark}  {meaning}  [{values_text(row['option'])}] ({where})")
    return OK
