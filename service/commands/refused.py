"""Why a command could not be carried out, as one sentence, and how an operating system's error is put into words."""

from __future__ import annotations

from typing import Final

WRONG: Final = 1
"""The exit code of a command that has found something wrong."""
CANNOT: Final = 2
"""The exit code of a command that could not read or ask what it had to."""
UNCHECKED: Final = 3
"""The exit code of a check that was not possible because the rules of a game are not installed; nothing is wrong."""


class Refused(Exception):
    """The command ends with a sentence on stderr, which says what has happened, and with an exit code."""

    def __init__(self, message: str, exit_code: int = CANNOT) -> None:
        super().__init__(message)
        self.code = exit_code


def in_words(error: OSError) -> str:
    """Return an error of the operating system as a sentence, with the file it is about; one of ours as it is."""
    if error.strerror is None:
        return str(error)
    reason = error.strerror[:1].lower() + error.strerror[1:]
    return reason if error.filename is None else f"{error.filename} cannot be used: {reason}"


def exit_code(wrong: object, unchecked: object) -> int:
    """Return the exit code of a check: 1 if anything is wrong, else 3 if anything was not checked, else 0."""
    return WRONG if wrong else UNCHECKED if unchecked else 0
