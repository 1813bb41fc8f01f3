"""Names that are read from right to left stand in isolates, wherever a text is broken or cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.bidi import FSI, PDI, columns, isolated, mended, short
from service.rules.text_width import width_of
from service.rules.typography import LINE_COLUMNS, break_lines

WORDS = st.text(alphabet="abc é-עמרא12", max_size=12)


@pytest.mark.parametrize("name", ["Alice", "Zoë", "Ольга", "田中", "", "12"])
def test_what_reads_from_left_to_right_stays_as_it_is(name: str) -> None:
    assert isolated(name) == name


@pytest.mark.parametrize("name", ["עומר", "محمد", "Omar عمر", "٣"])
def test_what_reads_from_right_to_left_is_isolated_once(name: str) -> None:
    assert isolated(isolated(name)) == isolated(name) == f"{FSI}{name}{PDI}"
    assert columns(isolated(name)) == len(name)
    assert width_of(isolated(name), 16) == width_of(name, 16)


@given(WORDS, st.integers(2, 12))
def test_a_cut_name_fits_and_is_as_isolated_as_before(name: str, width: int) -> None:
    cut = short(isolated(name), width)
    assert columns(cut) <= width
    assert cut.count(FSI) == cut.count(PDI) == isolated(name).count(FSI)


@given(st.lists(WORDS, max_size=30))
def test_each_line_of_a_broken_text_ends_the_isolates_that_it_begins(words: list[str]) -> None:
    text = " ".join(map(isolated, words))
    lines = break_lines(text, "* ", "    ")
    assert all(line.count(FSI) == line.count(PDI) for line in lines)
    assert all(columns(line) <= LINE_COLUMNS for line in lines)
    kept = [each for line in lines for each in _plain(line).split()]
    assert kept[1:] == _plain(text).split()


def _plain(text: str) -> str:
    return text.replace(FSI, "").replace(PDI, "")


def test_a_name_over_two_lines_begins_again_behind_the_indent() -> None:
    assert mended([f"a {FSI}b", f"  c{PDI} d"]) == [f"a {FSI}b{PDI}", f"  {FSI}c{PDI} d"]
