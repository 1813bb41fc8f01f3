"""What /metrics shows, as a program reads it."""

from __future__ import annotations

from collections.abc import Mapping

from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families


class Shown:
    """The samples of one scrape: `shown("boardroom_jobs_total", kind="lapse")` is the sum of those with the labels."""

    def __init__(self, text: str) -> None:
        self.families = list(text_string_to_metric_families(text))
        self.samples = [sample for family in self.families for sample in family.samples]

    def __call__(self, name: str, **labels: str) -> float:
        return sum(each.value for each in self.samples if each.name == name and _has(each.labels, labels))


def scrape(client: FlaskClient) -> Shown:
    """Ask for the metrics."""
    answer = client.get("/metrics")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    return Shown(answer.text)


def _has(found: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return wanted.items() <= found.items()
