from __future__ import annotations

from pathlib import Path

import pytest

from analytics.marts import Marts, open_marts
from tests.analytics.stores import Rows, rows, write


@pytest.fixture(scope="session")
def data() -> Rows:
    return rows(1500)


@pytest.fixture(scope="session")
def store(data: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("store"), data)


@pytest.fixture(scope="session")
def marts(store: Path) -> Marts:
    return open_marts(store)
