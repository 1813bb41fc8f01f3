"""The pages of Ba$tard$ Inc., a game of rounds in which all decide at once or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from service.store.games import Games
from tests.builders import first_legal, later, opened, started, table_for
from tests.letters import link
from tests.people import Person

RULESET = "bastards-inc"
Row = tuple[str, str, Person | None]


def round_situations(games: Games, people: Sequence[Person]) -> Iterator[Row]:
    """Name, path and reader of each page."""
    host, other, guest = people
    yield "rounds-rules", f"/rules/{RULESET}", None
    yield "rounds-first-page", f"/play/{RULESET}", None
    yield "rounds-new-table", f"/games/new?ruleset={RULESET}", host
    yield "rounds-lobby", f"/games/{table_for(games, RULESET, host, 6)}", host
    yield "rounds-lobby-full", f"/games/{opened(games, RULESET, [host, other])}", other
    drawing = started(games, RULESET, [host, other, guest], **{"first-player": 0})
    yield "rounds-drawing", f"/games/{drawing.game.id}", host
    played = later(games, started(games, RULESET, [host, other, guest], **{"first-player": 0}), 60, 0)
    page = f"/games/{played.game.id}"
    yield "rounds-table", page, host
    yield "rounds-waiting", page, other
    yield "rounds-spectator", page, None
    picked = quote(played.ruleset.notate(first_legal(played, 0)))
    yield "rounds-preview", f"{page}?decision={played.decision}&notation={picked}", host
    yield "rounds-link", link(games, played, 0, played.decision), None
    over = later(games, started(games, RULESET, [host, other], **{"short-game": True}), 9_000, 0)
    yield "rounds-over", f"/games/{over.game.id}", host
    yield "rounds-replay", f"/games/{over.game.id}/replay?at=40", host
