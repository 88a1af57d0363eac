"""A store in an object store: an S3 server is asked over HTTP, as a real one would be."""

from __future__ import annotations

import json
import signal
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError

from ingest import cli, cli_store, delta, store
from ingest.compact import compact
from ingest.importer import import_paths
from ingest.limits import StoreError
from ingest.places import Place
from ingest.store import Change, Store, append_table, open_store
from replay import tables as results
from replay.bulk import replay_store
from replay.cli import replay
from tests.ingest.kill_import import Job, Server
from tests.ingest.made import plain
from tests.ingest.s3_server import BUCKET, s3
from tests.ingest.stores import CLOCK, HISTORY, adds_up, content, is_whole, tables, write
from tests.ingest.test_store import SMALL, numbers, small
from tests.ingest.test_two_writers import Overtaking, again, moments


@pytest.fixture(scope="module")
def options() -> Iterator[dict[str, str]]:
    with s3() as found:
        yield found


@pytest.fixture
def url() -> str:
    return f"s3://{BUCKET}/{uuid.uuid4().hex}/store"


@pytest.fixture
def place(url, options) -> Store:
    return open_store(url, options)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> tuple[list[str], dict[str, str]]:
    folder = tmp_path_factory.mktemp("inputs")
    one = write(folder / "a.jsonl", [plain(n, platform="甲/乙 =%") for n in range(4)])
    one.write_bytes(one.read_bytes() + b"{}\n")
    two = write(folder / "b.jsonl", [plain(3, platform="甲/乙 =%", tags={"more": "told"}), plain(7)])
    paths = [str(one), str(two)]
    local = open_store(folder / "store")
    import_paths(paths, local)
    return paths, content(local, CLOCK | HISTORY)


def test_the_tables_are_those_of_a_local_store(place, inputs):
    paths, wanted = inputs
    assert place.snapshot() == {}
    assert place.scan("rounds").collect().is_empty()
    import_paths(paths, place, batch=2)
    found = tables(place)
    assert is_whole(found)
    assert adds_up(found)
    assert content(found, CLOCK | HISTORY) == wanted
    assert place.scan("events").collect().height == found["rounds"]["n_events"].sum()
    versions = place.snapshot()
    again_read = import_paths(paths, place)
    assert (again_read.accepted, again_read.already_known) == (0, 6)
    assert place.snapshot() == versions


def test_replay_and_compaction(place, inputs):
    paths, _ = inputs
    import_paths(paths, place, batch=2)
    before, versions = content(place, set()), place.snapshot()
    summary = replay_store(place)
    assert summary.rounds == 5
    assert place.scan("verdicts", schema=results.VERDICTS).collect().height == 5
    assert set(results.TABLES) <= set(place.tables())
    reports = compact(place)
    assert reports["sources"].files_before > reports["sources"].files_after == 1
    assert content(place, set()) == before
    assert place.scan("sources", versions).collect().height == place.scan("sources").collect().height


def test_an_object_store_is_asked_for_known_tables_only(place):
    append_table(place, "rounds", small(1), SMALL)
    append_table(place, "unknown", small(1), SMALL)
    assert place.tables() == ["rounds"]
    assert set(results.TABLES) <= set(store.RESULTS), "a reader would not find the others"


def test_what_nobody_uses_is_deleted(place, monkeypatch):
    """Which files are old enough is for the library to say, and the server's clock cannot be set back."""
    append_table(place, "rounds", small(1), SMALL)
    lost, lost_file = place.place("rounds"), "platform=%E7%94%B2/lost.parquet"
    small(2).write_parquet(lost.below(lost_file).url, storage_options=lost.options)
    assert delta.vacuum(lost, 1) == (0, 0), "too young"
    asked = {}

    def told(_: DeltaTable, **given: object) -> list[str]:
        asked.update(given)
        return [lost_file]

    monkeypatch.setattr(DeltaTable, "vacuum", told)
    deleted, size = delta.vacuum(lost, 1)
    assert deleted == 1
    assert size > 100
    assert asked == {"retention_hours": 168, "dry_run": True, "full": True, "keep_versions": [1]}
    with pytest.raises(FileNotFoundError):
        pl.read_parquet(lost.below(lost_file).url, storage_options=lost.options)
    assert numbers(place, "rounds") == [1]


def test_of_two_writers_of_one_version_one_is_told(place):
    table = place.place("rounds")
    delta.create(table, SMALL, [], "")
    with pytest.raises(StoreError, match="another writer"):
        delta.create(table, SMALL, [], "")
    late = table.open()
    delta.commit(table, SMALL, Change(small(1)))
    with pytest.raises(CommitFailedError):
        delta._write_entry(late, "append", [], late.schema(), [], {})
    with pytest.raises(StoreError, match="another writer is at work"):
        delta.commit(table, SMALL, Change(small(1)), expected=0)
    assert numbers(place, "rounds") == [1]


