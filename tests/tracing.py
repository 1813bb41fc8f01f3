"""Traces in tests: a house whose spans are kept in memory, and a receiver of OTLP over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.app import create_app
from service.runtime import Runtime
from service.settings import Settings
from service.shared import traces


@dataclass(frozen=True, slots=True)
class Traced:
    """A house with traces: its runtime, its site, and the spans that have ended."""

    runtime: Runtime
    app: Flask
    kept: InMemorySpanExporter

    def spans(self, name: str = "") -> list[ReadableSpan]:
        """Return the spans whose name begins so, in the order in which they ended."""
        return [each for each in self.kept.get_finished_spans() if each.name.startswith(name)]

    def texts(self) -> str:
        """Return all that leaves the house in spans."""
        return "\n".join(each.to_json() for each in self.spans())


@pytest.fixture
def traced(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traced]:
    """The house of the tests, built anew with traces."""
    kept = InMemorySpanExporter()
    monkeypatch.setattr(traces, "_tracer", traces.tracer_to(SimpleSpanProcessor(kept), "test"))
    runtime = Runtime.build(settings)
    yield Traced(runtime, create_app(runtime), kept)
    runtime.engine.dispose()
    if runtime.redis is not None:
        runtime.redis.close()


def trace_of(span: ReadableSpan) -> int:
    """Return the id of the trace that a span belongs to."""
    context = span.get_span_context()
    assert context is not None
    return int(context.trace_id)


def is_below(span: ReadableSpan, other: ReadableSpan) -> bool:
    """Return whether a span is directly below another."""
    context = other.get_span_context()
    return context is not None and span.parent is not None and span.parent.span_id == context.span_id


@dataclass
class Collector:
    """What an OTLP endpoint has received: the spans as (part, name, id of the trace), and the paths of the requests."""

    url: str
    spans: list[tuple[str, str, bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@contextmanager
def collecting() -> Iterator[Collector]:
    """An OTLP/HTTP endpoint on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
            collector.paths.append(self.path)
            for resource in sent.resource_spans:
                of = {each.key: each.value.string_value for each in resource.resource.attributes}
                found = [span for scope in resource.scope_spans for span in scope.spans]
                collector.spans += [(of["boardroom.part"], each.name, each.trace_id) for each in found]
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
