"""Imports of structlog and redis without the optional libraries that they load.

structlog loads rich, to draw tracebacks in colours, and redis loads opentelemetry, to measure itself. Both are there
for other uses, and nothing here asks for either of these: they would take 6 MB of each process that loads them.
"""

from __future__ import annotations

import sys
from importlib import import_module


def load_logging() -> None:
    """Load structlog without rich, for all that import it from now on."""
    _load("structlog", "rich")


def load_redis() -> None:
    """Load redis without opentelemetry, for all that import it from now on."""
    _load("redis", "opentelemetry")


def _load(library: str, extra: str) -> None:
    if extra in sys.modules:
        import_module(library)
        return
    # To an import this says that there is no such module (The Python Language Reference, 5.3.1).
    sys.modules[extra] = None  # type: ignore[assignment] # the types do not know of it
    try:
        import_module(library)
    finally:
        del sys.modules[extra]
