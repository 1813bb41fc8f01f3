"""Every game is explained to those who write clients for it: in a README beside its rules."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from service.rules.kernel import AnyRuleset
from tests.rules.playouts import TRIED


@pytest.mark.parametrize("ruleset", TRIED.values(), ids=TRIED)
def test_the_readme_of_a_game_names_every_action_event_and_option(ruleset: AnyRuleset) -> None:
    readme = (Path(inspect.getfile(ruleset.decide)).parent / "README.md").read_text()
    names = [*ruleset.action_types, *ruleset.event_types, *(option.name for option in ruleset.meta.options)]
    assert readme.startswith(f"# {ruleset.meta.title}\n")
    assert [name for name in names if f"`{name}`" not in readme] == []
