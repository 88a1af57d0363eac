"""The command line from outside: output, exit codes, languages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import phz
from ingest.convert import dumps
from ingest.naming import round_id
from ingest.record import Record
from replay.engine import engine
from replay.rulesets import QQ, resolve
from replay.simulate import Player, sessions

ROOT = Path(__file__).resolve().parent.parent.parent
PLAYERS = [Player("甲"), Player("乙"), Player("丙")]


@pytest.fixture
def records() -> list[Record]:
    return list(sessions(engine(QQ), 2, 6, PLAYERS))


def write(path: Path, records: list[Record]) -> str:
    path.write_text(dumps(records, path.suffix[1:]), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(phz.app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def wrong(record: Record) -> Record:
    assert record.result is not None
    return msgspec.structs.replace(record, result=msgspec.structs.replace(record.result, points=(1, 1, 1)))


def test_audit_exit_codes(tmp_path: Path, records: list[Record]) -> None:
    clean = write(tmp_path / "clean.phz", records)
    assert run("audit", clean)[0] == 0
    bad = write(tmp_path / "bad.jsonl", [records[0], wrong(records[1])])
    assert run("audit", bad)[0] == 1
    broken = tmp_path / "broken.jsonl"
    broken.write_text(Path(bad).read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    code, _, err = run("audit", str(broken), "--lang", "en")
    assert code == 2
    assert "broken.jsonl:3" in err
    assert run("audit", str(tmp_path / "nothing.phz"))[0] == 2


def test_audit_json_has_the_documented_shape(tmp_path: Path, records: list[Record]) -> None:
    code, out, _ = run("audit", write(tmp_path / "r.jsonl", [records[0], wrong(records[1])]), "--json")
    assert code == 1
    report = json.loads(out)
    assert set(report) == {"engine_version", "records", "accepted", "quarantined", "rounds"}
    assert (report["records"], report["accepted"], report["quarantined"]) == (2, 2, 0)
    first, second = report["rounds"]
    assert set(first) == {
        "round_id", "file", "index", "ruleset", "options", "verdict", "undecidable", "findings", "score", "reported",
    }  # fmt: skip
    assert first["verdict"] == "clean"
    codes = {finding["code"] for finding in second["findings"]}
    assert {"NOT_ZERO_SUM", "WRONG_SCORE"} <= codes
    assert set(second["findings"][0]) == {
        "seq", "code", "seat", "severity", "clause", "expected", "actual", "follows_from",
    }  # fmt: skip
    assert (first["index"], second["index"]) == (0, 1)


def test_unknown_option_and_ruleset_are_refused_with_the_allowed_values(tmp_path: Path, records: list[Record]) -> None:
    other = msgspec.structs.replace(records[0], ruleset="mahjong")
    option = msgspec.structs.replace(records[1], options={"zi_step": 4})
    code, _, err = run("audit", write(tmp_path / "r.jsonl", [other, option, records[2]]))
    assert code == 2
    assert "UNKNOWN_RULESET" in err
    assert "guilin" in err
    assert "BAD_OPTION" in err
    assert "[1, 3, 5, 10]" in err


def test_show_prints_every_event_in_both_languages(tmp_path: Path, records: list[Record]) -> None:
    path = write(tmp_path / "r.phz", records)
    for lang, verdict in (("zh", "判定: 无误"), ("en", "verdict: clean")):
        code, out, _ = run("show", f"{path}:2", "--lang", lang)
        assert code == 0
        assert verdict in out
        assert sum(line[:3].strip().isdigit() and line[3:4] == " " for line in out.splitlines()) >= len(
            records[1].moves
        )
    code, out, _ = run("show", path, "--json")
    assert len(json.loads(out)["frames"]) == len(records[0].moves) + 1
    assert run("show", f"{path}:99", "--store", str(tmp_path / "none"))[0] == 2


def test_show_writes_one_page(tmp_path: Path, records: list[Record]) -> None:
    page = tmp_path / "round.html"
    code, out, _ = run("show", write(tmp_path / "r.phz", records), "--html", str(page))
    assert (code, out.strip()) == (0, str(page))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert records[0].players[1] in text
    assert "://" not in text.split("<script")[0]


def test_given_options_hold_where_a_record_sets_none(tmp_path: Path, records: list[Record]) -> None:
    """Rounds that do not say what a point is, and one that does: the file of options speaks for the first alone."""
    fives = list(sessions(engine(resolve("qq", {"base_points": 5})), 2, 6, PLAYERS))
    silent = [msgspec.structs.replace(record, options={}) for record in fives]
    own = [msgspec.structs.replace(record, options={"base_points": 3}) for record in records]
    path = write(tmp_path / "r.jsonl", [*silent, *own])
    house = tmp_path / "house.toml"
    house.write_text('ruleset = "qq"\n[options]\nbase_points = 5\n', encoding="utf-8")
    assert run("audit", path)[0] == 1
    code, out, err = run("audit", path, "--options", str(house), "--json", "--lang", "en")
    assert code == 0
    assert "the given options hold in 12 rounds" in err
    rounds = json.loads(out)["rounds"]
    assert [one["options"]["base_points"] for one in rounds] == [5] * 6 + [3] * 6
    assert [one["round_id"] for one in rounds] == [round_id(record) for record in (*silent, *own)]
    house.write_text('ruleset = "guilin"\n[options]\nbase_points = 5\n', encoding="utf-8")
    code, _, err = run("audit", path, "--options", str(house), "--lang", "zh")
    assert code == 1
    assert "给定的选项用于 0 局" in err
    code, _, err = run("audit", path, "--option", "pay_discard=discarder_alone")
    assert code == 2
    assert "BAD_OPTION" in err
    assert "needs win_discard = true" in err


def test_convert_there_and_back(tmp_path: Path, records: list[Record]) -> None:
    source = write(tmp_path / "a.phz", records)
    middle, back = str(tmp_path / "b.jsonl"), str(tmp_path / "c.phz")
    assert run("convert", source, middle)[0] == 0
    assert run("convert", middle, back)[0] == 0
    assert Path(back).read_text(encoding="utf-8") == Path(source).read_text(encoding="utf-8")


def test_ingest_replay_show_from_the_store(tmp_path: Path, records: list[Record]) -> None:
    store = str(tmp_path / "store")
    source = write(tmp_path / "a.jsonl", records)
    code, out, _ = run("ingest", source, "--store", store, "--json")
    assert code == 0
    assert json.loads(out)["accepted"] == 6
    code, out, _ = run("ingest", source, "--store", store, "--json")
    assert json.loads(out)["already_known"] == 6
    code, out, _ = run("replay", "--store", store, "--json")
    assert code == 0
    assert json.loads(out)["verdicts"] == {"clean": 6}
    code, out, _ = run("audit", source, "--json")
    wanted = json.loads(out)["rounds"][3]["round_id"]
    code, out, _ = run("show", wanted[:12], "--store", store)
    assert code == 0
    assert wanted in out


def test_demo_without_serving_sums_up(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "phz",
        "demo",
        "--no-serve",
        "--rounds",
        "60",
        "--store",
        str(tmp_path / "s"),
        "--json",
    ]
    run_ = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run_.returncode == 0, run_.stderr
    summary = json.loads(run_.stdout)
    assert summary["seen"] == summary["accepted"] + summary["already_known"] + summary["quarantined"]
    assert summary["rounds"] == summary["clean"] + summary["violations"] + summary["undecidable"]
    assert summary["rounds"] >= 60
    assert summary["events_per_second"] > 0
