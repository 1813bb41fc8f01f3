"""Weights fitted to self-play, a module for each version of `hard` that brought new ones; none is ever taken away."""

from __future__ import annotations

from service.rules.games.new_corp_order.weights import version_1, version_3
from service.rules.valuation import Kept

WEIGHTS: Kept = (version_1.WEIGHTS, version_3.WEIGHTS)
