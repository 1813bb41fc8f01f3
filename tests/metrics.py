"""What /metrics shows, as a program reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

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


LANGUAGE: Final = frozenset(
    [
        "absent",
        "and",
        "by",
        "histogram_quantile",
        "increase",
        "max",
        "max_over_time",
        "or",
        "rate",
        "sum",
        "time",
        "topk",
    ]
)
"""The words of Prometheus' language that our expressions use."""
LABEL: Final = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
_SUFFIXES: Final = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


@dataclass(frozen=True, slots=True)
class Told:
    """What /metrics tells: its metrics by their kind, and which values each label has."""

    kinds: Mapping[str, str]
    labels: Mapping[str, frozenset[str]]

    @classmethod
    def by(cls, shown: Shown) -> Told:
        """Return what a scrape tells."""
        found: dict[str, set[str]] = {}
        for sample in shown.samples:
            for label, value in sample.labels.items():
                found.setdefault(label, set()).add(value)
        kinds = {family.name: family.type for family in shown.families}
        return cls(kinds, {label: frozenset(values) for label, values in found.items()})

    @property
    def names(self) -> frozenset[str]:
        """The names of the metrics as expressions have them."""
        return frozenset(name + suffix for name, kind in self.kinds.items() for suffix in _SUFFIXES[kind])

    def unknown(self, expressions: Iterable[str]) -> set[str]:
        """Return the metrics, labels and their values in the expressions that nothing is told of."""
        found: set[str] = set()
        for expression in expressions:
            words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\{[^}]*\}|\[[^]]*\]", "", expression)))
            found |= words - LANGUAGE - self.names - self.labels.keys()
            for label, _, values in LABEL.findall(expression):
                found |= set(values.split("|")) - self.labels.get(label, frozenset())
        return found

    def unused(self, expressions: Iterable[str]) -> set[str]:
        """Return the metrics that none of the expressions asks for."""
        asked = set(re.findall(r"[A-Za-z_]\w*", " ".join(expressions)))
        return {name for name, kind in self.kinds.items() if not {name + suffix for suffix in _SUFFIXES[kind]} & asked}
