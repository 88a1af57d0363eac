"""The windows on open cards: who could claim, who passed, who came too late, and which rule decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from ingest.codes import Action
from ingest.record import Move, Record
from replay.engine import Engine, chi_choices, engine, seat_slot
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.replayer import check_deal, rules_of, steps
from replay.seating import seated


class Window(TypedDict):
    """A card that lay open, or was kept hidden for a forced 提 or 偎, after event ``seq``.

    ``rights``: what each person could do: ``action``, ``forced``, for 吃 the groups (``cards``), and its ``fate``:
    taken (``over``: what it came before, and by which clause), declined, preempted (no 过张), failed (a forced act
    that was not made), None where the record stops.
    """

    seq: int
    card: int
    person: int
    drawn: bool
    rights: list[dict[str, Any]]


_RIGHTS = (
    (layout.R_HU, Action.HU, False),
    (layout.R_TI, Action.TI, True),
    (layout.R_WEI, Action.WEI, True),
    (layout.R_PAO, Action.PAO, True),
    (layout.R_PENG, Action.PENG, False),
    (layout.R_CHI, Action.CHI, False),
)


def rights_now(machine: Engine) -> list[dict[str, Any]]:
    """What each seat may do with the open card now, in the order of the seats from its owner."""
    state = machine.state
    if state[layout.PHASE] not in (layout.SHOWN, layout.HIDDEN, layout.DRAWN) or state[layout.OPEN] < 0:
        return []
    if state[layout.CHI_SEAT] >= 0:  # the 比 of a 吃 are still coming
        return []
    optional = machine.ruleset.draw_to_hand
    must_peng = machine.ruleset.peng_forced
    card = int(state[layout.OPEN])
    found = []
    n = int(state[layout.N_SEATS])
    for away in range(n):
        seat = (int(state[layout.OPEN_SEAT]) + away) % n
        rights = seat_slot(machine, seat, layout.RIGHTS)
        for bit, action, forced in _RIGHTS:
            if not rights & bit:
                continue
            groups: list[list[int]] = []
            if action == Action.CHI:
                choices = chi_choices(machine, seat, card)
                groups = [[c for group in choice if group >= 0 for c in GROUPS[group]] for choice in choices]
            passed = seat_slot(machine, seat, layout.PENG_PASSED) >> card & 1
            shown = Action.CHOU_WEI if action == Action.WEI and passed else action
            compulsory = (forced and not optional) or (must_peng and action == Action.PENG)
            found.append({"seat": seat, "action": int(shown), "forced": compulsory, "cards": groups})
    return found


_RANK = {Action.HU: 0, Action.PAO: 10, Action.PENG: 20, Action.CHI: 30}


def _rank(owner: int, seat: int, action: int) -> int:
    """Priority of a claim on the card before ``owner``, lower first (rules 4.2 to 4.6); drawn 提 and 偎 come first."""
    away = (seat - owner) % layout.SEATS if action in (Action.HU, Action.CHI) else 0
    return _RANK.get(Action(action), -1) + away


def mark_fates(moves: Sequence[Move], frames: list[dict[str, Any]]) -> None:
    """Give every right its ``fate``: taken, declined, preempted or failed (a forced act that was not made).

    The one that was taken also says what it came ``over``: the pre-empted rights, each with the clause that decides.
    """
    for i, frame in enumerate(frames):
        passed: set[int] = set()
        closing = None
        for move in moves[i:]:
            if move.action == Action.PASS:
                passed.add(move.seat)
            elif move.action not in (Action.CLAIM, Action.TI_OPEN):
                closing = move
                break
        # A card drawn into the hand lies open to nobody, its drawer alone has rights (rules 16.4).
        owner = frame["open"]["seat"] if frame["open"] else -1
        for right in frame["rights"]:
            seat, action = right["seat"], right["action"]
            right["fate"] = None
            if closing is None:
                continue
            nobody = closing.action in (Action.DRAW, Action.DISCARD, Action.UNCLAIMED, Action.HUANG)
            if not nobody and (closing.seat, closing.action) == (seat, action):
                right["fate"] = "taken"
            elif (closing.action == Action.HU and right["forced"]) or (
                not nobody
                and seat not in passed | {closing.seat}
                and _rank(owner, seat, action) > _rank(owner, closing.seat, closing.action)
            ):
                right["fate"] = "preempted"
            else:
                right["fate"] = "failed" if right["forced"] else "declined"
        lost = [right for right in frame["rights"] if right["fate"] == "preempted"]
        for right in frame["rights"]:
            over = [
                {"seat": other["seat"], "action": other["action"], "clause": deciding(right["action"], other["action"])}
                for other in lost
            ]
            if right["fate"] == "taken":
                right["over"] = over


def deciding(higher: int, lower: int) -> str:
    """The clause by which one claim comes before another on the same card."""
    if higher == Action.HU:
        return "4.5" if lower == Action.HU else "4.2"
    return "4.6" if higher == lower else "4.3"


def windows(record: Record) -> list[Window]:
    """Every window of a round with what became of each right. Raises ``RulesetError``."""
    ruleset = rules_of(record)
    machine = engine(ruleset)
    seating = seated(record, ruleset)
    if check_deal(seating, ruleset):
        return []
    frames: list[dict[str, Any]] = []
    for seq, _ in steps(seating, machine):
        card, owner = int(machine.state[layout.OPEN]), int(machine.state[layout.OPEN_SEAT])
        drawn = int(machine.state[layout.ORIGIN]) == layout.FROM_WALL
        opened = machine.state[layout.PHASE] in (layout.SHOWN, layout.HIDDEN) and card >= 0
        move = seating.record.moves[seq].action if seq >= 0 else 0
        new = opened and move in (Action.DISCARD, Action.DRAW)
        frames.append(
            {
                "seq": seq,
                "open": {"card": card, "seat": owner, "drawn": drawn} if new else None,
                "rights": rights_now(machine) if new else [],
            }
        )
    mark_fates(seating.record.moves, frames)
    found: list[Window] = []
    for frame in frames:
        if frame["open"] is None:
            continue
        for right in frame["rights"]:
            right["seat"] = seating.person(right["seat"])
            for other in right.get("over", ()):
                other["seat"] = seating.person(other["seat"])
        where = frame["open"]
        found.append(
            {
                "seq": frame["seq"],
                "card": where["card"],
                "person": seating.person(where["seat"]),
                "drawn": where["drawn"],
                "rights": frame["rights"],
            }
        )
    return found
