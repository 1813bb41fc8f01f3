"""The pages for whoever writes programs: the reference, the guide, the changes, and what problems mean."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from service.api import docs
from service.api.contract import VERSION
from service.http.problems import catalogue
from tests.letters import Page
from tests.rest import refused

VENDOR = Path(docs.__file__).with_name("static") / "vendor"
PAGES = ("/api/docs", "/api/guide", "/api/changes", "/problems/", "/problems/validation")


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser."""
    return app.test_client()


@pytest.mark.parametrize("address", PAGES)
def test_every_page_leads_only_to_pages_that_are_there(address: str, web: FlaskClient) -> None:
    page = web.get(address)
    assert page.mimetype == "text/html"
    inner = [link for link in Page(page.text).links if link.startswith("/")]
    assert inner
    assert all(web.get(link).status_code == 200 for link in inner)


@pytest.mark.parametrize("address", PAGES)
def test_no_page_takes_anything_from_elsewhere(address: str, web: FlaskClient) -> None:
    page = web.get(address)
    assert "http" not in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert not re.search(r"(src|<link[^>]+href)=\"(https?:)?//", page.text)


def test_only_the_reference_may_run_a_script(web: FlaskClient) -> None:
    allowed = [address for address in PAGES if "script-src" in web.get(address).headers["Content-Security-Policy"]]
    assert allowed == ["/api/docs"]


def test_the_script_of_the_reference_is_the_one_that_was_published(web: FlaskClient) -> None:
    folder = VENDOR / "redoc"
    sums = dict(reversed(line.split(maxsplit=1)) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert {path.name for path in folder.iterdir()} == {*sums, "SHA256SUMS", "VERSION"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    script = web.get("/api/static/vendor/redoc/redoc.standalone.js", buffered=True)
    assert script.mimetype == "text/javascript"
    assert script.headers["Cache-Control"] == "public, max-age=3600"


def test_both_documents_are_served(web: FlaskClient) -> None:
    whole, client = web.get("/openapi.yaml"), web.get("/openapi.client.yaml")
    assert (whole.mimetype, client.mimetype) == ("application/yaml", "application/yaml")
    assert "SealedBids" in whole.text
    assert re.search(r"^ *example:", whole.text, re.MULTILINE)
    assert not re.search(r"^ *examples?:", client.text, re.MULTILINE)
    assert web.get("/openapi.yaml").data == whole.data


def test_the_changes_begin_with_the_version_that_is_served(web: FlaskClient) -> None:
    versions = re.findall(r"<h2>(\d+\.\d+\.\d+)</h2>", web.get("/api/changes").text)
    assert versions[0] == VERSION
    assert versions == sorted(versions, key=lambda text: tuple(map(int, text.split("."))), reverse=True)


def test_every_problem_says_what_it_means_and_what_to_do(web: FlaskClient) -> None:
    for code, kind in catalogue().items():
        page = web.get(f"/problems/{code}")
        assert page.headers["Vary"] == "Accept"
        for words in (kind.title, " ".join(str(kind.__doc__).split()), kind.remedy):
            assert re.sub("`(.+?)`", r"<code>\1</code>", str(escape(words))) in page.text


def test_a_program_gets_the_same_as_json(web: FlaskClient) -> None:
    for accepted in ("application/json", "application/problem+json", "application/json, text/html;q=0.5"):
        shown = web.get("/problems/stale-decision", headers={"Accept": accepted}).json
        assert shown
        assert (shown["type"], shown["status"]) == ("/problems/stale-decision", 409)
        assert shown["next"].startswith("Read `since`")
        assert shown["example"]["legal_actions"]
    listed = web.get("/problems/", headers={"Accept": "application/json"}).json
    assert listed
    assert [each["type"] for each in listed["items"]] == [f"/problems/{code}" for code in catalogue()]


def test_the_type_of_a_problem_leads_to_its_meaning(web: FlaskClient) -> None:
    kind = refused(web.get("/api/v1/me"), 401, "unauthenticated")["type"]
    assert "A valid token is needed" in web.get(kind).text
    assert web.get("/problems/unheard-of").status_code == 404
