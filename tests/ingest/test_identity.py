"""Accounts of one person, and pseudonyms."""

from __future__ import annotations

import io
import os
import re
import stat
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from ingest import cli, notation, rows
from ingest.adapters.jsonl import dump_line
from ingest.adapters.registry import Reject
from ingest.cli_quarantine import retry_refused
from ingest.identity import (
    Aliases,
    anonymise,
    identity,
    load_aliases,
    parse_aliases,
    person_of,
    pseudonym,
    read_salt,
    with_persons,
)
from ingest.limits import Fault
from ingest.reader import read_path, read_stream
from ingest.record import Provenance, Record, Sheet
from ingest.store import open_store
from ingest.validate import check_found
from tests.ingest.made import plain, records, taken

SALT = bytes(range(32))
TEXT = """\
# who is who
"张三" = ["acc1", "sy599:acc2"]

[person]
"李四" = [
  "acc3",
  ":a:b",
]
wang = []
"""
KNOWN = parse_aliases(TEXT.encode(), "aliases.toml")


def test_an_account_may_be_bound_to_a_platform() -> None:
    assert person_of(KNOWN, "sy599", "acc1") == person_of(KNOWN, "", "acc1") == "张三"
    assert person_of(KNOWN, "sy599", "acc2") == "张三"
    assert person_of(KNOWN, "huyoo", "acc2") == "acc2"
    assert person_of(KNOWN, "", "sy599:acc2") == "sy599:acc2"
    assert person_of(KNOWN, "x", "a:b") == "李四"
    assert person_of(KNOWN, "x", "nobody") == "nobody"
    assert person_of(parse_aliases(b"", "x"), "x", "acc1") == "acc1"
    assert parse_aliases(b"\xef\xbb\xbf" + TEXT.encode(), "x") == KNOWN
    assert parse_aliases(b'person = ["a"]', "x").persons == {("", "a"): "person"}


