"""Every pattern of the service takes time that grows as its text does, whatever a stranger makes the text of.

The patterns are collected from the code: those that modules hold, wherever in them, and those written where they are
used. Each is given the texts that are worst for it, which are made from its own parts: runs of white space, of each
letter and class, of what it nearly matches, and of what each of its loops may take, after what leads to the loop.
"""

from __future__ import annotations

import ast
import pkgutil
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from re import _constants, _parser

PACKAGES = ("service", "schemas", "workers")
ROOT = Path(__file__).parent.parent
METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
MADE_WHILE_RUNNING = {
    # Between them they are made of literals of ours; what they are searched in is gone through once.
    "service.inbound.attachments",
    "service.inbound.hypertext",
    "service.web.play.guide",
}
"""Modules that compile patterns in functions, from parts that are not written there."""
OF_OUR_FILES = {"service.web.stylesheet._NO_TABLE", "service.web.stylesheet._SPARE"}
"""Patterns that are used once, on files of ours, when their module is loaded."""
SIZE = 2_000
"""Characters of the smallest text; the others have twice and four times as many."""
SHORT = 0.002
"""Seconds: what takes less for the longest text is not worth the question."""
MOST = 9.0
"""The growth of the time for a text four times as long. Linear is 4, a square 16."""
SPACES = (" ", "\t", "\n", "\n\t", "\r\n", "\u2028")


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and the methods by which it is used."""

    where: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


@cache
def modules() -> Sequence[str]:
    inside = [
        each.name
        for package in PACKAGES
        for each in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if not each.name.endswith("__main__") and ".migrations." not in each.name
    ]
    return (*PACKAGES, *inside)


@cache
def tree(module: str) -> ast.Module:
    path = ROOT / module.replace(".", "/")
    package = path / "__init__.py"
    return ast.parse((package if package.exists() else path.with_suffix(".py")).read_text())


@cache
def called(module: str) -> Mapping[str, frozenset[str]]:
    """Return by which methods each name is used in a module."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            found[ast.unparse(node.value)].add(node.attr)
    found.pop("re", None)
    return {name: frozenset(methods) for name, methods in found.items()}


def methods_of(module: str, name: str) -> frozenset[str]:
    """Return by which methods a pattern is used that a module holds under a name.

    If it is used by another name, in a container or by a function, it may be by any method that is used there; if it
    is not used in its module at all, by any.
    """
    here = called(module)
    others = frozenset(method for each, methods in here.items() if not each[1:].isupper() for method in methods)
    others -= {"split"}  # mostly that of texts
    elsewhere = [] if name.startswith("_") else [called(each).get(name, frozenset()) for each in modules()]
    return here.get(name, frozenset()).union(*elsewhere) or others or frozenset(METHODS)


