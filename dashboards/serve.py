"""How the dashboard's server is started."""

from __future__ import annotations

import sys
from pathlib import Path


def command(store: Path, port: int) -> list[str]:
    """The command that serves ``store`` on a loopback ``port``; its settings are in ``.streamlit`` beside the app."""
    app = Path(__file__).resolve().parent / "app.py"
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(app),
        "--server.port",
        str(port),
        "--server.headless",
        "true",
        "--",
        f"--store={store.resolve()}",
    ]
