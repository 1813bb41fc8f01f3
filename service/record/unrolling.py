"""A record as the log that it was made from, to be looked at again without a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.log.codec import Codec
from service.log.recorded import Recorded
from service.log.timeline import Timeline, unroll
from service.record.canonical import canonical
from service.record.reading import Faulty, RecordLine, RulesMissing, read, recorded
from service.record.verify import verify
from service.rules.kernel import AnyRuleset, at_revision


class NothingPlayed(Exception):
    """The game of a record that holds was called off before it began: there are no steps to look at."""


def unrolled(data: bytes, rulesets: Mapping[str, AnyRuleset]) -> Timeline:
    """Return a record's log as its steps.

    Raises Faulty if the record does not hold, since it may then tell of anything, RulesMissing, FormatUnknown, and
    NothingPlayed.
    """
    report = verify(data, rulesets)
    *_, last = report.findings
    if report.holds is False:
        raise Faulty(last.line or 1, last.said)
    lines = read(data)
    if report.holds is None:
        raise RulesMissing(last.said)
    if all(line.kind != "step" for line in lines):
        raise NothingPlayed
    return unroll_lines(lines, rulesets)


def unroll_lines(lines: Sequence[RecordLine], rulesets: Mapping[str, AnyRuleset]) -> Timeline:
    """Return the log of a record that holds as its steps, under the rules that it was played by."""
    header = lines[0].fields
    ruleset = at_revision(rulesets[header["ruleset"]], header["revision"])
    return unroll(ruleset, list(_log(Codec(ruleset), [line for line in lines if line.kind == "step"])))


def _log(codec: Codec, steps: Sequence[RecordLine]) -> Iterator[Recorded]:
    for line in steps:
        happened = [codec.decode(each["type"], canonical(each["data"])) for each in line.fields["events"]]
        yield from recorded(line, happened)
