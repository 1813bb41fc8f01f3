"""Long lists of actions are cut down, and no type of action is lost by it."""

from __future__ import annotations

from service.mail.menu import by_kind, excerpt


def choices(**counts: int) -> list[dict[str, object]]:
    """So many choices of each type."""
    return [{"kind": name, "notation": f"{name} {n}"} for name, count in counts.items() for n in range(count)]


def test_choices_are_grouped_by_the_kind_of_their_action() -> None:
    groups = by_kind(choices(plot=3, infiltrate=2))
    assert {name: len(group) for name, group in groups.items()} == {"plot": 3, "infiltrate": 2}


def test_a_short_list_is_shown_whole() -> None:
    groups = by_kind(choices(plot=30, infiltrate=10))
    assert excerpt(groups, 40) == groups


def test_of_a_long_list_every_type_is_shown_and_spread_evenly() -> None:
    groups = by_kind(choices(plot=1000, pass_=1, infiltrate=500))
    shown = excerpt(groups, 40)
    assert {name: len(group) for name, group in shown.items()} == {"plot": 20, "pass_": 1, "infiltrate": 19}
    assert [choice["notation"] for choice in shown["plot"]][:3] == ["plot 0", "plot 50", "plot 100"]


def test_with_more_types_than_places_each_still_has_one() -> None:
    groups = by_kind(choices(**{f"t{n}": 2 for n in range(50)}))
    assert all(len(group) == 1 for group in excerpt(groups, 40).values())
