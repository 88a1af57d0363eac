"""How much memory the reading of one file takes at most, measured in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The peak of this very program: that of getrusage begins with what the parent had when it forked.
CHILD = """
import sys
from pathlib import Path
from ingest.reader import read_path

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))

small, large, form = sys.argv[1:]
for _ in read_path(small, form):
    pass
# What was needed to load the program may be more than either reading: the peak begins anew.
Path("/proc/self/clear_refs").write_text("5")
before = peak()
count = sum(1 for _ in read_path(large, form))
print(count, peak() - before)
"""


def growth(small: Path, large: Path, form: str) -> tuple[int, float]:
    """Records of ``large``, and the MB by which the peak grew from having read ``small`` to having read it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", CHILD, str(small), str(large), form]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    count, kilobytes = map(int, done.stdout.split())
    return count, kilobytes / 1024


def check_memory(folder: Path, whole: bytes, form: str) -> None:
    """5 MB of a file, the same again and again, are read with hardly more memory than the file alone."""
    small, large = folder / "small", folder / "large"
    times = 5_000_000 // len(whole)
    small.write_bytes(whole)
    large.write_bytes(whole * times)
    count, grown = growth(small, large, form)
    assert count == times
    assert grown < 2
