"""The documents say what the program does: their examples are read, their tables are complete."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from ingest import notation
from ingest.adapters.jsonl import read_lines
from ingest.codes import ACTION_CHARS, FORM_CHARS, Action
from ingest.limits import REJECTS
from ingest.notation_moves import read_move, read_offer, write_move, write_offer
from ingest.notation_read import _RESULT, _ROUND
from ingest.schema import TABLES
from tests.ingest.made import taken

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTATION = (DOCS / "notation.md").read_text(encoding="utf-8")
EVENT_LOG = (DOCS / "event-log.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", NOTATION, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_examples_are_read_and_come_back(text):
    found = taken(list(notation.loads(text, "docs/notation.md")))
    assert len(found) == 1
    assert taken(list(notation.loads(notation.dumps(found)))) == found


def test_the_first_example_is_as_the_program_writes_it():
    text = blocks("toml")[0]
    assert notation.dumps(taken(list(notation.loads(text)))) == text


def test_the_json_example_is_read():
    (text,) = blocks("json")
    assert len(taken(list(read_lines(io.BytesIO(text.encode()), "")))) == 1


def test_the_events_are_canonical_and_cover_every_action():
    (text,) = blocks("events")
    moves = [read_move(line) for line in text.splitlines()]
    assert [write_move(move) for move in moves] == text.splitlines()
    assert {move.action for move in moves} == set(Action)


def test_the_offers_are_canonical():
    (text,) = blocks("offers")
    assert [write_offer(read_offer(line)) for line in text.splitlines()] == text.splitlines()


def test_keys_codes_and_words_are_all_named():
    for name in (*_ROUND, *_RESULT, *REJECTS):
        assert f"`{name}`" in NOTATION, name
    for char in (*ACTION_CHARS.values(), *FORM_CHARS.values()):
        assert f'"{char}"' in NOTATION, char


def test_every_column_is_explained():
    for table, schema in TABLES.items():
        (section,) = re.findall(rf"^## `{table}`.*?(?=^## )", EVENT_LOG, re.MULTILINE | re.DOTALL)
        for column in schema:
            assert f"`{column}`" in section, (table, column)
    for action in Action:
        assert re.search(rf"^\| {int(action)} \| ", EVENT_LOG, re.MULTILINE), action
