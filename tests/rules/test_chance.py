"""Chance is the same in every language: vectors that any other implementation has to reproduce."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from service.rules.chance import Chance, commit, commit_nonce, derive_key

SEED = sha256(b"vector-1").digest()
GAME = "0197a7d8-0000-7000-8000-000000000001"


def test_a_shuffle_reproduces_its_vector() -> None:
    assert Chance(SEED).shuffle("deck:0", range(10)) == [3, 2, 4, 1, 8, 0, 6, 7, 5, 9]


def test_a_roll_reproduces_its_vector_from_the_first_principles() -> None:
    block = hmac.digest(SEED, b"dice" + b"\0" + bytes(8), "sha256")
    words = [int.from_bytes(block[i : i + 8], "big") for i in (0, 8, 16, 24)]
    assert Chance(SEED).roll("dice", 6, 4) == tuple(1 + word % 6 for word in words)
    assert Chance(SEED).roll("dice", 6, 4) == (6, 2, 5, 1)


def test_the_key_and_the_commitments_reproduce_their_vectors() -> None:
    key = derive_key(SEED, GAME, ["00ff", "abcd"])
    assert key.hex() == "22150c2b9c16389b97b545b0d5db2d725735c687e478962a3fad099837828c2d"
    assert key == hmac.digest(SEED, GAME.encode() + b"\0\x00\xff\xab\xcd", "sha256")
    assert commit(SEED) == "e9087dfba183b2aefe34c8a51ae2084c1c001ec086c76d2820f704b81cbc8cfc"
    assert commit_nonce(GAME, "00ff") == "bcb32d52a06819f47e14685e6f0a1fe13769151feb8b48d02332a09a047e8bf8"
    assert Chance(key).shuffle("deck:0", range(10)) == [0, 7, 3, 2, 5, 8, 1, 6, 9, 4]


def test_a_word_beyond_the_last_multiple_is_refused_so_that_no_number_is_favoured() -> None:
    # Of so many sides only one multiple fits into a word: nearly half of the words are beyond it.
    sides = 2**63 + 1
    blocks = [hmac.digest(SEED, b"many\0" + counter.to_bytes(8, "big"), "sha256") for counter in range(4)]
    words = [int.from_bytes(block[i : i + 8], "big") for block in blocks for i in (0, 8, 16, 24)]
    kept = [word for word in words if word < sides]
    assert 0 < len(kept) < len(words)
    assert Chance(SEED).roll("many", sides, len(kept)) == tuple(1 + word for word in kept)


def test_each_side_comes_about_as_often() -> None:
    rolls = Counter(Chance(SEED).roll("many", 3, 30_000))
    assert set(rolls) == {1, 2, 3}
    assert max(rolls.values()) - min(rolls.values()) < 600


@given(st.binary(min_size=32, max_size=32), st.text(max_size=20), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_item_and_answers_the_same_when_asked_again(
    key: bytes, label: str, items: list[int]
) -> None:
    shuffled = Chance(key).shuffle(label, items)
    assert sorted(shuffled) == sorted(items)
    assert Chance(key).shuffle(label, items) == shuffled


def test_another_seat_value_label_or_game_gives_another_order() -> None:
    deck = range(80)
    orders = [
        Chance(derive_key(SEED, game, nonces)).shuffle(label, deck)
        for game, nonces, label in (("a", ["00"], "x"), ("b", ["00"], "x"), ("a", ["01"], "x"), ("a", ["00"], "y"))
    ]
    assert len({tuple(order) for order in orders}) == 4
