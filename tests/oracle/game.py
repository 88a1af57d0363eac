"""The state machine: what may come next, and what it does. rules B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ingest.cards import COPIES, KINDS
from ingest.codes import NO_CARD, NO_SEAT, Action, Form, Source
from tests.oracle import opening, scoring, windows
from tests.oracle.groups import FORM_OF, Meld, counts_of, equal
from tests.oracle.rules import rules_of
from tests.oracle.scoring import Result, Win
from tests.oracle.seats import Event, Groups, Seat, discard_due, discards, exposed


class Game:
    """One round. Seats 0.. are those that play; next(p) is p + 1.

    ``hands``: 20 cards each; ``extra21``: the dealer's 21st; ``wall`` in draw order. With an extra card (guilin, BU)
    those stand at the front of the wall although they are dealt before the 亮张.
    """

    def __init__(
        self,
        ruleset: str,
        n_seats: int,
        dealer: int,
        hands: Sequence[Sequence[int]],
        extra21: int,
        wall: Sequence[int],
        options: dict[str, Any] | None = None,
        sitter: bool = False,
    ) -> None:
        self.rules = rules_of(ruleset, options)
        assert n_seats in self.rules["seats"], "so many do not play here"
        assert counts_of([card for hand in hands for card in hand] + [extra21, *wall]) == [COPIES] * KINDS
        assert all(len(hand) == 20 for hand in hands)
        self.dealer, self.sitter = dealer, sitter
        self.dealt, self.extra21, self.wall = [list(hand) for hand in hands], extra21, list(wall)
        self.drawn = 0  # cards taken off the wall
        self.seats = [Seat(counts_of(hand)) for hand in hands]
        self.seats[dealer].held[extra21] += 1
        self.stage = "opening"  # discard, draw, hidden, lay, window, turn, over
        self.turn = dealer
        self.open_card, self.open_seat, self.open_source = NO_CARD, NO_SEAT, Source.NONE
        self.options: dict[int, windows.Option] = {}
        self.passed: set[int] = set()
        self.hidden: Form | None = None
        self.hidden_win: Win | None = None
        self.opening_discard = False
        self.replacement = False  # general: the next draw makes up for a quad
        self.table: list[int] = []  # cards that lie face up and are nobody's meld
        self.extra_due = opening.extra_cards(self)
        self._legal: set[Event] | None = None
        self._result: Result = {}
        if not self.extra_due:
            opening.set_dealer_short(self)

    @property
    def over(self) -> bool:
        return self.stage == "over"

    def next(self, seat: int) -> int:
        return (seat + 1) % len(self.seats)

    def order(self, seat: int) -> list[int]:
        """All seats in turn, ``seat`` first."""
        return [(seat + step) % len(self.seats) for step in range(len(self.seats))]

    def wall_left(self) -> int:
        return len(self.wall) - self.drawn

    def next_event(self, seat: int) -> Event:
        """B.3, B.13: the draw of ``seat``, or 荒 on an empty wall."""
        if self.wall_left():
            return Event(seat, Action.DRAW, self.wall[self.drawn])
        return Event(NO_SEAT, Action.HUANG, NO_CARD)

    def first_events(self) -> Iterator[Event]:
        """B.2.5: the dealer's discard, or the next draw where none is due."""
        if discard_due(self.rules, self.seats[self.dealer]) == 1:
            kinds = discards(self.rules, self.seats[self.dealer].counts())
            if kinds:
                yield from (Event(self.dealer, Action.DISCARD, kind) for kind in kinds)
                return
        yield self.next_event(self.next(self.dealer))

    def legal(self) -> set[Event]:
        if self._legal is None:
            self._legal = set(self._events())
        return self._legal

    def _events(self) -> Iterator[Event]:
        if self.stage == "opening":
            yield from opening.events(self)
        elif self.stage == "discard":
            player = self.seats[self.turn]
            for kind in discards(self.rules, player.counts()):
                yield Event(self.turn, Action.DISCARD, kind)
            if not self.wall_left() and not self.rules["win_discard"]:
                yield self.next_event(self.next(self.turn))  # B.13: the last discard is harmless but pointless
        elif self.stage == "draw":
            yield self.next_event(self.turn)
        elif self.stage == "lay":
            held = self.seats[self.turn].held
            yield from (Event(self.turn, Action.TI_OPEN, kind) for kind in range(KINDS) if held[kind] == 4)
        elif self.stage == "hidden":
            yield from windows.hidden_events(self)
        elif self.stage == "window":
            yield from windows.window_events(self)
        elif self.stage == "turn":
            yield from windows.turn_events(self)

    def apply(self, event: Event) -> None:
        if event not in self.legal():
            raise ValueError(f"illegal in stage {self.stage}: {event}")
        self._legal = None
        seat, action, card, groups = event
        if action == Action.HU:
            self._hu(seat)
        elif action == Action.PASS:
            self.passed.add(seat)
        elif action == Action.BU:
            self.extra_due.remove(seat)
            self.seats[seat].held[card] += 1
            self.drawn += 1
            if not self.extra_due:
                opening.set_dealer_short(self)
        elif action == Action.TI_OPEN:
            self._ti_open(seat, card)
        else:
            self._leave_stage(event)
            self._move(seat, Action(action), card, groups)

    def _leave_stage(self, event: Event) -> None:
        """What the action that ends an opening, a window or a forced draw leaves behind."""
        if self.stage == "opening":
            opening.close(self)
        elif self.stage == "window":
            windows.close_window(self, event)
            if event.action in (Action.DRAW, Action.HUANG):
                self.table.append(self.open_card)
        elif self.stage == "hidden":
            player = self.seats[self.turn]
            if self.hidden_win and self.rules["chouhu"]:
                player.chouhu[self.open_card] = exposed(self.rules, player)
            if event.action in (Action.DRAW, Action.HUANG):
                self.table.append(self.open_card)

    def _move(self, seat: int, action: Action, card: int, groups: Groups) -> None:
        player = self.seats[seat]
        if action == Action.DISCARD:
            self._discard(seat, card)
        elif action == Action.DRAW:
            self._draw(seat, card)
        elif action == Action.HUANG:
            self.stage = "over"
            self._result = scoring.huang(self.rules, len(self.seats), self.dealer, self.sitter, self._dealer_qianti())
        elif action == Action.CHI:
            first = tuple(sorted((card, *groups[0])))
            player.take(used for group in groups for used in group)
            for laid in (first, *groups[1:]):
                player.melds.append(Meld(FORM_OF[laid], laid))
            self._after_intake(seat)
        elif action in (Action.PAO, Action.TI):
            form = Form.PAO if action == Action.PAO else Form.TI
            if self.stage == "turn":
                player.take((card,) * 4)
                player.melds.append(equal(form, card))
            else:
                player.lay_quad(form, card)
            self.stage, self.turn, self.replacement = "draw", seat, True
            if not self.rules["draw_to_hand"]:
                self._after_quad(seat)
        else:
            form = {Action.PENG: Form.PENG, Action.WEI: Form.WEI, Action.CHOU_WEI: Form.CHOU_WEI}[action]
            player.take((card, card))
            player.melds.append(equal(form, card))
            self._after_intake(seat)

    def _ti_open(self, seat: int, card: int) -> None:
        """B.2.4; J.2: with the first 跑 or 提 of a seat."""
        player = self.seats[seat]
        player.take((card,) * 4)
        player.melds.append(equal(Form.TI, card))
        if self.stage == "lay":
            self._after_quad(seat)

    def _after_quad(self, seat: int) -> None:
        if 4 in self.seats[seat].held:
            self.stage, self.turn = "lay", seat
        else:
            self._after_intake(seat)

    def _after_intake(self, seat: int) -> None:
        """B.0, B.3: a discard if one is due, else the next seat draws; a dead hand after a forced act is waived."""
        player = self.seats[seat]
        self.stage, self.turn, self.replacement = "draw", self.next(seat), False
        if discard_due(self.rules, player) < 1:
            return
        if discards(self.rules, player.counts()):
            self.stage, self.turn = "discard", seat
            return
        player.waived += 1
        player.out = player.out or self.rules["dead_forced"] == "waive_and_out"

    def _discard(self, seat: int, card: int) -> None:
        player = self.seats[seat]
        player.take((card,))
        player.own_discards.add(card)
        self.opening_discard = self.stage == "opening"
        self._open(seat, card, Source.DISCARD)

    def _draw(self, seat: int, card: int) -> None:
        self.drawn += 1
        self.opening_discard = False
        player = self.seats[seat]
        if self.rules["draw_to_hand"]:
            player.turns += not self.replacement
            self.replacement = False
            player.held[card] += 1
            self.stage, self.turn, self.open_card = "turn", seat, card
            self.open_seat, self.open_source = seat, Source.OWN_DRAW
            return
        self.hidden = windows.forced_hidden(self, seat, card)
        if self.hidden is None:
            self._open(seat, card, Source.OTHER_DRAW)
            return
        self.passed = set()
        self.stage, self.turn = "hidden", seat
        self.open_card, self.open_seat, self.open_source = card, seat, Source.OWN_DRAW
        self.hidden_win = windows.win(self, seat, card, Source.OWN_DRAW)

    def _open(self, seat: int, card: int, source: Source) -> None:
        """B.3: the card lies open to the others, a drawn one to its drawer too."""
        self.passed = set()
        self.stage, self.open_card, self.open_seat, self.open_source = "window", card, seat, source
        self.options = windows.options(self)

    def _hu(self, seat: int) -> None:
        win: Win | None
        if self.stage == "opening":
            forced = opening.compulsory(self)
            win = forced or opening.find_wins(self)[seat]
        elif self.stage == "window":
            win = self.options[seat].hu
        elif self.stage == "hidden":
            win = self.hidden_win
        else:
            win = windows.win(self, seat, self.open_card, Source.OWN_DRAW)
        assert win is not None
        self.stage = "over"
        rest = self.wall[self.drawn :]
        players = len(self.seats)
        self._result = scoring.score(self.rules, players, self.dealer, self.sitter, win, rest, self._dealer_qianti())

    def _dealer_qianti(self) -> bool:
        """D.1: the dealer laid a quad in the opening."""
        held = counts_of([*self.dealt[self.dealer], self.extra21])
        return held.count(4) > 0

    def result(self) -> Result:
        assert self.over
        return self._result

    def view(self, seat: int) -> dict[str, Any]:
        """What may be compared with another engine after every event."""
        player = self.seats[seat]
        return {
            "hand": player.counts(),
            "melds": tuple(player.melds),
            "stale_chi": frozenset(player.stale_chi),
            "stale_peng": frozenset(player.stale_peng),
            "own_discards": frozenset(player.own_discards),
            "peng_passed": frozenset(player.peng_passed),
            "discard_due": discard_due(self.rules, player),
            "exposed": exposed(self.rules, player),
            "out": player.out,
        }
