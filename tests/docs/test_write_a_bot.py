"""The page for those who write a bot names operations, fields and types of messages that there are."""

from __future__ import annotations

import re

from service.api.examples import operations
from tests.docs.rooms import ROOT
from tests.promises import committed

PAGE = (ROOT / "docs/write-a-bot.md").read_text(encoding="utf-8")


def test_its_operations_are_in_the_document():
    promised = {(method.upper(), path) for method, path, _ in operations(committed())}
    named = re.findall(r"(GET|POST|PUT|DELETE) (/api/v1/[\w/{}-]+)", PAGE.replace("`\n`", " "))
    assert len(named) >= 6 and set(named) <= promised
    bare = set(re.findall(r"/api/v1/[\w/{}-]+", PAGE))
    assert bare <= {path for _, path in promised}


def test_its_types_of_messages_are_those_that_a_stream_tells():
    told = committed()["paths"]["/api/v1/me/stream"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    described = set(re.findall(r"`((?:game|challenge)\.\w+)`", told["schema"]["description"]))
    assert described == set(re.findall(r"`((?:game|challenge)\.\w+)`", PAGE))
