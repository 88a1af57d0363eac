"""What the hand calculator says: one line that answers, the derivation behind it, and what is wrong with an input."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ingest.cards import CardError, parse, text
from replay.hands import ChiOption, HandValue, group_text
from replay.ruleset import Ruleset
from replay.steps import DEAD
from replay.wording import translated

SOURCES: Mapping[str, tuple[str, str]] = {
    "own_draw": ("自摸", "own draw"),
    "other_draw": ("他摸", "another's draw"),
    "discard": ("点炮", "discard"),
    "liang": ("亮张", "亮张"),
}
"""Source of a winning card → what players call it."""
SOURCE_OF = {name: name for name in SOURCES} | {zh: name for name, (zh, _) in SOURCES.items()}
"""Both ways to write a source on the command line."""

QUADS = ("跑", "提", "亮提")
_ZH = (
    (
        r"(.+): no such card (.+) at character (\d+) of (.+); cards are (\S+), s1..s10, b1..b10.*",
        r"\1：\4 第 \3 个字 \2 不是牌；牌写作 \5，或 s1..s10、b1..b10",
    ),
    (r"(.+): expected one card, found (\d+) in (.+)", r"\1：\3 是 \2 张牌，应为一张"),
    (r"(.+): unknown card at place (\d+)", r"\1：第 \2 张牌未知"),
    (r"(.+): write 碰.*", r"\1：应写 碰/偎/臭偎/跑/提 和一张牌，或 吃/比 和三张牌"),
    (r"(.+): these are not three cards.*", r"\1：这三张不成顺、二七十或绞"),
    (r"(.+): name one kind of card", r"\1：只写一种牌"),
    (r"FIFTH_COPY: (\d+) copies of (\S+).*", r"\2有 \1 张，一种牌只有四张"),
)
_PLACES = (("hand", "手牌"), ("win_card", "胡的牌"), ("card", "要吃的牌"), ("meld", "第"))


def error_text(message: str, lang: str) -> str:
    """The message of a ``HandError`` in ``zh`` or ``en``: the bad card and its place, or what is wrong."""
    said = translated(message, _ZH) if lang == "zh" else None
    if said is None:
        return message
    said = re.sub(r"^meld (\d+)", r"第 \1 组", said)
    return re.sub(r"^(hand|win_card|card)", lambda place: dict(_PLACES)[place[0]], said)


def owned(hand: str, melds: Sequence[str]) -> tuple[int, int]:
    """How many cards hand and melds are, and how many a hand waiting for its last card has (rules 3.7, 8.3)."""
    try:
        held = parse(hand)
    except CardError:
        return 0, 0
    laid = [meld.strip().partition(" ")[0] in QUADS for meld in melds]
    quads = sum(laid) + sum(held.count(kind) == 4 for kind in range(20))
    return len(held) + 3 * len(laid) + sum(laid), 20 + max(0, quads - 1)


def _name(rules: Ruleset, lang: str) -> str:
    return f"{rules.zh}：" if lang == "zh" else f"{rules.en}: "


def no_win(value: HandValue, rules: Ruleset, source: str | None, cards: tuple[int, int], lang: str) -> str:
    """Why a hand does not win. ``cards``: how many there are with the winning card, and how many are due."""
    have, due = cards
    if not value.complete and have != due:
        return f"牌数不对：{have} 张，应为 {due} 张" if lang == "zh" else f"{have} cards, a whole hand has {due}"
    if not value.complete:
        return "牌型不成" if lang == "zh" else "no legal shape"
    if value.huxi < rules.min_huxi:
        least = rules.min_huxi
        return f"{value.huxi} 胡息，至少要 {least}" if lang == "zh" else f"{value.huxi} 胡息, at least {least} are due"
    said = SOURCES[source or "own_draw"]
    return f"这里不能胡{said[0]}的牌" if lang == "zh" else f"a card from {said[1]} may not be won on here"


def payments_text(value: HandValue, source: str | None, lang: str) -> str:
    """Who pays how much: the discarder first where there is one."""
    zh, en = ("点炮者", "另一家"), ("discarder", "other")
    if source != "discard":
        zh, en = ("下家", "上家"), ("next", "previous")
    who = (*zh, "醒家") if lang == "zh" else (*en, "醒家")
    return ("，" if lang == "zh" else ", ").join(
        f"{name} {points:+d}" for name, points in zip(who, value.payments[1:], strict=False)
    )


def answer(
    value: HandValue, rules: Ruleset, card: str | None, source: str | None, cards: tuple[int, int], lang: str
) -> str:
    """The one line that answers what a hand with its winning card is worth."""
    zh = lang == "zh"
    what = "" if source is None else SOURCES[source][0 if zh else 1]
    won = f"{what}{card}" if zh else f"{what} {card}"
    won = won if card is not None else ("这手牌" if zh else "this hand")
    if not value.wins:
        why = no_win(value, rules, source, cards, lang)
        return _name(rules, lang) + (f"{won}不能胡，{why}" if zh else f"{won} does not win: {why}")
    fan = [f"{name} {n} 番" for name, n in value.fan.items()] or ["平胡"]
    pays = payments_text(value, source, lang)
    if zh:
        said = "，".join(
            [f"{won}胡", f"{value.huxi} 胡息", *fan, f"{value.units} 底", f"得 {value.points} 分（{pays}）"]
        )
    else:
        units = f"{value.units} unit" + "s" * (value.units != 1)
        said = ", ".join([f"{won} wins", f"{value.huxi} 胡息", *fan, units, f"{value.points:+d} points ({pays})"])
    return _name(rules, lang) + said


def derivation(value: HandValue, rules: Ruleset, source: str | None, *, tianhu: bool, lang: str) -> Iterator[str]:
    """The steps behind ``answer``: groups with their 胡息, 等, each 番, units, payments."""
    zh = lang == "zh"
    if not value.groups:
        return
    for group in value.groups:
        yield "  " + group_text(group)
    summed = "+".join(str(huxi) for _, _, huxi in value.groups if huxi)
    yield f"  胡息 {value.huxi}" + (f" = {summed}" if "+" in summed else "")
    if not value.wins:
        return
    times = rules.tianhu_factor if tianhu or source == "liang" else 1
    doubled = f"（天胡，胡息 ×{times}）" if zh else f" (天胡: 胡息 ×{times})"
    yield (f"  等 {value.deng}" if zh else f"  等 (units by 胡息) {value.deng}") + (doubled if times > 1 else "")
    for name, n in value.fan.items():
        yield f"  番 {name} {n}"
    each = f"每底 {rules.base_points} 分" if zh else f"of {rules.base_points} points"
    yield f"  底 {value.units}，{each}" if zh else f"  units {value.units}, {each}"
    yield (f"  得分 {value.points:+d}：" if zh else f"  points {value.points:+d}: ") + payments_text(
        value, source, lang
    )


def steps_text(steps: int | None, lang: str) -> str:
    """What is said of the steps to a win (docs/steps.md); nothing where there are none."""
    if steps is None:
        return ""
    if steps == DEAD:
        return "，已成不了胡" if lang == "zh" else ", no cards can complete it"
    return f"，步数 {steps}" if lang == "zh" else f", {steps} step{'s' * (steps != 1)} to a win"


def waits_answer(
    found: Mapping[tuple[str, str], HandValue], rules: Ruleset, cards: tuple[int, int], steps: int | None, lang: str
) -> str:
    """The one line that answers what a hand waits for. ``cards``: how many it has, and how many are due."""
    zh = lang == "zh"
    have, due = cards
    if not found:
        said = "没有听牌" if zh else "waits for nothing"
        if have != due:
            said += f"（{have} 张，应为 {due} 张）" if zh else f" ({have} cards, {due} are due)"
        return _name(rules, lang) + said + steps_text(steps, lang)
    kinds = dict.fromkeys(card for card, _ in found)
    most = max(found.values(), key=lambda value: (value.points, value.huxi))
    if zh:
        said = f"听 {'、'.join(kinds)}，最多 {most.huxi} 胡息，{most.points} 分"
    else:
        said = f"waits for {', '.join(kinds)}: at most {most.huxi} 胡息, {most.points} points"
    return _name(rules, lang) + said + steps_text(steps, lang)


def wait_lines(found: Mapping[tuple[str, str], HandValue], lang: str) -> Iterator[str]:
    """A line for each card and source."""
    zh = lang == "zh"
    for (card, source), value in found.items():
        fan = "".join(f"{'，' if zh else ', '}{name} {n} 番" for name, n in value.fan.items())
        if zh:
            yield f"  {card} {SOURCES[source][0]}：{value.huxi} 胡息{fan}，{value.units} 底，{value.points:+d} 分"
        else:
            worth = f"{value.units} units, {value.points:+d} points"
            yield f"  {card} {SOURCES[source][1]}: {value.huxi} 胡息{fan}, {worth}"


def chi_answer(card: str, choices: Sequence[ChiOption], rules: Ruleset, lang: str) -> str:
    """The one line that answers how a card may be taken by 吃."""
    n = len(choices)
    if lang == "zh":
        return _name(rules, lang) + (f"{card} 有 {n} 种吃法" if n else f"{card} 不能吃")
    return _name(rules, lang) + (f"{n} ways to 吃 {card}" if n else f"{card} cannot be taken by 吃")


def chi_lines(choices: Sequence[ChiOption]) -> Iterator[str]:
    """A line for each way, with its 比."""
    for choice in choices:
        yield f"  吃 {text(choice.first)}" + "".join(f" 比 {text(bi)}" for bi in choice.bi)
