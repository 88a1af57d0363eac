"""The real server, for browser tests."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dashboards.serve import command


@contextmanager
def served(store: Path, place: Path, **environment: str) -> Iterator[str]:
    """The server of ``store``, started in the folder ``place``, where its log is; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            command(store, port), cwd=place, stdout=log, stderr=log, env={**os.environ, **environment}
        )
        base = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                try:
                    with urllib.request.urlopen(f"{base}/_stcore/health", timeout=2):
                        break
                except (urllib.error.URLError, ConnectionError, TimeoutError):
                    assert process.poll() is None, (place / "log").read_text()
                    time.sleep(0.1)
            yield base
        finally:
            process.terminate()
            process.wait(20)
