"""A round and a score as text: what ``phz show`` and ``phz score`` print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ingest.cards import name, text
from ingest.codes import ACTION_CHARS, FORM_CHARS, Action, Form
from ingest.record import Move, Record
from replay.explain import Item
from replay.findings import Finding
from replay.replayer import Replay
from replay.rulesets import RULESETS
from replay.score import Score
from replay.violations import VIOLATIONS
from replay.wording import localised

_WORDS = {
    "zh": {
        "deal": "发牌", "dealer": "庄", "liang": "亮张", "last": "庄家末张", "wall": "墩",
        "unknown": "未知", "verdict": "判定",
        "clean": "无误", "violations": "有问题", "undecidable": "无法判定", "huang": "荒庄", "wins": "胡",
        "huxi": "胡息", "points": "得分", "units": "底/子", "fan": "番", "xing": "醒", "expected": "应为",
        "actual": "记录", "because": "原因", "clause": "规则", "作废": "胡牌作废", "逃跑": "逃跑，不算荒庄",
        "charge": "罚", "sits_out": "不上场",
    },
    "en": {
        "deal": "deal", "dealer": "dealer", "liang": "亮张", "last": "dealer's last card",
        "wall": "wall", "unknown": "unknown",
        "verdict": "verdict", "clean": "clean", "violations": "violations", "undecidable": "undecidable",
        "huang": "drawn (荒庄)", "wins": "wins", "huxi": "胡息", "points": "points", "units": "units", "fan": "番",
        "xing": "醒", "expected": "expected", "actual": "recorded", "because": "because", "clause": "rules",
        "作废": "the win is void", "逃跑": "a player left (逃跑)", "charge": "penalty", "sits_out": "does not play",
    },
}  # fmt: skip


def words(lang: str) -> dict[str, str]:
    """The words of a transcript in ``zh`` or ``en``."""
    return _WORDS["zh" if lang == "zh" else "en"]


def move_text(move: Move) -> str:
    """What an event says, without its seat: ``吃 柒 陆捌``."""
    pieces = [ACTION_CHARS[Action(move.action)]]
    if move.action == Action.BI:
        pieces.append(text((move.card, move.a, move.b)))
    elif move.action == Action.CLAIM:
        pieces.append(ACTION_CHARS[Action(move.a)])
    elif move.card >= -1:
        pieces.append(name(move.card))
        if move.action == Action.CHI:
            pieces.append(text((move.a, move.b)))
    return " ".join(pieces)


def finding_text(finding: Finding, lang: str) -> str:
    """One line: code, its name, the clause, what was expected and what the record says."""
    violation = VIOLATIONS[finding.code]
    w = words(lang)
    line = f"{finding.code} {violation.zh if lang == 'zh' else violation.en} ({w['clause']} {finding.clause})"
    if finding.expected:
        line += f" {w['expected']}: {localised(finding.expected, lang)}"
    if finding.actual:
        line += f" {w['actual']}: {localised(finding.actual, lang)}"
    if finding.follows_from is not None:
        line += f" ← #{finding.follows_from}"
    return line


def group_lines(groups: Sequence[Item]) -> Iterator[str]:
    """``坎 五五五 3`` for each group; without the number where no group counts 胡息."""
    counted = any(huxi for _, _, huxi in groups)
    for form, cards, huxi in groups:
        yield f"  {FORM_CHARS[Form(form)]} {text(cards)}" + (f" {huxi}" if counted else "")


def score_lines(score: Score, players: Sequence[str], lang: str) -> Iterator[str]:
    """The derivation of a score, a step a line."""
    w = words(lang)
    if score.winner < 0:
        yield w[score.special or "huang"]
    else:
        yield f"{players[score.winner]} {w['wins']}"
        yield from group_lines(score.groups)
        if score.huxi:  # general rules count none
            yield f"  {w['huxi']} {score.huxi}"
        named = ([score.special] if score.special else []) + [f"{fan} {n}" for fan, n in score.fan.items()]
        if named:
            yield f"  {w['fan']} " + ", ".join(named)
        if score.xing:
            yield f"  {w['xing']} {text(score.xing)} → {score.xing_hits}"
        yield f"  {w['units']} {score.units}"
    for charge in score.charges:
        yield f"  {w['charge']} {charge.letter}: {players[charge.seat]} (#{charge.seq})"
    if any(score.points):
        pays = ", ".join(f"{who} {n:+d}" for who, n in zip(players, score.points, strict=True))
        yield f"  {w['points']} {pays}"


def transcript(record: Record, replay: Replay, lang: str) -> Iterator[str]:
    """The whole round, a line an event, findings indented below theirs."""
    w = words(lang)
    options = "".join(f" {option}={value}" for option, value in sorted(record.options.items()))
    yield f"{replay.round_id} {record.ruleset}{options}"
    for seat, hand in enumerate(record.hands):
        mark = f" [{w['dealer']}]" if seat == record.dealer else ""
        cards = w["sits_out"] if seat == record.sitter else w["unknown"] if hand is None else text(sorted(hand))
        yield f"{seat} {record.players[seat]}{mark}: {cards}"
    shown = w["liang" if RULESETS[record.ruleset].liang_shown else "last"]
    yield f"{shown} {w['unknown'] if record.liang is None else name(record.liang)}  {w['wall']} " + (
        w["unknown"] if record.wall is None else text(record.wall)
    )
    by_seq: dict[int, list[Finding]] = {}
    for finding in replay.findings:
        by_seq.setdefault(finding.seq, []).append(finding)
    yield from _marks(by_seq.get(-1, []), lang)
    for seq, move in enumerate(record.moves):
        who = "" if move.seat < 0 else f"{move.seat} {record.players[move.seat]} "
        yield f"{seq:3d} {who}{move_text(move)}"
        yield from _marks(by_seq.get(seq, []), lang)
    yield from _marks(by_seq.get(len(record.moves), []), lang)
    if replay.score is not None:
        yield from score_lines(replay.score, record.players, lang)
    yield f"{w['verdict']}: {w[replay.verdict]}"
    for reason in replay.undecidable:
        yield f"  {w['because']}: {localised(reason, lang)}"


def _marks(findings: Sequence[Finding], lang: str) -> Iterator[str]:
    for finding in findings:
        yield f"    ⚠ {finding_text(finding, lang)}"
