"""Written by `boardroom train`; nobody edits it by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {}
