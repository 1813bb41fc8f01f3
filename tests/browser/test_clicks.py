"""No decision takes more clicks than its kind may; `tests/web/test_confirm_reveal.py` counts those of whole games."""

from __future__ import annotations

from playwright.sync_api import Browser

from service.runtime import Runtime
from tests.browser.clicks import played_alone, played_together
from tests.live import listening

ALONE, TOGETHER = 20, 120
"""Seeds of games that the command does not play."""


def test_each_kind_of_decision_takes_a_few_clicks(runtime: Runtime, chromium: Browser) -> None:
    with listening(runtime) as url:
        alone = played_alone(runtime, chromium, url, ALONE)
        together = played_together(runtime, chromium, url, TOGETHER)
    decisions = (*alone, *together)
    assert {"take-over", "infiltrate", "plot 2"} <= {each.kind for each in decisions}
    assert [each for each in decisions if each.clicks > each.most] == []
