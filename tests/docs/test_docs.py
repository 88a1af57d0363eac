"""The documents against the code, both ways: codes, clauses, options, links, names, keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.rulesets import OPTIONS, RULESETS, Ruleset, allowed
from replay.simulate import Player, sessions
from replay.timeline import timeline
from replay.violations import VIOLATIONS
from tests.docs.tables import ROOT, rows

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", *sorted(DOCS.glob("*.md"))]
CODE = [path for layer in ("ingest", "replay") for path in sorted((ROOT / layer).rglob("*.py"))]
CHAPTER = 13


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def identifiers() -> set[str]:
    """Every name that the packages write, in code or in SQL, JavaScript and tables, in small letters."""
    kinds = ("py", "sql", "js", "toml")
    layers = ("ingest", "replay", "analytics", "dashboards")
    paths = [path for layer in layers for kind in kinds for path in (ROOT / layer).rglob(f"*.{kind}")]
    return {word.lower() for path in paths for word in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", read(path))}


# Findings


def test_findings_table() -> None:
    listed = {cells[0]: (int(cells[1]), cells[2]) for cells in rows(DOCS / "violations.md", columns=3)}
    assert listed == {code: (violation.severity, violation.clause) for code, violation in VIOLATIONS.items()}


def test_findings_have_a_paragraph_each() -> None:
    """Its code and Chinese name, its severity, and first the clause that the finding bears."""
    pattern = re.compile(r"^\*\*([A-Z][A-Z0-9_]+) (.+?)\*\* \((.+?); severity (\d); .+?; clause (\d+\.\d+)", re.M)
    text = read(DOCS / "violations.md")
    paragraphs = [(code, zh, int(severity), clause) for code, zh, _, severity, clause in pattern.findall(text)]
    assert sorted(paragraphs) == sorted((v.code, v.zh, v.severity, v.clause) for v in VIOLATIONS.values())
    assert len(re.findall(r"^\*\*[A-Z][A-Z0-9_]+ ", text, re.M)) == len(paragraphs)


def test_findings_named_in_documents_exist() -> None:
    words = {word for page in PAGES for word in re.findall(r"\b[A-Z]+(?:_[A-Z0-9]+)+\b", read(page))}
    known = set(VIOLATIONS) | {name.upper() for name in identifiers()}
    assert words - known == set()


# Clauses


def clauses() -> list[str]:
    return re.findall(r'<a id="r\d+-\d+"></a>\**(\d+\.\d+)', read(DOCS / "rules.md"))


def test_clauses_are_numbered_once_and_anchored() -> None:
    found = clauses()
    assert len(found) == len(set(found))
    anchors = re.findall(r'<a id="r(\d+)-(\d+)"></a>', read(DOCS / "rules.md"))
    assert [f"{chapter}.{number}" for chapter, number in anchors] == found


def citations(text: str) -> Iterator[str]:
    """Clauses of ``rules 6.3``, of lists and ranges after it, and of ``guilin`` beside a number."""
    number = r"\d+\.\d+"
    for cited in re.findall(rf"(?:rules|`guilin`) ({number}(?:(?:, | to |; `guilin` | and ){number})*)", text):
        yield from re.findall(number, cited)


def test_clauses_cited_in_code_exist() -> None:
    known = set(clauses())
    cited = {(path.relative_to(ROOT).as_posix(), clause) for path in CODE for clause in citations(read(path))}
    assert len(cited) > 60
    assert {(path, clause) for path, clause in cited if clause not in known} == set()
    assert {violation.clause for violation in VIOLATIONS.values()} <= known


def test_clauses_cited_in_documents_exist() -> None:
    known = set(clauses())
    text = read(DOCS / "violations.md") + read(DOCS / "validation.md")
    cited = set(re.findall(r"(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.])", text))
    assert len(cited) > 60
    assert cited <= known
    for cells in rows(DOCS / "glossary.md", columns=6):
        for clause in re.findall(r"\d+\.\d+", cells[5]):
            assert clause in known, cells


def test_clauses_refer_to_clauses() -> None:
    text = read(DOCS / "rules.md")
    known = set(clauses())
    bare = re.sub(r"<a id=.*?</a>\**\d+\.\d+", "", text)
    assert set(re.findall(r"(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.])", bare)) <= known


# Options


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(str(piece) for piece in value) or "–"
    return str(value)


def clause_of(option: str) -> str:
    return str(Ruleset.__dataclass_fields__[option].metadata["clause"])


def test_options_table() -> None:
    listed = {}
    for cells in rows(DOCS / "rules.md", columns=8):
        number = re.sub(r"<.*?>", "", cells[0]).strip()
        option = cells[1].strip("`")
        assert option not in listed, option
        listed[option] = (number, cells[2], *cells[4:7])
    assert listed == {
        option: (
            clause_of(option),
            ", ".join(shown(value) for value in allowed(option)),
            *(shown(getattr(RULESETS[name], option)) for name in ("qq", "hu15", "guilin")),
        )
        for option in OPTIONS
    }


def test_options_named_in_the_rules_exist() -> None:
    """What stands in code letters is an option, one of its values, a ruleset, or a word of the glossary."""
    text = read(DOCS / "rules.md")
    values = {str(value) for option in OPTIONS for value in allowed(option)}
    words = {word for cells in rows(DOCS / "glossary.md", columns=6) for word in re.findall(r"`(\w+)`", cells[1])}
    formula = {"owned", "quads", "waived", "code"}
    for quoted in re.findall(r"`([^`]+)`", text):
        option, _, value = quoted.partition(" = ")
        if value:
            if quoted.startswith("due(p)"):
                continue
            assert option in OPTIONS, quoted
            assert value.strip('"') in {str(known) for known in allowed(option)}, quoted
        elif not quoted.startswith(("phz ", "next", "prev")):
            assert quoted.strip('"') in {*OPTIONS, *values, *RULESETS, *words, *formula}, quoted


# Links, names, places


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        place = page.parent / path if path else page
        assert place.exists(), target
        if anchor:
            assert f'id="{anchor}"' in read(place), target


def test_every_document_is_linked_from_both_readmes() -> None:
    for readme in (ROOT / "README.md", ROOT / "README.zh.md"):
        linked = set(re.findall(r"\(docs/([\w.-]+\.md)\)", read(readme)))
        assert linked == {page.name for page in DOCS.glob("*.md")}, readme.name


def test_the_readmes_link_each_other_at_the_top() -> None:
    assert "(README.zh.md)" in "".join(read(ROOT / "README.md").splitlines()[:4])
    assert "(README.md)" in "".join(read(ROOT / "README.zh.md").splitlines()[:4])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_place_of_one_machine(page: Path) -> None:
    text = read(page)
    assert not re.search(r"/work\b|/tmp/|/home/|\bshared/|\.\./shared|PHZ_SHARED", text)
    assert not re.search(r"pypi|pythonhosted|npmjs|conda\.|/simple/|index-url", text, re.I)
    hosts = set(re.findall(r"https?://([\w.:-]+)", text))
    assert hosts <= {"localhost:8501"}


def test_files_named_in_the_architecture_exist() -> None:
    named = re.findall(r"`((?:ingest|replay|analytics|dashboards|tests)/[\w./]*)`", read(DOCS / "architecture.md"))
    assert len(named) > 20
    for name in named:
        assert (ROOT / name).exists(), name


def test_glossary_identifiers_exist() -> None:
    known = identifiers()
    named = [word for cells in rows(DOCS / "glossary.md", columns=6) for word in re.findall(r"`(\w+)`", cells[1])]
    assert len(named) > 60
    assert [word for word in named if word.lower() not in known and not re.fullmatch(r"[sb]\d+", word)] == []


def test_glossary_offences_are_findings() -> None:
    offences = list(rows(DOCS / "glossary.md", columns=4))
    codes = {code for cells in offences for code in re.findall(r"`(\w+)`", cells[1])}
    assert codes
    assert codes <= set(VIOLATIONS)


# Commands


def blocks(page: Path) -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", read(page), re.S) for line in block.splitlines() if line]


def test_the_gate_runs_the_second_command_of_the_readme() -> None:
    setup, tests = blocks(ROOT / "README.md")
    assert setup.endswith(" phz demo")
    assert tests.endswith(" pytest")
    assert setup.removesuffix("phz demo") == tests.removesuffix("pytest")
    assert blocks(ROOT / "README.zh.md") == [setup, tests]
    # The gate takes the line that begins with python3 between the mark and the end of its block.
    gate = read(ROOT / ".ci" / "run")
    mark = "<!-- test command -->"
    assert f"'/{mark}/,/```$/p' README.md" in gate
    after = read(ROOT / "README.md").split(mark)[1].splitlines()
    end = next(number for number, line in enumerate(after) if line.endswith("```"))
    assert [line for line in after[:end] if line.startswith("python3")] == [tests]


def test_commands_are_those_of_the_program() -> None:
    tree = ast.parse(read(ROOT / "phz.py"))
    commands = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any("command" in ast.dump(mark) for mark in node.decorator_list)
    }
    for readme in (ROOT / "README.md", ROOT / "README.zh.md"):
        listed = [cells[0] for cells in rows(readme, columns=2) if cells[0].startswith("`phz ")]
        assert {cell.split()[1].strip("`") for cell in listed} == commands, readme.name


# The viewer


def table_keys(heading: str) -> set[str]:
    section = read(DOCS / "viewer.md").split(heading)[1]
    table = re.split(r"\n\n(?!\|)", section.split("| key |", 1)[1])[0]
    return {word for line in table.splitlines()[2:] for word in re.findall(r"`(\w+)`", line.split("|")[1])}


def test_the_timeline_has_the_keys_of_its_document() -> None:
    from replay.engine import engine

    players = [Player("甲"), Player("乙"), Player("丙")]
    line = timeline(next(sessions(engine(RULESETS["qq"]), 1, 1, players)))
    assert set(line) == table_keys("## 数据 Timeline")
    assert set(line["frames"][-1]) == table_keys("A frame is the state after its event:")
    described = read(DOCS / "viewer.md")
    for part in ("score", "reported"):
        assert all(f"`{key}`" in described for key in line[part])


def test_the_viewer_has_the_keys_of_its_document() -> None:
    script = read(ROOT / "dashboards" / "component" / "viewer.js")
    moves = script.split("const MOVES = {")[1].split("};")[0]
    bound = set(re.findall(r'(?:^|[\s,{])"?([A-Za-z?？]+| )"?: ', moves))
    names = {"←": "ArrowLeft", "→": "ArrowRight", "PgUp": "PageUp", "PgDn": "PageDown", "Space": " "}
    cells = [row[0] for row in rows(DOCS / "viewer.md", columns=2)]
    keys = [key for cell in cells[: cells.index("`?`") + 1] for key in re.findall(r"`(.+?)`", cell)]
    assert {names.get(key, key) for key in keys} == bound - {"？"}
