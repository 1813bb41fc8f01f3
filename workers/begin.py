"""Start of a process that is no web server."""

from __future__ import annotations

from typing import Final

import structlog

from service.runtime import begin_process
from service.settings import Settings
from service.shared import metrics
from service.shared.metrics import show_metrics
from workers.effects import EFFECTS, of_urgency

MAILS: Final = ("awaited", "mail")
"""Urgencies of effects that are mails."""
log = structlog.get_logger()


def begin_part(settings: Settings, part: str) -> None:
    """Begin this process as a part, and expose its metrics, with zeros for all effects."""
    begin_process(settings, part)
    metrics.expect(EFFECTS, of_urgency(*MAILS))
    if settings.metrics_port:
        show_metrics(settings.host, settings.metrics_port)
    elif settings.metrics_folder is None:
        log.info("nobody sees what this process counts", todo="set PROMETHEUS_MULTIPROC_DIR or METRICS_PORT")
