"""Inboxes of a whole game: subjects and first lines tell the weightiest event, and no two mails are the same."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from service.log.codec import stored_name
from service.mail.play import lead_of
from service.mail.sentences import one_line
from tests.mail_inboxes import FOLDER, GAMES, READER, Mailed, mails, text
from tests.sample_games import LANGUAGES

INBOXES = [(game, language) for game in GAMES for language in LANGUAGES]
SMALL = frozenset({"card-taken", "card-swept", "cards-drawn", "cards-discarded", "turn-passed", "round-begun"})
LARGE = frozenset(
    {"company-taken-over", "agents-placed", "agents-moved", "end-triggered"}
    | {"deal-made", "money-laundered", "stuff-sold", "campaign-run", "money-given", "billions-taken", "prize-bought"}
)
OTHER_TO_MOVE = re.compile(
    r"(?:Bob|Carol)(?:'s| is) (?:turn|to)|(?:Bob|Carol) ist dran|Zug von|[àÀ] (?:Bob|Carol) de jouer|tour de"
)


def turns(game: str, language: str) -> list[Mailed]:
    """The mails that ask for a move for the first time."""
    return [each for each in mails(game, language) if each.kind == "turn"]


def test_the_goldens_are_exactly_the_inboxes_that_there_are() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{game}.{of}.txt" for game, of in INBOXES)


@pytest.mark.parametrize(("game", "language"), INBOXES)
def test_an_inbox_is_listed_as_it_was_recorded(game: str, language: str) -> None:
    assert text(game, language) == (FOLDER / f"{game}.{language}.txt").read_text()


@pytest.mark.parametrize(("game", "language"), INBOXES)
def test_an_inbox_has_mails_of_each_kind_of_a_running_game(game: str, language: str) -> None:
    found = Counter(each.kind for each in mails(game, language))
    assert found.total() >= 30
    assert found["turn"] >= 25 and found["over"] == 1 and found["reminder"] and found["message"]


@pytest.mark.parametrize(("game", "language"), INBOXES)
def test_subject_and_first_line_tell_the_same_event(game: str, language: str) -> None:
    for each in turns(game, language):
        reason = re.search(r" \((.+)\)", each.content.subject)
        lead = lead_of(each.found.position, READER, each.found.lately(READER))
        assert (reason is None) == (lead is None)
        if reason is not None and lead is not None:
            assert one_line(lead.sentence).startswith(reason[1].removesuffix("…"))
            assert each.content.summary.startswith(f"{lead.sentence}. ")


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_no_news_where_somebody_has_gained_something(game: str) -> None:
    small = 0
    for each in turns(game, "en"):
        lead = lead_of(each.found.position, READER, each.found.lately(READER))
        told = next((one.name for one in each.recorded if lead is not None and one.seq == lead.seq), None)
        others = {stored_name(type(one.event)) for one in each.recorded if one.seat != READER}
        small += told in SMALL
        assert told not in SMALL or not others & LARGE, each.line
    assert small


@pytest.mark.parametrize(("game", "language"), INBOXES)
def test_no_line_says_that_somebody_else_is_to_move_or_has_a_mark(game: str, language: str) -> None:
    for each in turns(game, language):
        assert not OTHER_TO_MOVE.search(each.line)
        assert "#" not in each.line


@pytest.mark.parametrize(("game", "language"), INBOXES)
def test_few_subjects_are_that_of_the_mail_before(game: str, language: str) -> None:
    subjects = [each.content.subject for each in mails(game, language)]
    assert sum(one == another for one, another in pairwise(subjects)) <= 1
    untold = [each for each in turns(game, language) if "(" not in each.content.subject]
    assert len(untold) <= len(turns(game, language)) // 10
