"""Traces by OpenTelemetry; the only module that imports it, and only if traces are on.

A trace leads from a request through the outbox rows that it writes to the relay, the jobs, and the mails handed to the
server. Rows carry its context (W3C Trace Context, `traceparent`) in their payload: random ids of trace and span, and
nothing else. The attributes of spans are listed at each call of `span` and `begin_span`: routes as templates, kinds,
outcomes, statements without parameters. Messages of errors are left out, since they may quote secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, Tracer

CONTEXT: Final = "traceparent"
"""Key of the context in the payload of a row."""
Kind = Literal["server", "client", "producer", "consumer"]

_tracer: Tracer | None = None
_NOTHING: Final[AbstractContextManager[None]] = nullcontext()


def begin(endpoint: str | None, part: str) -> None:
    """Send the spans of this process to an OTLP/HTTP endpoint from now on; without an endpoint, traces are off.

    OTEL_* sets the rest: sampler, headers, limits, resource (OpenTelemetry, Environment Variables).
    """
    if endpoint is None:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    global _tracer  # noqa: PLW0603 - one for the process, as its counters are
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
    _tracer = tracer_to(BatchSpanProcessor(exporter), part)


def tracer_to(processor: SpanProcessor, part: str) -> Tracer:
    """Return a tracer for a part of the service, whose spans go to the processor."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider

    named = Resource.create({"service.name": "boardroom", "boardroom.part": part})
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    provider = TracerProvider(resource=named.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(processor)
    return provider.get_tracer("boardroom")


def active() -> bool:
    """Return whether traces are on."""
    return _tracer is not None


def span(
    name: str, kind: Kind, carried: str | None = None, **attributes: str | int
) -> AbstractContextManager[Span | None]:
    """Return a span for a block, child of the current span or of the `carried` context; None without traces.

    `__` in the name of an attribute stands for a dot. An error in the block is recorded by its class.
    """
    return _NOTHING if _tracer is None else _spanning(name, kind, carried, attributes)


@contextmanager
def _spanning(name: str, kind: Kind, carried: str | None, attributes: Mapping[str, str | int]) -> Iterator[Span]:
    from opentelemetry.trace import use_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = None if carried is None else TraceContextTextMapPropagator().extract({CONTEXT: carried})
    begun = begin_span(name, kind, attributes, context)
    with use_span(begun, end_on_exit=False, record_exception=False, set_status_on_exception=False):
        try:
            yield begun
        except BaseException as error:
            fail(begun, error)
            raise
        finally:
            begun.end()


def begin_span(name: str, kind: Kind, attributes: Mapping[str, str | int], context: Any = None) -> Span:
    """Begin a span; the caller has to call `end`. Only with traces on."""
    from opentelemetry.trace import SpanKind

    assert _tracer is not None  # noqa: S101 # for the type checker: `active` was asked
    dotted = {key.replace("__", "."): value for key, value in attributes.items()}
    return _tracer.start_span(name, context, SpanKind[kind.upper()], dotted)


def fail(span: Span, error: BaseException | str) -> None:
    """Mark a span as failed, with the class of the error or the text given."""
    from opentelemetry.trace import Status, StatusCode

    what = error if isinstance(error, str) else type(error).__name__
    span.set_attribute("error.type", what)
    span.set_status(Status(StatusCode.ERROR))


def carried() -> str | None:
    """Return the context of the current span for a row to carry; None if there is no span."""
    if _tracer is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(CONTEXT)
