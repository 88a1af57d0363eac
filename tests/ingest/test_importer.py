"""Import: exactly once, whatever the order, the batches and the format; and the counts always add up."""

from __future__ import annotations

import io
import itertools
import shutil

import msgspec
import pytest

from ingest import cli, importer, notation, rows
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.importer import _found, import_paths
from ingest.naming import round_id
from ingest.record import Move, Offer, Penalty, Provenance, Record, Result
from ingest.reports import ImportReport
from ingest.schema import SCHEMA_VERSION
from ingest.store import Store, open_store
from tests.ingest.made import A, plain
from tests.ingest.stores import CLOCK, HISTORY, content, is_whole, write


def run(store: Store, *paths: object, **more: object) -> ImportReport:
    report = import_paths(paths, store, **more)
    for file in report.files:
        assert file.seen == file.accepted + file.already_known + file.quarantined
        assert file.quarantined == len(file.rejects) == sum(file.codes.values())
    assert is_whole(store)
    stored = store.scan("imports").collect()
    assert (stored["seen"] == stored["accepted"] + stored["already_known"] + stored["quarantined"]).all()
    assert stored["quarantined"].sum() == store.scan("quarantine").collect().height
    return report


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.seen, report.accepted, report.already_known, report.quarantined


@pytest.fixture
def store(tmp_path) -> Store:
    return open_store(tmp_path / "store")


def variants() -> list[Record]:
    """Three logs of one round that tell different things about it."""
    one = plain(5)
    return [
        one,
        msgspec.structs.replace(one, tags={"log": "longer"}, offers=(Offer(0, 1, A.CHI, 3, (4, 5)),)),
        msgspec.structs.replace(one, started_at="2024-04-01", moves=tuple(Move(m.seat, *m_rest(m)) for m in one.moves)),
    ]


def m_rest(move: Move) -> tuple[int, int, int, int]:
    return move.action, move.card, move.a, move.b


def test_rows_hold_the_whole_record(store, tmp_path):
    record = plain(1, offers=(Offer(0, 1, A.PENG, 3, (3, 3)), Offer(-1, 0, A.HU, -2)), tags={"a": "b"})
    run(store, write(tmp_path / "a.jsonl", [record]))
    rounds = store.scan("rounds").collect()
    assert list(rows.records(rounds)) == [record]
    (row,) = rounds.to_dicts()
    assert row["hands"] == [list(hand) for hand in record.hands if hand]
    assert row["wall"] == list(record.wall or ())
    assert row["day"] == "2024-03-02"
    assert (row["winner"], row["huxi"], row["points"], row["n_events"]) == (0, 15, [24, -12, -12], 6)
    assert row["unknown"] == 0
    assert row["sitter"] is None
    events = store.scan("events").sort("seq").collect()
    assert [
        Move(e["seat"], e["action"], e["card"], e["a"], e["b"], e["flags"], e["t_ms"]) for e in events.to_dicts()
    ] == list(record.moves)
    offers = store.scan("offers").sort("seq", descending=True).collect()
    assert [Offer(o["seq"], o["seat"], o["action"], o["card"], tuple(o["cards"])) for o in offers.to_dicts()] == list(
        record.offers or ()
    )


def test_rows_of_four_persons(store, tmp_path):
    result = Result(winner=0, points=(2, -4, 2, 0), penalties=(Penalty(1, "E", (1, -3, 1, 1)),))
    hands = (plain().hands[0], None, *plain().hands[1:])
    moves = (Move(0, A.DISCARD, 3), Move(1, A.PASS), Move(2, A.LEAVE))
    record = plain(players=("甲", "醒", "乙", "丙"), sitter=1, hands=hands, moves=moves, result=result)
    run(store, write(tmp_path / "a.jsonl", [record]))
    rounds = store.scan("rounds").collect()
    assert list(rows.records(rounds)) == [record]
    (row,) = rounds.to_dicts()
    assert (row["sitter"], row["dealer"], row["schema_version"]) == (1, 0, SCHEMA_VERSION)
    assert row["hands"][1] == []
    assert row["points"] == [2, -4, 2, 0]
    assert store.scan("events").sort("seq").collect()["action"].to_list() == [A.DISCARD, A.PASS, A.LEAVE]


