"""A web app of somebody else, which acts for its visitor: docs/write-an-app.md explains it, tests/browser walks it.

It has nothing but Python's own library, so that it shows all that there is to do. It serves one visitor at a time.
"""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

SCOPES = "games:read profile:read"


class WebApp(ThreadingHTTPServer):
    """The app, at an address of its own; `client_id` is what Boardroom has given it, `issuer` the address of that."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.redirect_uri = f"{self.url}/back"
        self.client_id, self.issuer = "", ""
        self.visits: dict[str, str] = {}
        self.tokens: dict[str, Any] | None = None

    def metadata(self) -> dict[str, Any]:
        """Where Boardroom is asked for what."""
        return fetched(Request(f"{self.issuer}/.well-known/oauth-authorization-server"))

    def way_out(self, state: str) -> str:
        """The address to which the visitor is sent."""
        verifier = secrets.token_urlsafe(32)
        self.visits[state] = verifier
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": SCOPES,
            "state": state,
            "code_challenge": urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return f"{self.metadata()['authorization_endpoint']}?{urlencode(asked)}"

    def come_back(self, answer: dict[str, str], visit: str) -> str | None:
        """Get tokens for the code with which the visitor comes back; return what went wrong, if anything did."""
        verifier = self.visits.pop(answer.get("state", ""), None)
        if verifier is None or answer["state"] != visit:
            return "This is not the answer to your visit."
        if answer.get("iss") != self.issuer:
            return "This is the answer of another server."
        if "error" in answer:
            return f"You have not allowed it: {answer['error']}"
        form = {"grant_type": "authorization_code", "code": answer["code"]}
        self.ask({**form, "redirect_uri": self.redirect_uri, "code_verifier": verifier})
        return None

    def ask(self, form: dict[str, str]) -> None:
        """Ask the token endpoint, and keep what it answers: a refresh token is good once."""
        sent = urlencode({"client_id": self.client_id, **form}).encode()
        self.tokens = None
        self.tokens = fetched(Request(self.metadata()["token_endpoint"], sent))

    def get(self, path: str) -> dict[str, Any]:
        """Ask the API as the visitor; with new tokens where the old one is no longer good. HTTPError if it is over."""
        assert self.tokens is not None
        try:
            return self._get(path)
        except HTTPError as refused:
            if refused.code != 401:
                raise
            self.ask({"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"]})
            return self._get(path)

    def _get(self, path: str) -> dict[str, Any]:
        assert self.tokens is not None
        headers = {"Authorization": f"Bearer {self.tokens['access_token']}"}
        return fetched(Request(f"{self.issuer}/api/v1{path}", headers=headers))


class Handler(BaseHTTPRequestHandler):
    """The pages of the app."""

    server: WebApp

    def do_GET(self) -> None:
        """Answer a page."""
        place = urlsplit(self.path)
        if place.path == "/connect":
            state = secrets.token_urlsafe(16)
            self._answer(303, location=self.server.way_out(state), cookie=f"visit={state}; HttpOnly; SameSite=Lax")
        elif place.path == "/back":
            visit = SimpleCookie(self.headers.get("Cookie", "")).get("visit")
            wrong = self.server.come_back(dict(parse_qsl(place.query)), "" if visit is None else visit.value)
            self._answer(400, f"<p role=alert>{escape(wrong)}</p>") if wrong else self._answer(303, location="/")
        elif place.path == "/":
            self._answer(200, self._greeting())
        else:
            self._answer(404, "<p>There is no such page.</p>")

    def _greeting(self) -> str:
        if self.server.tokens is not None:
            try:
                me, turns = self.server.get("/me"), self.server.get("/me/turns")
                return f"<p>Hello {escape(me['name'])}, games that wait for you: {len(turns['items'])}</p>"
            except HTTPError:
                self.server.tokens = None
        return "<p>Not connected.</p><a href='/connect'>Connect with Boardroom</a>"

    def _answer(self, status: int, body: str = "", *, location: str = "", cookie: str = "") -> None:
        self.send_response(status)
        for name, value in (("Location", location), ("Set-Cookie", cookie), ("Content-Type", "text/html")):
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Boards</title><main><h1>Boards</h1>{body}</main>".encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing: a line would have the code in it."""


def fetched(request: Request) -> dict[str, Any]:
    """Return the JSON of an answer; HTTPError for a refusal."""
    with urlopen(request, timeout=10) as answer:
        body: dict[str, Any] = json.load(answer)
        return body
