"""The Python examples of both READMEs, run as they stand."""

from __future__ import annotations

import doctest

import pytest

from tests.docs.tables import ROOT


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert tried >= 10
    assert failed == 0


def test_both_have_the_same_examples() -> None:
    parser = doctest.DocTestParser()
    english, chinese = (
        [(example.source, example.want) for example in parser.get_examples((ROOT / name).read_text(encoding="utf-8"))]
        for name in ("README.md", "README.zh.md")
    )
    assert english == chinese
