"""Modules that are imported on the way to the first frame and used by nobody: they are loaded when something is used.

attrs imports inspect and its validators, blessed imports asyncio, and what it is built on unittest.mock: a sixth of the
time to the first frame, and a tenth of that to the first line of the plain renderer. This changes how modules come into
a process, so it is for processes of our own.

The standard library has LazyLoader for this. In the oldest Python of ours it loads a module as soon as it is imported a
second time, as inspect is, and two threads that use one first at the same moment may find it half loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

_UNUSED = frozenset({"asyncio", "attr.validators", "attrs.validators", "inspect", "unittest.mock"})


class Late:
    """A finder of modules that gives them without their contents."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module to be loaded on first use, if it is one of these."""
        if name not in _UNUSED:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = cast("Loader", _LateLoader(spec.loader))
        return spec


class _LateLoader:
    """What loads a module by another loader, but on first use."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = RLock()
        self._loading = False
        self._path: object = None

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary module is made."""

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module empty, without the path by which its submodules could be found before it is loaded."""
        self._path = module.__dict__.pop("__path__", None)
        module.__class__ = _LateModule

    def load(self, module: ModuleType) -> bool:
        """Whether the module is loaded now; it is not while this very thread is loading it."""
        with self._lock:
            if self._loading:
                return False
            if module.__class__ is _LateModule:
                self._load(module)
        return True

    def _load(self, module: ModuleType) -> None:
        if self._path is not None:
            module.__dict__["__path__"] = self._path
        self._loading = True
        try:
            self._loader.exec_module(module)
        finally:
            self._loading = False
        module.__class__ = ModuleType
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader


class _LateModule(ModuleType):
    """A module that has nothing in it until something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        loader: object = self.__loader__
        if isinstance(loader, _LateLoader) and not loader.load(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self, name)


def install() -> None:
    """Have these modules come late in this process."""
    sys.meta_path.insert(0, Late)
