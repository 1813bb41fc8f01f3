"""One refusal is one class: answer, catalogue, problem page and document follow from it, and each has its texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from flask import Flask

import service
from service.app import create_app
from service.http.access_log import REQUEST_ID_KEY
from service.http.problems import catalogue, problem
from service.runtime import Runtime
from service.shared.refusal import REFUSALS, Refusal
from service.store.tables import GAME_STATES
from service.texts import catalog, po_files
from tests.api.detail_texts import TEXTS
from tests.rest import refused
from tests.seen import MADE_UP

SERVICE = Path(service.__file__).parent


@pytest.fixture
def table_too_loud(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Refusal]]:
    """A refusal that the service does not have, and its texts."""

    class TableTooLoud(Refusal):
        """The table has said `most` words today,
        and may say no more."""

        code = "table-too-loud"
        status = 409
        title = "The table is too loud"
        remedy = "Wait until `tomorrow`."
        retry_after = 60

        def __init__(self, most: int) -> None:
            super().__init__(most=most)

    for language, catalogs in catalog._loaded(po_files.LOCALE).items():
        monkeypatch.setitem(catalogs.texts, "detail-table-too-loud", f"{language}: {{most}} words")
    yield TableTooLoud
    del REFUSALS["table-too-loud"]


@pytest.fixture
def loud(runtime: Runtime, table_too_loud: type[Refusal]) -> Flask:
    """An app in which an operation of the API raises it."""
    app = create_app(runtime)

    def raises(**_: object) -> None:
        raise table_too_loud(100)  # type: ignore[arg-type]

    app.config[MADE_UP] = True
    app.view_functions["about.list_limits"] = raises
    return app


def test_a_new_class_is_answered_as_its_problem(loud: Flask) -> None:
    answer = loud.test_client().get("/api/v1/limits", headers={"Accept-Language": "de"})
    body = refused(answer, 409, "table-too-loud")
    assert (body["title"], body["detail"], body["most"]) == ("The table is too loud", "de: 100 words", 100)
    assert answer.headers["Retry-After"] == "60"


def test_a_new_class_has_its_page(loud: Flask) -> None:
    client = loud.test_client()
    page = client.get("/problems/table-too-loud").text
    assert "The table has said <code>most</code> words today, and may say no more." in page
    assert "Wait until <code>tomorrow</code>." in page
    assert "/problems/table-too-loud" in client.get("/problems/").text


def test_a_new_class_is_in_the_document(loud: Flask) -> None:
    document = yaml.load(loud.test_client().get("/openapi.yaml").text, yaml.CSafeLoader)
    assert "The table is too loud" in document["components"]["responses"]["Problem409"]["description"]
    assert [code for code, each in catalogue().items() if each.status == 409][-1] == "table-too-loud"


@pytest.mark.parametrize(
    "said",
    [
        {"code": "not-seated", "status": 409, "title": "Of a code that there is", "remedy": "Choose another."},
        {"code": "silent", "status": 409, "title": "", "remedy": "Say something."},
        {"code": "helpless", "status": 409, "title": "Without advice", "remedy": ""},
    ],
)
def test_a_class_that_says_too_little_or_takes_the_code_of_another_is_none(said: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="needs a code of its own"):
        type("Odd", (Refusal,), {"__doc__": "It is odd.", **said})


@pytest.mark.parametrize("language", TEXTS)
def test_every_case_of_every_refusal_has_its_text_and_the_other_way_round(language: str) -> None:
    cases = {code if case is None else f"{code}-{case}" for code, each in REFUSALS.items() for case in each.cases}
    assert cases == TEXTS[language].keys()


def test_every_case_that_the_code_raises_is_declared_and_the_other_way_round() -> None:
    raised = {(kind, case) for kind, case in _raised() if kind.cases}
    assert [each for each in raised if each[1] not in each[0].cases] == []
    # A case may also be an argument; those are of a few classes, which say which there can be.
    spelt_out = {(kind.code, case) for kind, case in raised if case is not None}
    declared = {(code, case) for code, each in REFUSALS.items() for case in each.cases if case is not None}
    assert {code for code, _ in declared - spelt_out} == {
        "bad-absence",
        "cannot-take-over",
        "not-open",
        "game-not-running",
        "too-late-to-take-back",
        "take-back-not-offered",
        "cannot-pause",
        "no-pause",
        "malformed-json",
        "too-many-waiting",
        "time-lapsed",
        "time-not-given",
        "rate-limited",
    }


def test_every_refusal_is_used_in_the_code() -> None:
    names = {node.id for node in code() if isinstance(node, ast.Name)}
    assert [each.__name__ for each in REFUSALS.values() if each.__name__ not in names] == []


def test_a_game_that_is_not_running_is_in_one_of_the_other_states() -> None:
    assert set(REFUSALS["game-not-running"].cases) == {state for state in GAME_STATES if state != "running"}


def test_a_problem_leaves_out_what_is_none(app: Flask) -> None:
    with app.test_request_context(environ_overrides={REQUEST_ID_KEY: "a request"}):
        body = problem(REFUSALS["not-found"](None, last=None, seat=2)).get_json()
    assert body["seat"] == 2 and "last" not in body


@cache
def code() -> list[ast.AST]:
    """Return all nodes of the service's code."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SERVICE.rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree)]


def _raised() -> Iterator[tuple[type[Refusal], str | None]]:
    """Yield the class and the case of every refusal that a call somewhere in the service makes with a constant case.

    `super().__init__("case")` counts for the class in which it stands.
    """
    for node in code():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _first(node) is not None:
            kind = _named(node.func.id)
            if kind is not None and kind.__init__ is Refusal.__init__:
                yield kind, _first(node)
        if isinstance(node, ast.ClassDef) and (kind := _named(node.name)) is not None:
            yield from ((kind, case) for call in ast.walk(node) if (case := _first(call)) is not None)


def _first(call: ast.AST) -> str | None:
    """Return the first argument of a call, if it is a constant text; of a call within a class, only of `__init__`."""
    if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Constant):
        return None
    named = isinstance(call.func, ast.Name) or (isinstance(call.func, ast.Attribute) and call.func.attr == "__init__")
    return str(call.args[0].value) if named else None


def _named(name: str) -> type[Refusal] | None:
    """Return the class of refusals of a name."""
    found = list(Refusal.__subclasses__())
    for each in found:
        found += each.__subclasses__()
    return next((each for each in found if each.__name__ == name), None)
