"""The documents against the code, both ways: codes, clauses, options, links, names, keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.kernels import layout
from replay.penalties import LETTERS, TARIFF
from replay.rulesets import OPTIONS, RULESETS, Ruleset, allowed
from replay.simulate import Player, sessions
from replay.timeline import timeline
from replay.violations import BY_NUMBER, VIOLATIONS
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
    listed = {cells[0]: (int(cells[1]), cells[2]) for cells in rows(DOCS / "violations.md", columns=7)}
    assert listed == {code: (violation.severity, violation.clause) for code, violation in VIOLATIONS.items()}


def paragraphs() -> list[tuple[str, str, int, str, str, str]]:
    """Code, Chinese name, severity, who, clause and rulesets of every paragraph of a finding."""
    pattern = re.compile(
        r"^\*\*([A-Z][A-Z0-9_]+) (.+?)\*\* \([^;]+; severity (\d); ([^;]+); clause (\d+\.\d+).*?; ([a-z0-9, ]+)\)\. ",
        re.M,
    )
    found = pattern.findall(read(DOCS / "violations.md"))
    return [(code, zh, int(severity), who, clause, names) for code, zh, severity, who, clause, names in found]


def test_findings_have_a_paragraph_each() -> None:
    """Its code and Chinese name, its severity, and first the clause that the finding bears."""
    found = [(code, zh, severity, clause) for code, zh, severity, _, clause, _ in paragraphs()]
    assert sorted(found) == sorted((v.code, v.zh, v.severity, v.clause) for v in VIOLATIONS.values())
    assert len(re.findall(r"^\*\*[A-Z][A-Z0-9_]+ ", read(DOCS / "violations.md"), re.M)) == len(found)


def test_the_findings_table_repeats_the_paragraphs() -> None:
    listed = {(cells[0], cells[3], cells[6]) for cells in rows(DOCS / "violations.md", columns=7)}
    assert listed == {(code, who, names) for code, _, _, who, _, names in paragraphs()}
    for _, _, _, _, _, names in paragraphs():
        assert names in ("all", "locked") or set(names.split(", ")) <= set(RULESETS), names


def test_what_an_offence_costs() -> None:
    """Letters and points of both documents are those of the code, and so is the loss of the right to win."""
    tariff = {letter: (f"−{3 * share}", f"+{share}") for letter, share in TARIFF.items()}
    listed = {cells[0]: cells[4] for cells in rows(DOCS / "violations.md", columns=7)}
    for code, cell in listed.items():
        letter = LETTERS.get(code, "A" if code in ("CHAI_KAN", "CHAI_TI") else "")
        told = re.findall(r"\b([A-E]) (−\d+)/(\+\d+)", cell)
        assert told == ([(letter, *tariff[letter])] if letter else []), code
    table = {cells[0]: cells for cells in rows(DOCS / "rules.md", columns=5) if cells[0] in TARIFF}
    assert {letter: (cells[3], cells[4]) for letter, cells in table.items()} == tariff
    for letter, cells in table.items():
        named = set(re.findall(r"[A-Z]+(?:_[A-Z]+)+", cells[2]))
        assert named == {code for code, own in LETTERS.items() if own == letter}
    banned = {code for code, cell in listed.items() if cell.startswith("ban")}
    elsewhere = {cells[0] for cells in rows(DOCS / "violations.md", columns=7) if cells[5].startswith("ban")}
    bans = {violation.code for number, violation in BY_NUMBER.items() if layout.BAN_MASK >> number & 1}
    assert elsewhere == bans
    assert banned == bans - {"PENG_DECLINED"}


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


RULESET_COLUMNS = ("qq", "hu15", "guilin", "bisai", "luzhou", "general", "ningxiang")


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        if len(value) == 4 and value[:2] == value[2:]:
            value = value[:2]
        return ", ".join(str(piece) for piece in value) or "–"
    return str(value)


def choices(option: str) -> str:
    values = allowed(option)
    if len(values) > 10:
        assert values == tuple(range(len(values)))
        return f"0–{len(values) - 1}"
    return ", ".join(shown(value) for value in values)


def clause_of(option: str) -> str:
    return str(Ruleset.__dataclass_fields__[option].metadata["clause"])


def test_options_table() -> None:
    assert set(RULESET_COLUMNS) == set(RULESETS)
    listed = {}
    for cells in rows(DOCS / "rules.md", columns=12):
        number = re.sub(r"<.*?>", "", cells[0]).strip()
        option = cells[1].strip("`")
        assert option not in listed, option
        listed[option] = (number, cells[2], *cells[4:11])
    assert listed == {
        option: (
            clause_of(option),
            choices(option),
            *(shown(getattr(RULESETS[name], option)) for name in RULESET_COLUMNS),
        )
        for option in OPTIONS
    }


def test_open_questions_name_the_values_in_force() -> None:
    """``zimo`` (plus_one): that option has that value in some ruleset; without one, "by ruleset", they differ."""
    section = read(DOCS / "rules.md").split("## 来源未定之处")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| question")]
    assert len(table) == 37
    named = re.findall(r"`(\w+)` \(([^)]+)\)", "\n".join(line.split(" | ")[2] for line in table))
    assert len(named) > 15
    for option, value in named:
        in_force = {shown(getattr(ruleset, option)) for ruleset in RULESETS.values()}
        assert {"by ruleset": len(in_force) > 1, "none": in_force == {"–"}}.get(value, value in in_force), option


def test_options_named_in_the_rules_exist() -> None:
    """What stands in code letters is an option, one of its values, a ruleset, or a word of the glossary."""
    text = read(DOCS / "rules.md")
    values = {shown(value) for option in OPTIONS for value in allowed(option)}
    words = {word for cells in rows(DOCS / "glossary.md", columns=6) for word in re.findall(r"`(\w+)`", cells[1])}
    formula = {"owned", "quads", "waived", "code"}
    for quoted in re.findall(r"`([^`]+)`", text):
        option, _, value = quoted.partition(" = ")
        if value:
            if quoted.startswith("due(p)"):
                continue
            assert option in OPTIONS, quoted
            assert value.strip('"') in {shown(known) for known in allowed(option)}, quoted
        elif not quoted.startswith(("phz ", "next", "prev", "SHI_WEI=")):
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
        node.name.partition("_")[0]  # ``rulesets_show`` is a part of ``rulesets``
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
