"""A message to a channel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its title, one line of text, and the address that it leads to.

    It holds nothing hidden, no token, and no words of other people. Messages with one `tag` are about the same matter.
    """

    title: str
    text: str
    url: str
    tag: str
