"""`make clicks`: how often a player clicks at the table for each kind of decision, in games that are dealt alike.

The player clicks what is in sight, by chance, and remembers nothing: ten games alone against ODS, and two against
another player for what nobody does alone.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Final
from uuid import UUID

from playwright.sync_api import Browser, Page, expect

from service.handlers import lobby
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import ACTION_TYPES, Plot
from service.runtime import Runtime
from service.shared import clock
from tests.bench.figures import figure
from tests.browser.chromium import CHROMIUM, House, launched, visiting
from tests.browser.test_solo import CHOICES, CONFIRM, OWN_TURN
from tests.builders import act, now_at, opened
from tests.e2e.mail_game import seeded
from tests.house import servers_of_its_own
from tests.live import listening
from tests.people import alice, bob

ALONE, TOGETHER = range(10), range(100, 102)
"""The seeds of the games that the command plays."""
MOST: Final = {"plot": 3, "infiltrate": 4, "take-over": 4, "discard": 2}
MOST_OF_OTHERS: Final = 4
MOST_IN_A_GAME: Final = 75 / 37
"""Clicks for a decision, on the average of a game: 75 in one of 37 decisions."""
PATIENCE: Final = 60_000
"""Milliseconds: how busy the machine is says nothing about clicks."""
DESK: Final = {"width": 1440, "height": 900}
OVER: Final = "#now[data-over=yes]"


@dataclass(frozen=True, slots=True)
class Decision:
    """What was played, by its kind, and how often the player clicked; `again` if the button was pressed twice.

    A Plot has the number of its cards behind its kind: after a first card from the deck the second is a decision too.
    """

    kind: str
    clicks: int
    again: bool

    @property
    def most(self) -> int:
        """How many clicks it may take; what shows something hidden may be asked once more."""
        return MOST.get(self.kind.partition(" ")[0], MOST_OF_OTHERS) + self.again


def played_alone(runtime: Runtime, browser: Browser, url: str, seed: int) -> list[Decision]:
    """Return the decisions of a game against ODS, and print how many clicks it took."""
    game = list(_played(runtime, browser, url, seed, 1))
    clicks, most = sum(each.clicks for each in game), MOST_IN_A_GAME * len(game)
    figure(f"clicks_game_{seed}", clicks, "clicks", most, most, decisions=len(game))
    return game


def played_together(runtime: Runtime, browser: Browser, url: str, seed: int) -> list[Decision]:
    """Return one player's decisions of a game of two."""
    return list(_played(runtime, browser, url, seed, 2))


def _played(runtime: Runtime, browser: Browser, url: str, seed: int, seats: int) -> Iterator[Decision]:
    games, chance = runtime.games, Random(seed)
    people = [alice(games, None), bob(games, None)][:seats]
    with seeded(seed):
        game = opened(games, "new-corp-order", people, **({"first-player": 0} if seats > 1 else {}))
        lobby.start(games, game, people[0].id, clock.now())
    context = visiting(browser, House(url, runtime), people[0], viewport=DESK)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"/games/{game}")
    while not _is_over(page, runtime, game, chance):
        yield decide(page, chance)
    context.close()


def _is_over(page: Page, runtime: Runtime, game: UUID, chance: Random) -> bool:
    """Let the other player move until the first one is asked again; return whether the game has ended."""
    position = now_at(runtime.games, game)
    while position.awaited and 0 not in position.awaited:
        seat = min(position.awaited)
        action = chance.choice(position.ruleset.legal(position.state, seat))
        position = act(runtime.games, position, seat, action).position
    expect(page.locator(f"{OWN_TURN}, {OVER}").first).to_be_attached(timeout=PATIENCE)
    return page.locator(OVER).count() > 0


def decide(page: Page, chance: Random) -> Decision:
    """Click what is in sight until something has been played."""
    confirm, now = page.locator(CONFIRM), page.locator("#now")
    version, notation = now.get_attribute("data-version"), ""
    clicks = presses = 0
    while now.get_attribute("data-version") == version:
        if confirm.count():
            notation = page.locator("#act .confirm [name=notation]").input_value()
            presses += 1
            confirm.click()
        else:
            offered = next(page.locator(each) for each in CHOICES if page.locator(each).count())
            offered.nth(chance.randrange(offered.count())).click()
        clicks += 1
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false", timeout=PATIENCE)
    return Decision(_kind(notation), clicks, presses > 1)


def _kind(notation: str) -> str:
    action: Any = RULESET.parse(notation)
    kind = next(name for name, each in ACTION_TYPES.items() if each is type(action))
    return f"{kind} {len(action.sources)}" if isinstance(action, Plot) else kind


def tell(alone: Sequence[Sequence[Decision]], together: Sequence[Sequence[Decision]]) -> None:
    """Print the clicks of a decision on the average of all games alone, and the most for each kind in all games."""
    total, decisions = (sum(each.clicks for game in alone for each in game), sum(map(len, alone)))
    figure("clicks_a_decision", total / decisions, "clicks", MOST_IN_A_GAME, MOST_IN_A_GAME)
    kinds = defaultdict[str, list[Decision]](list)
    for each in (decision for game in (*alone, *together) for decision in game):
        kinds[each.kind + (" again" if each.again else "")].append(each)
    for kind, found in sorted(kinds.items()):
        clicks, most = [each.clicks for each in found], found[0].most
        figure(f"clicks_{kind}", max(clicks), "clicks", most, most, median=median(clicks), decisions=len(found))


def main() -> int:
    """Play, on servers of their own, and print the figures; return 1 without a browser."""
    if CHROMIUM is None:
        print("There is no chromium: install it, and try again.", file=sys.stderr)
        return 1
    with servers_of_its_own("clicks") as (_, runtime), listening(runtime) as url, launched() as browser:
        alone = [played_alone(runtime, browser, url, seed) for seed in ALONE]
        together = [played_together(runtime, browser, url, seed) for seed in TOGETHER]
    tell(alone, together)
    return 0


if __name__ == "__main__":
    sys.exit(main())
