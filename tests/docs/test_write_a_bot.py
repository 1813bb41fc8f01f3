"""The page for those who write a bot names operations, fields and types of messages that there are."""

from __future__ import annotations

import re

import yaml

from service.api.recorded import operations
from tests.docs.rooms import ROOT

PAGE = (ROOT / "docs/write-a-bot.md").read_text(encoding="utf-8")
DOCUMENT = yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))
PATHS = {(method.upper(), path) for method, path, _ in operations(DOCUMENT)}


def test_its_operations_are_in_the_document():
    named = re.findall(r"(GET|POST|PUT|DELETE) (/api/v1/[\w/{}-]+)", PAGE.replace("`\n`", " "))
    assert len(named) >= 6 and set(named) <= PATHS
    bare = set(re.findall(r"/api/v1/[\w/{}-]+", PAGE))
    assert bare <= {path for _, path in PATHS}


def test_its_types_of_messages_are_those_that_a_stream_tells():
    told = DOCUMENT["paths"]["/api/v1/me/stream"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    described = set(re.findall(r"`((?:game|challenge)\.\w+)`", told["schema"]["description"]))
    assert described == set(re.findall(r"`((?:game|challenge)\.\w+)`", PAGE))
