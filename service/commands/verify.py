"""`boardroom verify`: checks game records offline, without the service, its database or the network."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from service.commands.rulesets import installed_rulesets
from service.commands.terminal import Refused, exit_code, in_words, progress, say, say_text, say_verdict
from service.record.deal import DealProof, check_deal, read_deal
from service.record.merkle import InclusionProof, included, read_way
from service.record.origin import verify_with_origins
from service.record.reading import read_bounded_file, records_in
from service.record.seal import PublicKey, read_keys
from service.record.verify import Report, Runs
from service.rules.kernel import AnyRuleset

MAX_ORIGINS_BYTES: Final = 128_000_000
_MARKS: Final = {True: "ok", False: "WRONG", None: "not checked"}
_VERDICTS: Final = {True: "holds", False: "does NOT hold", None: "cannot be checked here"}
_FILE: Final = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """References for checks: rules, published keys if any, records of origins, proofs, and days' deals."""

    rulesets: Mapping[str, AnyRuleset]
    keys: Sequence[PublicKey] | None
    origins: Sequence[bytes]
    ways: Sequence[InclusionProof]
    deals: Sequence[DealProof]


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that was checked: its file, its first line there, and its report, whose lines count from that one."""

    path: Path
    begin: int
    report: Report


@click.command(
    "verify",
    epilog="Exit code: 0 if all of them hold, 1 if something is wrong, 2 if a file cannot be read, 3 if nothing is "
    "wrong, but something cannot be checked here: the rules of a game or their revision are not installed, the time "
    "zone of its clock is not known, or a newer version wrote the record. Games are looked for in the "
    "Python packages that RULESET_PACKAGES names.",
)
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option(
    "--keys",
    type=_FILE,
    metavar="FILE",
    help="the published keys, a file of what a service has at /.well-known/boardroom-keys.json: without them nobody "
    "can say whose a seal is",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="the record of the game that a game goes on from, without which nobody can say what happened there",
)
@click.option(
    "--proof",
    "proofs",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="the answer of /api/v1/games/{id}/proof: the way from the seal to the root of its day",
)
@click.option(
    "--deal",
    "deals",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="the answer of /api/v1/deals/{day}/proof: what was committed to before the day of the game's deal",
)
@click.option("--json", "as_json", is_flag=True, help="print the reports as JSON")
def command(
    files: Sequence[Path],
    keys: Path | None,
    origins: Sequence[Path],
    proofs: Sequence[Path],
    deals: Sequence[Path],
    as_json: bool,
) -> int:
    """Check records of finished games, level by level; a FILE (.jsonl or .jsonl.gz) may hold several.

    The levels are form, hash chain, seal and draws, and, by playing the game once more, every action, event and score.
    Two different records of one game contradict each other.
    """
    try:
        against = Against(
            rulesets=installed_rulesets(),
            keys=None if keys is None else _keys(keys),
            origins=_origins(origins),
            ways=[read_way(path) for path in proofs],
            deals=[read_deal(path) for path in deals],
        )
        with progress("checking records") as step:
            checked = _checked(files, against, step)
            return _print_json(checked) if as_json else _print_words(checked)
    except OSError as error:
        raise Refused(in_words(error)) from error
    except ValueError as error:
        raise Refused(str(error)) from error


def _checked(files: Sequence[Path], against: Against, step: Callable[[], None]) -> Iterator[Checked]:
    runs = Runs()
    for path in files:
        for begin, record in records_in(path):
            report = verify_with_origins(record, against.rulesets, against.keys, against.origins)
            report = check_deal(record, included(record, report, against.ways), against.deals, against.keys)
            report = runs.compared(path, begin, record, report)
            yield Checked(path, begin, report)
            step()


def _print_json(checked: Iterable[Checked]) -> int:
    """Print a list of the reports, each as soon as it is there: it is whole even where a file cannot be read on."""
    came_to: Counter[bool | None] = Counter()
    try:
        for each in checked:
            told = {"file": str(each.path), "begins": each.begin, **each.report.as_json()}
            say("," if came_to else "[")
            say_text(json.dumps(told, indent=1))
            came_to[each.report.holds] += 1
    finally:
        say("]" if came_to else "[]")
    return exit_code(came_to[False], came_to[None])


def _print_words(checked: Iterable[Checked]) -> int:
    """Print each report as soon as it is there, and in the end what came of all of them, if there are several."""
    came_to: Counter[bool | None] = Counter()
    for each in checked:
        say(*[""] * bool(came_to))
        _print_report(each)
        came_to[each.report.holds] += 1
    if came_to.total() > 1:
        unchecked = f"; cannot be checked here: {came_to[None]}" if came_to[None] else ""
        say("", f"records: {came_to.total()}; of them do not hold: {came_to[False]}{unchecked}")
    return exit_code(came_to[False], came_to[None])


def _print_report(checked: Checked) -> None:
    place = "" if checked.begin == 1 else f", from line {checked.begin}"
    say(f"{checked.path}{place}: the record of game {checked.report.game or '?'} {_VERDICTS[checked.report.holds]}")
    for finding in checked.report.findings:
        line = "" if finding.line is None else f"line {checked.begin - 1 + finding.line}: "
        say_verdict(f"  {finding.level:<6} ", f"{_MARKS[finding.holds]:<12}", f" {line}{finding.said}")


def _origins(paths: Sequence[Path]) -> list[bytes]:
    origins, length = list[bytes](), 0
    for path in paths:
        for _, record in records_in(path):
            length += len(record)
            if length > MAX_ORIGINS_BYTES:
                raise OSError(f"{path} makes it more than {MAX_ORIGINS_BYTES:,} bytes of origins: name fewer")
            origins.append(record)
    return origins


def _keys(path: Path) -> Sequence[PublicKey]:
    try:
        return list(read_keys(json.loads(read_bounded_file(path))))
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path} is no list of published keys") from error
