"""SQLAlchemy engines (1.4 and 2.0) for an in-memory SQLite database: the usual one, and one that threads can share."""

from __future__ import annotations

import sqlite3
import uuid
from typing import Any

from sqlalchemy import create_engine, event
from sqlalchemy.pool import QueuePool


def usual_engine() -> Any:
    """The engine of the bug reports.

    For ":memory:", SQLAlchemy chooses SingletonThreadPool: each thread has one connection, and each connection has a
    separate database. One engine for all threads is therefore not enough: the second thread gets "no such table".
    """
    return create_engine("sqlite:///:memory:", future=True)


def connect_to_memory(name: str) -> sqlite3.Connection:
    """Opens a connection to the in-memory database of that name. The database lives while one connection is open."""
    return sqlite3.connect(
        f"file:/{name}?vfs=memdb",  # SQLite 3.36 or later; without the slash, each connection has a separate database
        uri=True,  # otherwise this creates a file called "file:..."
        timeout=30,  # seconds that a writer waits for another one; the mode cache=shared would not wait
        check_same_thread=False,  # the pool passes connections from thread to thread
        isolation_level=None,  # no BEGIN by the sqlite3 module, which begins late, and before DDL not at all
    )


def shared_engine(name: str) -> Any:
    """An engine whose connections share one database. Keep an anchor connection open for as long as the engine."""
    engine = create_engine(
        "sqlite://",  # chooses the dialect; the location is up to the creator
        creator=lambda: connect_to_memory(name),
        poolclass=QueuePool,  # the dialect sees ":memory:", and would choose SingletonThreadPool
        pool_size=5,
        max_overflow=10,
        future=True,  # the behaviour of 2.0 on 1.4
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # A transaction that reads first and then writes fails at once if another one has written in between, whatever
        # the timeout. IMMEDIATE waits for its turn to write before it reads.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


class Session:
    """A connection of SQLAlchemy with the interface of database.Connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._begun = False

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        result = self._connection.exec_driver_sql(sql, parameters)
        rows = [tuple(row) for row in result] if result.returns_rows else []
        if not self._begun:
            self._connection.commit()  # SQLAlchemy itself has begun the transaction
        return rows

    def begin(self) -> None:
        self._connection.begin()
        self._begun = True

    def commit(self) -> None:
        self._connection.commit()
        self._begun = False

    def rollback(self) -> None:
        self._connection.rollback()
        self._begun = False

    def close(self) -> None:
        self._connection.close()  # rolls back, and returns the connection to the pool


class UsualEngine:
    """usual_engine() with the interface of database.Engine."""

    closed = False

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = self._create()

    def _create(self) -> Any:
        return usual_engine()

    def connect(self) -> Session:
        if self.closed:  # a disposed engine opens a new pool; in memory, that is a new, empty database
            raise RuntimeError(f"The engine of {self.url} is closed")
        return Session(self._engine.connect())

    def close_idle(self) -> None:
        self._engine.dispose()  # closes the idle connections, and begins with a new pool

    def close(self) -> None:
        self.closed = True
        self._engine.dispose()


class SharedEngine(UsualEngine):
    """shared_engine() and its anchor, with the interface of database.Engine."""

    def _create(self) -> Any:
        name = uuid.uuid4().hex  # unique: two engines never share a database by accident
        self._anchor = connect_to_memory(name)
        return shared_engine(name)

    def close(self) -> None:
        super().close()
        self._anchor.close()
