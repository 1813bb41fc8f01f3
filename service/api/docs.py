"""Pages for those who write clients of the API: its reference, a guide, its changes, and what problems mean."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request
from markupsafe import Markup

from service.api.contract import VERSION
from service.api.document import client_document, document_with_examples
from service.api.examples import problem_example
from service.http.problems import catalogue
from service.http.responses import as_json, compress_answer
from service.shared.refusal import REFUSALS, Refusal
from service.texts.catalog import DEFAULT, languages
from service.texts.locales import languages_named

_FRESH = {"Cache-Control": "no-cache"}
_BOTH = {**_FRESH, "Vary": "Accept"}
_AGE = "public, max-age=3600"
_DOCUMENTS = "documents"
_LONG = ("docs.whole_document", "docs.document_for_generators")

_STYLES = (
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",  # an empty element, which it then fills from its script
    "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
)
"""The inline styles of the reference's script, by the digest of their text; another release has others."""

REFERENCE_POLICY = (
    f"default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' {' '.join(_STYLES)}; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Policy of the reference beyond other pages': run its one script, which fetches the document from here."""

docs = Blueprint("docs", __name__, template_folder="templates", static_folder="static", static_url_path="/api/static")


@docs.app_template_filter("marked")
def marked(text: str) -> Markup:
    """Return a text in which what stands between backticks is shown as code."""
    frames = (Markup("{}"), Markup("<code>{}</code>"))
    return Markup("").join(frames[place % 2].format(part) for place, part in enumerate(text.split("`")))


@docs.get("/api/docs")
def reference() -> Response:
    """Show the reference, drawn from the document in the browser."""
    page = _page("reference.html")
    page.headers["Content-Security-Policy"] = REFERENCE_POLICY
    return page


@docs.get("/api/guide")
def guide() -> Response:
    """Show how to write a bot."""
    return _page("guide.html")


@docs.get("/api/changes")
def changes() -> Response:
    """Show what has changed from one version of the API to the next."""
    return _page("changes.html")


@docs.get("/problems/")
def problems() -> Response:
    """List every problem, as HTML or as JSON."""
    shown = [_explained(each) for each in catalogue().values()]
    return _either(
        {"items": shown}, "problems.html", problems=shown, languages=languages_named(languages(), DEFAULT, "or")
    )


@docs.get("/problems/<code>")
def explain(code: str) -> Response:
    """Say what a problem of this type means and what to do next, as HTML or as JSON."""
    if code not in REFUSALS:
        abort(404)
    shown = _explained(REFUSALS[code])
    example = json.dumps(shown["example"], indent=2, ensure_ascii=False)
    return _either(shown, "problem.html", problem=shown, example=example)


@docs.get("/openapi.yaml")
def whole_document() -> Response:
    """Show the document, with its examples."""
    return _document("whole")


@docs.get("/openapi.client.yaml")
def document_for_generators() -> Response:
    """Show the document for generators of clients."""
    return _document("client")


@docs.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "docs.static":
        response.headers["Cache-Control"] = _AGE
    elif request.endpoint in _LONG:
        compress_answer(response)
    return response


def _either(payload: dict[str, Any], template: str, **context: Any) -> Response:
    kinds = ("text/html", "application/json", "application/problem+json")
    if request.accept_mimetypes.best_match(kinds, "text/html") != "text/html":
        return as_json(payload, headers=_BOTH)
    page = _page(template, **context)
    page.headers.update(_BOTH)
    return page


def _explained(refusal: type[Refusal]) -> dict[str, Any]:
    return {
        "type": f"/problems/{refusal.code}",
        "status": refusal.status,
        "title": refusal.title,
        "meaning": " ".join((refusal.__doc__ or "").split()),
        "next": refusal.remedy,
        "example": problem_example(refusal.code),
    }


def _page(template: str, **context: Any) -> Response:
    page = make_response(render_template(f"docs/{template}", language="en", version=VERSION, **context))
    page.headers.update(_FRESH)
    return page


def _document(which: str) -> Response:
    made: dict[str, str] = current_app.extensions.setdefault(_DOCUMENTS, {})
    if which not in made:
        made[which] = {"whole": document_with_examples, "client": client_document}[which](current_app)
    return Response(made[which], headers=_FRESH, mimetype="application/yaml")
