"""The cache of bug reports 7566 and 3950, with its defect.

Both consumers check, create, write and read a module-level dictionary, without a lock around these steps. Two threads
both see "absent", both create an engine, and the second write wins. So there are two databases for one URL, and the
first thread may even keep an engine that the dictionary no longer knows.
"""

from __future__ import annotations

import consumers
from database import Engine, StaticEngine

create_engine = StaticEngine
ABILITIES = ["migrations", "units-of-work"]  # for the acceptance suite: the abilities in addition to a cache

MEMORY_ENGINES: dict[str, Engine] = {}


# unit_of_work.py
class UnitOfWork(consumers.Unit):
    def __init__(self, url: str, scripts: str | None = None) -> None:
        if url not in MEMORY_ENGINES:
            MEMORY_ENGINES[url] = create_engine(url)
        super().__init__(MEMORY_ENGINES[url], scripts)


# migration_runner.py
class MigrationRunner(consumers.Runner):
    def __init__(self, url: str, scripts: str) -> None:
        if url not in MEMORY_ENGINES:
            MEMORY_ENGINES[url] = create_engine(url)
        super().__init__(MEMORY_ENGINES[url], scripts)
