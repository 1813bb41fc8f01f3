"""The games are found by looking into packages, which may be of anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.rules.registry import find_rulesets


def package(folder: Path, *texts: str) -> str:
    """Write a package whose subpackages have these texts, and return its name."""
    for number, text in enumerate(texts):
        each = folder / folder.name / f"part_{number}"
        each.mkdir(parents=True)
        (each / "__init__.py").write_text(text)
    return folder.name


def test_the_games_of_all_packages_are_found_by_their_names() -> None:
    found = find_rulesets(("tests.games", "service.rules.games"))
    assert list(found) == ["new-corp-order", "sealed-bids", "three-harbours", "bastards-inc"]


def test_a_package_may_have_other_parts_beside_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mixed_games"
    name = package(folder, "from tests.games.sealed_bids import RULESET\n", "PICTURES = ()\n")
    monkeypatch.syspath_prepend(folder)
    assert list(find_rulesets((name,))) == ["sealed-bids"]


def test_a_package_without_a_game_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match=r"^tests\.games\.sealed_bids has no game: each game is a package in it"):
        find_rulesets(("tests.games.sealed_bids",))


def test_a_package_that_is_not_there_is_refused_by_its_name() -> None:
    with pytest.raises(ImportError, match="no_such_games"):
        find_rulesets(("no_such_games",))


def test_two_games_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "twin_games"
    text = "from dataclasses import replace\nfrom tests.games.sealed_bids import RULESET\nRULESET = replace(RULESET)\n"
    name = package(folder, text)
    monkeypatch.syspath_prepend(folder)
    with pytest.raises(ValueError, match="twin_games has a game called sealed-bids"):
        find_rulesets(("tests.games", name))
