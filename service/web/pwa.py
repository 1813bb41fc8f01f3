"""Installable site (PWA): manifest, service worker, offline page, icons, robots.txt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from flask import Response

from service.web.blueprint import web
from service.web.page import render
from service.web.session import language

_STATIC: Final = Path(__file__).with_name("static")
WORKER: Final = _STATIC / "service-worker.js"
WORKER_POLICY: Final = "default-src 'none'; connect-src 'self'"
"""Content-Security-Policy of the worker, which requests pages of this server and nothing else."""
MANIFEST: Final = {
    "id": "/",
    "name": "Boardroom",
    "short_name": "Boardroom",
    "start_url": "/games",
    "scope": "/",
    "display": "standalone",
    "background_color": "#efeee8",
    "theme_color": "#24594e",
    "icons": [
        {"src": f"/look/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
        for size in (192, 512)
    ],
}
"""Manifest (W3C Web Application Manifest) with which browsers install the site."""
ROBOTS: Final = "User-agent: *\nAllow: /$\nAllow: /look/\nAllow: /play/\nAllow: /rules\nDisallow: /\n"
"""Rules for robots (RFC 9309). Pages about games are allowed; most others are about people, and some links play."""
ICON_AGE: Final = "public, max-age=86400"


@web.get("/manifest.webmanifest")
def show_manifest() -> Response:
    return Response(
        json.dumps(MANIFEST), content_type="application/manifest+json", headers={"Cache-Control": "no-cache"}
    )


@web.get("/service-worker.js")
def show_service_worker() -> Response:
    """Return the service worker, at an address whose scope is the whole site."""
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": WORKER_POLICY}
    return Response(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8", headers=headers)


@web.get("/offline")
def show_offline() -> Response:
    """Show the page that the service worker shows offline; it holds nothing private."""
    return render("offline.html", language())


@web.get("/favicon.ico")
def show_icon() -> Response:
    """Return the icon for programs that ask for the icon without reading a page."""
    headers = {"Cache-Control": ICON_AGE}
    return Response((_STATIC / "icon-192.png").read_bytes(), content_type="image/png", headers=headers)


@web.get("/robots.txt")
def show_robots() -> Response:
    return Response(ROBOTS, content_type="text/plain; charset=utf-8", headers={"Cache-Control": ICON_AGE})
