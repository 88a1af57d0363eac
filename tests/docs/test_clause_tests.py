"""Every clause of docs/rules.md has a test, and the table at its end names them as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.clause_tests import RULES, UNTESTED, clauses, collected, main, of_file, written


def test_the_table_of_tests_is_up_to_date() -> None:
    text = RULES.read_text(encoding="utf-8")
    assert text == written(text), "run: python -m tests.docs.clause_tests"


def test_every_clause_has_a_test() -> None:
    tests = collected()
    missing = [clause for clause in clauses(RULES.read_text(encoding="utf-8")) if clause not in tests]
    assert sorted(missing) == sorted(UNTESTED), f"{len(missing)} clauses without a test: {' '.join(missing)}"


def test_tests_name_clauses_that_exist() -> None:
    known = set(clauses(RULES.read_text(encoding="utf-8")))
    assert {clause: names for clause, names in collected().items() if clause not in known} == {}


def test_how_a_test_names_its_clause(tmp_path: Path) -> None:
    path = tmp_path / "test_made.py"
    path.write_text(
        "import pytest\n"
        "def test_r3_11_dead(): ...\n"
        "def test_r3_1(): ...\n"
        "def test_tv_05_r14_8_r14_6_both(): ...\n"
        '@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.clause("1.1"))])\n'
        '@pytest.mark.clause("5.8", "5.9")\n'
        "def test_marked(n): ...\n"
        "def helper_r9_9(): ...\n"
        "def test_colour_r_2_3(): ...\n",
        encoding="utf-8",
    )
    assert sorted(of_file(path)) == [
        ("test_made::test_marked", "1.1"),
        ("test_made::test_marked", "5.8"),
        ("test_made::test_marked", "5.9"),
        ("test_made::test_r3_1", "3.1"),
        ("test_made::test_r3_11_dead", "3.11"),
        ("test_made::test_tv_05_r14_8_r14_6_both", "14.6"),
        ("test_made::test_tv_05_r14_8_r14_6_both", "14.8"),
    ]


def test_a_stale_table_is_seen_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "rules.md"
    text = RULES.read_text(encoding="utf-8")
    copy.write_text(text.replace("| [1.1](#r1-1) | ", "| [1.1](#r1-1) | test_gone::test_gone · "), encoding="utf-8")
    monkeypatch.setattr("tests.docs.clause_tests.RULES", copy)
    assert copy.read_text(encoding="utf-8") != written(text)
    main()
    assert copy.read_text(encoding="utf-8") == written(text)
