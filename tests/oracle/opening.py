"""From the deal to the first discard or draw: rules B.2, D.5, J.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ingest.codes import NO_CARD, Action, Source
from tests.oracle import general
from tests.oracle.groups import counts_of
from tests.oracle.hu import counts_for_tianhu, shapes, tianhu_shape
from tests.oracle.scoring import Win
from tests.oracle.seats import Event, discard_due, exposed

if TYPE_CHECKING:
    from tests.oracle.game import Game


def extra_cards(game: Game) -> list[int]:
    """J: seats dealt exactly two quads, each due an extra card."""
    if not game.rules["two_ti_extra"]:
        return []
    return [seat for seat in game.order(game.dealer) if counts_of(game.dealt[seat]).count(4) == 2]


def by_count(game: Game, seat: int) -> Win | None:
    """B.2.2: three 提 or five 坎, the dealer's 亮张 counted."""
    if game.rules["tianhu_quads"] == "off":
        return None
    player = game.seats[seat]
    held = list(player.held)
    for meld in player.melds:  # quads laid in the opening
        held[meld.cards[0]] += len(meld.cards)
    dealt = tuple(held)
    if not counts_for_tianhu(game.rules, dealt):
        return None
    return Win(seat, Source.LIANG, (tianhu_shape(game.rules, dealt),), "tianhu_quads")


def by_liang(game: Game, seat: int) -> Win | None:
    """B.2.3: complete with the 亮张: the dealer's 21 cards as they are, to another seat like another's draw."""
    allowed = game.rules["liang_win"]
    if allowed == "nobody" or (allowed == "dealer" and seat != game.dealer):
        return None
    player = game.seats[seat]
    if game.rules["draw_to_hand"]:
        found = general.shapes(player, None)
    else:
        card = None if seat == game.dealer else game.extra21
        found = shapes(game.rules, player.counts(), player.melds, card, Source.LIANG)
    return Win(seat, Source.LIANG, tuple(found), "tianhu") if found else None


def find_wins(game: Game) -> dict[int, Win]:
    """Each seat's win before play. A hand that is both may be scored as either (C.3)."""
    found = {}
    for seat in game.order(game.dealer):
        count, liang = by_count(game, seat), by_liang(game, seat)
        if count and liang:
            found[seat] = Win(seat, Source.LIANG, count.shapes + liang.shapes, count.special)
        elif count or liang:
            win = count or liang
            assert win is not None
            found[seat] = win
    return found


def compulsory(game: Game) -> Win | None:
    """B.2: the first seat's 天胡 that may not be declined; J: complete before counted, else counted first."""
    seats = game.order(game.dealer)
    rules = game.rules
    counted = [by_count(game, seat) for seat in seats] if rules["tianhu_quads"] == "compulsory" else []
    complete = [by_liang(game, seat) for seat in seats] if rules["liang_forced"] else []
    both = complete + counted if rules["two_ti_extra"] else counted + complete
    return next((win for win in both if win), None)


def quads_to_lay(game: Game) -> list[tuple[int, int]]:
    if game.rules["ti_open"] == "none":
        return []
    return [(seat, kind) for seat in game.order(game.dealer) for kind in range(20) if game.seats[seat].held[kind] == 4]


def events(game: Game) -> Iterator[Event]:
    """B.2: what may come before the first discard or draw; dealt quads are laid before play."""
    if game.extra_due:
        yield Event(game.extra_due[0], Action.BU, game.wall[game.drawn])
        return
    forced = compulsory(game)
    if forced:
        yield Event(forced.seat, Action.HU, NO_CARD)
        return
    for seat in find_wins(game):
        yield Event(seat, Action.HU, NO_CARD)
    quads = quads_to_lay(game)
    if quads:
        for seat, kind in quads:
            yield Event(seat, Action.TI_OPEN, kind)
        return
    yield from game.first_events()


def close(game: Game) -> None:
    """B.12: a win on the 亮张 refused."""
    if game.rules["chouhu"]:
        for seat in range(len(game.seats)):
            if by_liang(game, seat):
                player = game.seats[seat]
                player.chouhu[game.extra21] = exposed(game.rules, player)


def set_dealer_short(game: Game) -> None:
    """J.1: the dealer always discards first; one whose 亮张 made his second quad stays a card short."""
    dealer = game.seats[game.dealer]
    if game.rules["dealer_discards"]:
        dealer.waived = min(0, discard_due(game.rules, dealer) - 1)