def test_an_import_that_is_overtaken_is_stopped_and_completes(url, options, inputs, monkeypatch):
    paths, wanted = inputs
    listeners = []

    def watched(real):
        def call(*words, **more):
            for listener in listeners:
                listener()
            return real(*words, **more)

        return call

    for owner, name in [(delta, "write_files"), (delta, "_write_entry"), (store, "commit_group")]:
        monkeypatch.setattr(owner, name, watched(getattr(owner, name)))

    def job(name: str, order: int) -> object:
        return import_paths(paths[::order], open_store(f"{url}/{name}", options))

    counting = Overtaking(listeners, lambda: None)
    listeners[:] = [counting]
    job("counted", 1)
    stopped = 0
    for moment in moments(counting.count, 4):
        listeners[:] = [Overtaking(listeners, partial(job, str(moment), -1), moment)]
        stopped += again(partial(job, str(moment), 1))
        listeners.clear()
        again(partial(job, str(moment), -1))
        found = tables(open_store(f"{url}/{moment}", options))
        assert is_whole(found)
        assert adds_up(found)
        assert content(found, CLOCK | HISTORY) == wanted
    assert stopped > 1


def test_a_killed_import_is_completed(place, url, inputs, options, monkeypatch):
    paths, wanted = inputs
    monkeypatch.setenv("PHZ_STORAGE_OPTIONS", json.dumps(options))
    with Server() as server:
        for point, number in [
            ("between followers and leader", 1),
            ("after a table is taken back", 1),
            ("before a log entry is made", 3),
            ("after the leader", 1),
            ("while files are merged", 2),
        ]:
            assert server.run(Job(url, paths, point=point, number=number)).signal == signal.SIGKILL, point
            assert is_whole(place)
        assert server.run(Job(url, paths)).code == 0
    found = tables(place)
    assert adds_up(found)
    assert content(found, CLOCK | HISTORY) == wanted


def test_the_commands(url, options, inputs, capsys, monkeypatch):
    paths, _ = inputs
    monkeypatch.setenv("PHZ_STORAGE_OPTIONS", json.dumps(options))
    assert cli.ingest(paths, url, json=True) == 2, "one record is refused"
    assert json.loads(capsys.readouterr().out)["accepted"] == 5
    assert replay(url, json=True) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 5
    assert cli_store.compact(url, json=True) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["rounds"]["files_after"] > 0
    monkeypatch.setenv("PHZ_STORAGE_OPTIONS", "{secret")
    assert cli_store.compact(url, lang="en") == 2
    err = capsys.readouterr().err
    assert err == "phz compact: PHZ_STORAGE_OPTIONS is not a JSON object\n"


def test_a_server_that_does_not_answer(url, options, capsys, monkeypatch, inputs):
    gone = options | {"aws_endpoint_url": "http://127.0.0.1:9", "max_retries": "0"}
    monkeypatch.setenv("PHZ_STORAGE_OPTIONS", json.dumps(gone))
    assert cli.ingest(inputs[0], url, lang="en") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"phz ingest: {url}")
    assert "run the same command again" in line
    assert "secret" not in line


@pytest.mark.parametrize(
    "bad", ["s3://bucket/a b", "s3://bucket/a%20b", "s3://bucket/甲", "s3:///x", "s3://bucket/../x/.."]
)
def test_urls_that_would_need_escapes_are_refused(bad):
    with pytest.raises(StoreError, match="letters, digits"):
        open_store(bad, {})


def test_what_options_and_places_are(monkeypatch, tmp_path):
    monkeypatch.setenv("PHZ_STORAGE_OPTIONS", '{"timeout": "5s", "AWS_ALLOW_HTTP": true}')
    made = open_store("s3://bucket/path/")
    assert made.root == Place("s3://bucket/path", {"timeout": "5s", "AWS_ALLOW_HTTP": "true"})
    assert made.place("rounds").url == "s3://bucket/path/rounds"
    with pytest.raises(StoreError, match="a local folder is needed"):
        _ = made.path
    for text in ("[]", "1", '"x"', "{"):
        monkeypatch.setenv("PHZ_STORAGE_OPTIONS", text)
        with pytest.raises(StoreError, match="not a JSON object"):
            open_store("s3://bucket/path")
        assert open_store(tmp_path).path == tmp_path, "a local store has no use for them"
    assert open_store(f"file://{tmp_path}").path == Path(tmp_path)
