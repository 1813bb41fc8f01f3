"""Processes beside the web servers: relay, RQ workers, and effects."""

from __future__ import annotations

from service.shared.lazy_imports import load_logging, load_redis

# Before any module of this package imports them.
load_logging()
load_redis()
