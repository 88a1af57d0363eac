"""Accounts of one round: what each tells is taken, what contradicts is reported, in whatever order they come."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from ingest import rows
from ingest.adapters.jsonl import dump_line
from ingest.cards import UNKNOWN
from ingest.importer import import_paths
from ingest.merge import in_order, merge
from ingest.naming import account, round_id
from ingest.record import Move, Offer, Record, Result
from ingest.store import open_store
from replay.engine import engine
from replay.kernels.jit import compiled
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.ingest.made import A, plain
from tests.ingest.stores import CLOCK, HISTORY, content, is_whole, write

NAMED = {"platform": "平台", "room": "房", "session": "场", "round_no": 3}


def whole(**fields: object) -> Record:
    offers = (Offer(0, 1, A.CHI, 5, (4, 6)), Offer(0, 2, A.PENG, 5, (5, 5)))
    return plain(3, **(NAMED | {"offers": offers, "visible": (1, 2)} | fields))


def seen_from(record: Record, seat: int) -> Record:
    """What one seat sees: its hand, its options, no wall, and not the cards of the others' hidden draws."""
    moves = tuple(
        msgspec.structs.replace(move, card=UNKNOWN) if move.action == A.DRAW and move.seat != seat else move
        for move in record.moves
    )
    return msgspec.structs.replace(
        record,
        hands=tuple(hand if place == seat else None for place, hand in enumerate(record.hands)),
        wall=None,
        moves=moves,
        offers=tuple(offer for offer in record.offers or () if offer.seat == seat),
        visible=(seat,),
    )


def merged(*accounts: Record) -> tuple[Record, list[tuple[str, str, str]]]:
    """The same for every order."""
    found = []
    for order in itertools.permutations(accounts):
        record, conflicts = merge(in_order(order))
        found.append((record, [(c.field, c.kept, c.told) for c in conflicts]))
    assert all(one == found[0] for one in found)
    return found[0]


def test_the_views_of_all_seats_are_the_whole_round_but_for_the_wall():
    record = whole(visible=(0, 1, 2))
    views = [seen_from(record, seat) for seat in range(3)]
    assert len({round_id(view) for view in (*views, record)}) == 1
    both, conflicts = merged(*views)
    assert conflicts == []
    assert both == msgspec.structs.replace(record, wall=None)
    assert merged(*views, record) == (record, [])


def test_a_server_log_with_passes_and_a_client_log_without():
    record = whole()
    client = msgspec.structs.replace(
        record,
        moves=tuple(move for move in record.moves if move.action != A.PASS),
        offers=None,
        visible=None,
        wall=None,
    )
    assert merged(record, client) == (record, [])
    assert any(move.action == A.PASS for move in record.moves)


def test_a_log_that_stops_early_and_one_that_begins_with_unknown_cards():
    record = whole(offers=None, visible=None)
    early = msgspec.structs.replace(record, moves=record.moves[:3], complete=False, result=None)
    hidden = tuple(msgspec.structs.replace(m, card=UNKNOWN) if m.card >= 0 else m for m in record.moves[:2])
    late = msgspec.structs.replace(record, moves=(*hidden, *record.moves[2:]))
    assert merged(early, late) == (record, [])


def test_a_source_that_never_tells_a_kind_of_event():
    moves = (Move(0, A.DISCARD, 3), Move(1, A.CHI, 3, 2, 4), Move(1, A.BI, 3, 2, 4), Move(1, A.DISCARD, 9))
    record = whole(moves=moves, offers=None, visible=None)
    less = msgspec.structs.replace(record, moves=(moves[0], moves[1], moves[3]), omits=(int(A.BI),))
    assert merged(record, less) == (record, [])


def test_faces_times_results_tags_and_options_of_both():
    record = whole(offers=None, visible=None)
    one = msgspec.structs.replace(
        record, result=Result(winner=0, points=(24, -12, -12)), options={"a": 1}, tags={"x": "1"}
    )
    two = msgspec.structs.replace(
        record,
        moves=tuple(msgspec.structs.replace(m, t_ms=9 * n, face=1) for n, m in enumerate(record.moves)),
        result=Result(winner=0, huxi=15, card=4),
        options={"b": 2},
        tags={"x": "2", "y": "3"},
    )
    both, conflicts = merged(one, two)
    assert both.result == Result(winner=0, card=4, huxi=15, points=(24, -12, -12))
    assert both.options == {"a": 1, "b": 2}
    assert both.tags.keys() == {"x", "y"}
    assert [move.t_ms for move in both.moves] == [0, 9, 18, 27, 36, 45]
    assert conflicts == [(f"moves[{n}].face", *faces) for n, faces in [(1, ("1", "4")), (3, ("1", "2"))]]


CONTRADICTIONS = {
    "players[1]": {"players": ("甲", "戊", "丙")},
    "ruleset": {"ruleset": "bisai"},
    "hands[2]": {"hands": (*plain(3).hands[:2], (*sorted(plain(3).hands[2] or ())[:-1], (plain(3).wall or (0,))[0]))},
    "wall[18]": {"wall": (*(plain(3).wall or ())[:18], ((plain(3).wall or ())[18] + 1) % 20)},
    "moves[2].card": {"moves": (*plain(3).moves[:2], Move(1, A.DISCARD, 19), *plain(3).moves[3:])},
    "moves[1].cards": {
        "moves": (plain(3).moves[0], Move(1, A.CHI, plain(3).moves[1].card, 3, 9, 4, 1200), *plain(3).moves[2:])
    },
    "moves[2]": {"moves": (*plain(3).moves[:2], Move(1, A.PENG, 19), *plain(3).moves[3:])},
    "moves[6]": {"moves": (*plain(3).moves, Move(1, A.DISCARD, 2))},
    "result.points": {"result": Result(winner=0, huxi=15, points=(20, -10, -10))},
    "result.winner": {"result": Result(winner=1, huxi=15, points=(24, -12, -12))},
    "started_at": {"started_at": "2024-03-05T20:00:00"},
}


