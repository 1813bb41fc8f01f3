"""`boardroom workbench`: a page on this machine that shows a game at every step, through all eyes."""

from __future__ import annotations

import click
from werkzeug.serving import WSGIRequestHandler, make_server

from service.commands.rulesets import package_argument
from service.commands.terminal import Refused, in_words, say
from service.commands.workbench.page import create_page
from service.commands.workbench.saved_package import SavedPackage


class _Quiet(WSGIRequestHandler):
    """Says nothing of requests that are answered: the page asks every second whether something was saved."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


@click.command("workbench", epilog="Exit code: 0, 2 if there is no such game, or the port is taken.")
@package_argument
@click.option("--port", type=click.IntRange(1, 65535), default=8010, show_default=True, help="the port of the page")
def command(package: str, port: int) -> int:
    """Show a random game of the game in PACKAGE: text, picture and turn mail of each step, as each seat sees them.

    The page is for this machine only. It is shown anew whenever a file of the package is saved. Ctrl-C ends it.
    """
    game = SavedPackage(package)
    try:
        server = make_server("127.0.0.1", port, create_page(game), threaded=True, request_handler=_Quiet)
    except (OSError, SystemExit) as error:
        why = in_words(error) if isinstance(error, OSError) else f"port {port} is taken"
        raise Refused(f"the page cannot be shown: {why}. Choose another --port.") from error
    say(f"{game.ruleset().meta.title}: http://127.0.0.1:{port}/")
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("The workbench has ended.")
    return 0
