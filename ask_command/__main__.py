"""`python -m ask_command`."""

from ask_command import run

run()
