"""The hash chain is the same in every language: vectors that any other implementation has to reproduce."""

from __future__ import annotations

from hashlib import sha256

from service.log.chain import NO_HEAD, chain_key, check, link, salt

KEY = chain_key(sha256(b"vector-1").digest(), "0197a7d8-0000-7000-8000-000000000001")


def test_key_and_salt_reproduce_their_vectors() -> None:
    assert KEY.hex() == "b4fc392c5c23f8e2e28faef85bbbc5c8167cc81d25fe7881fb25c64fa2dde47d"
    assert salt(KEY, 7).hex() == "7233bab220916a951c947308ddc61a4c"


def test_a_head_and_what_a_line_shows_of_it_reproduce_their_vectors() -> None:
    head = link(NO_HEAD, salt(KEY, 0), b'{"kind":"header"}')
    assert head.hex() == "8bd5d2d2c4b77b94f5777277f787aecc69ccac52a395a53594fbfac0ccf88de6"
    assert check(head) == "8bd5d2d2c4b77b94"
