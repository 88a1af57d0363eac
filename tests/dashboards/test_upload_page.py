"""The upload page without a browser: what it shows of a file, what it refuses, and that it stays alive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboards import uploads
from dashboards.uploads import PER_MINUTE, PROBLEMS, Limits, Problem
from ingest import limits
from ingest.convert import dumps
from ingest.importer import import_paths
from ingest.store import open_store
from replay import check_upload
from replay.bulk import replay_store
from replay.engine import engine
from replay.rulesets import RULESETS
from replay.simulate import Player, sessions
from tests.dashboards.demo import spoil

APP = Path(__file__).resolve().parents[2] / "dashboards" / "app.py"
HOSTILE = "<img src=x onerror=alert(1)>[x](javascript:alert(1))$\\alpha$"
MARKS = ("<img", "[x](", "$\\alpha")


@pytest.fixture(scope="module")
def rounds() -> list:
    made = list(sessions(engine(RULESETS["qq"]), 5, 6, [Player(HOSTILE), Player("乙"), Player("丙")], platform="演示"))
    return [*made[:5], spoil(made[5])]


@pytest.fixture(scope="module")
def jsonl(rounds: list) -> bytes:
    return dumps(rounds, "jsonl").encode() + b'{}\n{"phz": 1,\n'


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("PHZ_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("PHZ_INBOX", raising=False)

    def opened(lang: str = "zh") -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=120)
        app.query_params["lang"] = lang
        app.run()
        return app.switch_page("views/upload.py").run()

    return opened


def upload(app: AppTest, name: str, raw: bytes) -> AppTest:
    app.file_uploader[0].set_value((name, raw, "text/plain"))
    app.run()
    assert [e.message for e in app.exception] == []
    return app


def numbers(app: AppTest) -> list[int]:
    return [int(metric.value.replace(",", "")) for metric in app.metric]


def test_the_page_takes_what_the_code_takes(page: Any) -> None:
    (widget,) = page().file_uploader
    assert set(widget.allowed_type) == set(uploads.allowed())
    assert widget.proto.max_upload_size_mb * 2**20 == limits.MAX_UPLOAD
    assert not {".parquet", ".xlsx", ".pkl", ".duckdb", ".html"} & set(uploads.allowed())


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_file_is_checked_and_nothing_is_stored(lang: str, page: Any, jsonl: bytes, tmp_path: Path) -> None:
    app = upload(page(lang), "我的牌谱.jsonl", jsonl)
    seen, accepted, refused, faulty = numbers(app)
    assert (seen, accepted, refused) == (8, 6, 2)
    assert seen == accepted + refused
    assert faulty >= 1
    rejects, findings = (frame.value for frame in app.dataframe)
    assert rejects["record"].tolist() == [7, 8]
    assert rejects["line"].tolist() == [7, 8]
    assert set(rejects["code"]) <= {"WRONG_FORMAT", "SYNTAX", "BAD_FIELD", "TRUNCATED"}
    assert all((lang == "zh") == any("\u4e00" <= char <= "\u9fff" for char in name) for name in rejects["name"])
    assert set(findings["record"]) <= {*range(1, 7)}
    assert 6 in set(findings["record"])
    assert "open" not in findings.columns
    assert not (tmp_path / "store").exists()
    assert not app.button


def test_findings_of_rounds_in_the_store_lead_to_the_event(page: Any, jsonl: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(jsonl)
    store = open_store(tmp_path / "store")
    import_paths([file], store)
    replay_store(store)
    app = upload(page("en"), "b.jsonl", jsonl)
    ids = set(store.scan("rounds").collect()["round_id"])
    links = app.dataframe[1].value["open"].tolist()
    assert links
    assert all(link.split("round=")[1].split("&")[0] in ids for link in links)
    assert all(link.endswith("lang=en") for link in links)


def test_a_clean_file_says_so(page: Any, rounds: list) -> None:
    app = upload(page("en"), "a.jsonl", dumps(rounds[:3], "jsonl").encode())
    assert numbers(app) == [3, 3, 0, 0]
    assert [e.value for e in app.success] == ["Nothing was found in the rounds that were audited."]


def test_nothing_of_a_file_becomes_markup(page: Any, jsonl: bytes) -> None:
    app = upload(page(), HOSTILE + ".jsonl", jsonl)
    kinds = ("markdown", "caption", "title", "subheader", "header", "info", "error", "success", "warning")
    said = [str(element.value) for kind in kinds for element in app.get(kind)]
    said += [metric.label for metric in app.metric]
    assert not [text for text in said if any(mark in text for mark in MARKS)]
    assert any(HOSTILE in element.value for element in app.text)
    assert HOSTILE in set(app.dataframe[1].value["player"])


def test_a_long_name_is_cut(page: Any, jsonl: bytes) -> None:
    app = upload(page(), "x" * 10_240 + ".jsonl", jsonl)
    assert numbers(app)[0] == 8
    assert max(len(element.value) for element in app.text) < 300


@pytest.mark.parametrize(("name", "why"), [("a.png.gz", "type"), ("a.tar.gz", "type"), ("a.gz", "type")])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_files_of_other_kinds_are_not_even_read(name: str, why: str, lang: str, page: Any) -> None:
    app = upload(page(lang), name, b"x")
    assert len(app.error) == 1
    assert (app.error[0].value == PROBLEMS[why]) == (lang == "zh")


def test_twenty_megabytes_and_one_byte(page: Any) -> None:
    app = upload(page(), "a.jsonl", b" " * (limits.MAX_UPLOAD + 1))
    assert app.error[0].value == "文件太大：最多 20 MB。"
    assert not app.metric


def test_a_binary_file_is_one_refusal(page: Any) -> None:
    app = upload(page("en"), "a.jsonl", b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert numbers(app)[:3] == [1, 0, 1]
    assert "PNG" in app.dataframe[0].value["reason"][0]


@pytest.mark.parametrize(
    ("most", "why"),
    [(Limits(memory=40 * 2**20), "memory"), (Limits(cpu=1), "cpu"), (Limits(wall=0.05), "wall")],
)
def test_a_child_that_is_killed_is_said_and_the_page_lives_on(
    most: Limits, why: str, page: Any, rounds: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = (dumps(rounds, "jsonl").encode() * 4_000)[: limits.MAX_UPLOAD]
    real = uploads.check
    monkeypatch.setattr(uploads, "check", lambda raw, extension, form: real(raw, extension, form, most))
    app = upload(page(), "a.jsonl", raw)
    assert [e.value for e in app.error] == [PROBLEMS[why]]
    monkeypatch.setattr(uploads, "check", real)
    app = upload(app, "b.jsonl", dumps(rounds[:1], "jsonl").encode())
    assert not app.error
    assert numbers(app)[0] == 1


def test_an_answer_is_kept_until_another_file_comes(page: Any, jsonl: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    times = []
    real = uploads.check

    def counted(*given: Any) -> Any:
        times.append(given[1:])
        return real(*given)

    monkeypatch.setattr(uploads, "check", counted)
    app = upload(page(), "a.jsonl", jsonl)
    app.run()
    app.session_state["lang"] = "en"
    app.run()
    assert times == [(".jsonl", None)]
    app.selectbox(key="upload_format").select("phz").run()
    assert times == [(".jsonl", None), (".jsonl", "phz")]
    assert numbers(app)[1] == 0


def test_too_many_files_have_to_wait(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "check", lambda *_: check_upload.check(b"{}\n", "upload.jsonl"))
    now = [1000.0]
    monkeypatch.setattr("dashboards.views.upload.time.monotonic", lambda: now[0])
    app = page("en")
    for n in range(PER_MINUTE):
        assert not upload(app, f"{n}.jsonl", b"{}\n").error
    app = upload(app, "more.jsonl", b"{}\n")
    assert app.error[0].value == "Too many uploads: try again in 61 seconds."
    now[0] += 61
    app.button[0].click().run()
    assert not app.error
    assert numbers(app)[0] == 1


def test_a_busy_server_says_so(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "check", lambda *_: Problem("busy"))
    app = upload(page(), "a.jsonl", b"{}\n")
    assert app.error[0].value == PROBLEMS["busy"]
    assert app.button[0].label == "再试一次"


def test_accepted_files_may_go_to_the_inbox(
    page: Any, jsonl: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    monkeypatch.setenv("PHZ_INBOX", str(inbox))
    app = upload(page(), "../../../x.jsonl", jsonl)
    assert list(inbox.iterdir()) == []
    app.button[0].click().run()
    (kept,) = inbox.iterdir()
    assert kept.read_bytes() == jsonl
    assert kept.name.startswith("upload-")
    assert kept.suffix == ".jsonl"
    assert not app.button
    assert "已放进收件箱，等候导入。" in [e.value for e in app.success]
    app = upload(app, "bad.jsonl", b"{}\n")
    assert not app.button
    # What lies there is what the command line imports.
    assert import_paths([inbox], open_store(tmp_path / "store")).accepted == 6


def test_an_inbox_that_cannot_be_written_is_said(
    page: Any, jsonl: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object) -> str:
        raise PermissionError

    monkeypatch.setenv("PHZ_INBOX", str(tmp_path))
    monkeypatch.setattr(uploads, "put_into", refuse)
    app = upload(page(), "a.jsonl", jsonl)
    app.button[0].click().run()
    assert [e.value for e in app.error] == ["放不进收件箱。"]