@pytest.mark.parametrize(
    ("text", "line", "code", "said"),
    [
        ('"a" = ["x"]\n\n"b" = ["y",\n "x"]\n', 4, "BAD_FIELD", "x"),
        ('"a" = ["p:x"]\n"b" = ["p:x"]\n', 2, "BAD_FIELD", "x"),
        ('"a" = ["p:x"]\n"b" = ["x"]\n', 1, "BAD_FIELD", "x"),
        ('"a" = ["b"]\n"b" = ["x"]\n', 2, "BAD_FIELD", "'b'"),
        ('"a" = ["x"]\n[person]\n"a" = ["y"]\n', 3, "BAD_FIELD", "twice"),
        ('\n"a" = "x"\n', 2, "BAD_FIELD", "expected"),
        ('\n"a" = [1]\n', 2, "BAD_FIELD", "expected"),
        ('\n"a" = [""]\n', 2, "BAD_FIELD", "expected"),
        ('"" = ["x"]\n', 1, "BAD_FIELD", "expected"),
        ('\na = ["' + "x" * 257 + '"]\n', 2, "LIMIT", "256"),
        ('\n"a\\u0001" = ["x"]\n', 1, "BAD_FIELD", "U+0001"),
        ('\n"a" = ["x"\n', 2, "SYNTAX", "TOML"),
        ('\n"a" == 1\n', 2, "SYNTAX", "TOML"),
        ('a = ["x"]\na = ["y"]\n', 2, "SYNTAX", "TOML"),
        ("\n" + "a." * 70 + "a = 1\n", 2, "LIMIT", "dots"),
        ("a = " + "[" * 5000, 1, "LIMIT", "deep"),
        ("a = " + "1" * 5000, 1, "SYNTAX", "TOML"),
        ('\n"a" = ["\ufffd"]\n', 2, "NOT_UTF8", "U+FFFD"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, code: str, said: str) -> None:
    with pytest.raises(Fault) as error:
        parse_aliases(text.encode(), "who.toml")
    assert error.value.code == code
    assert f"who.toml:{line}:" in str(error.value)
    assert said in str(error.value)


def test_dots_in_accounts_are_no_dots_in_keys() -> None:
    text = "a = [" + ", ".join(f'"{n}.{n}.x"' for n in range(90)) + "]\n"
    assert len(parse_aliases(text.encode(), "x").persons) == 90


def test_many_persons_take_no_time() -> None:
    text = "".join(f'"p{n}" = ["a{n}", "x:b{n}"]\n' for n in range(30_000)).encode()
    begin = time.process_time()
    known = parse_aliases(text, "x")
    rounds_ = [anonymise(plain(players=("b1", f"a{n}", "z"), platform="x"), SALT, known) for n in range(200)]
    assert time.process_time() - begin < 6
    assert {one.players[0] for one in rounds_} == {pseudonym("p1", SALT)}


def test_too_long_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="bytes"):
        parse_aliases(b"#" * 10_000_001, "x")
    with pytest.raises(FileNotFoundError):
        load_aliases(tmp_path / "none")
    with pytest.raises(Fault, match="0xFF"):
        parse_aliases(b"\xff", "x")


# Aliases alone

ROUND = plain(
    players=("acc1", "acc2", "丙"),
    platform="sy599",
    room="acc1的房",
    session="2024-acc2-acc20",
    tags={"host": "acc1", "acc2": "丙、acc1", "n": "12"},
    source=Provenance("acc1.log", 3, "x", "acc1 记，丙 抄", 7),
)
SHEET = Sheet(("acc1", "acc3", "x"), (1, 0, -1), room="acc3", tags={"by": "acc3"}, source=Provenance(note="x, xx"))


def test_players_become_persons_and_accounts_stay_in_tags() -> None:
    found = with_persons(ROUND, KNOWN)
    assert found.players == ("张三", "张三", "丙")
    assert found.tags == {**ROUND.tags, "account_0": "acc1", "account_1": "acc2"}
    assert msgspec.structs.replace(found, players=ROUND.players, tags=ROUND.tags) == ROUND
    assert with_persons(found, KNOWN) is found
    sheet = with_persons(SHEET, KNOWN)
    assert (sheet.players, sheet.tags) == (
        ("张三", "李四", "x"),
        {"by": "acc3", "account_0": "acc1", "account_1": "acc3"},
    )
    assert with_persons(ROUND, Aliases()) is ROUND
    again = with_persons(found, parse_aliases('"z" = ["张三"]'.encode(), "x"))
    assert again.players == ("z", "z", "丙")
    assert again.tags["account_0"] == "acc1"


# Pseudonyms


def test_pseudonyms_depend_on_person_and_salt_alone() -> None:
    one = pseudonym("张三", SALT)
    assert re.fullmatch("[0-9a-f]{16}", one)
    assert one == pseudonym("张三", SALT) != pseudonym("张三", SALT[::-1])
    assert pseudonym("", SALT) == ""
    assert len({pseudonym(str(n), SALT) for n in range(2000)}) == 2000


def test_names_are_replaced_wherever_they_stand() -> None:
    zhang, bing = pseudonym("张三", SALT), pseudonym("丙", SALT)
    found = anonymise(ROUND, SALT, KNOWN)
    assert found.players == (zhang, zhang, bing)
    assert found.room == f"{zhang}的房"
    # acc20 is another word.
    assert found.session == f"2024-{zhang}-acc20"
    assert found.tags == {"host": zhang, zhang: f"{bing}、{zhang}", "n": "12"}
    assert found.source == Provenance("acc1.log", 3, "x", f"{zhang} 记，{bing} 抄", 7)
    same = ("ruleset", "dealer", "hands", "liang", "wall", "moves", "result", "platform", "started_at")
    assert all(getattr(found, field) == getattr(ROUND, field) for field in same)
    sheet = anonymise(SHEET, SALT, KNOWN)
    assert sheet.players == (zhang, pseudonym("李四", SALT), pseudonym("x", SALT))
    assert (sheet.room, sheet.source.note) == (sheet.players[1], f"{sheet.players[2]}, xx")
    assert isinstance(sheet, Sheet)


def test_without_aliases_every_account_is_a_person() -> None:
    found = anonymise(ROUND, SALT)
    assert found.players == tuple(pseudonym(player, SALT) for player in ROUND.players)


def test_accounts_that_earlier_aliases_left_are_not_kept() -> None:
    found = anonymise(with_persons(ROUND, KNOWN), SALT)
    assert not [key for key in found.tags if key.startswith("account_")]
    assert found.players == anonymise(ROUND, SALT, KNOWN).players
    # With the aliases, a person's other accounts are known too.
    later = anonymise(with_persons(ROUND, KNOWN), SALT, KNOWN)
    assert "acc1" not in dump_line(later).decode()


def test_the_longest_name_counts_and_pseudonyms_are_not_replaced_again() -> None:
    digits = tuple("0123456789abcdef")
    record = plain(players=("甲", "甲乙", "b"), room="甲乙甲b bb", tags=dict.fromkeys(digits, "-"))
    found = anonymise(record, SALT)
    assert found.room == f"{found.players[1]}{found.players[0]}{found.players[2]} bb"
    record = plain(players=digits[:3], room="0 1 2 10")
    assert anonymise(record, SALT).room == " ".join([*anonymise(record, SALT).players, "10"])


def test_texts_that_grow_are_cut_and_keys_that_meet_are_joined() -> None:
    record = plain(
        players=("甲", "乙", "丙"), room="甲" * 256, source=Provenance(note="甲" * 4000), tags={"t": "甲" * 200}
    )
    found = anonymise(record, SALT)
    assert check_found(found) is None
    assert (len(found.room), len(found.source.note), len(found.tags["t"])) == (256, 4000, 256)
    assert found.room.endswith("…")
    record = plain(players=("acc1", "acc2", "丙"), platform="sy599", tags={"acc1": "a", "acc2": "b"})
    assert anonymise(record, SALT, KNOWN).tags == {pseudonym("张三", SALT): "a b"}
    assert anonymise(plain(players=("", "b", "c"), room="ab"), SALT).room == "ab"


@given(records())
@settings(max_examples=80, deadline=None)
def test_any_record_can_be_anonymised(record: Record) -> None:
    found = anonymise(record, SALT)
    assert check_found(found) is None
    assert found == anonymise(record, SALT)
    for one, player in enumerate(record.players):
        for other, name in enumerate(record.players):
            assert (player == name) == (found.players[one] == found.players[other])
    for name in record.players:
        if len(name) > 2 and not name[0].isascii() and not name[-1].isascii():
            assert name not in "".join([*found.players, found.room, found.session, *found.tags.values()])


# The salt


def test_a_salt_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "salt"
    one = read_salt(place)
    assert len(one) == 32
    assert read_salt(place) == one == place.read_bytes()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["salt"]
    assert read_salt(tmp_path / "other") != one


def test_two_that_begin_at_once_use_one_salt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "salt"
    link = os.link

    def late(source: Path, target: Path) -> None:
        place.write_bytes(SALT)
        link(source, target)

    monkeypatch.setattr("os.link", late)
    assert read_salt(place) == SALT
    assert os.listdir(tmp_path) == ["salt"]


@pytest.mark.parametrize("size", [0, 15, 65, 1000])
def test_a_salt_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "salt").write_bytes(b"x" * size)
    with pytest.raises(Fault, match="16"):
        read_salt(tmp_path / "salt")
    assert (tmp_path / "salt").stat().st_size == size


