"""A cache for asyncio, and its driver: `python3 asyncio_cache.py`. Each thread name of the suite is a task here.

One thread runs all tasks, and switches between them only at `await`. So check and write need no lock if no `await`
stands between them. Creating an engine does await, so the future goes into the dictionary first.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import json
import sys
import traceback
from typing import Any, Callable, Coroutine

from database import Engine, PooledEngine


class AsyncCache:
    def __init__(self, create: Callable[[str], Coroutine[Any, Any, Engine]]) -> None:
        self._create = create
        self._creations: dict[str, asyncio.Task[Engine]] = {}
        self._closed = False

    async def engine(self, url: str) -> Engine:
        if self._closed:
            raise RuntimeError(f"Cannot return the engine of {url}: the cache is closed")
        creation = self._creations.get(url)
        if creation is None:
            creation = self._creations[url] = asyncio.create_task(self._create(url))
            creation.add_done_callback(lambda done: self._forget_failure(url, done))
        # Without the shield, cancelling one caller would cancel the creation for all waiting callers.
        return await asyncio.shield(creation)

    def _forget_failure(self, url: str, creation: asyncio.Task[Engine]) -> None:
        if creation.cancelled() or creation.exception() is not None:
            del self._creations[url]

    async def evict(self, url: str) -> None:
        creation = self._creations.get(url)
        if creation is not None and creation.done():
            del self._creations[url]
            creation.result().close()

    async def close(self) -> None:
        self._closed = True
        for creation in reversed(list(self._creations.values())):
            await asyncio.wait([creation])
            if creation.exception() is None:
                creation.result().close()


# The name of the suite's thread whose call runs now, directly or in a task that the call has started.
THREAD: contextvars.ContextVar[str] = contextvars.ContextVar("THREAD")


class AsyncDriver:
    def __init__(self) -> None:
        self._cache = AsyncCache(self._create)
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._things: dict[str, Any] = {}
        self._tasks: dict[str, tuple[asyncio.Task[None], asyncio.Queue[dict[str, Any]]]] = {}
        self._busy: dict[str, str] = {}  # the operation of each thread, reported as its place while it is suspended

    def _send(self, kind: str, **fields: Any) -> None:
        print(json.dumps({"type": kind, **fields}), flush=True)

    def _named(self, thing: Any) -> str:
        self._things[str(id(thing))] = thing
        return str(id(thing))

    async def _create(self, url: str) -> Engine:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._send("creating", creation=number, url=url, thread=THREAD.get())
        message = await self._answers[number]
        if message["type"] == "fail":
            raise RuntimeError(message["message"])
        return PooledEngine(url)

    async def _serve(self, thread: str, calls: asyncio.Queue[dict[str, Any]]) -> None:
        THREAD.set(thread)
        while True:
            call = await calls.get()
            self._busy[thread] = f"{call['do']}, call {call['id']}"
            try:
                self._send("result", id=call["id"], **(await self._run(call) or {}))
            except Exception:
                self._send("failure", id=call["id"], message=traceback.format_exc())
            del self._busy[thread]

    async def _run(self, call: dict[str, Any]) -> Any:
        do = call["do"]
        engine: Any = self._things.get(call.get("engine", ""))
        connection: Any = self._things.get(call.get("connection", ""))
        if do == "engine":
            return {"engine": self._named(await self._cache.engine(call["url"]))}
        if do == "evict":
            return await self._cache.evict(call["url"])
        if do == "close":
            return await self._cache.close()
        if do == "connect":
            return {"connection": self._named(engine.connect())}
        if do == "closed":
            return {"closed": engine.closed}
        if do == "close-engine":
            return engine.close()
        if do == "disconnect":
            return connection.close()
        if do in ("begin", "commit", "rollback"):  # in a thread, because a wait in the database would stop all tasks
            return await asyncio.to_thread(getattr(connection, do))
        if do == "sql":
            session = connection or engine.connect()
            rows = await asyncio.to_thread(session.execute, call["sql"])
            if connection is None:
                session.close()
            return {"rows": [str(row[0]) for row in rows]}
        raise RuntimeError(f"Unknown operation {do}")

    async def main(self) -> None:
        self._send("hello", protocol=1, name="asyncio", abilities=["closing", "eviction", "files", "shared-failures"])
        while (line := await asyncio.to_thread(sys.stdin.readline)) and (message := json.loads(line))["type"] != "bye":
            if message["type"] == "call":
                if (name := message["thread"]) not in self._tasks:
                    calls: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
                    self._tasks[name] = asyncio.create_task(self._serve(name, calls)), calls
                self._tasks[name][1].put_nowait(message)
            elif message["type"] == "look":
                # While this task runs, all other busy tasks are suspended, so each of them counts as waiting.
                self._send("waiting", id=message["id"], threads=self._busy)
            else:
                self._answers[message["creation"]].set_result(message)


if __name__ == "__main__":
    asyncio.run(AsyncDriver().main())
