"""The fix: one lock, held over check, create, write and read-back, in one function that both consumers call.

It is right, and small. What it costs: while one engine is created, threads that want another URL wait as well, and so
do those whose engine is there already. A thread that waited for a creation which fails is not told; it tries again
itself.
"""

from __future__ import annotations

import threading

import consumers
from database import Engine, StaticEngine

create_engine = StaticEngine
ABILITIES = ["migrations", "units-of-work"]  # for the acceptance suite: what there is beside a cache

MEMORY_ENGINES: dict[str, Engine] = {}
MEMORY_ENGINES_LOCK = threading.Lock()


def memory_engine(url: str) -> Engine:
    """Returns the one engine of a URL. The read-back is inside: after the lock, the entry may have been replaced."""
    with MEMORY_ENGINES_LOCK:
        if url not in MEMORY_ENGINES:
            MEMORY_ENGINES[url] = create_engine(url)
        return MEMORY_ENGINES[url]


# unit_of_work.py
class UnitOfWork(consumers.Unit):
    def __init__(self, url: str, scripts: str | None = None) -> None:
        super().__init__(memory_engine(url), scripts)


# migration_runner.py
class MigrationRunner(consumers.Runner):
    def __init__(self, url: str, scripts: str) -> None:
        super().__init__(memory_engine(url), scripts)
