"""The service that listens, and one browser for all the tests that use it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser

from service.runtime import Runtime
from tests.browser.chromium import CHROMIUM, House, for_one_test, launched
from tests.live import serving


@pytest.fixture(scope="session")
def running_chromium() -> Iterator[Browser]:
    """A browser without a window, started once."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    with launched() as browser:
        yield browser


@pytest.fixture
def chromium(running_chromium: Browser) -> Iterator[Browser]:
    """The browser, with nothing open that other tests have opened."""
    with for_one_test(running_chromium):
        yield running_chromium


@pytest.fixture(scope="session")
def house(runtime: Runtime, app: Flask) -> Iterator[House]:
    """The service, as it listens; a test that needs jobs carries them out itself."""
    with serving(app) as url:
        yield House(url, replace(runtime, redis=None, settings=replace(runtime.settings, base_url=url)))
