"""The way in of the `ask` command.

It imports next to nothing: Ctrl+C while all the rest is loading shall end the command and not show where it was.
"""

import os

_INTERRUPTED = 130


def run() -> None:
    """Load the command and run it, to the end of the process."""
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            # At once: an exception would have to find its way through an import.
            signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(_INTERRUPTED))
        from ask_core.edge.cli import run as run_command
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    run_command()
