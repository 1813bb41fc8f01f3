"""A release says which known holes its libraries have, and says so when it could not find out."""

from __future__ import annotations

from typing import Any

from tests.deploy.holes import verdict

SOUND: dict[str, Any] = {"name": "flask", "version": "3.1.3", "vulns": []}
HOLE = {"id": "PYSEC-2026-1", "fix_versions": ["3.1.4"]}
UNKNOWN = {"name": "flask", "skip_reason": "Dependency not found"}


def test_a_known_hole_stops_a_release():
    code, lines = verdict([SOUND, {**SOUND, "name": "rq", "vulns": [HOLE]}])
    assert code == 1
    assert lines == ["Known holes in 2 libraries: 1", "rq 3.1.3: PYSEC-2026-1, mended in 3.1.4"]


def test_no_known_hole_is_said_with_the_number_of_libraries_that_were_looked_at():
    assert verdict([SOUND, UNKNOWN]) == (0, ["Known holes in 1 libraries: 0; 1 unknown to the data"])


def test_data_that_cannot_be_reached_are_not_taken_for_no_holes():
    assert verdict([UNKNOWN])[1] == ["Known holes: NOT looked for, because their data cannot be reached from here."]
    assert verdict([]) == verdict([UNKNOWN])
