from __future__ import annotations

import re
from pathlib import Path

import pytest

from analytics.catalog import KINDS, catalog, markdown
from analytics.marts import Marts, sql, sql_files

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = "select table_name, column_name from information_schema.columns where table_schema = 'main'"


def columns(marts: Marts) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for table, column in marts.query(COLUMNS).iter_rows():
        if table != "build" and not table.startswith("stg_"):
            out.setdefault(table, set()).add(column)
    return out


def test_every_column_of_every_mart_is_described_and_no_other(marts: Marts) -> None:
    assert columns(marts) == {name: set(mart.columns) for name, mart in catalog().marts.items()}


@pytest.mark.parametrize("name", catalog().metrics)
def test_a_metric_is_made_of_existing_columns(name: str, marts: Marts) -> None:
    m, have = catalog().metrics[name], columns(marts)
    assert m.kind in KINDS
    assert (m.denominator is None) == (m.kind == "count")
    places = [p.split(".") for p in (m.numerator, m.denominator) if p]
    assert all(column in have[mart] for mart, column in places)
    assert set(m.keys) <= have[places[0][0]]
    if m.denominator and not m.share:
        assert set(m.keys) <= have[places[1][0]]
    if m.kind == "mean":
        assert places[0][0] == places[1][0], "clusters are summed over one mart"
        assert "cluster_key" in have[places[0][0]]


def test_every_text_is_there_in_both_languages() -> None:
    for name, m in catalog().metrics.items():
        for text in (m.zh, m.definition_zh):
            assert re.search(r"[\u4e00-\u9fff]", text), name
        for text in (m.en, m.definition_en, m.unit, m.grain):
            assert text.strip(), name
    for mart in catalog().marts.values():
        assert all(zh.strip() and en.strip() for zh, en in mart.columns.values())


def test_the_document_is_the_catalogue() -> None:
    assert (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8") == markdown()


@pytest.mark.parametrize("path", [*sql_files("staging"), *sql_files("marts"), *sql_files("queries")])
def test_sql_style(path: str) -> None:
    bare = re.sub(r"--.*|'[^']*'", "", sql(path))
    assert bare == bare.lower(), "lower case"
    if path.startswith("marts/"):
        assert "\nfinal as (" in bare
        assert bare.rstrip().endswith("select * from final")
    if path.startswith("staging/"):
        assert not re.search(r"\b(join|where|group|union|distinct)\b", bare), "staging only renames and casts"
