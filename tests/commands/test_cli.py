"""The `boardroom` command as a whole: its help, its completion, and what it says when something is wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from service.commands.cli import COMMANDS, main
from service.commands.selfplay import Playout
from service.rules.kernel import AnyRuleset
from tests.record.records import sealed

BOARDROOM = Path(sys.executable).with_name("boardroom")
SERVER_PACKAGES = ("sqlalchemy", "psycopg", "alembic", "flask", "werkzeug", "redis", "rq", "marshmallow")
OFFLINE = ("verify", "listing", "plot", "selfplay")


def fresh(program: str, **environment: str) -> str:
    """Return the output of a program in an interpreter of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    return ran.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"Usage: boardroom {name} ")
    assert main([name, "-h"]) == 0
    assert capsys.readouterr().out == told


def module_of(command: str) -> str:
    return f"service.commands.{COMMANDS[command][0].split(':')[0]}"


def test_help_lists_every_command_and_imports_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n  {name} " in told for name in COMMANDS)
    imported = fresh(
        "import sys\n"
        "from service.commands.cli import main\n"
        "main(['--help'])\n"
        f"print([name for name in sys.modules if name.partition('.')[0] in {SERVER_PACKAGES}\n"
        "       or name.startswith('service.') and name.split('.')[1] not in {'commands', 'rules'}])"
    )
    assert imported.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "module",
    [
        "service.rules.registry",
        "service.commands.cli",
        *map(module_of, OFFLINE),
    ],
)
def test_what_is_for_records_alone_brings_no_database_and_no_server_along(module: str) -> None:
    imported = fresh(f"import {module}, sys; print([name for name in {SERVER_PACKAGES} if name in sys.modules])")
    assert imported == "[]\n"


def test_a_record_is_verified_without_any_setting_of_a_database(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(sealed())
    ran = subprocess.run(
        [sys.executable, "-m", "service.commands", "verify", str(file)],
        capture_output=True,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.endswith("_URL")},
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{file}: the record of game audit-1 holds\n")


def test_it_says_which_version_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    name, version = capsys.readouterr().out.split()
    assert name == "boardroom" and version[0].isdigit()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["verfy"], "No such command 'verfy'. Did you mean 'verify'?"),
        (["verify", "--jsn", "x"], "No such option '--jsn'. Did you mean '--json'?"),
        (["verify"], "Missing argument 'FILE...'."),
        (["export", "--all", "--public", "--out", "x"], "Name games by their ids, or use one of --all and --public."),
        (["export", "--out", "x"], "Name games by their ids, or use one of --all and --public."),
        (["audit", "--since", "yesterday"], "'yesterday' is no date such as 2026-01-31."),
        (["audit", "--sample", "3000000000"], "3000000000 is not in the range 1<=x<=2147483647."),
        (["selfplay", "--players", "2", "--games", "0"], "0 is not in the range x>=1."),
        (
            ["selfplay", "--players", "2", "--ruleset", "chess"],
            "'chess' is none of those installed: new-corp-order, bastards-inc.",
        ),
        (
            ["selfplay", "--players", "2", "--option", "shortgame=true"],
            "'shortgame' is no option of New Corp Order: short-game, first-player, corporate-accountant, deluxe.",
        ),
        (["selfplay", "--players", "2", "--option", "short-game=yes"], "short-game is one of true, false."),
        (["selfplay", "--players", "2", "--option", "first-player=2"], "first-player is one of 0, 1."),
    ],
)
def test_what_is_misspelt_is_said_with_what_was_meant_perhaps(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULESET_PACKAGES", raising=False)
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[0].startswith("Usage: boardroom")
    assert told.err.splitlines()[-1].endswith(said)


def test_no_command_is_answered_with_the_list_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "  verify " in capsys.readouterr().err


@pytest.mark.parametrize(("shell", "sign"), [("bash", "complete -o"), ("zsh", "#compdef boardroom"), ("fish", "fish")])
def test_the_script_that_completes_is_printed_for_each_shell(
    shell: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    told = capsys.readouterr().out
    assert sign in told and f"_BOARDROOM_COMPLETE={shell}_complete" in told


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_take_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} on this machine")
    assert main(["completion", shell]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    assert subprocess.run([shell, "-n", str(script)], check=False).returncode == 0


def completed(words: str, **environment: str) -> list[str]:
    """Return bash's completions of these words."""
    program = f"""
eval "$(boardroom completion bash)"
COMP_WORDS=({words}) COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
$(complete -p boardroom | sed 's/.*-F \\([^ ]*\\).*/\\1/') boardroom
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{BOARDROOM.parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PATH": path, **environment},
    )
    assert ran.stderr == ""
    return ran.stdout.split()


def test_bash_completes_commands_options_and_shells() -> None:
    assert completed("boardroom ver") == ["verify"]
    assert completed("boardroom verify --pr") == ["--proof"]
    assert completed("boardroom completion z") == ["zsh"]


@pytest.mark.parametrize("words", [["listing"], ["plot", "--out", "."], ["verify"], ["verify", "--keys"]])
def test_a_file_that_is_not_there_is_a_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "whole.jsonl"
    file.write_bytes(sealed())
    missing = str(tmp_path / "missing")
    assert main([*words, missing, *([str(file)] if "--keys" in words else [])]) == 2
    assert capsys.readouterr().err == f"boardroom: {missing} cannot be used: no such file or directory\n"


def test_a_folder_that_cannot_be_written_to_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    assert main(["selfplay", "--players", "2", "--out", str(taken)]) == 2
    assert capsys.readouterr().err == f"boardroom: {taken} cannot be used: file exists\n"


@pytest.mark.long
@pytest.mark.parametrize(
    "command", ["audit", "export --all --out x", "import FILE", "rebuild", "ratings rebuild", "migrate", "up"]
)
@pytest.mark.parametrize("named", ["", "no.such.package", "json"])
def test_what_is_wrong_with_the_environment_is_one_line(
    command: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESET_PACKAGES", named)
    monkeypatch.setenv("DATABASE_URL", "postgresql://zoe:hush@127.0.0.1:1/none")
    Path("FILE").write_bytes(sealed())
    assert main(command.split()) == (1 if command in {"rebuild", "ratings rebuild", "migrate", "up"} else 2)
    told = capsys.readouterr().err
    assert told.startswith("boardroom: ") and told.count("\n") == 1
    assert "hush" not in told and "Errno" not in told
    if named and command != "migrate":
        assert f"RULESET_PACKAGES is '{named}', and no games are found there" in told


def test_a_fault_of_the_program_is_a_sentence_with_an_exit_code_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(ruleset: AnyRuleset, seats: int, options: Mapping[str, object], seed: str, recorded: bool) -> Playout:
        raise KeyError("a card that nobody else should see")

    monkeypatch.setattr("service.commands.selfplay.play_out", broken)
    assert main(["selfplay", "--players", "2"]) == 70
    told = capsys.readouterr().err
    assert told.startswith("boardroom: the program itself has a fault (KeyError in test_cli.py, line ")
    assert "Traceback" not in told and "card" not in told


@pytest.mark.parametrize("name", ["listing", "verify"])
def test_who_reads_no_further_is_not_complained_to(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(sealed())
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-m", "service.commands", name, str(file)]
    with os.fdopen(writing, "wb") as stdout:
        ran = subprocess.run(line, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (141, b"")
