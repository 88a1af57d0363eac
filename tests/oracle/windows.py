"""What seats may do with an open card, and what a closed window leaves behind: rules B.3–B.9, B.12, J.3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.codes import NO_SEAT, Action, Form, Source
from tests.oracle import general
from tests.oracle.groups import Chain, chains, without
from tests.oracle.hu import HIDDEN, shapes
from tests.oracle.scoring import Win
from tests.oracle.seats import ACTION_OF_FORM, Event, Seat, dead, discard_due, discards, exposed, laid_quads

if TYPE_CHECKING:
    from tests.oracle.game import Game


@dataclass
class Option:
    """One seat's options on the open card."""

    hu: Win | None = None
    pao: bool = False
    peng: bool = False
    chi: set[Chain] = field(default_factory=set)


def is_dihu(game: Game, seat: int, source: Source) -> bool:
    """D.4, D.5, J: 地胡 on the discard with which the dealer opens, or (general) within the first round (G29)."""
    kind = game.rules["dihu"]
    if kind == "first_round":
        return bool(seat != game.dealer and game.seats[seat].turns <= 1 and not game.seats[seat].melds)
    on_opening = source == Source.DISCARD and game.opening_discard
    return bool(on_opening and (kind == "any" or (kind == "next" and seat == game.next(game.dealer))))


def win(game: Game, seat: int, card: int, source: Source) -> Win | None:
    """C.3, B.12, B.13, D.5: may ``seat`` win on this card from the wall or from another's hand?"""
    rules, player = game.rules, game.seats[seat]
    last = source != Source.DISCARD and not game.wall_left()
    special = "dihu" if is_dihu(game, seat, source) else ""
    if source == Source.DISCARD and not (rules["win_discard"] or special == "dihu"):
        return None
    if player.out or (last and not rules["last_wins"]):
        return None
    if rules["chouhu"] and player.chouhu.get(card) == exposed(rules, player):
        return None
    if rules["draw_to_hand"]:
        found = general.shapes(player, card if source == Source.DISCARD else None)
    else:
        found = shapes(rules, player.counts(), player.melds, card, source)
    if not found:
        return None
    discarder = game.open_seat if source == Source.DISCARD else NO_SEAT
    return Win(seat, source, tuple(found), special, discarder, last, laid_quads(player))


def forced_hidden(game: Game, seat: int, card: int) -> Form | None:
    """B.7: what the drawer must lay unseen with its own draw; J.10: guilin drops a 偎 that would leave a dead hand."""
    player = game.seats[seat]
    tabled = player.meld_of(card)
    if player.held[card] == 3 or (tabled is not None and tabled.form in HIDDEN):
        return Form.TI
    if player.held[card] == 2:
        left = without(player.counts(), (card, card))
        assert left is not None
        if game.rules["dead_forced"] == "dropped" and dead(game.rules, player, left):
            return None
        return Form.CHOU_WEI if card in player.peng_passed else Form.WEI
    return None


def must_pao(game: Game, seat: int) -> bool:
    """B.7: a tabled 碰 becomes a 跑 with any drawn card, a 坎 or tabled 偎 with any card of another."""
    player, card = game.seats[seat], game.open_card
    tabled = player.meld_of(card)
    if tabled is not None and tabled.form == Form.PENG:
        return game.open_source != Source.DISCARD
    if seat == game.open_seat:
        return False
    if player.held[card] == 3:
        return not (game.rules["dead_forced"] == "dropped" and _dead_pao(game, player, card))
    return tabled is not None and tabled.form in HIDDEN


def _dead_pao(game: Game, player: Seat, card: int) -> bool:
    """J.10. The first quad takes no card off the sum of discard_due, a further one takes one off."""
    left = without(player.counts(), (card,) * 3)
    assert left is not None
    quads = laid_quads(player) + player.held.count(4)
    return discard_due(game.rules, player) + 1 - (quads > 0) >= 1 and not discards(game.rules, left)


def may_peng(game: Game, seat: int) -> bool:
    """B.7, B.9, B.3: a pair, another's card, not barred, and a card left to discard."""
    player, card, rules = game.seats[seat], game.open_card, game.rules
    if seat == game.open_seat or player.held[card] != 2 or player.out or card in player.stale_peng:
        return False
    if not rules["draw_to_hand"] and rules["own_bars_peng"] and card in player.own_discards:
        return False
    left = without(player.counts(), (card, card))
    return left is not None and not dead(rules, player, left)


def may_chi(game: Game, seat: int) -> set[Chain]:
    """B.5, B.6, B.9, B.3: each complete 吃 from an allowed source that leaves a card to discard."""
    player, card, rules = game.seats[seat], game.open_card, game.rules
    drawn = game.open_source != Source.DISCARD
    if seat == game.open_seat:
        allowed = drawn
    else:
        allowed = seat == game.next(game.open_seat) and (rules["chi_prev_draw"] or not drawn)
    if not allowed or player.out or card in player.stale_chi:
        return set()
    if not rules["draw_to_hand"] and card in player.own_discards:
        return set()
    held = player.counts()
    found = general.chi(held, card) if rules["draw_to_hand"] else chains(held, card)
    kept = set()
    for chain in found:
        left = without(held, [used for group in chain for used in group])
        assert left is not None
        if not dead(rules, player, left):
            kept.add(chain)
    if rules["dead_chi_all"] and kept != found:
        return set()
    return kept


