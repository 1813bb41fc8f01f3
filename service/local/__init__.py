"""Parts of `boardroom up`: PostgreSQL, Redis, a mail sink, and the processes of the service on one machine."""

from __future__ import annotations

from service.shared.lazy_imports import load_logging

# Before any module of this package imports it.
load_logging()
