"""Random legal rounds of the oracle alone: what must hold after every event, whatever is played."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ingest.cards import COPIES, KINDS
from ingest.codes import Action
from tests.oracle.deals import shuffled
from tests.oracle.game import Game
from tests.oracle.groups import counts_of
from tests.oracle.rules import RULESETS
from tests.oracle.seats import Event, laid_quads, owned

ROUNDS = 200
INTAKES = (Action.CHI, Action.PENG, Action.WEI, Action.CHOU_WEI)


def choose(rng: random.Random, game: Game) -> Event:
    """Claims more often than an even choice would make them, so that many melds come about; wins now and then."""
    events = sorted(game.legal())
    claims = [one for one in events if one.action in (Action.CHI, Action.PENG)]
    wins = [one for one in events if one.action == Action.HU]
    if wins and rng.random() < 0.5:
        return rng.choice(wins)
    return rng.choice(claims if claims and rng.random() < 0.6 else events)


def conserved(game: Game) -> bool:
    """80 cards: hands, melds, wall, what lies about, and the card that lies open."""
    everything = [*game.table, *game.wall[game.drawn :]]
    for seat in range(len(game.seats)):
        view = game.view(seat)
        everything += [kind for kind, n in enumerate(view["hand"]) for _ in range(n)]
        everything += [card for meld in view["melds"] for card in meld.cards]
    if game.stage in ("window", "hidden"):
        everything.append(game.open_card)
    return counts_of(everything) == [COPIES] * KINDS


class Debts:
    """B.0: a seat dealt two or more quads owes discards, one less after each intake that is no quad."""

    def __init__(self, game: Game) -> None:
        self.owed = []
        for seat, player in enumerate(game.seats):
            spare = 1 + (seat == game.dealer)
            self.owed.append(max(0, player.held.count(4) - spare))

    def after(self, event: Event) -> None:
        if event.action in INTAKES:
            self.owed[event.seat] = max(0, self.owed[event.seat] - 1)


def check(game: Game, debts: Debts) -> None:
    general, exact = game.rules["draw_to_hand"], game.rules["name"] != "guilin"
    for seat, player in enumerate(game.seats):
        due = game.view(seat)["discard_due"]
        if game.stage in ("discard", "turn") and seat == game.turn:
            assert due == 1
        elif game.stage in ("draw", "window", "hidden"):
            assert due <= 0
            if general:
                making_up = game.stage == "draw" and game.replacement and seat == game.turn
                assert owned(player) == 20 + laid_quads(player)
                assert not making_up or laid_quads(player)
            elif exact:
                quads = laid_quads(player) + player.held.count(4)
                assert due == -debts.owed[seat]
                assert owned(player) == 20 + max(0, quads - 1) - debts.owed[seat] + player.waived
    assert conserved(game)


def play(ruleset: str, seats: int, rng: random.Random, sitter: bool, clumps: bool) -> tuple[Game, Counter[int]]:
    game = Game(ruleset, seats, rng.randrange(seats), *shuffled(rng, seats, clumps), sitter=sitter)
    debts = Debts(game)
    seen: Counter[int] = Counter()
    while not game.over:
        assert sum(seen.values()) < 300, "the round does not end"
        assert game.legal(), f"nothing may follow in stage {game.stage}"
        event = choose(rng, game)
        seen[event.action] += 1
        game.apply(event)
        debts.after(event)
        if not game.over and game.stage != "opening":
            check(game, debts)
    return game, seen


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_random_rounds(ruleset: str) -> None:
    rng = random.Random(sorted(RULESETS).index(ruleset))
    total: Counter[int] = Counter()
    for number in range(ROUNDS):
        two = 2 in RULESETS[ruleset]["seats"] and number % 5 == 0
        sitter = not two and number % 2 == 0
        game, seen = play(ruleset, 2 if two else 3, rng, sitter, number % 3 == 0)
        total += seen
        result = game.result()
        assert sum(result["points"]) == 0
        assert len(result["points"]) == len(game.seats) + sitter
        if result["winner"] < 0:
            assert not game.wall_left()
        else:
            assert result["points"][result["winner"]] > 0
            assert result["huxi"] >= game.rules["min_huxi"] or result["special"] == "tianhu_quads"
    wanted = {Action.DISCARD, Action.DRAW, Action.CHI, Action.PENG, Action.PAO, Action.TI, Action.HU, Action.PASS}
    wanted |= {Action.HUANG}
    if ruleset != "general":
        wanted |= {Action.WEI, Action.CHOU_WEI, Action.TI_OPEN}
    if ruleset == "luzhou":
        wanted.discard(Action.CHOU_WEI)  # a 碰 is hardly ever passed: it is compulsory
    if ruleset == "guilin":
        wanted.add(Action.BU)
    assert wanted <= total.keys(), {Action(action).name for action in wanted - total.keys()}


def test_an_illegal_event_is_refused() -> None:
    game = Game("qq", 3, 0, *shuffled(random.Random(1), 3, False))
    with pytest.raises(ValueError, match="illegal"):
        game.apply(Event(2, Action.PAO, 3))


@pytest.mark.parametrize(("option", "value"), [("shape", "seven_sentences"), ("no_such", 1)])
def test_options_that_the_oracle_does_not_know(option: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"oracle|option"):
        Game("general", 3, 0, *shuffled(random.Random(1), 3, False), {option: value})
