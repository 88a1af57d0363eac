"""How a job is timed."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(n: int, job: Callable[[], object]) -> float:
    """Shortest of ``n`` timings in seconds of processor time: what the machine can do when least disturbed."""
    times = []
    for _ in range(n):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)
