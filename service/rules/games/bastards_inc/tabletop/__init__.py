"""Contributions of Ba$tard$ Inc. to the page of a table."""

from service.rules.games.bastards_inc.tabletop.board import board, zones
from service.rules.games.bastards_inc.tabletop.choices import choices, kinds, picks
from service.rules.games.bastards_inc.tabletop.headlines import headlines
from service.rules.games.bastards_inc.tabletop.preview import preview
from service.rules.games.bastards_inc.tabletop.status import glimpse, panel, result, sources, status, upcoming
from service.rules.games.bastards_inc.tabletop.story import changes, intended, story
from service.rules.games.bastards_inc.tabletop.symbols import LOOKS, symbols
from service.rules.games.bastards_inc.tabletop.words import UNIT
from service.rules.table_plugin import Contributions

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
