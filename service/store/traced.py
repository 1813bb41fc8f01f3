"""A span for each statement of a request or job, where there are traces: its text, and never its parameters."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import ExceptionContext

from service.shared import traces

_SPAN: Final = "span"
"""Where a connection keeps the span of the statement under way."""


def trace(engine: Engine) -> None:
    """Have the statements on the engine traced; nothing where traces are off."""
    if traces.active():
        event.listen(engine, "before_cursor_execute", _begin)
        event.listen(engine, "after_cursor_execute", _end)
        event.listen(engine, "handle_error", _fail)


def _begin(db: Connection, _cursor: Any, statement: str, *_: Any) -> None:
    # Loops that look into the outbox every second have no span, and their statements are no traces of their own.
    if traces.carried() is not None:
        words = statement.split(maxsplit=1)
        attributes = {"db__system__name": "postgresql", "db__query__text": statement.strip()}
        db.info[_SPAN] = traces.begin_span(words[0] if words else "statement", "client", attributes)


def _end(db: Connection, *_: Any) -> None:
    span = db.info.pop(_SPAN, None)
    if span is not None:
        span.end()


def _fail(context: ExceptionContext) -> None:
    span = None if context.connection is None else context.connection.info.pop(_SPAN, None)
    if span is not None:
        traces.fail(span, context.original_exception)
        span.end()
