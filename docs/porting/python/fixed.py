"""The fix: one lock, held over check, create, write and read-back, in one function that both consumers call.

It is correct and small, but it has two costs. While one engine is created, all other callers wait, even for other URLs
and for existing engines. A thread that waited for a failed creation does not learn of the failure; it retries the
creation.
"""

from __future__ import annotations

import threading

import consumers
from database import Engine, StaticEngine

create_engine = StaticEngine
ABILITIES = ["migrations", "units-of-work"]  # for the acceptance suite: the abilities in addition to a cache

MEMORY_ENGINES: dict[str, Engine] = {}
MEMORY_ENGINES_LOCK = threading.Lock()


def memory_engine(url: str) -> Engine:
    """Returns the only engine of a URL. Reads it back under the lock; later, another thread may replace the entry."""
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
