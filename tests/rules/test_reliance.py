"""Places of a view, as JSON pointers: what moves that are given ahead rest on."""

from __future__ import annotations

from service.rules.reliance import NOWHERE, value_at


def test_a_pointer_leads_to_a_value_or_nowhere() -> None:
    view = {"a/b": [1, {"~": None}], "seat": "0"}
    assert value_at(view, "") == view
    assert value_at(view, "/a~1b/0") == 1
    assert value_at(view, "/a~1b/1/~0") is None
    for pointer in ("/a", "/a~1b/2", "/a~1b/-1", "/a~1b/01", "/seat/0", "a", "/a~1b/1/~0/x", f"/a~1b/{'9' * 99}"):
        assert value_at(view, pointer) is NOWHERE, pointer
