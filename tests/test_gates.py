"""The gates that are not tests of behaviour: lint, format, types, layers, and what the wheel holds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
GATES = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports"],
}


@pytest.mark.parametrize("gate", GATES)
def test_gate(gate: str) -> None:
    tool, *arguments = GATES[gate]
    run = subprocess.run([BIN / tool, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_wheel_holds_the_packages_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"ingest", "replay", "analytics", "dashboards", "phz.py"}
    assert "dashboards/component/viewer.js" in names
    assert any(name.startswith("analytics/sql/") for name in names)


def test_no_child_of_dashboards_bears_a_package_name() -> None:
    """``streamlit run`` puts that folder first on the path."""
    taken = {"ingest", "replay", "analytics", "dashboards", "phz"}
    assert not taken & {path.stem for path in (ROOT / "dashboards").iterdir()}
