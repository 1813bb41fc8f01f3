"""What Ba$tard$ Inc. contributes to the page of a table."""

from service.rules.contributions import Contributions
from service.rules.games.bastards_inc.tabletop.board import board
from service.rules.games.bastards_inc.tabletop.changes import changes, intended
from service.rules.games.bastards_inc.tabletop.choices import choices, kinds, picks
from service.rules.games.bastards_inc.tabletop.headlines import headlines
from service.rules.games.bastards_inc.tabletop.looks import LOOKS
from service.rules.games.bastards_inc.tabletop.panel import glimpse, panel
from service.rules.games.bastards_inc.tabletop.preview import preview
from service.rules.games.bastards_inc.tabletop.result import result, sources
from service.rules.games.bastards_inc.tabletop.status import status, upcoming
from service.rules.games.bastards_inc.tabletop.story import story
from service.rules.games.bastards_inc.tabletop.symbols import symbols
from service.rules.games.bastards_inc.tabletop.words import UNIT
from service.rules.games.bastards_inc.tabletop.zones import zones

CONTRIBUTIONS = Contributions(
    board=board,
    zones=zones,
    symbols=symbols,
    looks=LOOKS,
    kinds=kinds,
    choices=choices,
    picks=picks,
    preview=preview,
    changes=changes,
    panel=panel,
    status=status,
    story=story,
    headlines=headlines,
    result=result,
    sources=sources,
    glimpse=glimpse,
    turns=frozenset({"round-begun"}),
    upcoming=upcoming,
    intended=intended,
    unit=UNIT,
)
