"""The 24 businesses (B-58)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from service.rules.games.bastards_inc.terms import Business, Region, Score


class BusinessData(NamedTuple):
    """A business: the score that it needs, the regions for each of its one or two VPs, what each VP earns."""

    score: Score
    least: int
    slots: tuple[tuple[Region, ...], ...]
    income: int
    illegal: bool


BUSINESS_DATA: Mapping[Business, BusinessData] = {
    "b01": BusinessData("tec", 2, (("TIG",),), 3, illegal=False),
    "b02": BusinessData("cri", 1, (("POO",),), 2, illegal=False),
    "b03": BusinessData("cor", 2, (("KOR",),), 3, illegal=False),
    "b04": BusinessData("cri", 2, (("ROG",),), 4, illegal=True),
    "b05": BusinessData("med", 2, (("RST",),), 4, illegal=False),
    "b06": BusinessData("tec", 4, (("SUP",),), 6, illegal=False),
    "b07": BusinessData("cor", 4, (("SUP",),), 6, illegal=False),
    "b08": BusinessData("tec", 3, (("RST",),), 4, illegal=False),
    "b09": BusinessData("cri", 3, (("TIG",),), 5, illegal=True),
    "b10": BusinessData("tec", 1, (("POO",),), 3, illegal=True),
    "b11": BusinessData("cri", 2, (("KOR",),), 4, illegal=True),
    "b12": BusinessData("med", 3, (("SUP", "ROG"),), 4, illegal=False),
    "b13": BusinessData("tec", 2, (("TIG",), ("RST", "SUP")), 3, illegal=False),
    "b14": BusinessData("cor", 2, (("POO",), ("RST", "TIG")), 4, illegal=True),
    "b15": BusinessData("cor", 3, (("KOR",), ("SUP", "RST")), 4, illegal=False),
    "b16": BusinessData("cri", 2, (("ROG",), ("KOR",)), 4, illegal=True),
    "b17": BusinessData("cri", 1, (("POO",), ("TIG", "ROG")), 4, illegal=True),
    "b18": BusinessData("med", 3, (("SUP", "TIG"), ("RST", "KOR")), 4, illegal=False),
    "b19": BusinessData("cor", 3, (("ROG",), ("SUP", "RST")), 5, illegal=True),
    "b20": BusinessData("cor", 1, (("POO",), ("KOR",)), 3, illegal=False),
    "b21": BusinessData("tec", 3, (("TIG", "KOR"), ("SUP", "RST")), 4, illegal=False),
    "b22": BusinessData("tec", 2, (("ROG",), ("TIG", "POO")), 4, illegal=True),
    "b23": BusinessData("med", 2, (("KOR",), ("RST", "TIG", "ROG")), 3, illegal=False),
    "b24": BusinessData("cri", 3, (("POO", "KOR"), ("ROG", "TIG")), 5, illegal=True),
}
