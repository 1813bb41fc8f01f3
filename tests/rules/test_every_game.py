"""Every game passes the checks of service/conformance, on random games of it."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.course import COURSE
from service.conformance.lobby import LOBBY
from service.conformance.secrets import SECRETS
from service.conformance.tables import DRAWINGS, PICTURES, STORIES, TABLES
from service.conformance.words import WORDS
from tests.rules.playouts import FEWER_TABLES, every_check


@every_check(LOBBY)
def test_what_is_told_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(COURSE)
def test_the_course_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(SECRETS)
def test_the_secrets_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(WORDS)
def test_the_words_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(PICTURES, FEWER_TABLES)
def test_the_pictures_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(TABLES, FEWER_TABLES)
def test_the_table_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(DRAWINGS)
def test_the_drawings_of_every_game(tried: Callable[[], None]) -> None:
    tried()


@every_check(STORIES)
def test_the_log_of_every_game(tried: Callable[[], None]) -> None:
    tried()
