"""The better cache: a future per URL, so that a URL waits for no other one, and a failure reaches everybody who waited.

The lock guards the dictionary alone and is held for a few instructions. The thread that puts a future into the dictionary
creates the engine, outside the lock; every other thread waits for that future.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Callable, Generic, TypeVar

import consumers
from database import Engine, PooledEngine

create_engine: Callable[[str], Engine] = PooledEngine

# For the acceptance suite: what there is beside a cache.
ABILITIES = "closing eviction files housekeeping migrations shared-failures units-of-work".split()

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Does a piece of work once per key, however many threads ask for it. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[str, Future[T]] = {}
        self._closed = False

    def run(self, key: str, work: Callable[[], T]) -> T:
        """Returns the result of the work, done by this thread or another one. A failure is shared, and forgotten."""
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
        return flight.result()

    def _do(self, key: str, work: Callable[[], T], mine: Future[T]) -> T:
        try:
            result = work()
        except BaseException as failure:  # an interrupt, too, must not leave the others waiting
            with self._lock:
                del self._flights[key]  # first, so that a caller who knows of the failure and retries finds nothing
            mine.set_exception(failure)
            raise
        mine.set_result(result)
        return result

    def forget(self, key: str) -> T | None:
        """Removes a result. Work in progress is left alone."""
        with self._lock:
            flight = self._flights.get(key)
            if flight is None or not flight.done():
                return None
            del self._flights[key]
        return None if flight.exception() else flight.result()

    def close(self) -> list[T]:
        """Rejects all calls from now on, and returns the results, also of work that is in progress."""
        with self._lock:
            self._closed = True
            flights = list(self._flights.values())
            self._flights = {key: flight for key, flight in self._flights.items() if not flight.done()}
        return [flight.result() for flight in reversed(flights) if flight.exception() is None]


@dataclass(frozen=True)
class Place:
    """The place of a URL in the cache. "Migrated" is a fact about the engine, and setting it is the same race once more."""

    engine: Engine
    migrations: SingleFlight[None] = field(default_factory=SingleFlight)


PLACES: SingleFlight[Place] = SingleFlight()


def place_of(url: str) -> Place:
    return PLACES.run(url, lambda: Place(create_engine(url)))


def evict(url: str) -> None:
    """Closes the engine of a URL. It is forgotten first: no caller gets an engine that was closed before the call."""
    place = PLACES.forget(url)
    if place is not None:
        place.engine.close()


def close() -> None:
    for place in PLACES.close():
        place.engine.close()


# unit_of_work.py
class UnitOfWork(consumers.Unit):
    def __init__(self, url: str, scripts: str | None = None) -> None:
        self._place = place_of(url)
        super().__init__(self._place.engine, scripts)

    def migrate(self, scripts: str) -> None:
        self._place.migrations.run(scripts, lambda: super(UnitOfWork, self).migrate(scripts))


# migration_runner.py
class MigrationRunner(consumers.Runner):
    def __init__(self, url: str, scripts: str) -> None:
        super().__init__(place_of(url).engine, scripts)
