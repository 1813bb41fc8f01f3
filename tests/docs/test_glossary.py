"""The glossary has the words that the design rests on, in order, each with the module where it lives."""

from __future__ import annotations

import re

import pytest

from tests.docs.rooms import ROOT

LINE = re.compile(r"- \*\*([a-z][a-z ]*)\*\*: (.+) `((?:service|schemas|workers)/[\w/]+\.py)`")
ENTRIES = [
    line for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines() if line.startswith("- ")
]
PRODUCT = {"game", "ruleset", "seat", "player", "action", "event", "decision", "view", "record"}
SOURCING = {"log", "append", "fold", "decide", "evolve", "upcast", "timeline", "outbox", "relay", "effect", "notice"}
PROOF = {"commitment", "head", "chain", "seal", "root", "reveal"}
OPERATION = {
    "precondition",
    "circuit breaker",
    "suppression",
    "publisher",
    "subscriber",
    "heartbeat",
    "idempotency key",
}


def _entry(line: str) -> tuple[str, str, str]:
    entry = LINE.fullmatch(line)
    assert entry, f"not **word**: meaning. `module`: {line}"
    return entry[1], entry[2], entry[3]


@pytest.mark.parametrize("line", ENTRIES, ids=lambda line: line[:24])
def test_each_word_has_one_sentence_and_a_module_that_is_there(line: str):
    _, meaning, module = _entry(line)
    assert meaning.endswith(".")
    assert (ROOT / module).is_file()


def test_words_stand_once_and_in_the_order_of_the_alphabet():
    words = [_entry(line)[0] for line in ENTRIES]
    assert words == sorted(set(words))


@pytest.mark.parametrize(
    "words", [PRODUCT, SOURCING, PROOF, OPERATION], ids=["product", "sourcing", "proof", "operation"]
)
def test_the_words_that_the_design_rests_on_are_explained(words: set[str]):
    assert words - {_entry(line)[0] for line in ENTRIES} == set()
