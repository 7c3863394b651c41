"""A driver of the acceptance suite (docs/driver.md) for the caches beside it: `python3 driver.py original`."""

from __future__ import annotations

import _thread
import contextlib
import functools
import importlib
import itertools
import json
import queue
import sys
import threading
import traceback
from typing import Any, Callable, Iterator

numbers = itertools.count(1)
waits: dict[int, int] = {}  # the waiting threads, each with the number of its wait
creations: dict[int, queue.SimpleQueue[Any]] = {}  # where each creation waits for the suite
things: dict[str, Any] = {}  # engines and connections by identity, kept alive so that no identity is reused
output = _thread.allocate_lock()


@contextlib.contextmanager
def waiting() -> Iterator[None]:
    """Notes that this thread waits for another one, or may wait, for example in the database."""
    waits[_thread.get_ident()] = next(numbers)
    try:
        yield
    finally:
        waits.pop(_thread.get_ident(), None)


class WatchedLock:
    def __init__(self) -> None:
        self._lock = _thread.allocate_lock()
        self.release, self.locked = self._lock.release, self._lock.locked

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._lock.acquire(False):
            return True
        with waiting():
            return blocking and self._lock.acquire(True, timeout)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *failure: object) -> None:
        self.release()


# Futures, conditions and reentrant locks are built on locks. From here on, all of them note which threads wait.
threading.Lock = threading._allocate_lock = WatchedLock  # type: ignore
threading.RLock = threading._PyRLock  # type: ignore


def place(thread: int) -> str:
    """Returns the number of a thread's wait, and the line of the cache that waits."""
    frame = sys._current_frames().get(thread)
    while frame and frame.f_globals["__name__"] in (__name__, "threading", "concurrent.futures._base"):
        frame = frame.f_back
    return f"wait {waits.get(thread)}" + (f" in {frame.f_code.co_filename}:{frame.f_lineno}" if frame else "")


def send(kind: str, **fields: Any) -> None:
    with output:
        print(json.dumps({"type": kind, **fields}), flush=True)


def create_when_told(create: Callable[[str], Any], url: str) -> Any:
    """Creates an engine when the suite sends go; raises an exception when the suite sends fail."""
    number = next(numbers)
    answer = creations[number] = queue.SimpleQueue()
    send("creating", creation=number, url=url, thread=threading.current_thread().name)
    if (message := answer.get())["type"] == "fail":
        raise RuntimeError(message["message"])
    return create(url)


def named(thing: Any) -> str:
    things[str(id(thing))] = thing
    return str(id(thing))


def serve(cache: Any, calls: queue.SimpleQueue[Any], unit: Any = None) -> Any:
    """Answers the calls of one thread. Inside a unit of work, returns at the call that leaves the unit."""
    while (call := calls.get())["do"] != "leave":
        try:
            if call["do"] == "enter":
                opened = cache.UnitOfWork(call["url"], call.get("scripts"))
                with opened as connection:
                    send("result", id=call["id"], engine=named(opened.engine))
                    call = serve(cache, calls, connection)
                    if "failure" in call:
                        raise RuntimeError(call["failure"])
                send("result", id=call["id"])
            else:
                send("result", id=call["id"], **(run(cache, call, unit) or {}))
        except BaseException:
            send("failure", id=call["id"], message=traceback.format_exc())
    return call


def run(cache: Any, call: dict[str, Any], unit: Any) -> Any:
    do, url = call["do"], call.get("url")
    engine: Any = things.get(call.get("engine", ""))
    connection: Any = things.get(call.get("connection", ""), unit)
    if do == "sql":
        with waiting(), contextlib.closing(engine.connect()) if engine else contextlib.nullcontext(connection) as lent:
            return {"rows": [str(row[0]) for row in lent.execute(call["sql"])]}
    if do in ("begin", "commit", "rollback", "disconnect"):
        with waiting():
            return getattr(connection, do.replace("disconnect", "close"))()
    if do in ("runner", "migrate", "pending", "status"):
        runner = cache.MigrationRunner(url, call["scripts"])
        names = getattr(runner, do)() if do != "runner" else []
        return {"engine": named(runner.engine), "rows": names or []}
    operations: dict[str, Callable[[], Any]] = {
        "engine": lambda: {"engine": named(cache.UnitOfWork(url).engine)},
        "connect": lambda: {"connection": named(engine.connect())},
        "closed": lambda: {"closed": engine.closed},
        "close-engine": lambda: engine.close(),
        "close-idle": lambda: engine.close_idle(),
        "evict": lambda: cache.evict(url),
        "close": lambda: cache.close(),
    }
    return operations[do]()


def main(cache: Any) -> None:
    cache.create_engine = functools.partial(create_when_told, cache.create_engine)
    threads: dict[str, tuple[threading.Thread, queue.SimpleQueue[Any]]] = {}
    send("hello", protocol=1, name=cache.__name__, abilities=cache.ABILITIES)
    for message in itertools.takewhile(lambda each: each["type"] != "bye", map(json.loads, sys.stdin)):
        if message["type"] == "call":
            if (name := message["thread"]) not in threads:
                calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
                threads[name] = threading.Thread(target=serve, args=(cache, calls), name=name, daemon=True), calls
                threads[name][0].start()
            threads[name][1].put(message)
        elif message["type"] == "look":
            idents = {name: thread.ident or 0 for name, (thread, _) in threads.items()}
            send("waiting", id=message["id"], threads={name: place(i) for name, i in idents.items() if i in waits})
        else:  # go or fail
            creations[message["creation"]].put(message)


if __name__ == "__main__":
    main(importlib.import_module(sys.argv[1]))
