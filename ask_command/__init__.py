"""The way in of the `ask` command.

It imports next to nothing: Ctrl+C while all the rest is loading shall end the command and not show where it was.
"""

import gc
import os

_INTERRUPTED = 130
# Objects made between two looks for garbage. What the start makes stays, so looking through it again and again is lost.
_GARBAGE = 200_000


def run() -> None:
    """Load the command and run it, to the end of the process."""
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            # At once: an exception would have to find its way through an import.
            signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(_INTERRUPTED))
        gc.set_threshold(_GARBAGE)
        from ask_command.late import install

        install()
        from ask_core.edge.cli import run as run_command
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    run_command()
