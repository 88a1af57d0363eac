"""Plays generated rounds on the engine and on the oracle at once: every event, every right, every score must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ingest.codes import NO_CARD, Action
from ingest.record import Record
from replay import settlement
from replay.engine import Engine, engine, found
from replay.fan import FAN
from replay.findings import from_rows
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.kernels.rights import discard_due as engine_due
from replay.replayer import steps
from replay.rulesets import Ruleset
from replay.seating import Seating, seated
from replay.simulate import Player, Stream, choose, events_of_move, fresh_deal, legal_moves, play_events
from replay.table import Table
from tests.oracle.game import Game
from tests.oracle.seats import Event, discard_due, exposed

HABITS = (
    Player("keen", hu=100, peng=90, chi=90, lone=95),
    Player("shy", hu=60, peng=20, chi=30, lone=60),
    Player("plain", hu=90, peng=60, chi=70, lone=80),
)
Move = tuple[int, int, int, int]


@dataclass
class Tally:
    """What was compared, and the first disagreements."""

    rounds: int = 0
    events: int = 0
    moves: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def oracle_event(move: Move) -> Event:
    """A move of the engine's list as the oracle writes it."""
    seat, action, card, code = move
    if action != Action.CHI:
        return Event(seat, action, NO_CARD if card < 0 else card)
    first = list(GROUPS[code & 63])
    first.remove(card)
    bi = sorted(tuple(sorted(GROUPS[(code >> shift & 63) - 1])) for shift in (6, 12) if code >> shift & 63)
    return Event(seat, action, card, (tuple(sorted(first)), *bi))


def _mask(kinds: Iterable[int]) -> int:
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def _packed(held: Sequence[int]) -> tuple[int, int]:
    """Copies of the 20 kinds as the engine packs them: hand and quads."""
    hand = quads = 0
    for kind, n in enumerate(held):
        if n == 4:
            quads |= 1 << 2 * kind
        else:
            hand |= n << 2 * kind
    return hand, quads


def differences(machine: Engine, game: Game, moves: list[Move]) -> Iterator[str]:
    """Where engine and oracle do not agree now: what may come next, hands, table, memory."""
    ours = [oracle_event(move) for move in moves]
    if len(set(ours)) != len(ours):
        yield f"the engine lists a move twice: {sorted(ours)}"
    theirs = game.legal()
    if set(ours) != theirs:
        yield f"engine only {sorted(set(ours) - theirs)}, oracle only {sorted(theirs - set(ours))}"
    rules = machine.ruleset
    for seat, player in enumerate(game.seats):
        at = layout.SEAT0 + seat * layout.SEAT_SIZE
        slots = [int(value) for value in machine.state[at : at + layout.CHOUHU]]
        if (slots[layout.HAND], slots[layout.QUADS]) != _packed(player.held):
            yield f"hand of {seat}: {slots[layout.HAND]:b} and {player.held}"
        if not rules.dealer_discards:
            due = engine_due(machine.state, seat) if isinstance(machine.state, list) else None
            if due is not None and due != discard_due(game.rules, player):
                yield f"discards due of {seat}: {due} and {discard_due(game.rules, player)}"
        if rules.draw_to_hand:  # neither 胡息 nor a memory of what was passed
            continue
        if slots[layout.XI] != exposed(game.rules, player):
            yield f"exposed 胡息 of {seat}"
        own = slots[layout.OWN]
        theirs_own = _mask(player.own_discards)
        bars = (own, theirs_own) if rules.own_bars_peng else (0, 0)
        for name, mask, kinds in (
            ("吃", slots[layout.STALE_CHI] | own, _mask(player.stale_chi) | theirs_own),
            ("碰", slots[layout.STALE_PENG] | bars[0], _mask(player.stale_peng) | bars[1]),
            ("臭偎", slots[layout.PENG_PASSED], _mask(player.peng_passed)),
        ):
            if mask != kinds:
                yield f"passed for {name} of {seat}: {mask:b} and {kinds:b}"


