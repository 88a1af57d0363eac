"""``phz score``: the hand calculator on the command line."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from typing import Any

from ingest.cards import COPIES, CardError, name, parse, parse_one
from ingest.cli import OK, UNREADABLE
from ingest.limits import both, in_lang
from replay import calculator
from replay.hands import HandError, HandValue, chi_options, evaluate_hand, waits
from replay.options import Choice, apply, chosen
from replay.ruleset import Ruleset, RulesetError
from replay.rulesets import RULESETS
from replay.steps import steps_to_win

Answer = tuple[str, list[str], dict[str, Any]]
"""The line that answers, the lines of its derivation, and both for machines."""


def rules_chosen(names: Sequence[str], choice: Choice) -> list[Ruleset]:
    """The rulesets named (``all``, a list, several; else that of the options file, else qq) with the options chosen.

    Raises ``RulesetError``.
    """
    wanted = [piece for text in names for piece in text.replace("，", ",").split(",") if piece]
    if "all" in wanted:
        wanted = list(RULESETS)
    wanted = wanted or [choice.ruleset or "qq"]
    return [apply(one, choice) for one in dict.fromkeys(wanted)]


def value_json(value: HandValue) -> dict[str, Any]:
    """A value for machines: cards as kinds 0..19."""
    return {
        "complete": value.complete,
        "wins": value.wins,
        "huxi": value.huxi,
        "groups": [{"form": int(form), "cards": list(cards), "huxi": huxi} for form, cards, huxi in value.groups],
        "fan": dict(value.fan),
        "deng": value.deng,
        "units": value.units,
        "points": value.points,
        "payments": list(value.payments),
        "red": value.red,
    }


def _card(written: str, option: str) -> str:
    """One card of the command line, as its character."""
    try:
        return name(parse_one(written))
    except CardError as error:
        raise HandError(f"{option}: {error}") from None


def _chi(hand: str, card: str, rules: Ruleset, lang: str) -> Answer:
    choices = chi_options(hand, card, rules)
    line = calculator.chi_answer(card, choices, rules, lang)
    rows = [{"first": list(choice.first), "bi": [list(bi) for bi in choice.bi]} for choice in choices]
    return line, list(calculator.chi_lines(choices)), {"card": card, "chi": rows}


def _valued(
    hand: str, melds: Sequence[str], card: str | None, source: str | None, rules: Ruleset, *,
    dealer: bool, last_card: bool, tianhu: bool, lang: str,
) -> Answer:  # fmt: skip
    value = evaluate_hand(hand, melds, card, source, rules, None, dealer, last_card, tianhu)
    have, due = calculator.owned(hand, melds)
    line = calculator.answer(value, rules, card, source, (have + (card is not None), due + 1), lang)
    lines = list(calculator.derivation(value, rules, source, tianhu=tianhu, lang=lang))
    facts: dict[str, Any] = {"card": card, "source": source, "value": value_json(value)}
    if card is None:
        facts["steps"] = steps = steps_to_win(hand, melds, rules)
        line += "" if value.wins else calculator.steps_text(steps, lang)
    return line, lines, facts


def _waiting(
    hand: str, melds: Sequence[str], source: str | None, rules: Ruleset, *, dealer: bool, last_card: bool, lang: str
) -> Answer:
    found = waits(hand, melds, rules)
    if source == "liang" or dealer or last_card:  # waits knows neither the 亮张 nor who deals nor the last card
        sources = [source] if source else dict.fromkeys(origin for _, origin in found)
        kinds = [name(kind) for kind in range(20) if _copies(hand, melds, kind) < COPIES]
        every = {
            (card, origin): evaluate_hand(hand, melds, card, origin, rules, None, dealer, last_card)
            for card in kinds
            for origin in sources
        }
        found = {key: value for key, value in every.items() if value.wins}
    elif source is not None:
        found = {key: value for key, value in found.items() if key[1] == source}
    steps = steps_to_win(hand, melds, rules)
    line = calculator.waits_answer(found, rules, calculator.owned(hand, melds), steps, lang)
    rows = [{"card": card, "source": origin, **value_json(value)} for (card, origin), value in found.items()]
    return line, list(calculator.wait_lines(found, lang)), {"waits": rows, "steps": steps}


def _copies(hand: str, melds: Sequence[str], kind: int) -> int:
    """Copies of a kind in hand and melds, all of which are readable."""
    n = parse(hand).count(kind)
    for meld in melds:
        word, _, rest = meld.strip().partition(" ")
        cards = parse(rest)
        if word in ("吃", "比"):
            n += cards.count(kind)
        elif cards[0] == kind:
            n += 4 if word in calculator.QUADS else 3
    return n


def score(
    hand: str,
    melds: Sequence[str] = (),
    win: str | None = None,
    source: str | None = None,
    rulesets: Sequence[str] = (),
    *,
    options: Sequence[str] = (),
    options_file: str | None = None,
    chi: str | None = None,
    dealer: bool = False,
    last_card: bool = False,
    tianhu: bool = False,
    json: bool = False,
    lang: str = "zh",
) -> int:
    """The hand calculator: what a hand is worth with its winning card, what it waits for, or how it takes a card.

    One line answers for each ruleset; the derivation follows where there is but one. 2 for input that is no hand.
    """
    try:
        rules = rules_chosen(rulesets, chosen(options_file, options))
        if source is not None and source not in calculator.SOURCE_OF:
            known = ", ".join(calculator.SOURCE_OF)
            raise HandError(both(f"来源 {source} 应为 {known} 之一", f"source {source} is not one of {known}"))
        answered = [_answer(one, hand, melds, win, source, chi, dealer, last_card, tianhu, lang) for one in rules]
    except (HandError, RulesetError) as error:
        print(f"phz score: {calculator.error_text(in_lang(str(error), lang), lang)}", file=sys.stderr)
        return UNREADABLE
    if json:
        rows = [
            {"ruleset": one.name, "line": line, **facts} for one, (line, _, facts) in zip(rules, answered, strict=True)
        ]
        print(json_module.dumps({"answers": rows}, ensure_ascii=False))
        return OK
    for line, steps, _ in answered:
        print(line)
        if len(answered) == 1:
            for step in steps:
                print(step)
    return OK


def _answer(
    rules: Ruleset, hand: str, melds: Sequence[str], win: str | None, source: str | None, chi: str | None,
    dealer: bool, last_card: bool, tianhu: bool, lang: str,
) -> Answer:  # fmt: skip
    origin = None if source is None else calculator.SOURCE_OF[source]
    if chi is not None:
        return _chi(hand, _card(chi, "--chi"), rules, lang)
    card = None if win is None else _card(win, "--win")
    have, due = calculator.owned(hand, melds)
    whole = have == due + 1 or tianhu
    how = {"dealer": dealer, "last_card": last_card}
    if card is None and not whole:
        return _waiting(hand, melds, origin, rules, **how, lang=lang)
    if card is None:
        origin = None
    elif origin is None:
        origin = "own_draw"
    return _valued(hand, melds, card, origin, rules, **how, tianhu=tianhu, lang=lang)
