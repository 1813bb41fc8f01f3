"""Actions are grouped by their kind."""

from __future__ import annotations

from service.mail.menu import by_kind


def choices(**counts: int) -> list[dict[str, object]]:
    """So many choices of each type."""
    return [{"kind": name, "notation": f"{name} {n}"} for name, count in counts.items() for n in range(count)]


def test_choices_are_grouped_by_the_kind_of_their_action() -> None:
    groups = by_kind(choices(plot=3, infiltrate=2))
    assert {name: len(group) for name, group in groups.items()} == {"plot": 3, "infiltrate": 2}
