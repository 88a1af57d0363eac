"""Which tests check which clause of docs/rules.md, and the table of them at its end.

A test names its clause in its name (``test_r3_11_dead_hand`` is of 3.11); with ``@pytest.mark.clause("3.11", "5.8")``
on the function, the class, one parameter set or the whole file (``pytestmark``); or, for a round of data/samples, by
its tag ``rule``. ``python -m tests.docs.clause_tests`` writes the table anew.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.docs.tables import ROOT

RULES = ROOT / "docs" / "rules.md"
BEGIN, END = "<!-- clause tests -->", "<!-- end of clause tests -->"
SHOWN = 4
"""Names of tests shown for a clause; of the others the table gives the number."""

UNTESTED: dict[str, str] = {}
"""Clauses that no test can check, with the reason."""

_NAME = re.compile(r"_r(\d+)_(\d+)(?=_|$)")
_ANCHOR = re.compile(r'<a id="r\d+-\d+"></a>\**(\d+\.\d+)')
_SAMPLE = re.compile(r'sample = "([^"]+)".*?rule = "([^"]+)"')
_CLAUSE = re.compile(r"\d+\.\d+")


def clauses(text: str) -> list[str]:
    """The numbers of the clauses, in their order."""
    return _ANCHOR.findall(text)


def collected() -> dict[str, list[str]]:
    """Clause → names of its tests, ``file::test`` or ``sample name``, sorted."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, clause in of_file(path):
            found[clause].add(name)
    for path in sorted((ROOT / "data" / "samples").glob("*.phz")):
        for sample, rule in _SAMPLE.findall(path.read_text(encoding="utf-8")):
            for clause in _CLAUSE.findall(rule):
                found[clause].add(f"sample {sample}")
    return {
        clause: sorted(names, key=lambda name: (name.startswith("sample"), name)) for clause, names in found.items()
    }


def of_file(path: Path) -> Iterator[tuple[str, str]]:
    """(test, clause) for every clause that a test of the file names; the file is read, not run."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_all = [clause for node in tree.body if _sets_marks(node) for clause in _marked(node)]
    for node in tree.body:
        yield from _of_node(node, path.stem, for_all)


def _of_node(node: ast.stmt, stem: str, given: list[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
        marks = [*given, *(clause for mark in node.decorator_list for clause in _marked(mark))]
        for inner in node.body:
            yield from _of_node(inner, stem, marks)
    elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
        named = [f"{chapter}.{number}" for chapter, number in _NAME.findall(node.name)]
        marks = [clause for mark in node.decorator_list for clause in _marked(mark)]
        for clause in (*given, *marks, *named):
            yield f"{stem}::{node.name}", clause


def _sets_marks(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets)


def _marked(node: ast.AST) -> Iterator[str]:
    """The texts given to every ``….clause(...)`` inside."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "clause":
            yield from (str(arg.value) for arg in call.args if isinstance(arg, ast.Constant))


def table() -> str:
    """The table as it should stand between the markers."""
    tests = collected()
    lines = ["| clause | tests |", "|---|---|"]
    for clause in clauses(RULES.read_text(encoding="utf-8")):
        names = tests.get(clause, [])
        cell = " · ".join(names[:SHOWN]) + (f" · {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        cell = cell or UNTESTED.get(clause, "none")
        lines.append(f"| [{clause}](#r{clause.replace('.', '-')}) | {cell} |")
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The document with the table as it should be."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{table()}\n{END}{tail}"


def main() -> None:
    """Write the table into docs/rules.md."""
    text = RULES.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"{RULES}: the marks {BEGIN} and {END} are needed once each")
    RULES.write_text(written(text), encoding="utf-8")


if __name__ == "__main__":
    main()
