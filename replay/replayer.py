"""Replay of one round: a straight line from the record to verdict, findings, score and decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest import cards as names
from ingest.cards import UNKNOWN
from ingest.codes import ACTION_CHARS, FACE_UNKNOWN, NO_SEAT, Action
from ingest.naming import round_id
from ingest.record import Record, Result, wall_size
from replay import offers as offering
from replay import omissions, settlement
from replay.engine import Engine, begin, carry_out, chi_choices, deal_of, engine, found, seat_slot
from replay.findings import Finding, from_rows, link, make
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.kernels.step import needs_card
from replay.ruleset import Ruleset
from replay.rulesets import effective_options, resolve
from replay.score import Score
from replay.seating import Seating, seated
from replay.table import Table, put
from replay.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice a seat really had. ``taken`` indexes ``options``; None: it was pre-empted or the log does not say."""

    seq: int
    seat: int
    options: tuple[str, ...]
    taken: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of one round. ``verdict``: clean | violations | undecidable."""

    round_id: str
    engine_version: str
    ruleset: str
    options: dict[str, object]
    verdict: str
    undecidable: tuple[str, ...]
    findings: tuple[Finding, ...]
    score: Score | None
    reported: Result | None
    decisions: tuple[Decision, ...]
    compared: int


def check_deal(seating: Seating, ruleset: Ruleset) -> list[Finding]:
    """Findings of the deal itself (rules 1.1, 2.3, 2.4, 15.3): with any of them the round cannot be replayed."""
    record = seating.record
    found = []
    if seating.liang_fault is not None:
        found.append(make("LIANG_MISMATCH", -1, seating.person(record.dealer), *seating.liang_fault))
    for seat, hand in enumerate(record.hands):
        if hand is not None and len(hand) != 20 and not (found and seat == record.dealer):
            found.append(make("HAND_COUNT", -1, seating.person(seat), "20", str(len(hand))))
    due = wall_size(record)
    if record.wall is not None and len(record.wall) != due and not found:
        found.append(make("WALL_MISMATCH", -1, -1, f"wall of {due}", f"wall of {len(record.wall)}"))
    if not ruleset.last_wins and record.wall and len(record.wall) == due and record.wall[-1] in names.RED:
        red = make("WALL_MISMATCH", -1, -1, "a black bottom card", names.name(record.wall[-1]))
        found.append(replace(red, clause="15.3"))
    extra = [move for move in record.moves if move.action == Action.BU]
    if extra and not ruleset.two_ti_extra:
        found.append(make("HAND_COUNT", -1, seating.person(extra[0].seat), "20", f"20 + {len(extra)} 补"))
    if ruleset.two_ti_extra and record.moves:
        found += _extra_due(seating, [move.seat for move in extra])
    dealt = [card for hand in record.hands if hand is not None for card in hand]
    dealt += [] if record.liang is None else [record.liang]
    dealt += record.wall or ()
    dealt += [move.card for move in extra]
    counts = names.counts(dealt)
    copies = [] if seating.liang_fault else [(kind, counts[kind]) for kind in names.over_copied(dealt)]
    return found + [make("FIFTH_COPY", -1, -1, "4", f"{n} {names.name(kind)}") for kind, n in copies]


def _extra_due(seating: Seating, given: Sequence[int]) -> list[Finding]:
    """A seat dealt just two 提 has one 补, another none (rules 12.2). Nothing is known of a hidden hand."""
    found = []
    for seat, hand in enumerate(seating.record.hands):
        if hand is not None and len(hand) == 20 and UNKNOWN not in hand:
            due = int(names.counts(hand).count(names.COPIES) == 2)
            if due != given.count(seat):
                said = make("HAND_COUNT", -1, seating.person(seat), f"{20 + due}", f"{20 + given.count(seat)}")
                found.append(replace(said, clause="12.2"))
    return found


def hidden_parts(seating: Seating) -> list[str]:
    """What the record does not tell, as reasons why something stays undecided."""
    record = seating.record
    reasons = []
    for seat, hand in enumerate(record.hands):
        if hand is None or UNKNOWN in hand:
            reasons.append(f"hand of seat {seating.person(seat)} is unknown")
    if record.liang in (None, UNKNOWN):
        reasons.append("亮张 is unknown")
    if record.wall is None:
        reasons.append("wall is unknown")
    for seq, move in enumerate(record.moves):
        if needs_card(move.action) and UNKNOWN in (move.card, move.a, move.b):
            reasons.append(f"event {seq} has an unknown card")
            break
    if not record.complete:
        reasons.append(f"record stops after event {len(record.moves) - 1}")
    return reasons


_FACES = {
    Action.CHI: 3,
    Action.BI: 3,
    Action.PENG: 3,
    Action.WEI: 0,
    Action.CHOU_WEI: 1,
    Action.PAO: 4,
    Action.TI: 1,
    Action.TI_OPEN: 1,
}


def check_face(seating: Seating, seq: int, machine: Engine) -> list[Finding]:
    """Are as many cards face up as the rules say (rules 6.14)? A drawn card is hidden only for its own 提 or 偎."""
    move = seating.record.moves[seq]
    due = _FACES.get(Action(move.action))
    if move.action == Action.DRAW:
        if not seat_slot(machine, move.seat, layout.KNOWN):  # perhaps it was for a 提 or 偎
            return []
        due = 0 if machine.state[layout.PHASE] == layout.HIDDEN else 1
    if due is None or due == move.face - 1:
        return []
    return [make("WRONG_REVEAL", seq, seating.person(move.seat), f"明{due}", f"明{move.face - 1}")]


def rules_of(record: Record) -> Ruleset:
    """The ruleset of the record with its options. Raises ``RulesetError``."""
    return resolve(record.ruleset, record.options)


def steps(seating: Seating, machine: Engine) -> Iterator[tuple[int, Table]]:
    """Step through a round: yields ``(-1, table)`` after the deal, then after each event its number and the table.

    ``machine.state`` is the state at each yield; findings collect in ``engine.found``.
    """
    record = seating.record
    begin(machine, deal_of(seating))
    table = Table()
    yield -1, table
    for seq, move in enumerate(record.moves):
        carry_out(machine, seq, record.moves, seq)
        put(table, move, machine.ruleset)
        yield seq, table


def replay_round(record: Record, machine: Engine | None = None) -> Replay:
    """Replay one round. ``machine``: an engine of the record's ruleset to reuse; by default one of plain Python.

    Raises ``RulesetError`` for an unknown ruleset or option.
    """
    ruleset = rules_of(record)
    machine = machine or engine(ruleset)
    seating = seated(record, ruleset)
    broken = check_deal(seating, ruleset)
    reasons = hidden_parts(seating)
    if broken:
        return _outcome(record, seating, ruleset, broken, reasons, None, (), 0)
    round_ = seating.record
    offers = offering.by_event(round_)
    findings: list[Finding] = []
    decisions: list[Decision] = []
    compared = 0
    choices: list[Decision] = []
    table = Table()
    for seq, now in steps(seating, machine):
        table = now
        if seq >= 0 and round_.moves[seq].face != FACE_UNKNOWN and not ruleset.chou_wei_hidden:
            findings += check_face(seating, seq, machine)
        if seq >= 0 and choices:
            decisions += _settled(choices, round_, seq)
        if seq >= 0 and round_.offers is not None:
            more, n = offering.compare(machine, seating, offers.get(seq, []), seq) if _opens(round_, seq) else ([], 0)
            findings += more
            compared += n
        choices = _choices(machine, choices, round_, seq)
    machine.state[layout.SEQ] = len(round_.moves)
    if record.complete:
        machine.kernels.finish(machine.state)
    findings += settlement.claimed(machine, table, seating)
    findings += from_rows(found(machine), seating.person)
    unlisted = int(machine.state[layout.N_FOUND]) - layout.MAX_FOUND
    if unlisted > 0:
        reasons.append(f"{unlisted} further findings are not listed")
    end = omissions.decidable(round_, findings)
    if end <= len(round_.moves):
        reasons.append(omissions.reason(round_))
    findings = [finding for finding in findings if finding.seq < end]
    score, unknown = settlement.recompute(machine, table, seating, link(findings))
    if machine.state[layout.PHASE] == layout.OVER and end > len(round_.moves):
        reasons += unknown
    else:
        score = None
    if end > len(round_.moves):
        findings += settlement.compare(machine, table, seating, score)
    elif round_.result is not None:
        findings += settlement.ledger(round_.result, len(round_.moves))
    decisions = [decision for decision in decisions if decision.seq < end]
    return _outcome(record, seating, ruleset, findings, reasons, score, tuple(decisions), compared)


def _outcome(
    record: Record, seating: Seating, ruleset: Ruleset, findings: list[Finding], reasons: list[str],
    score: Score | None, decisions: tuple[Decision, ...], compared: int,
) -> Replay:  # fmt: skip
    linked = link(findings)
    verdict = "undecidable" if reasons else "clean"
    if any(finding.severity > 0 for finding in linked):
        verdict = "violations"
    return Replay(
        round_id(record),
        ENGINE_VERSION,
        ruleset.name,
        effective_options(ruleset),
        verdict,
        tuple(reasons),
        tuple(linked),
        score,
        record.result,
        tuple(replace(decision, seat=seating.person(decision.seat)) for decision in decisions),
        compared,
    )


def with_findings(replay: Replay, more: Sequence[Finding]) -> Replay:
    """The replay with findings that only the rounds beside it show (rules 18.1, 18.3)."""
    if not more:
        return replay
    return replace(replay, findings=(*replay.findings, *more), verdict="violations")


def _opens(record: Record, seq: int) -> bool:
    return record.moves[seq].action in (Action.DISCARD, Action.DRAW)


def cards_beside(group: int, card: int) -> str:
    """The other two cards of a group, in words of the notation."""
    rest = list(GROUPS[group])
    rest.remove(card)
    return names.text(rest)


def options_of(machine: Engine, seat: int) -> tuple[str, ...]:
    """What a seat may choose with the open card, in words of the notation; 过 comes last."""
    card = int(machine.state[layout.OPEN])
    rights = seat_slot(machine, seat, layout.RIGHTS)
    found = []
    if rights & layout.R_HU:
        found.append("胡")
    if rights & layout.R_PAO and machine.ruleset.draw_to_hand:
        found.append("跑")
    if rights & layout.R_PENG:
        found.append("碰")
    if rights & layout.R_CHI:
        for first, *bi in chi_choices(machine, seat, card):
            extra = "".join(" 比 " + names.text(GROUPS[group]) for group in bi if group >= 0)
            found.append(f"吃 {cards_beside(first, card)}{extra}")
    return (*found, "过") if found else ()


def _choices(machine: Engine, before: list[Decision], record: Record, seq: int) -> list[Decision]:
    """Choices open after event ``seq``: windows stay open over 过 and announced claims."""
    state = machine.state
    phase = state[layout.PHASE]
    if seq >= 0 and record.moves[seq].action in (Action.PASS, Action.CLAIM) and phase != layout.OVER:
        return before
    if state[layout.CHI_SEAT] >= 0:  # the 比 of a 吃 are still coming
        return []
    if phase in (layout.DUE_DISCARD, layout.DRAWN):
        seat = int(state[layout.TURN])
        if not seat_slot(machine, seat, layout.KNOWN):
            return []
        free = machine.kernels.free_cards(state, seat)
        discards = tuple(f"打 {names.name(card)}" for card in range(20) if int(free) >> 2 * card & 3)
        if phase == layout.DRAWN:  # the drawn card is in the hand (rules 16.4)
            rights = seat_slot(machine, seat, layout.RIGHTS)
            own = (("胡", layout.R_HU), ("提", layout.R_TI))
            discards = (*(word for word, right in own if rights & right), *discards)
        return [Decision(seq, seat, discards, None)] if len(discards) > 1 else []
    if phase in (layout.SHOWN, layout.HIDDEN) and state[layout.OPEN] >= 0:
        found = [(seat, options_of(machine, seat)) for seat in range(int(state[layout.N_SEATS]))]
        return [Decision(seq, seat, options, None) for seat, options in found if options]
    return []


def _settled(choices: list[Decision], record: Record, seq: int) -> list[Decision]:
    """Decisions that event ``seq`` settles."""
    move = record.moves[seq]
    if move.action in (Action.CLAIM, Action.TI_OPEN):
        return []
    done = []
    for choice in choices:
        if move.action == Action.PASS:
            if move.seat == choice.seat:
                done.append(Decision(seq, choice.seat, choice.options, len(choice.options) - 1))
            continue
        taken: int | None = None
        if move.seat == choice.seat:
            wanted = ACTION_CHARS[Action(move.action)]
            if move.action == Action.DISCARD:
                wanted = f"打 {names.name(move.card)}"
            elif move.action == Action.CHI:
                wanted = _chi_text(record, seq)
            if wanted in choice.options:
                taken = choice.options.index(wanted)
        elif choice.options[-1] == "过" and (
            move.action in (Action.DRAW, Action.UNCLAIMED, Action.HUANG) or move.seat == NO_SEAT
        ):
            taken = len(choice.options) - 1
        if choice.options[-1].startswith("打") and taken is None:
            continue
        done.append(Decision(seq, choice.seat, choice.options, taken))
    if move.action == Action.PASS:
        choices[:] = [choice for choice in choices if choice.seat != move.seat]
    return done


def _chi_text(record: Record, seq: int) -> str:
    """The 吃 of event ``seq`` with its 比 as in ``options_of``."""
    move = record.moves[seq]
    text = f"吃 {names.text(sorted((move.a, move.b)))}"
    bi = []
    for later in record.moves[seq + 1 : seq + 3]:
        if later.action != Action.BI:
            break
        bi.append(tuple(sorted((later.card, later.a, later.b))))
    order = {tuple(sorted(group)): index for index, group in enumerate(GROUPS)}
    bi.sort(key=lambda cards: order.get(cards, -1))
    return text + "".join(" 比 " + names.text(GROUPS[order[cards]]) for cards in bi if cards in order)
