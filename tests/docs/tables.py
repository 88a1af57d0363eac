"""Reading the tables of Markdown documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows(path: Path, columns: int) -> Iterator[list[str]]:
    """Cells of every table row of the document with so many columns; heads and rulers are left out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("|") or re.fullmatch(r"[|\s:-]+", line):
            continue
        if number + 1 < len(lines) and re.fullmatch(r"\|(?:\s*:?-+:?\s*\|)+", lines[number + 1]):
            continue
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if len(cells) == columns:
            yield cells
