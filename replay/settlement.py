"""What was reported at the end against what the rules give: winner, 胡息, groups, 醒, units, points, hands, wall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ingest import cards as names
from ingest.cards import UNKNOWN
from ingest.codes import NO_SEAT, Action, Form, Source
from ingest.record import Result
from replay import fan
from replay.engine import Engine, hand_cards, seat_slot
from replay.escape import escape_points, most_huxi
from replay.explain import splits
from replay.findings import Finding, event_text, make
from replay.kernels import layout
from replay.kernels.layout import O_HITS, O_UNITS
from replay.kernels.window import event_code
from replay.penalties import charged, is_void, misapplied, penalties
from replay.ruleset import Ruleset
from replay.score import ESCAPE, VOID, Score, groups_of_row, points_of, row_of, score_of
from replay.seating import Seating
from replay.table import Table, fixed_groups, needs_jiang


def recompute(
    machine: Engine, table: Table, seating: Seating, findings: Sequence[Finding] = ()
) -> tuple[Score | None, list[str]]:
    """The score of a round that is over in the engine, or None and the reasons why it cannot be known.

    ``findings``: those of the play; in a match they cost points (rules 14.6 to 14.11).
    """
    score, reasons = _played(machine, table, seating)
    charges = penalties([f for f in findings if f.severity == 2], machine.ruleset)
    if score is None:
        if not charges or reasons:
            return score, reasons
        score = _no_win(seating, VOID)  # rules 14.7
    elif score.winner >= 0 and is_void(charges, score.winner):
        score = _no_win(seating, VOID)  # the winner is an offender
    points = charged(score.points, charges, idle=_idle(seating))
    return replace(score, charges=charges, points=points), reasons


def _idle(seating: Seating) -> int | None:
    """The person who has no part in any payment: 坐底."""
    return None if seating.paid else seating.sitter


def _no_win(seating: Seating, special: str = "", points: tuple[int, ...] = (0,) * (layout.SEATS + 1)) -> Score:
    return Score(-1, Source.NONE, None, 0, (), {}, 0, 0, 0, seating.points(points), special)


def _escaped(machine: Engine, table: Table, seating: Seating, leaver: int) -> tuple[Score | None, list[str]]:
    """What a seat that left loses (rules 10.16)."""
    ruleset = machine.ruleset
    if ruleset.escape == "off":
        return None, [f"seat {seating.person(leaver)} left: the rules do not say what that costs"]
    huxi = []
    for seat in range(int(machine.state[layout.N_SEATS])):
        hand = hand_cards(machine, seat)
        if seat != leaver and hand is None:
            return None, [f"score: the hand of seat {seating.person(seat)} is unknown"]
        if seat != leaver and hand is not None:
            huxi.append(most_huxi(hand, [(m.form, m.cards, m.huxi) for m in table.melds[seat]], ruleset))
    person = seating.person(leaver)
    points = escape_points(person, len(seating.persons) + (seating.sitter is not None), huxi, ruleset)
    return replace(_no_win(seating, ESCAPE), points=points), []


def _played(machine: Engine, table: Table, seating: Seating) -> tuple[Score | None, list[str]]:
    state = machine.state
    winner = int(state[layout.WINNER])
    if state[layout.PHASE] == layout.OVER and state[layout.LEAVER] >= 0:
        return _escaped(machine, table, seating, int(state[layout.LEAVER]))
    if winner < 0:
        machine.kernels.settle(state, 0)
        return _no_win(seating, points=points_of(machine)), []
    if not seat_slot(machine, winner, layout.KNOWN):
        return None, [f"score: the winner's hand (seat {seating.person(winner)}) is unknown"]
    if state[layout.WIN_VALUE] < 0:
        return None, []
    machine.kernels.settle(state, -1)
    if state[O_HITS] < 0:
        return None, ["score: the card turned for 醒 is unknown"]
    row = row_of(machine)
    groups = groups_of_row(row, table.melds[winner], machine.ruleset, dealer=winner == state[layout.DEALER])
    return score_of(row, seating, machine.ruleset, groups), []


def claimed(machine: Engine, table: Table, seating: Seating) -> list[Finding]:
    """Findings of the groups that a winner is reported to have laid, at the event of the win (rules 5.6, 8.13).

    A 坎 of the hand must lie together in one of them, and so must what the winning card forces on its drawer, even
    where another way of laying the hand would have been a win.
    """
    result, state = seating.record.result, machine.state
    winner = int(state[layout.WINNER])
    dealt = int(state[layout.WIN_SPECIAL]) in (layout.TIANHU_BY_QUADS, layout.TIANHU_BY_LIANG)
    if winner < 0 or state[layout.WIN_VALUE] < 0 or dealt or machine.ruleset.draw_to_hand or result is None:
        return []
    groups = [group.cards for group in result.groups or ()]
    hand = hand_cards(machine, winner)
    card = int(state[layout.WIN_CARD])
    if (
        not groups
        or hand is None
        or result.winner != seating.person(winner)
        or not all(_known(cards) for cards in groups)
    ):
        return []
    tabled = [meld.cards for meld in table.melds[winner]]
    if sorted(c for cards in groups for c in cards) != sorted([card, *hand, *(c for cards in tabled for c in cards)]):
        return []  # other cards altogether: the result does not tell how this hand was laid
    seq = max(seq for seq, move in enumerate(seating.record.moves) if move.action == Action.HU)
    together = {kind: max((cards.count(kind) for cards in groups), default=0) for kind in range(names.KINDS)}
    actual = event_text(event_code(Action.HU, card, winner), seating.person)
    found = []
    drawn = state[layout.WIN_SOURCE] == Source.OWN_DRAW
    for kind in range(names.KINDS):
        held = hand.count(kind)
        due = held + (1 if kind == card and drawn and held >= 2 else 0)
        if any(m.cards[0] == kind and m.form in (Form.WEI, Form.CHOU_WEI) for m in table.melds[winner]):
            due = 3 + (1 if kind == card and drawn else 0)
        if due < 3 or together[kind] >= due:
            continue
        code = "CHAI_TI" if held == names.COPIES else "CHAI_KAN"
        if kind == card and drawn:
            code = "PO_WEI" if due == 3 else "PO_TI"
        found.append(make(code, seq, seating.person(winner), "", actual))
    return found[:1]


def _known(cards: Sequence[int]) -> bool:
    return UNKNOWN not in cards


def compare(machine: Engine, table: Table, seating: Seating, score: Score | None) -> list[Finding]:
    """Findings of the settlement: every reported part that differs from what the rules give."""
    record = seating.record
    result = record.result
    if result is None:
        return []
    end = len(record.moves)
    winner = int(machine.state[layout.WINNER])
    over = machine.state[layout.PHASE] == layout.OVER
    void = score is not None and score.special == VOID
    wrong = wrong_winner(seating, winner) if over and not (void and result.winner == NO_SEAT) else []
    if wrong:
        return wrong + ledger(result, end)
    found = _hands(machine, seating, result, end)
    found += _groups(result, end)
    if score is None:
        return found + ledger(result, end)
    for expected, actual in misapplied(result, score.charges, len(score.points), idle=_idle(seating)):
        found.append(make("PENALTY_MISAPPLIED", end, -1, expected, actual))
    return found + told(
        result, score, machine.ruleset, end, lambda huxi: _as_claimed(machine, table, seating, score, huxi)
    )


def wrong_winner(seating: Seating, winner: int) -> list[Finding]:
    """The finding of a reported winner other than the seat that won."""
    result = seating.record.result
    due = seating.person(winner)
    if result is None or result.winner in (None, due):
        return []
    return [make("WRONG_RESULT", len(seating.record.moves), -1, f"winner {due}", f"winner {result.winner}")]


def told(
    result: Result, score: Score, ruleset: Ruleset, end: int, claimed: Callable[[int], Score | None] = lambda _: None
) -> list[Finding]:
    """Findings of a reported result that agrees in its winner, from nothing but the recomputed score.

    ``claimed(胡息)``: the score that follows where less could rightly be claimed, else None.
    """
    if score.winner >= 0:
        return ledger(result, end) + _totals(result, score, ruleset, end, claimed)
    return ([] if score.special == ESCAPE else ledger(result, end)) + _points(result, score, end)


def _points(result: Result, score: Score, end: int) -> list[Finding]:
    if result.points is None or tuple(result.points) == score.points:
        return []
    due = f"points {list(score.points)}"
    if score.winner < 0 and not any(score.points):
        due = "points all 0 (荒庄)"
    return [make("WRONG_SCORE", end, -1, due, f"points {list(result.points)}")]


def ledger(result: Result, end: int) -> list[Finding]:
    """The finding of reported points that do not add up to zero (rules 10.14)."""
    if result.points is not None and sum(result.points) != 0:
        return [make("NOT_ZERO_SUM", end, -1, "0", str(sum(result.points)))]
    return []


def _hands(machine: Engine, seating: Seating, result: Result, end: int) -> list[Finding]:
    found = []
    winner = int(machine.state[layout.WINNER])
    for seat, person in enumerate(seating.persons if result.hands else ()):
        reported = result.hands[person] if result.hands else None
        held = hand_cards(machine, seat)
        if reported is None or held is None or not _known(reported):
            continue
        if seat == winner and machine.state[layout.WIN_CARD] >= 0 and len(reported) == len(held) + 1:
            held = sorted([*held, int(machine.state[layout.WIN_CARD])])  # some logs list the winning card, some do not
        if sorted(reported) != held:
            extra = Counter(reported) - Counter(held)
            lacking = Counter(held) - Counter(reported)
            found.append(
                make(
                    "FINAL_HAND",
                    end,
                    person,
                    "without " + names.text(sorted(lacking.elements())) if lacking else "",
                    "with " + names.text(sorted(extra.elements())) if extra else "",
                )
            )
    wall = seating.record.wall
    if result.rest is not None and wall is not None and _known(wall) and _known(result.rest):
        left = wall[int(machine.state[layout.WALL_AT]) :]
        if sorted(left) != sorted(result.rest):
            found.append(make("WALL_MISMATCH", end, -1, names.text(sorted(left)), names.text(sorted(result.rest))))
    return found


def _groups(result: Result, end: int) -> list[Finding]:
    if result.groups is None:
        return []
    every = [card for group in result.groups for card in group.cards]
    seat = result.winner if result.winner is not None else -1
    found = [
        make("FIFTH_COPY", end, seat, "4", f"{every.count(kind)} {names.name(kind)} in the groups")
        for kind in names.over_copied(every)
    ]
    values = [group.huxi for group in result.groups if group.huxi is not None]
    if len(values) == len(result.groups) and result.huxi is not None and sum(values) != result.huxi:
        found.append(make("WRONG_XI", end, seat, f"sum of the groups {sum(values)}", f"total {result.huxi}"))
    return found


def _totals(
    result: Result, score: Score, ruleset: Ruleset, end: int, claimed: Callable[[int], Score | None]
) -> list[Finding]:
    found: list[Finding] = []
    if result.source is not None and result.source not in (score.source, Source.NONE):
        found.append(make("WRONG_RESULT", end, score.winner, f"source {score.source}", f"source {result.source}"))
    told_card = result.card is not None and score.source != Source.NONE and UNKNOWN not in (result.card, score.card)
    if result.card is not None and told_card and result.card != score.card:
        found.append(make("WRONG_RESULT", end, score.winner, names.name(score.card), names.name(result.card)))
    if result.from_seat is not None and score.from_seat is not None and result.from_seat != score.from_seat:
        found.append(make("WRONG_RESULT", end, score.winner, f"from {score.from_seat}", f"from {result.from_seat}"))
    if result.huxi is not None and result.huxi != score.huxi:
        smaller = claimed(result.huxi)
        code = "WRONG_XI" if smaller is None else "UNDERCLAIM"
        found.append(make(code, end, score.winner, str(score.huxi), str(result.huxi)))
        if smaller is not None:  # what was paid is judged by what was claimed (rules 9.8)
            score = smaller
    elif result.groups is not None and result.huxi == score.huxi:
        found += _group_values(result, score, end)
    if result.fan is not None:
        beside = {fan.PING_HU, score.special} - set(score.fan)  # named by some, without a value of their own
        named = {name: n for name, n in result.fan.items() if name not in beside}
        left_out = ruleset.fan_level == "none" and score.special and score.special not in result.fan
        if named != score.fan or left_out:
            found.append(make("WRONG_FAN", end, score.winner, _fan_text(score.fan), _fan_text(named)))
    if result.xing is not None and tuple(result.xing) != score.xing:
        found.append(make("WRONG_SCORE", end, -1, "醒 " + names.text(score.xing), "醒 " + names.text(result.xing)))
    if result.xing_hits is not None and result.xing_hits != score.xing_hits:
        found.append(make("WRONG_SCORE", end, score.winner, f"醒 {score.xing_hits}", f"醒 {result.xing_hits}"))
    if result.units is not None and result.units.num != score.units * result.units.den:
        actual = str(result.units.num) if result.units.den == 1 else f"{result.units.num}/{result.units.den}"
        found.append(make("WRONG_SCORE", end, score.winner, f"units {score.units}", f"units {actual}"))
    return found + _points(result, score, end)


def _as_claimed(machine: Engine, table: Table, seating: Seating, score: Score, huxi: int) -> Score | None:
    """The score that follows from a smaller 胡息 than could be claimed; None where that is no legal split."""
    result = seating.record.result
    if result is None or machine.ruleset.draw_to_hand or not _possible(machine, table, result):
        return None
    value = int(machine.state[layout.WIN_VALUE])
    machine.state[layout.WIN_VALUE] = huxi << layout.HUXI_AT | value & (1 << layout.HUXI_AT) - 1
    machine.kernels.settle(machine.state, score.xing_hits)
    machine.state[layout.WIN_VALUE] = value
    points = charged(seating.points(points_of(machine)), score.charges, idle=_idle(seating))
    return replace(score, units=int(machine.state[O_UNITS]), points=points)


def _group_values(result: Result, score: Score, end: int) -> list[Finding]:
    """The same groups, but one of them with another 胡息 than the rules give (rules 9.4)."""
    found = []
    due = Counter((tuple(sorted(cards)), huxi) for _, cards, huxi in score.groups)
    told = Counter((tuple(sorted(g.cards)), g.huxi) for g in result.groups or () if g.huxi is not None)
    if sum(huxi for _, huxi in told.elements()) != result.huxi:
        return []  # the sum is wrong already
    same_cards = Counter(cards for cards, _ in due.elements()) == Counter(cards for cards, _ in told.elements())
    if same_cards and due != told:
        for cards, huxi in sorted((told - due).elements()):
            right = next(value for other, value in (due - told).elements() if other == cards)
            expected, actual = f"{names.text(cards)} {right}", f"{names.text(cards)} {huxi}"
            found.append(make("WRONG_XI", end, score.winner, expected, actual))
    return found


def _fan_text(named: dict[str, int]) -> str:
    return " ".join(f"{name} {n}" for name, n in sorted(named.items())) or fan.PING_HU


def _possible(machine: Engine, table: Table, result: Result) -> bool:
    """Are the reported groups a legal split with just the reported 胡息? Then less was claimed than could be."""
    if result.groups is None:
        return False
    reported = Counter(tuple(sorted(group.cards)) for group in result.groups)
    winner = int(machine.state[layout.WINNER])
    source = int(machine.state[layout.WIN_SOURCE])
    at = layout.SEAT0 + winner * layout.SEAT_SIZE
    hand, quads = int(machine.state[at + layout.HAND]), int(machine.state[at + layout.QUADS])
    card = int(machine.state[layout.WIN_CARD])
    copies = hand >> 2 * card & 3 if card >= 0 else 0
    for forced in (True, False):
        if forced and not int(machine.state[layout.WIN_VALUE]) & layout.VALUE_FORCED and copies < 2:
            continue
        items, loose = fixed_groups(machine.ruleset, hand, quads, table.melds[winner], card, source, forced)
        for huxi, split in splits(loose, needs_jiang(items), machine.ruleset):
            if sum(item[2] for item in items) + huxi == result.huxi and reported == Counter(
                tuple(sorted(item[1])) for item in items + split
            ):
                return True
    return False
