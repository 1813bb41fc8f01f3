"""Fitted weights as the text of a module, so that a game ships them as it ships its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.rules.valuation import Weights

_HEAD = '''"""What the features are worth, by number of players; written by `boardroom train {name}`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {{
'''


def module_of(name: str, features: Sequence[str], weights: Mapping[int, Weights]) -> str:
    """Return a Python module with WEIGHTS of one version: by number of players, each with the name of its feature."""
    tables = "".join(line for seats in sorted(weights) for line in _table(seats, features, weights[seats]))
    return _HEAD.format(name=name) + tables + "}\n"


def _table(seats: int, features: Sequence[str], fitted: Weights) -> Iterator[str]:
    yield f'    {seats}: Weights(\n        version={fitted.version},\n        figures="{fitted.figures}",\n'
    yield "        values=(\n"
    for feature, value in zip(features, fitted.values, strict=True):
        yield f"            {value:.4f},  # {feature}\n"
    yield "        ),\n    ),\n"
