"""Score sheets beside the rounds of their session."""

from __future__ import annotations

from pathlib import Path

import msgspec

from analytics.marts import open_marts
from analytics.rounds import sheets
from ingest.adapters.jsonl import dump_line
from ingest.importer import import_paths
from ingest.record import Record, Result, Sheet
from ingest.store import open_store
from tests.ingest.made import plain


def test_final_points_stand_beside_the_sum_of_the_recorded_rounds(tmp_path: Path, monkeypatch) -> None:
    base = plain(1, platform="平台", session="场")
    points = [(24, -12, -12), (-6, 12, -6), (0, 0, 0)]
    rounds = [
        msgspec.structs.replace(base, round_no=number, result=Result(winner=0, points=told))
        for number, told in enumerate(points)
    ]
    other = plain(2, platform="平台", session="别场", round_no=1, result=Result(winner=0, points=(100, -50, -50)))
    silent = msgspec.structs.replace(base, round_no=9, result=None)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(map(dump_line, [*rounds, other, silent])))
    sheet = Sheet(
        players=("甲", "乙", "客"), points=(18, -1, -18), raw=(9, 0, -9), platform="平台", session="场", rounds=3
    )

    def read(*_: object) -> list[Record | Sheet]:
        return [sheet]

    store = open_store(tmp_path / "store")
    import_paths([path], store)
    monkeypatch.setattr("ingest.importer._found", read)
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    report = import_paths([tmp_path / "b.json"], store)
    assert (report.seen, report.accepted, report.quarantined) == (1, 1, 0)
    found = sheets(open_marts(tmp_path / "store"), limit=10)
    wanted = [("甲", 18, 9, -1, 3, 18, 0), ("乙", -1, 0, -1, 3, 0, -1), ("客", -18, -9, -1, None, None, None)]
    columns = ("player", "points", "raw", "sheet_sum", "rounds_found", "points_found", "difference")
    assert found.select(columns).rows() == wanted
    assert found["total"].to_list() == [3, 3, 3]
    assert sheets(open_marts(tmp_path / "none"), limit=10).is_empty()
