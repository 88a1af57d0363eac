"""``phz simulate``: files of every format that can carry the rounds, stores, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from ingest import progress
from ingest.codes import Action
from ingest.convert import targets
from ingest.reader import read_path
from ingest.record import Provenance, Record
from ingest.store import open_store
from phz import app
from replay import cli_simulate, workers
from tests.ingest.s3_server import BUCKET, s3
from tests.replay.simulations import MIXED, data_of, records_of, run_of

WHOLE = ("phz", "jsonl", "csv", "parquet")
"""Formats that keep everything; the others keep what they have a place for, and the play."""
PARTLY = ("h5", "huyoo", "pandora", "sy599")
PLAYERS = ",".join(MIXED[:3])


def simulate(*arguments: str | Path, ruleset: str = "qq") -> Any:
    given = ("simulate", "--ruleset", ruleset, *arguments)
    if "--players" not in arguments:
        given = (*given, "--players", PLAYERS)
    return CliRunner().invoke(app, [*map(str, given), "--lang", "en"])


def rounds_in(path: Path, format: str | None = None) -> list[Record]:  # noqa: A002
    found = list(read_path(path, format))
    assert all(isinstance(one, Record) for one in found)
    return [msgspec.structs.replace(one, source=Provenance()) for one in found if isinstance(one, Record)]


@pytest.mark.parametrize("form", WHOLE)
def test_a_file_of_each_format_that_keeps_all(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"rounds.{form}"
    run = simulate("--rounds", "30", "--out", path)
    assert run.exit_code == 0, run.output
    assert rounds_in(path) == [record for rounds in records_of(run_of(rounds=30)) for record in rounds]


@pytest.mark.parametrize("form", PARTLY)
def test_a_file_of_each_format_that_keeps_the_play(form: str, tmp_path: Path) -> None:
    path = tmp_path / "rounds.bin"
    run = simulate("--rounds", "30", "--out", path, "--format", form)
    assert run.exit_code == 0, run.output
    made = [record for rounds in records_of(run_of(rounds=30)) for record in rounds]
    back = rounds_in(path, form)
    assert [record.dealer for record in back] == [record.dealer for record in made]
    discards = [
        [[(m.seat, m.card) for m in record.moves if m.action == Action.DISCARD] for record in records]
        for records in (back, made)
    ]
    assert discards[0] == discards[1]


def test_the_formats_that_cannot_carry_them_say_so(tmp_path: Path) -> None:
    refused = {
        form
        for form in targets()
        if simulate("--rounds", "20", "--out", tmp_path / "x", "--format", form).exit_code == 2
    }
    assert refused == set(targets()) - {*WHOLE, *PARTLY}
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_csv_of_events(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    assert simulate("--rounds", "20", "--out", path, "--format", "csv:layout=events").exit_code == 0
    assert rounds_in(path) == records_of(run_of(rounds=20))[0]


def test_processes_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    run = simulate("--rounds", "12", "--per-session", "4", "--jobs", "2", "--seed", "5", "--json", "--out", path)
    assert run.exit_code == 0, run.output
    told = json.loads(run.stdout)
    assert (told["rounds"], told["sessions"], told["seed"]) == (12, 3, 5)
    assert told["players"] == ["random-1", "greedy-2", "steady-3"]
    assert sum(told["points"].values()) == 0
    made = run_of(rounds=12, seed=5)
    assert path.read_bytes() == data_of(type(made)(made.ruleset, made.players, 12, 5, 4))


def test_a_store_knows_them_the_second_time(tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        run = simulate("--rounds", "40", "--json", "--out", tmp_path / "store")
        assert run.exit_code == 0, run.output
        told.append({key: json.loads(run.stdout)[key] for key in ("seen", "accepted", "already_known", "quarantined")})
    assert told[0] == {"seen": 40, "accepted": 40, "already_known": 0, "quarantined": 0}
    assert told[1] == {"seen": 40, "accepted": 0, "already_known": 40, "quarantined": 0}
    store = open_store(tmp_path / "store")
    assert store.scan("rounds").collect().height == 40
    assert store.scan("sources").collect().height == 40
    assert list((tmp_path / "store" / "generated").iterdir()) == []


def test_an_object_store_knows_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with s3() as options:
        monkeypatch.setenv("PHZ_STORAGE_OPTIONS", json.dumps(options))
        runs = [simulate("--rounds", "10", "--out", f"s3://{BUCKET}/simulated") for _ in range(2)]
    assert [run.exit_code for run in runs] == [0, 0], runs[0].output
    assert "10 new, 0 known, 0 quarantined" in runs[0].stdout
    assert "0 new, 10 known, 0 quarantined" in runs[1].stdout


def test_other_players_of_the_same_seed_are_other_rounds(tmp_path: Path) -> None:
    for players in (PLAYERS, "steady,steady,steady"):
        run = simulate("--rounds", "20", "--out", tmp_path / "store", "--players", players)
        assert run.exit_code == 0, run.output
    assert "20 new, 0 known, 0 quarantined" in run.stdout
    assert open_store(tmp_path / "store").scan("rounds").collect().height == 40


def test_two_persons_and_options(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    options = tmp_path / "options.toml"
    options.write_text("base_points = 2\n", encoding="utf-8")
    given = ("--players", "greedy，random", "--rounds", "10", "--option", "huang_three=false", "--options", options)
    run = simulate(*given, "--out", path, ruleset="luzhou")
    assert run.exit_code == 0, run.output
    assert "luzhou: 1 sessions, 10 rounds" in run.stdout
    (options_of,) = {tuple(record.options.items()) for record in rounds_in(path)}
    assert options_of == (("base_points", 2), ("huang_three", False))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--players", "steady,steady"), "qq wants 3 players, 2 are given"),
        (("--players", "steady,best,steady"), "no player 'best'; there are random, greedy, steady, value"),
        (("--option", "base_points=7"), "option base_points cannot be 7"),
        (("--ruleset", "all"), "one ruleset only"),
        (("--rounds", "0"), "at least 1"),
        (("--per-session", "1001"), "--per-session 1 to 1000"),
        (("--format", "guilin"), "guilin cannot be written"),
        (("--format", "xyz"), "no format 'xyz'"),
    ],
)
def test_what_is_refused(given: tuple[str, str], said: str, tmp_path: Path) -> None:
    run = simulate("--out", tmp_path / "x.jsonl", *given)
    assert run.exit_code == 2
    assert said in run.stderr
    assert "／" not in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    run = simulate("--rounds", "1", "--out", tmp_path / "none" / "x.jsonl")
    assert run.exit_code == 2
    assert "No such file" in run.stderr


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    run = simulate("--rounds", "1", "--out", tmp_path, "--format", "phz")
    assert run.exit_code == 2
    assert "Is a directory" in run.stderr


def test_in_chinese_what_it_came_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli_simulate.simulate(str(tmp_path / "x.jsonl"), PLAYERS, "qq", 20, lang="zh") == 0
    out = capsys.readouterr().out
    assert "qq：1 场 20 局" in out
    assert "steady-3：" in out


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen = []
    tally = cli_simulate._Tally()
    shown: progress.Shown = lambda done, total: seen.append((done, total))  # noqa: E731
    cli_simulate._write(run_of(rounds=45), tmp_path / "x.jsonl", "jsonl", 1, tally, shown)
    assert seen == [(20, 45), (40, 45), (45, 45)]


def test_how_many_processes() -> None:
    assert workers.processes(50) == 1
    assert workers.processes(1_000_000) >= 1