def score_differences(machine: Engine, table: Table, seating: Seating, game: Game) -> Iterator[str]:
    """Where the two settlements differ."""
    score, reasons = settlement.recompute(machine, table, seating)
    theirs: dict[str, Any] = dict(game.result())
    if score is None:
        yield f"the engine has no score: {reasons}"
        return
    points = theirs["points"]
    theirs["winner"] = seating.person(theirs["winner"])
    if seating.sitter is not None:  # the oracle counts seats, the sitter last
        theirs["points"] = seating.points((*points[:3], points[3] if seating.paid else 0))
    if machine.ruleset.fan_wu_duidui and {"乌胡", "对对胡"} <= theirs["fan_names"].keys():
        # The oracle names both and counts them together, the engine has one name for the two (rules 10.9).
        left = {name: n for name, n in theirs["fan_names"].items() if name not in ("乌胡", "对对胡")}
        theirs["fan_names"] = left | {"乌对对": machine.ruleset.fan_wu_duidui}
    words = {entry.zh: word for entry in FAN for key, word in machine.ruleset.words if key == entry.key}
    theirs["fan_names"] = {words.get(name, name): n for name, n in theirs["fan_names"].items()}
    ours = {
        "winner": score.winner,
        "huxi": score.huxi,
        "factor": score.fan_total if score.winner >= 0 else theirs["factor"],
        "fan_names": score.fan,
        "points": score.points,
    }
    for name, value in ours.items():
        if theirs[name] != value:
            yield f"{name}: {value} and {theirs[name]} ({ours}, {score.fan}; {theirs})"
    if score.winner >= 0 and not score.groups:
        yield "a win without groups"
    if sum(item[2] for item in score.groups) != score.huxi:
        yield f"groups {score.groups} do not make {score.huxi}"


def play(machine: Engine, stream: Stream, persons: int, options: dict[str, Any], tally: Tally) -> None:
    """One round by random players, compared after every event; faults stop the round and are noted."""
    ruleset = machine.ruleset
    dealer = stream.below(persons)
    sitter = (dealer + 2) % 4 if persons == 4 else None
    record = fresh_deal(ruleset, stream, persons, sitter, dealer)
    seating = seated(record, ruleset)
    active = seating.record
    extra = [move.card for move in active.moves]
    game = Game(
        ruleset.name,
        len(active.hands),
        active.dealer,
        [list(hand or ()) for hand in active.hands],
        -1 if active.liang is None else active.liang,
        [*extra, *(active.wall or ())],
        options,
        sitter=seating.paid,
    )
    table = Table()
    for _, table in steps(seating, machine):  # noqa: B007 - the table after the last event
        pass
    for move in active.moves:
        game.apply(Event(move.seat, move.action, move.card))
    done = list(active.moves)
    players = [HABITS[stream.below(len(HABITS))] for _ in active.hands]
    wild = stream.below(3) == 0  # every third round takes any legal move
    tally.rounds += 1
    while machine.state[layout.PHASE] != layout.OVER:
        moves = legal_moves(machine)
        faults = list(differences(machine, game, moves))
        tally.moves += len(moves)
        if faults:
            tally.faults += [f"{_told(record, game)}: {fault}" for fault in faults]
            return
        choice = moves[stream.below(len(moves))] if wild else choose(machine, stream, players, moves)
        game.apply(oracle_event(choice))
        play_events(machine, done, events_of_move(choice), table)
        tally.events += 1
        if any(finding.severity for finding in from_rows(found(machine))):
            tally.faults.append(f"{_told(record, game)}: a legal event has a finding {found(machine)[:5]}")
            return
    if not game.over:
        tally.faults.append(f"{_told(record, game)}: over for the engine only")
        return
    tally.endings["胡" if machine.state[layout.WINNER] >= 0 else "荒"] += 1
    tally.faults += [f"{_told(record, game)}: {fault}" for fault in score_differences(machine, table, seating, game)]


def _told(record: Record, game: Game) -> str:
    return f"{record.ruleset} {msgspec.json.encode(record).decode()} stage {game.stage}"


def agreement(
    ruleset: Ruleset, seed: int, rounds: int, kernels: Any = None, options: dict[str, Any] | None = None
) -> Tally:
    """Compare ``rounds`` rounds; tables of 2, 3 and 4 persons in turn where the ruleset knows them."""
    machine = engine(ruleset, kernels)
    tables = ruleset.persons
    tally = Tally()
    stream = Stream(seed)
    for number in range(rounds):
        play(machine, stream, tables[number % len(tables)], options or {}, tally)
        if len(tally.faults) > 5:
            break
    return tally
