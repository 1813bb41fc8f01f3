"""Import structlog and redis without optional libraries.

structlog loads rich, to colour tracebacks, and redis loads opentelemetry, to measure itself. Both are installed for
other uses. Nothing here needs these features, which would take 6 MB in each process.
"""

from __future__ import annotations

import sys
from importlib import import_module


def load_logging() -> None:
    """Load structlog without rich; later imports get this structlog."""
    _load("structlog", "rich")


def load_redis() -> None:
    """Load redis without opentelemetry; later imports get this redis."""
    _load("redis", "opentelemetry")


def _load(library: str, extra: str) -> None:
    if extra in sys.modules:
        import_module(library)
        return
    # None makes an import raise ModuleNotFoundError (The Python Language Reference, 5.3.1).
    sys.modules[extra] = None  # type: ignore[assignment] # the types do not know of it
    try:
        import_module(library)
    finally:
        del sys.modules[extra]
