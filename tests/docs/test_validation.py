"""docs/validation.md against the recorded rounds: every finding and every count, both ways."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.adapters.guilin import ADAPTER
from ingest.adapters.registry import Reject
from ingest.codes import Action
from ingest.record import Record
from replay import Replay, replay_round
from replay.engine import engine, seat_slot
from replay.kernels import layout
from replay.replayer import rules_of, steps
from replay.seating import seated
from replay.version import ENGINE_VERSION
from tests.docs.tables import ROOT, rows

PAGE = ROOT / "docs" / "validation.md"
Replayed = list[tuple[Record, Replay]]


def read(path: Path) -> Iterator[Record | Reject]:
    with path.open("rb") as file:
        yield from ADAPTER.read(file, path.name, {})


@pytest.fixture(scope="module")
def replayed(shared: Path) -> Replayed:
    found = []
    for record in read(shared / "records" / "guilin" / "complete.jsonl"):
        assert isinstance(record, Record), record
        found.append((record, replay_round(record)))
    return found


def count_of(name: str) -> int:
    cells = next(cells for cells in rows(PAGE, columns=2) if cells[0] == name)
    return int(cells[1].replace(",", ""))


def test_the_page_names_the_engine() -> None:
    assert re.findall(r"Engine version: \*\*(.+?)\*\*", PAGE.read_text(encoding="utf-8")) == [ENGINE_VERSION]


def test_every_finding_is_listed_and_nothing_else(replayed: Replayed) -> None:
    listed = Counter(tuple(cells[:5]) for cells in rows(PAGE, columns=6) if cells[0].startswith("GL-"))
    found = Counter(
        (record.tags["id"], str(finding.seq), finding.code, finding.expected, finding.actual)
        for record, replay in replayed
        for finding in replay.findings
    )
    assert found == listed


def test_every_listed_finding_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for cells in rows(PAGE, columns=6):
        if cells[0].startswith("GL-"):
            letter = cells[5].partition(":")[0]
            assert f"\n**{letter}. " in text, cells


def test_verdicts(replayed: Replayed) -> None:
    verdicts = Counter(replay.verdict for _, replay in replayed)
    assert len(replayed) == count_of("rounds")
    assert verdicts == {"clean": count_of("clean rounds"), "violations": count_of("rounds with findings")}
    for record, replay in replayed:
        assert (replay.verdict == "violations") == any(f.severity > 0 for f in replay.findings), record.tags["id"]


def test_what_was_compared(replayed: Replayed) -> None:
    acts = Counter(move.action for record, _ in replayed for move in record.moves)
    results = [record.result for record, _ in replayed if record.result is not None]
    won = [result for result in results if (result.winner or 0) >= 0]
    groups = [group for result in won for group in result.groups or ()]
    assert len(results) == len(replayed)
    assert {
        "rounds with a winner": len(won),
        "events": acts.total(),
        "draws": acts[Action.DRAW],
        "discards": acts[Action.DISCARD],
        "吃": acts[Action.CHI],
        "碰": acts[Action.PENG],
        "偎 and 臭偎": acts[Action.WEI] + acts[Action.CHOU_WEI],
        "跑": acts[Action.PAO],
        "提 and dealt 提": acts[Action.TI] + acts[Action.TI_OPEN],
        "final hands compared": sum(hand is not None for result in results for hand in result.hands or ()),
        "groups of winners": len(groups),
        "totals of 胡息 compared": sum(result.huxi is not None for result in won),
        "醒 compared": sum(result.xing_hits is not None for result in won),
        "子 compared": sum(result.units is not None for result in won),
    } == {cells[0]: count_of(cells[0]) for cells in rows(PAGE, columns=2) if cells[0] in _COMPARED}
    assert all(result.points is None for result in results)


_COMPARED = (
    *("rounds with a winner", "events", "draws", "discards", "吃", "碰", "偎 and 臭偎", "跑", "提 and dealt 提"),
    *("final hands compared", "groups of winners", "totals of 胡息 compared", "醒 compared", "子 compared"),
)


def test_options_pushed(replayed: Replayed) -> None:
    assert sum(replay.compared for _, replay in replayed) == count_of("seat-windows compared")
    codes = Counter(finding.code for _, replay in replayed for finding in replay.findings)
    assert codes["OPTION_NOT_OFFERED"] + codes["OPTION_NOT_LEGAL"] == count_of("seat-windows that differ")
    text = PAGE.read_text(encoding="utf-8")
    pushed = sum(len(record.offers or ()) for record, _ in replayed)
    seen = sum(len(record.visible or ()) for record, _ in replayed)
    assert f"{pushed:,} of them" in text
    assert f"({seen} of {3 * len(replayed)})" in text


# 胡 on a draw that makes a 跑 of the own 碰: round, event, seat, worth, offered.
RAISED_PENG = (
    ("GL-C038", 29, 1, 23, True),
    ("GL-C063", 38, 2, 13, True),
    ("GL-C077", 28, 1, 10, False),
    ("GL-C105", 22, 2, 13, False),
    ("GL-C113", 48, 0, 24, True),
    ("GL-C113", 54, 0, 24, True),
)


@pytest.mark.parametrize(("name", "event", "seat", "huxi", "offered"), RAISED_PENG)
def test_the_numbers_of_case_d(replayed: Replayed, name: str, event: int, seat: int, huxi: int, offered: bool) -> None:
    record = next(record for record, _ in replayed if record.tags["id"] == name)
    assert offered == any(o.seq == event and o.seat == seat and o.action == Action.HU for o in record.offers or ())
    machine = engine(rules_of(record))
    for seq, _ in steps(seated(record, machine.ruleset), machine):
        if seq == event:
            card = record.moves[event].card
            assert seat_slot(machine, seat, layout.PENGS) >> 2 * card & 1
            assert seat_slot(machine, seat, layout.HU_VALUE) >> layout.HUXI_AT == huxi
            return
    pytest.fail("no such event")


def test_the_numbers_of_other_tests() -> None:
    text = PAGE.read_text(encoding="utf-8")
    differential = (ROOT / "tests" / "oracle" / "test_differential.py").read_text(encoding="utf-8")
    batches, batch = (
        int(re.findall(rf"^{name} = ([\d_]+)", differential, re.M)[0].replace("_", "")) for name in ("BATCHES", "BATCH")
    )
    assert f"| {batches * batch:,} |" in text
    for number in ("176_700", "8_000", "12_000", "450", "1_500"):
        assert number in differential
        assert f"| {int(number):,} |" in text
    cases = (ROOT / "tests" / "rules" / "test_cases.py").read_text(encoding="utf-8")
    cited = set(re.findall(r'"([BN]\d\d)"', cases.split("CITED = {")[1].split("}")[0]))
    assert f"{len(cited)} kinds of faults" in text


def test_records_that_are_not_whole(shared: Path) -> None:
    folder = shared / "records" / "guilin"
    sources = {
        "rounds whose log stops early, with hands": [folder / "truncated.jsonl"],
        "event streams without hands": sorted((folder / "streams").glob("*.jsonl")),
        "rounds of the server's test decks": [folder / "debugdeck.jsonl"],
    }
    for cells in rows(PAGE, columns=6):
        if cells[0] not in sources:
            continue
        items = [item for path in sources.pop(cells[0]) for item in read(path)]
        replays = [replay_round(item) for item in items if isinstance(item, Record)]
        rejects = Counter(item.code for item in items if isinstance(item, Reject))
        assert {replay.verdict for replay in replays} <= {"undecidable"}
        assert all(replay.undecidable for replay in replays)
        assert set(rejects) <= {"DEBUG_DECK"}
        counts = (
            len(items),
            len(replays),
            rejects["DEBUG_DECK"],
            sum(len(replay.findings) for replay in replays),
            sum(replay.compared for replay in replays),
        )
        assert counts == tuple(int(cell) for cell in cells[1:]), cells[0]
    assert not sources, "missing in the page"
