"""`boardroom completion`: prints the script by which a shell completes commands, options and files."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

from service.commands.terminal import say_text

SHELLS: Final = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog='For example, in ~/.bashrc or ~/.zshrc: eval "$(boardroom completion bash)" (or zsh); with fish: '
    "boardroom completion fish > ~/.config/fish/completions/boardroom.fish",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes the boardroom commands in a shell."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 # for the type checker: the choice is among those that click has
    say_text(kind(ctx.find_root().command, {}, "boardroom", "_BOARDROOM_COMPLETE").source())
    return 0