def options(game: Game) -> dict[int, Option]:
    """B.4, J.3: every seat's options, before any that forced acts of others shut out."""
    rules = game.rules
    found: dict[int, Option] = {}
    for seat in game.order(game.open_seat):
        if seat == game.open_seat and game.open_source == Source.DISCARD:
            continue
        source = game.open_source
        if seat == game.open_seat:
            source = Source.OWN_DRAW
        hu = win(game, seat, game.open_card, source)
        if hu and rules["hu_pass_kills"]:
            return {seat: Option(hu=hu)}  # guilin: the first able seat alone is asked, about nothing else
        pao = game.seats[seat].held[game.open_card] == 3 if rules["draw_to_hand"] else must_pao(game, seat)
        found[seat] = Option(hu, pao, may_peng(game, seat), may_chi(game, seat))
    if rules["hu_pass_kills"] and any(option.pao for option in found.values()):
        return {seat: Option(pao=True) for seat, option in found.items() if option.pao}
    return {seat: option for seat, option in found.items() if option.hu or option.pao or option.peng or option.chi}


def blocked(game: Game) -> bool:
    """A forced 跑, or a forced 碰 in luzhou, that nobody may pass over."""
    if game.rules["draw_to_hand"]:
        return False
    return any(one.pao or (one.peng and game.rules["peng_forced"]) for one in game.options.values())


def window_events(game: Game) -> Iterator[Event]:
    """B.4, B.14: what may come next while a card lies open."""
    rules, card = game.rules, game.open_card
    shut = blocked(game)
    optional_pao = rules["draw_to_hand"]
    if rules["dihu_forced"] and game.opening_discard:
        forced = [one.hu for one in game.options.values() if one.hu and one.hu.special == "dihu"]
        if forced:
            yield Event(forced[0].seat, Action.HU, card)
            return
    for seat, one in game.options.items():
        asked = seat not in game.passed
        if one.hu and asked:
            yield Event(seat, Action.HU, card)
        if one.pao and (asked or not optional_pao):
            yield Event(seat, Action.PAO, card)
        forced_peng = one.peng and rules["peng_forced"]
        if one.peng and (forced_peng or (asked and not shut)):
            yield Event(seat, Action.PENG, card)
        if asked and not shut:
            for chain in one.chi:
                yield Event(seat, Action.CHI, card, chain)
        must_claim = forced_peng or (one.pao and not optional_pao)
        if asked and (one.hu or (not must_claim and (one.pao or one.peng or one.chi))):
            yield Event(seat, Action.PASS, card)
    if not shut:
        yield game.next_event(game.next(game.open_seat))


def hidden_events(game: Game) -> Iterator[Event]:
    """B.8, the drawer's 偎 or 提, or its win with it; guilin asks for the win only (J.3)."""
    seat, card = game.turn, game.open_card
    assert game.hidden is not None
    if game.hidden_win and seat not in game.passed:
        yield Event(seat, Action.HU, card)
    if not (game.hidden_win and game.rules["hu_pass_kills"]):
        yield Event(seat, ACTION_OF_FORM[game.hidden], card)
        return
    if seat not in game.passed:
        yield Event(seat, Action.PASS, card)
    yield game.next_event(game.next(seat))


def turn_events(game: Game) -> Iterator[Event]:
    """B.14: after a draw into the hand: win, 提 of the card just drawn, or discard anything."""
    player, card = game.seats[game.turn], game.open_card
    if win(game, game.turn, card, Source.OWN_DRAW):
        yield Event(game.turn, Action.HU, card)
    if player.held[card] == 4:
        yield Event(game.turn, Action.TI, card)
    for kind in discards(game.rules, player.counts()):
        yield Event(game.turn, Action.DISCARD, kind)


def _rank(game: Game, seat: int, action: int) -> int:
    """B.4: 跑 over 碰 over the drawer's own 吃 over the next seat's 吃 over nothing."""
    if action == Action.CHI:
        return 2 if seat == game.open_seat else 1
    return {Action.PAO: 4, Action.PENG: 3}.get(Action(action), 0)


def close_window(game: Game, event: Event) -> None:
    """B.9, B.12: wins, 碰 and 吃 refused on the card that ``event`` takes or leaves."""
    rules, card = game.rules, game.open_card
    closing = _rank(game, event.seat, event.action)
    shut = blocked(game)
    for seat, one in game.options.items():
        player = game.seats[seat]
        if one.hu and rules["chouhu"]:
            player.chouhu[card] = exposed(rules, player)
        if rules["draw_to_hand"] or shut or (seat == event.seat and closing):
            continue
        passed = seat in game.passed
        peng = one.peng and (passed or closing < _rank(game, seat, Action.PENG))
        chi = bool(one.chi) and (passed or closing < _rank(game, seat, Action.CHI))
        if peng:
            player.peng_passed.add(card)
        joint = rules["stale_mode"] == "joint"
        if peng or (joint and chi):
            player.stale_peng.add(card)
        if chi or (joint and peng):
            player.stale_chi.add(card)