def within(value: Any, depth: int = 4) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns in a value: in containers, fields and classes, too."""
    parts: Iterable[Any] = ()
    ours = (value if isinstance(value, type) else type(value)).__module__.split(".")[0] in PACKAGES
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, (tuple, list, set, frozenset)):
        parts = value
    elif is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name, None) for field in fields(value)]
    elif ours:
        parts = getattr(value, "__dict__", {}).values()
    for each in parts if depth else ():
        yield from within(each, depth - 1)


def held(module: ModuleType) -> Iterator[Used]:
    for name, value in vars(module).items():
        for pattern in within(value):
            yield Used(f"{module.__name__}.{name}", pattern, methods_of(module.__name__, name))


def written_where_used(module: str) -> Iterator[Used]:
    for node in ast.walk(tree(module)):
        call = node.func if isinstance(node, ast.Call) else None
        if isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.value.id == "re":
            assert isinstance(node, ast.Call)
            if call.attr in METHODS and isinstance(node.args[0], ast.Constant):
                where = f"{module}:{node.lineno}"
                yield Used(where, re.compile(node.args[0].value), frozenset((call.attr,)))


def made_while_running(module: str) -> bool:
    """Return whether a function compiles a pattern, or uses one, that is not written there."""
    for function in ast.walk(tree(module)):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                call = node.func if isinstance(node, ast.Call) else None
                if (
                    isinstance(call, ast.Attribute)
                    and isinstance(call.value, ast.Name)
                    and call.value.id == "re"
                    and call.attr in (*METHODS, "compile")
                    and not isinstance(node.args[0], (ast.Constant, ast.Name))  # type: ignore[union-attr]
                ):
                    return True
    return False


@cache
def patterns() -> Sequence[Used]:
    found: dict[tuple[str | bytes, int], Used] = {}
    for name in modules():
        for used in (*held(import_module(name)), *written_where_used(name)):
            key = used.pattern.pattern, used.pattern.flags
            before = found.get(key, Used(used.where, used.pattern, frozenset()))
            found[key] = Used(before.where, used.pattern, before.methods | used.methods)
    return sorted(found.values(), key=lambda used: used.where)


def letters(node: tuple[Any, Any]) -> str:
    """Return a character that a node of one character matches."""
    kind, value = node
    if kind is _constants.LITERAL:
        return chr(value)
    if kind is _constants.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is _constants.CATEGORY:
        return (
            {"SPACE": " ", "DIGIT": "0", "WORD": "a"}.get(str(value).rpartition("_")[2], "a")
            if ("NOT" not in str(value))
            else {"SPACE": "a", "DIGIT": "a", "WORD": "-"}.get(str(value).rpartition("_")[2], "a")
        )
    if kind is _constants.IN:
        if value[0][0] is _constants.NEGATE:
            taken = re.compile("[^" + "".join(map(re.escape, samples(value[1:]))) + "]")
            return next((each for each in "a -<.0/x:\n\u00e4" if taken.fullmatch(each)), "\u4e00")
        return samples(value)[0]
    return "a"


def samples(items: Iterable[tuple[Any, Any]]) -> list[str]:
    found: list[str] = []
    for kind, value in items:
        if kind is _constants.RANGE:
            found += [chr(value[0]), chr(value[1])]
        elif kind is not _constants.NEGATE:
            found.append(letters((kind, value)))
    return found or ["a"]


def example(parsed: Iterable[tuple[Any, Any]], often: int = 1) -> str:
    """Return a text that a pattern matches, or nearly so, with loops gone through at least so often."""
    text = ""
    for kind, value in parsed:
        if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            least, most, inner = value
            text += example(inner, often) * min(
                max(least, often), int(most) if most is not _constants.MAXREPEAT else often + least
            )
        elif kind is _constants.SUBPATTERN:
            text += example(value[3], often)
        elif kind is _constants.ATOMIC_GROUP:
            text += example(value, often)
        elif kind is _constants.BRANCH:
            text += example(value[1][0], often)
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT, _constants.AT, _constants.GROUPREF):
            continue
        else:
            text += letters((kind, value))
    return text


def loops(parsed: Sequence[tuple[Any, Any]], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what leads to each loop of a pattern, and what the loop takes: one text for each that it may begin with."""
    for number, (kind, value) in enumerate(parsed):
        lead = before + example(parsed[:number])
        if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            for piece in taken(value[2]):
                yield lead, piece
                yield "", piece
            yield from loops(value[2], lead)
        elif kind is _constants.SUBPATTERN:
            yield from loops(value[3], lead)
        elif kind is _constants.BRANCH:
            for each in value[1]:
                yield from loops(each, lead)