# Wired together


def test_identity_of_whatever_is_found(tmp_path: Path) -> None:
    aliases, salt = tmp_path / "who.toml", tmp_path / "salt"
    aliases.write_text(TEXT, encoding="utf-8")
    salt.write_bytes(SALT)
    reject = Reject("SYNTAX", "x")
    for change in (identity(), identity(aliases), identity(aliases, salt), identity(None, salt)):
        assert change(reject) is reject
    assert identity()(ROUND) is ROUND
    assert identity(aliases)(ROUND) == with_persons(ROUND, KNOWN)
    assert identity(aliases, salt)(SHEET) == anonymise(SHEET, SALT, KNOWN)
    assert identity(None, salt)(ROUND) == anonymise(ROUND, SALT)
    full = msgspec.structs.replace(ROUND, tags={str(n): "" for n in range(199)})
    refused = identity(aliases)(full)
    assert isinstance(refused, Reject)
    assert (refused.code, refused.index, refused.line) == ("LIMIT", 3, 7)


def test_convert_with_aliases_and_pseudonyms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target, aliases = tmp_path / "a.phz", tmp_path / "b.jsonl", tmp_path / "who.toml"
    source.write_text(notation.dumps([ROUND]), encoding="utf-8")
    aliases.write_text(TEXT, encoding="utf-8")
    assert cli.convert(str(source), str(target), aliases=str(aliases)) == 0
    assert taken(list(read_path(target)))[0].players == ("张三", "张三", "丙")
    salt = tmp_path / "salt"
    assert cli.convert(str(source), str(target), aliases=str(aliases), anonymise=str(salt)) == 0
    first = target.read_bytes()
    assert cli.convert(str(source), str(target), aliases=str(aliases), anonymise=str(salt)) == 0
    assert target.read_bytes() == first
    assert not [name for name in ("acc1", "acc2-", "丙", "张三") if name.encode() in first]
    (found,) = taken(list(read_stream(io.BytesIO(first), "x")))
    assert found.players[0] == pseudonym("张三", salt.read_bytes())
    capsys.readouterr()
    aliases.write_text('a = ["x"]\nb = ["x"]\n', encoding="utf-8")
    assert cli.convert(str(source), str(target), lang="en", aliases=str(aliases)) == 2
    assert "who.toml:2:" in capsys.readouterr().err
    assert target.read_bytes() == first
    assert cli.convert(str(source), str(target), aliases=str(tmp_path / "none")) == 2