@pytest.mark.parametrize("field", CONTRADICTIONS)
def test_each_contradiction_is_reported_at_its_field_and_changes_nothing(field):
    record = whole(offers=None, visible=None, tags={"tells": "more than the other account does"})
    other = msgspec.structs.replace(record, tags={}, **CONTRADICTIONS[field])
    both, conflicts = merged(record, other)
    assert [name for name, _, _ in conflicts] == [field]
    base = in_order([record, other])[0]
    assert getattr(both, field.split("[")[0].split(".")[0]) == getattr(base, field.split("[")[0].split(".")[0])


def test_options_that_only_one_log_of_the_same_seat_has():
    record = whole()
    other = msgspec.structs.replace(record, offers=(record.offers or ())[:1])
    both, conflicts = merged(record, other)
    assert both.offers == record.offers
    assert [name for name, _, _ in conflicts] == ["offers[2]"]


def test_a_merged_record_that_cannot_be_is_not_made():
    hand = plain(3).hands[0] or ()
    record = whole(hands=(hand, None, None), wall=None, offers=None, visible=None)
    five = tuple([hand[0]] * 4 + [card for card in range(20) if card != hand[0]][:16])
    other = whole(hands=(None, five, None), wall=None, offers=None, visible=None, result=None)
    both, conflicts = merged(record, other)
    assert both == record
    assert [name for name, _, _ in conflicts] == ["record"]


def test_the_same_name_with_another_deal_is_another_round():
    record = whole()
    assert round_id(record) == round_id(
        msgspec.structs.replace(record, moves=record.moves[:2], result=None, hands=(None,) * 3)
    )
    for change in (
        {"dealer": 1},
        {"liang": ((record.liang or 0) + 1) % 20},
        {"round_no": 4},
        {"session": "x"},
        {"platform": "x"},
    ):
        assert round_id(msgspec.structs.replace(record, **change)) != round_id(record)
    nameless = msgspec.structs.replace(record, platform="")
    assert round_id(nameless) != round_id(msgspec.structs.replace(nameless, moves=record.moves[:2]))
    room = msgspec.structs.replace(record, session="")
    assert round_id(room) != round_id(msgspec.structs.replace(room, started_at="2024-03-09"))
    assert round_id(room) == round_id(msgspec.structs.replace(room, started_at=room.started_at[:10], wall=None))


def test_generated_rounds_seen_from_every_seat():
    """Legal rounds of several rulesets, cut into views, clipped and shuffled, are put together again."""
    dice = random.Random(3)
    for name in ("qq", "guilin", "general"):
        machine = engine(RULESETS[name], compiled())
        for record in sessions(
            machine, 2, 60, [Player("甲"), Player("乙", peng=90), Player("丙", chi=90)], platform="平台"
        ):
            views = [msgspec.structs.replace(seen_from(record, seat), offers=None, visible=None) for seat in range(3)]
            cut = dice.randrange(len(record.moves))
            views.append(
                msgspec.structs.replace(
                    views[0], moves=views[0].moves[:cut], complete=False, result=None, hands=(None,) * 3
                )
            )
            dice.shuffle(views)
            both, conflicts = merge(in_order(views))
            assert conflicts == []
            assert both == msgspec.structs.replace(record, wall=None)


def test_a_store_is_the_same_whatever_comes_first(tmp_path):
    record = whole(visible=(0, 1, 2))
    liar = msgspec.structs.replace(record, result=Result(winner=1))
    accounts = [*(seen_from(record, seat) for seat in range(3)), liar]
    files = [write(tmp_path / f"{n}.jsonl", [one, plain(n)]) for n, one in enumerate(accounts)]
    hashes = set()
    for number, order in enumerate(itertools.permutations(files)):
        if number % 5:
            continue
        store = open_store(tmp_path / f"store{number}")
        together = [order] if number % 2 else [[file] for file in order]
        report = [import_paths(part, store) for part in together][-1]
        assert all(f.seen == f.accepted + f.already_known + f.quarantined for f in report.files)
        assert is_whole(store)
        hashes.add(tuple(content(store, CLOCK | HISTORY).items()))
    assert len(hashes) == 1
    rounds = store.scan("rounds").filter(round_id=round_id(record)).collect()
    both = merge(in_order(accounts))[0]
    assert list(rows.records(rounds)) == [both]
    assert rounds["accounts"].to_list() == [4]
    told = store.scan("accounts").collect()
    assert sorted(told["account"]) == sorted(map(account, accounts))
    conflicts = store.scan("conflicts").collect().to_dicts()
    assert {row["field"] for row in conflicts} == {"result.winner"}
    sources = store.scan("sources").filter(round_id=round_id(record)).collect()
    assert set(sources["account"]) == set(told["account"])


def test_equal_accounts_are_one():
    record = whole()
    assert in_order([record, whole(), record]) == [record]
    assert dump_line(record) == dump_line(whole())
