"""How the dashboard's server is started."""

from __future__ import annotations

import sys
from pathlib import Path


def command(store: Path | str, port: int) -> list[str]:
    """The command that serves ``store``, a folder or a URL, on a loopback ``port``; settings are in ``.streamlit``."""
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
        f"--store={store if '://' in str(store) else Path(store).resolve()}",
    ]
