"""Writes the mails: plain text in the player's language, and headers that thread and identify them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final

from service.mail.letter import Stamp, digest, domain, letter, sealed, wrapped
from service.mail.menu import Choice, by_kind, excerpt
from service.mail.texts import say
from service.store.games import Position
from service.views.table import spoken

MOST_CHOICES: Final = 40


def turn_mail(
    position: Position, seat: int, recap: Sequence[str], choices: Sequence[Choice], link: str
) -> EmailMessage:
    """Return the mail that asks a seat for its action, still without a stamp.

    `recap` are the sentences since its last one, `choices` its legal actions, `link` the URL of its page.
    """
    language = position.seats[seat].language
    parts = [
        wrapped(greeting(position, seat)),
        # Early, for those who read on a small screen: the page shows all that follows.
        f"{say(language, 'link')}\n{link}",
        *_section(say(language, "recap"), [_bullet(sentence) for sentence in recap]),
        *_section(say(language, "table"), [board(position, seat)]),
        *_section(say(language, "choices", count=len(choices)), [_menu(choices, language)]),
        wrapped(say(language, "personal")),
    ]
    return _message(position, seat, parts)


def game_over_mail(position: Position, seat: int, recap: Sequence[str]) -> EmailMessage:
    """Return the mail that tells a seat how the game ended, still without a stamp: winners, scores, the last events."""
    language = position.seats[seat].language
    outcome = position.outcome or {}
    parts = [
        wrapped(greeting(position, seat, "over-greeting")),
        "\n".join(result(position, outcome, language)),
        *_section(say(language, "recap"), [_bullet(sentence) for sentence in recap]),
        *_section(say(language, "table"), [board(position, seat)]),
    ]
    return _message(position, seat, parts)


def stamped(message: EmailMessage, position: Position, seat: int, stamp: Stamp) -> EmailMessage:
    """Return the message as it is sent: from whom, when, and in which thread.

    All mails of a game to a player answer the same root, which is never sent.
    """
    root = f"<g{digest(position.game.id, position.seats[seat].player_id)}@{domain(stamp)}>"
    message["In-Reply-To"] = root
    message["References"] = root
    return sealed(message, stamp, position.game.id)


def result(position: Position, outcome: Mapping[str, Any], language: str) -> Iterator[str]:
    """Yield the lines of an outcome: who won, then each player's score."""
    names = [*position.names_in(language), *position.automata]
    winners = [names[seat] for seat in outcome.get("winners", ())]
    yield say(language, "winner", names=", ".join(winners)) if winners else say(language, "no-winner")
    for name, score in zip(names, _scores(outcome), strict=False):
        yield say(language, "score", name=name, score=score)


def greeting(position: Position, seat: int, key: str = "greeting") -> str:
    """Return the sentence that says to the seat's player which game this is, and against whom."""
    row = position.seats[seat]
    names = position.names_in(row.language)
    rivals = ", ".join(_plain(name) for index, name in enumerate(names) if index != seat)
    key = key if rivals else f"{key}-alone"
    return say(row.language, key, name=_plain(row.name), title=position.ruleset.meta.title, others=rivals)


def board(position: Position, seat: int) -> str:
    """Return the table as the seat sees it, as text."""
    ruleset = position.ruleset
    language = spoken(position, position.seats[seat].language)
    return ruleset.draw(ruleset.view(position.state, seat), language, position.names_in(language)).rstrip()


def _scores(outcome: Mapping[str, Any]) -> Sequence[Any]:
    scores = outcome.get("scores") or ()
    if isinstance(scores, Mapping):
        return [scores[seat] for seat in sorted(scores, key=int)]
    return list(scores)


def _section(title: str, paragraphs: Sequence[str]) -> list[str]:
    if not paragraphs:
        return []
    return [f"{title}\n{'-' * len(title)}\n" + "\n".join(paragraphs)]


def _menu(choices: Sequence[Choice], language: str) -> str:
    groups = by_kind(choices)
    shown = excerpt(groups, MOST_CHOICES)
    count = sum(map(len, shown.values()))
    lines: list[str] = []
    if count < len(choices):
        lines.append(wrapped(say(language, "excerpt", shown=count, count=len(choices))))
    for name, group in shown.items():
        if count < len(choices):
            lines += ["", say(language, "group", kind=name, shown=len(group), count=len(groups[name]))]
        lines += [_choice(choice) for choice in group]
    return "\n".join(lines)


def _choice(choice: Choice) -> str:
    # A notation never stands alone on a line, so that a quoted mail cannot be taken for a reply that plays it.
    return _hanging(f"{choice['notation']} = {choice['text']}", "  ")


def _bullet(sentence: str) -> str:
    return _hanging(sentence, "* ")


def _hanging(text: str, lead: str) -> str:
    return wrapped(text, lead, "    ")


def _plain(name: str) -> str:
    return " ".join(name.split())


def _message(position: Position, seat: int, parts: Sequence[str]) -> EmailMessage:
    row = position.seats[seat]
    if row.email is None:
        raise ValueError("a seat without an address cannot be written to")
    recipient = Address(_plain(row.name), addr_spec=row.email)
    return letter(recipient, _subject(position, row.language), parts, row.language)


def _subject(position: Position, language: str) -> str:
    """The same for every mail of the game: mail programs thread by it."""
    players = " – ".join(_plain(name) for name in position.names_in(language))
    return f"{position.ruleset.meta.title} #{position.game.id.hex[-6:]}: {players}"
