"""Output of the commands and their exit codes. Text of others (records, names, answers) cannot control a terminal.

Plain lines are printed where the stream is no terminal. On a terminal rich adds colours (not with NO_COLOR) and
progress bars; it is handed `Text`, in which it looks for no markup, and is imported only there.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from service.rules.bidi import FSI, PDI

if TYPE_CHECKING:
    from rich.console import Console

# Controls, also those that turn the direction of writing round; half characters; and what begins a new line.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# These only join letters or signs, or keep them apart; several scripts cannot be written without.
_JOINERS: Final = frozenset("\u200c\u200d")
# Sentences have them round names that are read from right to left; few terminals know them.
_ISOLATES: Final = str.maketrans("", "", FSI + PDI)
_COLOURS: Final[Mapping[str, str]] = {
    "ok": "green",
    "not checked": "yellow",
    "warn": "yellow",
    "WRONG": "red",
    "fail": "red",
}
"""The colours of verdicts."""
_bars: Final[list[Console]] = []
"""The terminals on which a progress bar is shown; at most one."""
WRONG: Final = 1
"""The exit code of a command that has found something wrong."""
CANNOT: Final = 2
"""The exit code of a command that could not read or ask what it had to."""
UNCHECKED: Final = 3
"""The exit code of a check that was not possible because the rules of a game are not installed; nothing is wrong."""


class OutputClosed(Exception):
    """The program that reads our output has ended, as `head` does."""


def visible(text: str) -> str:
    """Return the text with each control character, line breaks among them, as its escape."""
    # In most lines there is nothing to be escaped, and this is how to know at once.
    return text if text.isprintable() else "".join(map(_visible, text))


def say(*lines: object, to: IO[str] | None = None) -> None:
    """Print lines at once, each of which stays one, whatever is in it; on stdout, unless another stream is named."""
    for line in lines:
        _print([(str(line), "")], sys.stdout if to is None else to)


def say_verdict(before: str, verdict: str, after: str) -> None:
    """Print a line with a verdict in it, perhaps with blanks round it, which has its colour on a terminal."""
    _print([(before, ""), (verdict, _COLOURS.get(verdict.strip(), "")), (after, "")], sys.stdout)


def say_text(text: str) -> None:
    """Print a text that may have several lines, divided by nothing but line feeds."""
    say(*text.removesuffix("\n").split("\n"))


def complain(line: object, colour: str = "") -> None:
    """Print a line on stderr."""
    _print([(str(line), colour)], sys.stderr)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a progress bar while the block runs, if stderr is a terminal; the block calls what it gets for each step.

    `what` is a word of our own. Without a `total` only the steps done are counted.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # What is printed meanwhile goes through `say`, which knows of the bar; a redirected stdout stays itself.
    bar = Progress(*columns, console=_console(sys.stderr), transient=True, redirect_stdout=False, redirect_stderr=False)
    with bar:
        task = bar.add_task(what, total=total)
        _bars.append(bar.console)
        try:
            yield lambda: bar.advance(task)
        finally:
            _bars.clear()


def _print(pieces: list[tuple[str, str]], stream: IO[str]) -> None:
    """Print a line of pieces, each with its colour or '', which only terminals get to see."""
    shown = [(visible(text.translate(_ISOLATES)), colour) for text, colour in pieces]
    if stream.isatty() and (_bars or any(colour for _, colour in shown)):
        from rich.text import Text

        console = _bars[0] if _bars else _console(stream)
        console.print(Text.assemble(*shown), soft_wrap=True)
    else:
        try:
            print("".join(text for text, _ in shown), file=stream, flush=True)
        except BrokenPipeError as error:
            raise OutputClosed from error


def _console(stream: IO[str]) -> Console:
    from rich.console import Console

    return Console(file=stream, markup=False, highlight=False, emoji=False)


def _visible(sign: str) -> str:
    if unicodedata.category(sign) not in _UNSEEN or sign in _JOINERS:
        return sign
    number = ord(sign)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


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
