"""The page of the workbench: one step of a random game, with links to the others."""

from __future__ import annotations

import traceback

from flask import Flask, Response, render_template, request

from service.commands.terminal import Refused
from service.commands.workbench.eyes import ShownStep
from service.commands.workbench.saved_package import SavedPackage
from service.conformance.playouts import ENDLESS, random_game
from service.rules.kernel import AnyRuleset

_SEEDS = 10


def create_page(package: SavedPackage) -> Flask:
    """Return the app: the page at `/`, and at `/stamp` what differs after each saving."""
    app = Flask(__name__)

    @app.get("/")
    def page() -> str | tuple[str, int]:
        stamp = package.stamp()
        try:
            return _page(package.ruleset(), stamp)
        except Refused as refusal:
            return render_template("broken.html", stamp=stamp, wrong=str(refusal)), 500
        except Exception:
            return render_template("broken.html", stamp=stamp, wrong=traceback.format_exc()), 500

    @app.get("/stamp")
    def stamp() -> Response:
        return Response(package.stamp(), content_type="text/plain; charset=utf-8")

    return app


def _page(ruleset: AnyRuleset, stamp: str) -> str:
    meta = ruleset.meta
    seats, seed = _number("players", meta.seats[0], meta.seats), _number("seed", 0, range(_SEEDS))
    language = request.args.get("language", "")
    language = language if language in meta.languages else meta.languages[0]
    game = random_game(ruleset, seats, seed)
    last = len(game.steps)
    step = min(_number("step", 0, range(ENDLESS + 1)), last)
    return render_template(
        "workbench.html",
        stamp=stamp,
        meta=meta,
        moment=ShownStep(ruleset, seats, game, step, language),
        last=last,
        seeds=range(_SEEDS),
        here={"players": seats, "seed": seed, "language": language, "step": step},
    )


def _number(name: str, usual: int, allowed: tuple[int, ...] | range) -> int:
    given = request.args.get(name, "")
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 6 else usual
    return number if number in allowed else usual