@pytest.mark.parametrize(
    ("fields", "bits"),
    [
        ({}, 0),
        ({"hands": (None, plain().hands[1], None)}, 0b101),
        ({"hands": (plain().hands[0], plain().hands[1], (-1, *(plain().hands[2] or ())[1:]))}, 0b100),
        ({"wall": None}, 1 << 8),
        ({"wall": (plain().wall or ())[:10]}, 1 << 8),
        ({"wall": (*(plain().wall or ())[:18], -1)}, 1 << 8),
        ({"liang": None}, 1 << 9),
        ({"liang": None, "hands": ((*(plain().hands[0] or ()), plain().liang), *plain().hands[1:])}, 0),
        ({"liang": None, "hands": ((*(plain().hands[0] or ()), -1), *plain().hands[1:])}, 1 | 1 << 9),
        ({"liang": None, "wall": (plain().liang, *(plain().wall or ()))}, 0),
        ({"liang": None, "wall": (-1, *(plain().wall or ()))}, 1 << 8 | 1 << 9),
        ({"players": (*plain().players, "丁"), "hands": (*plain().hands, None), "sitter": 3}, 0),
        ({"complete": False}, 1 << 10),
        ({"result": None}, 1 << 11),
    ],
)
def test_what_is_unknown_is_marked(fields, bits):
    assert rows.unknown_bits(plain(**fields)) == bits


def test_again_is_nothing_new(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(n) for n in range(7)])
    assert counts(run(store, path)) == (7, 7, 0, 0)
    before, versions = content(store, set()), store.snapshot()
    assert counts(run(store, path)) == (7, 0, 7, 0)
    assert counts(run(store, path, path)) == (14, 0, 14, 0)
    assert content(store, set()) == before
    assert store.snapshot() == versions


def test_one_round_in_one_file_two_files_and_two_formats(store, tmp_path):
    records = [plain(n) for n in range(4)]
    one = write(tmp_path / "one.jsonl", [*records, records[0]])
    two = tmp_path / "two.phz"
    two.write_text(notation.dumps([records[2], plain(9), records[1]]), encoding="utf-8")
    assert counts(run(store, one, two)) == (8, 5, 3, 0)
    assert store.scan("rounds").collect().height == 5
    sources = store.scan("sources").collect().sort("file", "file_index")
    assert sources.filter(round_id=round_id(records[2]))["format"].to_list() == ["jsonl", "phz"]
    assert sources.height == 8


def test_any_order_and_any_batches_give_the_same_tables(tmp_path):
    bad = b'{"phz":1}\n'
    files = [
        write(tmp_path / "a.jsonl", [plain(1), variants()[0], plain(2)]),
        write(tmp_path / "b.jsonl", [variants()[1], plain(2), plain(3)]),
        write(tmp_path / "c.jsonl", [plain(4), variants()[2], variants()[0]]),
    ]
    files[1].write_bytes(files[1].read_bytes() + bad)
    found = set()
    for number, order in enumerate(itertools.permutations(files)):
        for batch in (1, 2, 100) if number == 0 else (3,):
            store = open_store(tmp_path / f"store{number}-{batch}")
            assert counts(run(store, *order, batch=batch)) == (10, 5, 4, 1)
            found.add(tuple(content(store, CLOCK | HISTORY).items()))
    one_by_one = open_store(tmp_path / "one-by-one")
    for path in (*files, *files):
        run(one_by_one, path)
    found.add(tuple(content(one_by_one, CLOCK | HISTORY).items()))
    assert len(found) == 1


