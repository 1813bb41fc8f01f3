"""What the API has answered in the tests, against what its document promises: reported at the end of a whole run.

The processes of pytest-xdist hand in what they have seen; only when all tests of the API have run, and passed, does it
mean anything that a promised answer was seen by none.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any, Final

import pytest
from flask import Flask, Response, request, request_finished

from tests.promises import documented, promised

SUITE = "tests"
MADE_UP = "MADE_UP"
"""Set in the config of an app that answers what the service never would."""
UNDOCUMENTED: Final = frozenset({"412"})
"""Answers of every operation to a precondition where nothing has an ETag, which no document has."""
Answer = tuple[str, str, str]

_answered: set[Answer] = set()
_KEY = "answered"


@request_finished.connect
def _note(app: Flask, response: Response) -> None:
    """Note an answer of any app that is not MADE_UP: its method, the rule of its address, its status.

    A 412 to a request without a precondition is noted as another status, which no document has.
    """
    if request.url_rule is not None and not app.config.get(MADE_UP):
        conditional = "If-Match" in request.headers or "If-None-Match" in request.headers
        status = "412 unasked" if response.status_code == 412 and not conditional else str(response.status_code)
        _answered.add((request.method, request.url_rule.rule, status))


def missing(answered: Iterable[Answer]) -> list[str]:
    """Return the answers that the document promises and nobody has seen."""
    seen = set(answered)
    return sorted(" ".join(each) for each in promised() if each not in seen)


def unpromised(answered: Iterable[Answer]) -> list[str]:
    """Return the answers of documented operations with a status that the document does not have."""
    known = documented()
    return sorted(
        " ".join(each) for each in answered if each[2] not in {*known.get(each[:2], (each[2],)), *UNDOCUMENTED}
    )


class Seen:
    """The plugin of pytest: gathers, and fails a whole run that has not seen everything, or has seen something else."""

    def __init__(self) -> None:
        self.missing: list[str] = []
        self.unpromised: list[str] = []

    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a process of pytest-xdist hands in."""
        _answered.update(tuple(each) for each in getattr(node, "workeroutput", {}).get(_KEY, ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Hand in what was seen, or judge it."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[_KEY] = sorted(_answered)
        elif exitstatus == pytest.ExitCode.OK and is_whole(session.config):
            self.missing, self.unpromised = missing(_answered), unpromised(_answered)
            if self.missing or self.unpromised:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the answers that were seen by no test, and those that were seen and are not documented."""
        for title, found in (
            ("answers that the document promises and no test has seen", self.missing),
            ("answers that tests have seen and the document does not have", self.unpromised),
        ):
            if found:
                terminalreporter.section(title, red=True)
                for each in found:
                    terminalreporter.line(each)


def is_whole(config: pytest.Config | Namespace) -> bool:
    """Return whether a run with these options takes every test of the API, the slow ones aside."""
    options = config.option
    less = ("keyword", "collectonly", "lf", "ignore", "ignore_glob", "deselect")
    if options.markexpr not in ("", "not slow") or any(getattr(options, each, None) for each in less):
        return False
    return any(SUITE == path.rstrip("/") or SUITE.startswith(f"{path.rstrip('/')}/") for path in config.args)