def test_an_import_under_pseudonyms_holds_no_account_anywhere(tmp_path: Path, capsys) -> None:
    """Two accounts of one person get one pseudonym; a second import with the same salt finds all rounds known."""
    aliases, salt, store = tmp_path / "aliases.toml", tmp_path / "salt", tmp_path / "store"
    aliases.write_text('"大哥" = ["甲", "戊"]\n', encoding="utf-8")
    one = plain(1, room="甲的房", session="s甲", source=Provenance(note="甲 记"))
    two = plain(2, players=("戊", "乙", "丙"), tags={"who": "戊"})
    path = tmp_path / "a.jsonl"
    path.write_bytes(dump_line(one) + dump_line(two) + b"x\n")
    for copy in (path, tmp_path / "b.jsonl"):
        copy.write_bytes(path.read_bytes())
        assert cli.ingest([str(copy)], str(store), aliases=str(aliases), anonymise=str(salt)) == 2
    capsys.readouterr()
    held = open_store(store)
    (first, second) = rows.records(held.scan("rounds").sort("session").collect())
    assert {first.players[0], second.players[0]} == {first.players[0]}
    for table in ("rounds", "sources", "accounts"):
        text = str(held.scan(table).collect().to_dicts())
        assert not any(name in text for name in ("甲", "戊", "乙", "丙", "大哥"))
    assert held.scan("imports").collect()["accepted"].sort().to_list() == [0, 2]
    assert retry_refused((), str(store), aliases=str(aliases), anonymise=str(salt)) == 2
    assert held.scan("rounds").collect().height == 2
