"""Checks of texts: sentences, notation, the table as text, standings."""

from __future__ import annotations

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.playouts import refusal_of
from service.inbound.grammar import Act, read_reply
from service.rules.typography import UNBREAKABLE_SPACE

WORDS = Checks()


def check_typeset(language: str, text: str) -> None:
    """Check that French has no line end before a colon or inside quotation marks."""
    ensure(language != "fr" or not UNBREAKABLE_SPACE.search(text), f"not typeset: {text!r}")


@WORDS.games(3, "Let `notate` write one line of at most 60 printable characters, which `parse` reads back.")
def notation_can_be_read_again(trial: Trial) -> None:
    """Check the notation of legal actions."""
    ruleset = trial.ruleset
    for state in trial.game.states[::3]:
        for seat in ruleset.to_act(state):
            for action in ruleset.legal(state, seat):
                line = ruleset.notate(action)
                same(ruleset.parse(line), action, f"what {line!r} is read as")
                ensure(len(line) <= 60 and line.isprintable(), f"{line!r} is no line of 60 printable characters")


@WORDS.games(
    1, "Write actions otherwise than the commands of mails: help, show, undo, resign, mute, orders, cancel, say."
)
def a_line_of_notation_is_played_when_it_stands_in_a_reply(trial: Trial) -> None:
    """Check that no command of mails, in any language, comes before an action."""
    ruleset = trial.ruleset
    for state in trial.game.states[::5]:
        for seat in ruleset.to_act(state):
            for action in ruleset.legal(state, seat)[:50]:
                line = ruleset.notate(action)
                same(read_reply(ruleset, line).command, Act(action, line), f"what {line!r} means in a reply")
                orders = read_reply(ruleset, f"then {line}").orders
                same(orders, (Act(action, line),), f"what 'then {line}' means in a reply")


@WORDS.games(1, "Let `describe` return a sentence for each event and action, without blanks round it; use `typeset`.")
def every_event_and_action_is_told_in_every_language(trial: Trial) -> None:
    """Check the sentences."""
    ruleset, game = trial.ruleset, trial.game
    for language in ruleset.meta.languages:
        for viewer in trial.viewers:
            for thing in [*game.log()[1:], *(step.action for step in game.steps)]:
                sentence = ruleset.describe(thing, viewer, language, trial.names)
                ensure(sentence and sentence.strip() == sentence, f"{thing} is told as {sentence!r} in {language}")
                check_typeset(language, sentence)


@WORDS.games(1, "Let `describe` make a sentence of every code of Illegal in every language.")
def refusals_are_told_in_every_language(trial: Trial) -> None:
    """Check the sentences of refusals."""
    ruleset, game = trial.ruleset, trial.game
    for step in game.steps[::7]:
        for seat in range(trial.seats):
            refusal = refusal_of(ruleset, game.states[-1], seat, step.action)
            ensure(refusal is not None, f"{step.action} of seat {seat} is accepted after the end")
            for language in ruleset.meta.languages if refusal is not None else ():
                told = ruleset.describe(refusal, seat, language, trial.names)
                ensure(told.strip(), f"{refusal} is told as nothing in {language}")


@WORDS.games(1, "Break or shorten the lines of `draw` at 72 columns (typography.py), and typeset French.")
def the_table_is_drawn_in_72_columns(trial: Trial) -> None:
    """Check the width of the table as text."""
    ruleset, game = trial.ruleset, trial.game
    for state in game.states[::9] + game.states[-1:]:
        for viewer in trial.viewers:
            for language in ruleset.meta.languages:
                drawn = ruleset.draw(ruleset.view(state, viewer), language, trial.names)
                ensure(drawn, "the table is drawn as nothing")
                for line in drawn.splitlines():
                    ensure(len(line) <= 72, f"{len(line)} columns: {line!r}")
                check_typeset(language, drawn)


@WORDS.games(1, "Change the line of `draw`, or what `parse` reads: quoted in a mail, it would be played.")
def no_line_of_the_table_can_be_taken_for_a_reply(trial: Trial) -> None:
    """Check each line of the table as if it came in a reply."""
    ruleset = trial.ruleset
    for number, state in enumerate(trial.game.states[::3]):
        # Where a line is broken depends on how long the names are.
        names = [each[:2] * (1 + number % 8) for each in trial.names]
        for language in ruleset.meta.languages:
            drawn = ruleset.draw(ruleset.view(state, number % trial.seats), language, names)
            same([line for line in drawn.splitlines() if read_reply(ruleset, line).found], [], "read as replies")


@WORDS.games(
    1, "Let `explain` begin with a section that has a row with the name of each seat; heads are as long as rows."
)
def the_standings_explain_themselves_in_every_language(trial: Trial) -> None:
    """Check the sections of the explanation."""
    ruleset, states = trial.ruleset, trial.game.states
    for state in (states[0], states[len(states) // 2], states[-1]):
        for viewer in trial.viewers:
            for language in ruleset.meta.languages:
                told = ruleset.standings(state, viewer)
                totals, *others = ruleset.explain(told, viewer, language, trial.names)
                named = all(name in str(totals.rows) for name in trial.names)
                ensure(len(totals.rows) >= trial.seats and named, "a seat has no row among the totals")
                for part in (totals, *others):
                    ensure(part.title and (part.rows or part.lines) and all(part.lines), f"{part} says nothing")
                    ensure({len(row) for row in part.rows} <= {len(part.head)}, f"{part} has rows of another length")
