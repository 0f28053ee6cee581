"""One flow at a time: who asks while another flow of this process is open waits, first in, first out (R11)."""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
from collections import deque
from collections.abc import Iterator

from ask_core.edge.signals import Wake
from ask_core.edge.tty import NoTerminal, Selector

# The first one has the turn.
_queue: deque[Wake] = deque()
_threads: set[int] = set()
# Reentrant: a signal handler may ask.
_lock = threading.RLock()


def queue(wake: Wake) -> None:
    """Stand in line, now and not only when `turn` is reached; nothing if that is so already."""
    with _lock:
        if wake not in _queue:
            _queue.append(wake)


def step_out(wake: Wake) -> None:
    """Leave the line, or let the next one have its turn; nothing if that is so already."""
    with _lock:
        if wake in _queue:
            _queue.remove(wake)
            if _queue:
                _queue[0].poke()


@contextlib.contextmanager
def turn(wake: Wake) -> Iterator[None]:
    """Wait until all who were before have ended, or until `wake` is given a reason to give up (see `wake.reason`).

    Raises NoTerminal in a thread that has a flow open already: it would wait for itself.
    """
    thread = threading.get_ident()
    if thread in _threads:
        raise NoTerminal("this thread is asking already")
    try:
        queue(wake)
        _threads.add(thread)
        with Selector() as selector:
            selector.register(wake.reader, selectors.EVENT_READ)
            while _queue[0] is not wake and wake.reason is None:
                selector.select()
                wake.take()
        yield
    finally:
        _threads.discard(thread)
        step_out(wake)


def _forget() -> None:
    """A forked child has none of its parent's flows."""
    global _lock  # noqa: PLW0603 - another thread of the parent may have held it
    _lock = threading.RLock()
    _queue.clear()
    _threads.clear()


os.register_at_fork(after_in_child=_forget)
