"""Engines for SQLite on Python's standard library, instead of SQLAlchemy's engines.

An engine opens one database. A second engine for the same in-memory URL opens a second, empty database. Its user works
on data that no other thread sees. Both classes are thread-safe; a connection belongs to the thread that took it.
"""

from __future__ import annotations

import sqlite3
import threading
import uuid
from typing import Any, Callable, Protocol


class Connection(Protocol):
    """One session with a database; close() returns it."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]: ...
    def begin(self) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class Engine(Protocol):
    """One database and its connections."""

    closed: bool

    def connect(self) -> Connection: ...
    def close_idle(self) -> None: ...
    def close(self) -> None: ...


def open_sqlite(location: str) -> sqlite3.Connection:
    return sqlite3.connect(
        location,
        uri=location.startswith("file:"),
        timeout=30,  # seconds to wait for the lock of another connection
        isolation_level=None,  # no BEGIN by the module, which would come late and without IMMEDIATE
        check_same_thread=False,  # a pool passes connections from thread to thread
    )


class Lease:
    """A connection that is lent out until it is closed."""

    def __init__(self, connection: sqlite3.Connection, give_back: Callable[[sqlite3.Connection], None]) -> None:
        self._connection = connection
        self._give_back = give_back

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, parameters).fetchall()

    def begin(self) -> None:
        # A transaction that reads and then writes fails at once if another one has written meanwhile, whatever the
        # timeout. IMMEDIATE waits for the write lock before the first read.
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self.rollback()
        self._give_back(self._connection)


class StaticEngine:
    """One connection for all threads, like SQLAlchemy's StaticPool.

    Every plain `:memory:` connection has a separate database, so sharing one database means sharing the connection. It
    has one transaction at a time: a thread keeps the lock from begin() until commit() or rollback().
    """

    closed = False

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection = open_sqlite(":memory:")
        self._lock = threading.RLock()

    def connect(self) -> Connection:
        return LockedLease(self._connection, self._lock)

    def close_idle(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True
        self._connection.close()


class LockedLease(Lease):
    """The only connection of a StaticEngine, used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, lock: Any) -> None:
        super().__init__(connection, lambda _: None)
        self._lock = lock
        self._mine = False

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return super().execute(sql, parameters)

    def begin(self) -> None:
        self._lock.acquire()
        self._mine = True
        super().begin()

    def commit(self) -> None:
        super().commit()
        self._release()

    def rollback(self) -> None:
        if self._mine:
            super().rollback()
            self._release()

    def _release(self) -> None:
        self._mine = False
        self._lock.release()


class PooledEngine:
    """A database in memory, or in a file, with any number of connections.

    In memory it is a database of SQLite's file system "memdb": all connections of the process with the same name share
    it. The slash before the name matters, because names without it are private. The database lives while a connection
    is open, so one connection, the anchor, stays open beside the pool.
    """

    closed = False

    def __init__(self, url: str) -> None:
        self.url = url
        prefix = "jdbc:sqlite:"
        is_file = url.startswith(prefix) and not url.startswith(prefix + "file:")
        self._location = url[len(prefix):] if is_file else f"file:/{uuid.uuid4().hex}?vfs=memdb"
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._anchor = open_sqlite(self._location)
        if is_file:
            self._anchor.execute("PRAGMA journal_mode=WAL")  # readers and the writer do not wait for each other

    def connect(self) -> Connection:
        with self._lock:
            if self.closed:
                raise RuntimeError(f"The engine of {self.url} is closed")
            if self._idle:
                return Lease(self._idle.pop(), self._take_back)
        return Lease(open_sqlite(self._location), self._take_back)

    def _take_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self.closed:
                self._idle.append(connection)
                return
        connection.close()

    def close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        with self._lock:
            self.closed = True
        self.close_idle()
        self._anchor.close()
