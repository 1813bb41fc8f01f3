"""The relying party: passkeys belong to the name in BASE_URL, and are used from its origin alone."""

from __future__ import annotations

import pytest

from service.handlers.passkeys import RelyingParty, relying_party


@pytest.mark.parametrize(
    ("base_url", "name", "origin"),
    [
        ("https://games.example.org", "games.example.org", "https://games.example.org"),
        ("https://Games.Example.org:443", "games.example.org", "https://games.example.org"),
        ("https://games.example.org:8443/board", "games.example.org", "https://games.example.org:8443"),
        ("http://localhost:8000", "localhost", "http://localhost:8000"),
        ("http://localhost:80", "localhost", "http://localhost"),
        ("http://games.localhost:8000", "games.localhost", "http://games.localhost:8000"),
    ],
)
def test_the_name_and_the_origin_are_those_of_base_url(base_url: str, name: str, origin: str) -> None:
    assert relying_party(base_url) == RelyingParty(name, origin)


@pytest.mark.parametrize(
    "base_url", ["http://games.example.org", "https://192.0.2.1", "http://127.0.0.1:8000", "https://[2001:db8::1]"]
)
def test_browsers_make_no_passkeys_for_numbers_and_without_tls(base_url: str) -> None:
    assert relying_party(base_url) is None
