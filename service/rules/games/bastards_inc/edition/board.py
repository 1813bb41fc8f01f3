"""Regions, media squares and the war table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from service.rules.games.bastards_inc.terms import Region, Row, Square


class RegionData(NamedTuple):
    """What a region asks for and gives.

    `cor` and `cri` are the values to get in, `tec` is the one to sell there. `income` is what it pays for Stuff,
    `stuff` what lies there at the start; a sale is legal while the Stuff after it is at most `legal_up_to`. `tier` is
    the row of the pyramid, 1 at its top.
    """

    tier: int
    cor: int
    cri: int
    tec: int
    income: int
    stuff: int
    legal_up_to: int


class WarRow(NamedTuple):
    """A row of the war table: up to which total it goes, and what Stuff the region loses."""

    up_to: int
    row: Row
    loss: int


REGION_DATA: Mapping[Region, RegionData] = {
    "SUP": RegionData(tier=1, cor=5, cri=6, tec=5, income=8, stuff=2, legal_up_to=5),
    "RST": RegionData(tier=2, cor=4, cri=4, tec=4, income=6, stuff=2, legal_up_to=4),
    "TIG": RegionData(tier=2, cor=4, cri=3, tec=3, income=5, stuff=1, legal_up_to=4),
    "KOR": RegionData(tier=3, cor=1, cri=3, tec=2, income=4, stuff=1, legal_up_to=3),
    "ROG": RegionData(tier=3, cor=3, cri=1, tec=2, income=5, stuff=1, legal_up_to=2),
    "POO": RegionData(tier=3, cor=1, cri=2, tec=0, income=3, stuff=1, legal_up_to=2),
}

MEDIA_POWER: Mapping[Square, int] = {"TLK": 1, "PTY": 2, "NWS": 3}

WAR_TABLE: tuple[WarRow, ...] = (
    WarRow(up_to=3, row="skirmish", loss=0),
    WarRow(up_to=6, row="offensive", loss=1),
    WarRow(up_to=8, row="carnage", loss=2),
    WarRow(up_to=10, row="intervention", loss=2),
    WarRow(up_to=11, row="scorched-earth", loss=3),
    WarRow(up_to=12, row="nuclear-war", loss=0),
)