def test_several_logs_of_a_round_are_one_round_that_tells_what_each_tells(tmp_path):
    best = msgspec.structs.replace(variants()[1], moves=variants()[0].moves)
    assert best.offers
    assert best.tags
    for number, order in enumerate(itertools.permutations(variants())):
        store = open_store(tmp_path / str(number))
        for place, record in enumerate(order):
            run(store, write(tmp_path / f"{number}-{place}.jsonl", [record]))
        assert list(rows.records(store.scan("rounds").collect())) == [best]
        assert store.scan("rounds").collect()["accounts"].to_list() == [3]
        assert store.scan("conflicts").select("field", "kept", "told").collect().rows() == [
            ("started_at", best.started_at, "2024-04-01")
        ]
        assert store.scan("offers").collect().height == len(best.offers or ())
        assert store.scan("events").collect()["day"].unique().to_list() == [(best.started_at or "")[:10]]


def refuse(record: Record) -> Reject | None:
    return Reject("UNKNOWN_RULESET", record.ruleset) if record.ruleset != "qq" else None


def test_a_refused_record_goes_to_quarantine_and_the_rest_is_imported(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(1), plain(2, ruleset="xx"), plain(3)])
    report = run(store, path, accept=refuse)
    assert counts(report) == (3, 2, 0, 1)
    (row,) = store.scan("quarantine").collect().to_dicts()
    assert (row["code"], row["record_index"], row["line"], row["file"]) == ("UNKNOWN_RULESET", 1, 2, str(path))
    assert len(row["raw_hash"]) == 32
    before, versions = content(store, set()), store.snapshot()
    assert counts(run(store, path, accept=refuse, now="later")) == (3, 0, 2, 1)
    assert content(store, set()) == before
    assert store.snapshot() == versions
    assert counts(run(store, path)) == (3, 1, 2, 0), "a program that knows the ruleset takes it at the next try"
    assert store.scan("quarantine").collect().height == 0
    assert store.scan("imports").collect()["accepted"].to_list() == [3]


def test_a_file_of_which_nothing_was_taken_has_failed_and_may_be_tried_again(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(1, ruleset="xx"), plain(2, ruleset="xx")])
    for _ in range(2):
        assert counts(run(store, path, accept=refuse)) == (2, 0, 0, 2)
        assert store.scan("imports").collect()["state"].to_list() == ["failed"]
    assert counts(run(store, path)) == (2, 2, 0, 0)
    assert store.scan("imports").collect()["state"].to_list() == ["done"]


def test_of_very_many_refused_records_the_first_are_told_and_all_are_kept(store, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ingest.reports.KEPT_REJECTS", 30)
    path = write(tmp_path / "a.jsonl", [plain(n, ruleset="xx" if n else "qq") for n in range(50)])
    assert cli.ingest([str(path)], str(store.path), lang="en", accept=refuse) == 2
    printed = capsys.readouterr()
    assert printed.err.count("UNKNOWN_RULESET") == cli.SHOWN_REJECTS
    assert printed.err.splitlines()[-1].endswith(f": {49 - cli.SHOWN_REJECTS} more")
    assert "49" in printed.out
    assert store.scan("quarantine").collect().height == 49


def test_a_file_that_grew_is_read_again(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(1)])
    run(store, path)
    write(path, [plain(1), plain(2)])
    assert counts(run(store, path)) == (2, 1, 1, 0)
    assert store.scan("imports").collect().height == 2


def test_a_copy_under_another_name_is_another_source(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(1)])
    shutil.copy(path, tmp_path / "b.jsonl")
    assert counts(run(store, tmp_path)) == (2, 1, 1, 0)
    assert store.scan("sources").collect()["file"].sort().to_list() == [str(path), str(tmp_path / "b.jsonl")]


def test_a_missing_file_is_reported_and_the_others_are_read(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(1)])
    report = import_paths([tmp_path / "none.phz", path, "/dev/null"], store)
    assert [file.state for file in report.files] == ["failed", "done", "failed"]
    assert [reject.code for file in report.files for reject in file.rejects] == ["UNREADABLE", "UNREADABLE"]
    assert counts(report) == (3, 1, 0, 2)


