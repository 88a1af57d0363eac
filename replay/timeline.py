"""A round as the viewer draws it: the state after every event, with rights, findings and the score's derivation."""

from __future__ import annotations

from typing import Any

from ingest.codes import NO_SEAT
from ingest.record import Record, Result
from replay.engine import Engine, engine, hand_cards, seat_slot
from replay.explain import Item
from replay.kernels import layout
from replay.replayer import check_deal, replay_round, rules_of, steps
from replay.score import Score
from replay.seating import seated
from replay.table import Table
from replay.violations import VIOLATIONS
from replay.windows import mark_fates, rights_now
from replay.wording import both

_DUE = ("discard", "draw", "hidden", "window", "over", "discard")


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(20) if mask >> kind & 1]


def _kan(machine: Engine, seat: int) -> list[int]:
    hand = seat_slot(machine, seat, layout.HAND)
    quads = seat_slot(machine, seat, layout.QUADS)
    return [kind for kind in range(20) if hand >> 2 * kind & 3 == 3 or quads >> 2 * kind & 1]


def _frame(record: Record, machine: Engine, table: Table, seq: int) -> dict[str, Any]:
    state = machine.state
    seats = range(int(state[layout.N_SEATS]))
    move = record.moves[seq] if seq >= 0 else None
    wall = int(state[layout.WALL_N])
    phase = int(state[layout.PHASE])
    return {
        "seq": seq,
        "event": None
        if move is None
        else {"seat": move.seat, "action": move.action, "card": move.card, "a": move.a, "b": move.b, "t_ms": move.t_ms},
        "hands": [hand_cards(machine, seat) for seat in seats],
        "melds": [
            [
                {"form": int(m.form), "cards": list(m.cards), "from": m.source, "claimed": m.claimed, "huxi": m.huxi}
                for m in table.melds[seat]
            ]
            for seat in seats
        ],
        "discards": [
            [{"card": d.card, "drawn": d.drawn, "claimed": d.claimed} for d in table.discards[seat]] for seat in seats
        ],
        "wall_left": None if wall < 0 else max(0, wall - int(state[layout.WALL_AT])),
        "open": None
        if phase not in (layout.SHOWN, layout.HIDDEN)
        else {
            "card": int(state[layout.OPEN]),
            "seat": int(state[layout.OPEN_SEAT]),
            "drawn": int(state[layout.ORIGIN]) == layout.FROM_WALL,
        },
        "turn": int(state[layout.TURN]),
        "due": _DUE[phase],
        "huxi": [seat_slot(machine, seat, layout.XI) for seat in seats],
        "kan": [_kan(machine, seat) for seat in seats],
        "stale": [
            {
                "chi": _kinds(seat_slot(machine, seat, layout.STALE_CHI) | seat_slot(machine, seat, layout.OWN)),
                "peng": _kinds(
                    seat_slot(machine, seat, layout.STALE_PENG)
                    | (seat_slot(machine, seat, layout.OWN) if machine.ruleset.own_bars_peng else 0)
                ),
            }
            for seat in seats
        ],
        "rights": rights_now(machine),
    }


def _items(groups: tuple[Item, ...]) -> list[dict[str, Any]]:
    return [{"form": int(form), "cards": list(cards), "huxi": huxi} for form, cards, huxi in groups]


def score_json(score: Score | None) -> dict[str, Any] | None:
    """The recomputed score as JSON; None when it is not known."""
    if score is None:
        return None
    return {
        "winner": score.winner,
        "source": score.source,
        "from_seat": score.from_seat,
        "huxi": score.huxi,
        "groups": _items(score.groups),
        "fan": score.fan,
        "fan_total": score.fan_total,
        "deng": score.deng,
        "units": score.units,
        "points": list(score.points),
        "special": score.special,
        "xing": list(score.xing),
        "xing_hits": score.xing_hits,
        "charges": [{"seat": c.seat, "letter": c.letter, "seq": c.seq} for c in score.charges],
    }


def reported_json(result: Result | None) -> dict[str, Any] | None:
    """The reported result in the same shape; parts that were not reported are null."""
    if result is None:
        return None
    units = result.units
    return {
        "winner": result.winner,
        "source": result.source,
        "from_seat": result.from_seat,
        "huxi": result.huxi,
        "groups": None
        if result.groups is None
        else [{"form": g.form, "cards": list(g.cards), "huxi": g.huxi} for g in result.groups],
        "fan": result.fan,
        "fan_total": None if result.fan is None else max(1, sum(result.fan.values())),
        "units": None if units is None else units.num if units.den == 1 else f"{units.num}/{units.den}",
        "points": None if result.points is None else list(result.points),
        "xing": None if result.xing is None else list(result.xing),
        "xing_hits": result.xing_hits,
        "penalties": None
        if result.penalties is None
        else [{"seat": p.seat, "letter": p.letter, "points": list(p.points)} for p in result.penalties],
    }


def timeline(record: Record) -> dict[str, Any]:
    """Everything the viewer needs about one round (docs/viewer.md). Raises ``RulesetError``.

    Seats are those that play, 0 first; a person who sits out comes after them.
    """
    ruleset = rules_of(record)
    machine = engine(ruleset)
    replay = replay_round(record, machine)
    seating = seated(record, ruleset)
    round_ = seating.record
    order = seating.order
    seat_of = {NO_SEAT: NO_SEAT} | {person: place for place, person in enumerate(order)}
    frames: list[dict[str, Any]] = []
    if not check_deal(seating, ruleset):
        frames = [_frame(round_, machine, table, seq) for seq, table in steps(seating, machine)]
        mark_fates(round_.moves, frames)
    return {
        "round_id": replay.round_id,
        "engine_version": replay.engine_version,
        "ruleset": replay.ruleset,
        "options": replay.options,
        "players": [record.players[person] for person in order],
        "dealer": round_.dealer,
        "n_seats": len(round_.hands),
        "sitter": None if seating.sitter is None else record.players[seating.sitter],
        "platform": record.platform,
        "room": record.room,
        "round_no": record.round_no,
        "started_at": record.started_at,
        "liang": round_.liang,
        "wall": None if round_.wall is None else list(round_.wall),
        "frames": frames,
        "findings": [
            {
                "seq": f.seq,
                "code": f.code,
                "seat": seat_of.get(f.seat, f.seat),
                "severity": f.severity,
                "clause": f.clause,
                "zh": VIOLATIONS[f.code].zh,
                "en": VIOLATIONS[f.code].en,
                "expected": both(f.expected),
                "actual": both(f.actual),
                "follows_from": f.follows_from,
            }
            for f in replay.findings
        ],
        "verdict": replay.verdict,
        "undecidable": [both(reason) for reason in replay.undecidable],
        "score": _seats(score_json(replay.score), seat_of, order),
        "reported": _seats(reported_json(replay.reported), seat_of, order),
    }


def _seats(told: dict[str, Any] | None, seat_of: dict[int, int], order: tuple[int, ...]) -> dict[str, Any] | None:
    """A score with seats for persons."""
    if told is None:
        return None
    moved = dict(told)
    for key in ("winner", "from_seat"):
        moved[key] = seat_of.get(told[key], told[key])
    penalties = moved.get("penalties") or []
    for part in (moved, *penalties):
        if part["points"] is not None:
            part["points"] = [part["points"][person] for person in order]
    for part in (*moved.get("charges", ()), *penalties):
        part["seat"] = seat_of[part["seat"]]
    return moved
