"""Parts of a table's page that New Corp Order contributes."""

from service.rules.games.new_corp_order.tabletop.board import board, zones
from service.rules.games.new_corp_order.tabletop.choices import choices, kinds, picks
from service.rules.games.new_corp_order.tabletop.headlines import headlines
from service.rules.games.new_corp_order.tabletop.preview import preview
from service.rules.games.new_corp_order.tabletop.status import glimpse, panel, result, sources, status, upcoming
from service.rules.games.new_corp_order.tabletop.story import changes, intended, story
from service.rules.games.new_corp_order.tabletop.symbols import LOOKS, symbols
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
    turns=frozenset({"turn-began", "turn-passed"}),
    upcoming=upcoming,
    intended=intended,
)