def test_progress_reaches_the_end_of_each_file(store, tmp_path):
    path = write(tmp_path / "a.jsonl", [plain(n) for n in range(450)])
    seen = []
    run(store, path, progress=seen.append)
    assert [state.records for state in seen] == [200, 400, 450]
    assert seen[-1].bytes_done == seen[-1].bytes_total == path.stat().st_size


def test_provenance_is_no_part_of_a_stored_record(store, tmp_path):
    noted = plain(1, source=Provenance("x", 3, "guilin", "手稿", 8))
    run(store, write(tmp_path / "a.jsonl", [noted]))
    (back,) = rows.records(store.scan("rounds").collect())
    assert back.source == Provenance(note="手稿")


class Failing(io.BytesIO):
    """A file whose disk fails after the first line."""

    def readline(self, *_: object) -> bytes:
        if self.tell():
            raise OSError(5, "Input/output error")
        return super().readline()


def test_a_disk_that_fails_in_the_middle_is_one_more_reject():
    found = list(_found(Failing(dump_line(plain()) * 3), "x.jsonl", None))
    assert isinstance(found[0], Record)
    assert [(one.code, one.index) for one in found[1:]] == [("UNREADABLE", 1)]


def test_a_store_that_cannot_be_written_is_no_fault_of_the_file(store, tmp_path, monkeypatch):
    path = write(tmp_path / "a.jsonl", [plain(n) for n in range(4)])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ingest.importer.commit_batch", full)
        with pytest.raises(OSError, match="space"):
            import_paths([path], store, batch=2)
    assert counts(run(store, path)) == (4, 4, 0, 0)


def test_what_a_file_no_longer_tells_is_taken_back(store, tmp_path, monkeypatch):
    """A file read again by a program that reads it otherwise: what only the first reading told is gone."""
    told = {"a": [plain(1), plain(2), plain(3, ruleset="xx")], "b": [plain(2), variants()[0]], "c": [variants()[1]]}
    paths = {name: write(tmp_path / f"{name}.jsonl", records) for name, records in told.items()}

    def read(*names: str) -> None:
        run(store, *(paths[name] for name in names), accept=refuse, format="jsonl:" if names == ("a",) else None)

    def stored() -> list[Record]:
        return sorted(rows.records(store.scan("rounds").collect()), key=round_id)

    read("a", "b", "c")
    both = msgspec.structs.replace(variants()[1])
    assert stored() == sorted([plain(1), plain(2), both], key=round_id)
    real = importer._found

    def otherwise(stream, name, *more):
        for found in real(stream, name, *more):
            changed = isinstance(found, Record) and name == str(paths["a"])
            yield msgspec.structs.replace(found, dealer=2) if changed else found

    with monkeypatch.context() as patch:
        patch.setattr(importer, "_found", otherwise)
        read("a")
        again = [msgspec.structs.replace(plain(n), dealer=2) for n in (1, 2)]
        assert stored() == sorted([*again, plain(2), both], key=round_id)
    read("a")
    assert stored() == sorted([plain(1), plain(2), both], key=round_id)
    assert store.scan("imports").filter(file=str(paths["a"])).collect()["quarantined"].to_list() == [1]


def test_an_account_that_no_file_tells_any_more_leaves_the_merged_round(store, tmp_path, monkeypatch):
    one, two = variants()[:2]
    paths = [write(tmp_path / "a.jsonl", [one, plain(9, ruleset="xx")]), write(tmp_path / "b.jsonl", [two])]
    run(store, *paths, accept=refuse)
    assert store.scan("rounds").collect()["accounts"].to_list() == [2]
    monkeypatch.setattr(importer, "_found", lambda *_: iter([Reject("BAD_FIELD", "x"), Reject("BAD_FIELD", "x", 1)]))
    run(store, paths[0], accept=refuse)
    assert list(rows.records(store.scan("rounds").collect())) == [two]
    assert store.scan("rounds").collect()["accounts"].to_list() == [1]
    assert store.scan("accounts").collect().is_empty()
    assert store.scan("sources").collect()["file"].to_list() == [str(paths[1])]
