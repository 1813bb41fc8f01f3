"""What holds for every game: the checks of service/conformance, on random games of it."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.course import COURSE
from service.conformance.lobby import LOBBY
from service.conformance.secrets import SECRETS
from service.conformance.words import WORDS
from tests.rules.playouts import every_check


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
