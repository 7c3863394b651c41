"""The better cache: a future per URL, so that no URL waits for another, and all waiting callers get a failure.

The lock guards only the dictionary and is held for a few instructions. The thread that puts a future into the
dictionary creates the engine, outside the lock; every other thread waits for that future.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Callable, Generic, TypeVar

import consumers
from database import Engine, PooledEngine

create_engine: Callable[[str], Engine] = PooledEngine

# For the acceptance suite: the abilities in addition to a cache.
ABILITIES = "closing eviction files housekeeping migrations shared-failures units-of-work".split()

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Runs work once per key, however many threads request it. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # A future stands for work in progress or for its result. Its value becomes None when the result is finished.
        self._flights: dict[str, Future[T | None]] = {}
        self._closed = False

    def run(self, key: str, work: Callable[[], T]) -> T:
        """Returns the result of the work, done by this thread or another one. A failure is shared, and forgotten."""
        while True:
            with self._lock:
                if self._closed:
                    raise RuntimeError(f"Cannot return {key}: the cache is closed")
                flight = self._flights.get(key)
                if flight is None:
                    mine = self._flights[key] = Future()
            if flight is None:
                return self._do(key, work, mine)
            failure = flight.exception()  # waits
            if failure is not None:
                # A new exception for each thread: threads that raise the same one all append to its traceback.
                raise RuntimeError(f"Cannot create {key}: {failure}") from failure
            result = flight.result()
            if result is not None:
                return result

    def _do(self, key: str, work: Callable[[], T], mine: Future[T | None]) -> T:
        try:
            result = work()
        except BaseException as failure:  # even an interrupt must not leave the other threads waiting
            with self._lock:
                del self._flights[key]  # first, so that a retry after the failure does not find this future
            mine.set_exception(failure)
            raise
        mine.set_result(result)
        return result

    def end(self, key: str, finish: Callable[[T], None]) -> None:
        """Finishes a result. Callers wait until then and repeat the work. Ignores work in progress."""
        with self._lock:
            flight = self._flights.get(key)
            if flight is None or not flight.done():
                return
            gone = self._flights[key] = Future()
        try:
            finish(flight.result())  # type: ignore[arg-type]  # a result in the dictionary is not None
        finally:
            with self._lock:
                del self._flights[key]
            gone.set_result(None)

    def close(self, finish: Callable[[T], None]) -> None:
        """Rejects all later calls, and finishes all results, including those of work in progress."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            flights = list(self._flights.values())
        for flight in reversed(flights):
            if flight.exception() is None:  # waits
                result = flight.result()
                if result is not None:
                    finish(result)


@dataclass(frozen=True)
class Place:
    """The place of a URL in the cache. The flag "migrated" belongs to the engine, and setting it has the same race."""

    engine: Engine
    migrations: SingleFlight[bool] = field(default_factory=SingleFlight)


PLACES: SingleFlight[Place] = SingleFlight()


def place_of(url: str) -> Place:
    return PLACES.run(url, lambda: Place(create_engine(url)))


def evict(url: str) -> None:
    """Closes the engine of a URL, then removes it, so that one URL never has two open engines."""
    PLACES.end(url, lambda place: place.engine.close())


def close() -> None:
    PLACES.close(lambda place: place.engine.close())


# unit_of_work.py
class UnitOfWork(consumers.Unit):
    def __init__(self, url: str, scripts: str | None = None) -> None:
        self._place = place_of(url)
        super().__init__(self._place.engine, scripts)

    def migrate(self, scripts: str) -> None:
        def run() -> bool:
            super(UnitOfWork, self).migrate(scripts)
            return True

        self._place.migrations.run(scripts, run)


# migration_runner.py
class MigrationRunner(consumers.Runner):
    def __init__(self, url: str, scripts: str) -> None:
        super().__init__(place_of(url).engine, scripts)
