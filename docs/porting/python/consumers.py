"""The work of unit_of_work.py and migration_runner.py on their engine. The modules original.py, fixed.py and better.py
differ in how they get the engine."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from database import Connection, Engine


class Unit:
    """A unit of work: one transaction, committed at the end of the `with` block, or rolled back if the block fails."""

    def __init__(self, engine: Engine, scripts: str | None) -> None:
        self.engine = engine
        self._scripts = scripts

    def __enter__(self) -> Connection:
        if self._scripts is not None:
            self.migrate(self._scripts)
        self._connection = self.engine.connect()
        try:
            self._connection.begin()
        except BaseException:
            self._connection.close()
            raise
        return self._connection

    def migrate(self, scripts: str) -> None:
        Runner(self.engine, scripts).migrate()

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if failure is None:
                self._connection.commit()
        finally:
            self._connection.close()  # rolls back what is not committed


class Runner:
    """Runs the scripts of a directory, V1__NAME.sql and so on: each one once per database, and all of them or none."""

    HISTORY = "CREATE TABLE IF NOT EXISTS migration_history(script TEXT PRIMARY KEY)"

    def __init__(self, engine: Engine, scripts: str) -> None:
        self.engine = engine
        self._directory = Path(scripts)

    def status(self) -> list[str]:
        """Returns the names of all scripts, in the order of their versions."""
        names = [file.name for file in self._directory.glob("V*__*.sql")]
        return sorted(names, key=lambda name: int(name[1:].split("__")[0]))

    def pending(self) -> list[str]:
        """Returns the names of the scripts that have not run, and changes nothing."""
        connection = self.engine.connect()
        try:
            return self._pending(connection)
        finally:
            connection.close()

    def _pending(self, connection: Connection) -> list[str]:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE name = 'migration_history'")
        done = {row[0] for row in connection.execute("SELECT script FROM migration_history")} if tables else set()
        return [name for name in self.status() if name not in done]

    def migrate(self) -> None:
        connection = self.engine.connect()
        try:
            connection.begin()
            connection.execute(self.HISTORY)
            for name in self._pending(connection):
                self._run(connection, name)
            connection.commit()
        finally:
            connection.close()

    def _run(self, connection: Connection, name: str) -> None:
        try:
            # Good enough here: a semicolon inside a string or a trigger would require an SQL parser.
            for statement in (self._directory / name).read_text(encoding="utf-8").split(";"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute("INSERT INTO migration_history VALUES (?)", (name,))
        except Exception as failure:
            raise RuntimeError(f"Migration script {name} failed and was rolled back") from failure
