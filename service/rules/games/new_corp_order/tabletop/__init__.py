"""What New Corp Order contributes to the page of a table."""

from service.rules.contributions import Contributions
from service.rules.games.new_corp_order.tabletop.board import board
from service.rules.games.new_corp_order.tabletop.changes import changes, intended
from service.rules.games.new_corp_order.tabletop.choices import choices, kinds, picks
from service.rules.games.new_corp_order.tabletop.headlines import headlines
from service.rules.games.new_corp_order.tabletop.looks import LOOKS
from service.rules.games.new_corp_order.tabletop.panel import glimpse, panel
from service.rules.games.new_corp_order.tabletop.preview import preview
from service.rules.games.new_corp_order.tabletop.result import result, sources
from service.rules.games.new_corp_order.tabletop.status import status, upcoming
from service.rules.games.new_corp_order.tabletop.story import story
from service.rules.games.new_corp_order.tabletop.symbols import symbols
from service.rules.games.new_corp_order.tabletop.zones import zones

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
    turns=frozenset({"turn-began", "turn-passed"}),
    upcoming=upcoming,
    intended=intended,
)
