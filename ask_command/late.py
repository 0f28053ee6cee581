"""Modules that are imported on the way to the first frame and used by nobody: they are loaded when something is used.

attrs imports inspect, copy and more, blessed imports asyncio, and what it is built on unittest.mock: an eighth of
the time to the first frame, a twelfth of that to the first line of the plain renderer. This changes how modules come
into a process, so it is for processes of our own.

The standard library has LazyLoader for this. In the oldest Python of ours it loads a module as soon as it is imported a
second time, as inspect is, and two threads that use one first at the same moment may find it half loaded. Here a
stand-in passes everything on to the module, which is imported as ever, with the locks of the import system.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from threading import Lock
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

_LATE = frozenset({"asyncio", "attr.validators", "attrs.validators", "copy", "inspect", "tokenize", "unittest.mock"})
_wanted: set[str] = set()
_lock = Lock()
# Seconds that it may take from the decision to import a module until there is an empty one.
_BEGINNING = 1.0


class Late:
    """A finder of modules that gives stand-ins for those that nobody uses."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module to be loaded on first use, if it is one of these."""
        if name in _LATE and name not in _wanted:
            spec = PathFinder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = cast("Loader", _LateLoader(spec.loader))
            return spec
        if name.rpartition(".")[0] in _LATE and name in sys.modules and target is None:
            # Its package had been waiting for it to be imported, and has then imported it itself.
            return ModuleSpec(name, cast("Loader", _Present()))
        return None


class _LateLoader:
    """Makes a stand-in; all else that is wanted of a loader is done by the real one."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary module is made."""

    def exec_module(self, module: ModuleType) -> None:
        """Turn the module into the stand-in, without the path by which its submodules would be found without it."""
        module.__dict__.pop("__path__", None)
        module.__class__ = _StandIn

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _StandIn(ModuleType):
    """A module that has everything of another one, which is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__" and (module := _begun(self)) is not None:
            # Who imports a submodule must not wait for who imports the package, and may be waiting for the submodule.
            return module.__path__
        return getattr(_real(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_real(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_real(self), name)

    def __dir__(self) -> list[str]:
        return dir(_real(self))


def _real(stand_in: _StandIn) -> ModuleType:
    """The module itself, imported the first time."""
    name = stand_in.__name__
    with _lock:
        _wanted.add(name)
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
    return import_module(name)


def _begun(stand_in: _StandIn) -> ModuleType | None:
    """The module itself, where its import has been begun, or is being begun by another thread at this moment."""
    name = stand_in.__name__
    until = monotonic() + _BEGINNING
    while (module := sys.modules.get(name)) is None and monotonic() < until:
        sleep(0.001)
    return None if module is stand_in else module


class _Present:
    """The loader of modules that are loaded already."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module as it is."""
        module = sys.modules[spec.name]
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do but to put its own description back."""
        module.__spec__ = self._own


def install() -> None:
    """Have these modules come late in this process."""
    sys.meta_path.insert(0, Late)