def taken(parsed: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    yield example(parsed)
    first = parsed[0] if parsed else None
    if first is not None and first[0] is _constants.IN and first[1][0][0] is not _constants.NEGATE:
        yield from samples(first[1])
    if first is not None and (first[0] is _constants.ANY or first[0] is _constants.IN):
        yield from (" ", "\t")
    if first is not None and first[0] is _constants.BRANCH:
        yield from map(example, first[1][1])


def texts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """Yield beginnings, and what is repeated after them, that are bad for a pattern."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = list(_parser.parse(source, pattern.flags & ~re.UNICODE & ~re.DEBUG))
    for piece in SPACES:
        yield "", piece
    whole = example(parsed)
    for piece in (whole, whole[:-1], whole[:1], whole[: len(whole) // 2], whole[-1:], example(parsed, 2)[:-1]):
        yield "", piece
    found = list(islice(loops(parsed), 60))
    yield from found
    # What one loop leaves over another may take.
    for lead, piece in found[:6]:
        for _, other in found[:6]:
            yield lead, piece + other


def seconds(pattern: re.Pattern[Any], method: str, text: str, tries: int = 3) -> float:
    """Return the CPU time that a method takes, the least of some tries."""
    asked = text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")
    more: tuple[Any, ...] = (asked,)
    if method in ("sub", "subn"):
        more = ("" if isinstance(pattern.pattern, str) else b"", asked)
    found = []
    for _ in range(tries):
        begun = process_time()
        result = getattr(pattern, method)(*more)
        if method == "finditer":
            list(result)
        found.append(process_time() - begun)
        if found[-1] < SHORT / 20:
            break
    return min(found)


def worst(pattern: re.Pattern[Any], methods: Iterable[str]) -> str | None:
    """Return which text makes a pattern take more than its share of time; None if none does."""
    for lead, piece in dict.fromkeys(texts(pattern)):
        if not piece:
            continue
        for method in methods:
            for end in ("", "\u0001"):
                # What doubles with each letter would never end at the full size.
                for few in (16, 24, 64):
                    if seconds(pattern, method, lead + piece * (few // len(piece)) + end) > SHORT * 5:
                        return f"{method}({lead!r} + {piece!r} * {few // len(piece)})"
                times = SIZE // len(piece) or 1
                small, large = (lead + piece * (times * more) + end for more in (1, 4))
                first = seconds(pattern, method, small)
                # The square of the size would still be short.
                if first < SHORT / 20:
                    continue
                last = seconds(pattern, method, large)
                if last > SHORT and last > MOST * first:
                    # Once more, with care: other processes have an effect on caches.
                    first, last = seconds(pattern, method, small, 20), seconds(pattern, method, large, 5)
                if last > SHORT and last > MOST * first:
                    return f"{method}({lead!r} + {piece!r} * {4 * times}) takes {last * 1000:.0f} ms"
    return None


def test_the_patterns_of_all_packages_are_found() -> None:
    places = {used.where for used in patterns()}
    assert len(places) > 100
    for known in (
        "service.inbound.auto_replies._MACHINE_ADDRESS",
        "service.mail.bounces._REASONS",
        "schemas.fields._DURATION",
    ):
        assert known in places


def test_no_other_module_makes_patterns_while_it_runs() -> None:
    assert {each for each in modules() if made_while_running(each)} == MADE_WHILE_RUNNING


@pytest.mark.parametrize(
    ("source", "method"),
    [
        (r"\s*<\?xml[^>]*>", "search"),
        (r"\s*<\?xml[^>]*>", "sub"),
        (r"<\?xml[^>]*>", "search"),
        (r"^(<\?xml[^>]+)\s+encoding\s*=", "match"),
        (r"(?:a+)+b", "match"),
        (r"(?:\w+|_+)*-", "fullmatch"),
        (r"\S*(://|www\.)\S*", "sub"),
    ],
)
def test_a_pattern_whose_time_is_the_square_of_the_size_is_found(source: str, method: str) -> None:
    assert worst(re.compile(source), [method]) is not None


# One test for all patterns: listing them reads the source of every module, for which a test run should not wait.
def test_the_time_of_every_pattern_grows_as_its_text_does() -> None:
    asked = [used for used in patterns() if used.where not in OF_OUR_FILES]
    found = {used.where: worst(used.pattern, sorted(used.methods)) for used in asked}
    assert {where: text for where, text in found.items() if text is not None} == {}
