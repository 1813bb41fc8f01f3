"""What is looked at: a page of the site in a situation in which it has something to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.people import Person

NOWHERE = (404, 405)


@dataclass(frozen=True, slots=True)
class Situation:
    """A page by its name, whose browser is there, and what happens on it before it is looked at.

    Something is written, something else comes about meanwhile, and then buttons are pressed.
    """

    name: str
    path: str
    person: Person | None = None
    pressed: tuple[str, ...] = ()
    written: str = ""
    meanwhile: Callable[[Page], object] | None = None

    def reach(self, page: Page) -> None:
        """Go there; AssertionError if the house cannot show it."""
        answer = page.goto(self.path)
        assert answer is not None and answer.status < 500, self.path
        if self.written:
            page.locator("main form input:not([type=hidden])").first.fill(self.written)
        if self.meanwhile is not None:
            self.meanwhile(page)
        for each in self.pressed:
            with page.expect_navigation() as gone:
                page.locator(each).first.click()
            came = gone.value  # None where the browser only moves within the page.
            assert came is None or came.status not in NOWHERE, f"{each} on {self.path} leads nowhere"
