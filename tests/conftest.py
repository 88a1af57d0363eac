from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Test inputs from outside the repository; tests that need them skip where they are absent, but never in CI."""
    place = Path(os.environ.get("PHZ_SHARED", ROOT.parent / "shared"))
    if not (place / "records").is_dir():
        reason = f"no shared test inputs at {place} (set PHZ_SHARED)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return place


@pytest.fixture(scope="session")
def samples() -> Path:
    return ROOT / "data" / "samples"
