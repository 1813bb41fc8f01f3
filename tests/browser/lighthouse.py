"""`make lighthouse`: how Lighthouse marks the pages on a throttled phone; one JSON object a line.

Exit code 1 if a page has less than 95 in one of the four marks, or its largest element comes after 2 s. What search
engines make of it is asked only of the pages that they may list. Each page is loaded three times; the median counts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from service.app import create_app
from service.handlers import lobby
from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Position
from tests.browser.chromium import CHROMIUM
from tests.builders import act, table_for
from tests.house import servers_of_its_own
from tests.letters import link
from tests.live import serving
from tests.people import Person, alice, bob

LIGHTHOUSE: Final = Path(__file__).parent / "node_modules/.bin/lighthouse"
TIMES: Final = 3
MOVES: Final = 14
LEAST_MARK: Final = 0.95
LATEST_MS: Final = 2000.0
MARKS: Final = ("performance", "accessibility", "best-practices", "seo")
LISTED: Final = frozenset({"start", "first-page", "lesson"})
"""The rules may be listed, too, but their policy lets Lighthouse fetch no robots.txt from within the page."""
LARGEST: Final = "largest-contentful-paint"


def main() -> int:
    """Mark each page, or those that the arguments name; return 0 if all are good enough, 1 if not."""
    if CHROMIUM is None or not LIGHTHOUSE.exists():
        print("There is no Chromium, Node or Lighthouse: install them, and try again.", file=sys.stderr)
        return 1
    with servers_of_its_own("lighthouse") as (_, runtime):
        position, mover = _played(runtime)
        with runtime.engine.begin() as db:
            secret = let_in(db, mover.id, clock.now())
        with serving(create_app(runtime)) as url:
            good = [
                _marked(name, url + path, {} if name in LISTED else {"Cookie": f"boardroom={secret}"})
                for name, path in _pages(runtime, position)
                if name in sys.argv[1:] or not sys.argv[1:]
            ]
    return 0 if all(good) else 1


def _played(runtime: Runtime) -> tuple[Position, Person]:
    """Return a public game of two some moves after its start, and the person who is to act."""
    games, random = runtime.games, Random("lighthouse")
    people = [alice(games), bob(games)]
    game = table_for(games, "new-corp-order", people[0], 2, Terms(access="public"))
    lobby.join(games, game, people[1].id, clock.now())
    position = lobby.start(games, game, people[0].id, clock.now())
    for _ in range(MOVES):
        seat = min(position.awaited)
        position = act(games, position, seat, random.choice(position.ruleset.legal(position.state, seat))).position
    mover = min(position.awaited)
    return position, next(each for each in people if position.seat_of(each.id) == mover)


def _pages(runtime: Runtime, position: Position) -> Iterator[tuple[str, str]]:
    yield "start", "/"
    yield "first-page", "/play/new-corp-order"
    yield "lesson", "/play/new-corp-order/learn/1"
    yield "rules", "/rules/new-corp-order"
    yield "table", f"/games/{position.game.id}"
    yield "link", link(runtime.games, position, min(position.awaited), position.decision)
    yield "replay", f"/games/{position.game.id}/replay"
    yield "my-games", "/games"
    yield "new-game", "/games/new"


def _marked(name: str, url: str, headers: Mapping[str, str]) -> bool:
    """Print the marks of a page; return whether they are good enough."""
    reports = [_report(url, headers) for _ in range(TIMES)]
    asked = [mark for mark in MARKS if mark != "seo" or name in LISTED]
    marks = {mark: median(each["categories"][mark]["score"] for each in reports) for mark in asked}
    largest = median(each["audits"][LARGEST]["numericValue"] for each in reports)
    print(json.dumps({"page": name, **marks, "largest_ms": round(largest)}), flush=True)
    return min(marks.values()) >= LEAST_MARK and largest < LATEST_MS


def _report(url: str, headers: Mapping[str, str]) -> Any:
    """Return what Lighthouse reports of a page, which it loads as its standard phone."""
    flags = "--headless=new --no-sandbox --disable-gpu"
    asked = [str(LIGHTHOUSE), url, "--quiet", "--output=json", f"--chrome-flags={flags}"]
    ran = subprocess.run(
        [*asked, f"--extra-headers={json.dumps(headers)}"],
        env=os.environ | {"CHROME_PATH": shutil.which("chromium") or ""},
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    )
    return json.loads(ran.stdout)


if __name__ == "__main__":
    sys.exit(main())
