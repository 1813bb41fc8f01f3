"""Checks of what a game tells the lobby, the site and authors of clients."""

from __future__ import annotations

import inspect
from pathlib import Path

from service.conformance.check import Checks, ensure, same
from service.rules.kernel import AnyRuleset, Unreadable, by_name
from service.rules.tabletop.table import Table

LOBBY = Checks()
SMALL_TALK = (
    *("castle", "Thanks", "TOMORROW", "dice", "Pizza!", "abba", "gmail", "xbox", "small", "Infinity", "hi"),
    *("Hallo", "Danke", "Spielzug", "Bürostuhl", "bonjour", "Merci", "C'est à vous", "«château»", "P.S.", "🎲"),
)


@LOBBY.ruleset("Look at Meta and its options: seats in rising order, English among the languages, a text for each.")
def the_lobby_is_told_what_it_needs(ruleset: AnyRuleset) -> None:
    """Check the numbers of players, the languages, the summary and the options."""
    meta = ruleset.meta
    same(meta.seats, tuple(sorted(set(meta.seats))), "the numbers of players")
    ensure(min(meta.seats) >= 1 and meta.revision >= 1 and meta.title, "seats, revision or title is missing")
    ensure("en" in meta.languages, "English is not among the languages")
    for texts in (meta.summary, *(option.describe for option in meta.options)):
        same(set(texts), set(meta.languages), "the languages of a text")
        ensure(all(texts.values()), "a text is empty")
    for option in meta.options:
        right = isinstance(option.default, bool) if option.type == "boolean" else option.default is None
        ensure(right, f"the default of {option.name} is no {option.type}")
    ensure(len(meta.options) == len({option.name for option in meta.options}), "two options have one name")


@LOBBY.ruleset("Name the unit of the game's course in every language, or leave it out: then it is the turn.")
def what_the_game_counts_in_is_named_in_every_language(ruleset: AnyRuleset) -> None:
    """Check the unit."""
    unit = ruleset.contributions.unit
    ensure(not unit or set(unit) >= set(ruleset.meta.languages), f"the unit is named in {', '.join(unit)} alone")
    for each in unit.values():
        ensure("{number}" in each.numbered, f"{each.numbered!r} has no {{number}}")
        ensure(all("{count}" in form for form in each.counted), f"{each.counted} lack a {{count}}")


@LOBBY.ruleset("Give `guide` the same chapters, terms and actions in every language, and examples with a text.")
def the_guide_says_the_same_in_every_language_of_the_game(ruleset: AnyRuleset) -> None:
    """Check chapters, terms and actions, and draw the examples."""
    first = ruleset.guide(ruleset.meta.languages[0])
    for language in ruleset.meta.languages:
        guide = ruleset.guide(language)
        names = [each.name for each in guide.chapters]
        same(names, [each.name for each in first.chapters], f"the chapters in {language}")
        same(set(guide.terms), set(first.terms), f"the terms in {language}")
        same(guide.actions, first.actions, f"the actions in {language}")
        ensure(set(guide.actions) <= set(guide.terms), "an action of the guide is no term of it")
        ensure(guide.chapters and all(each.title and each.paragraphs for each in guide.chapters), "an empty chapter")
        for example in (guide.example, *(each for chapter in guide.chapters for each in chapter.examples)):
            table = Table(ruleset, example.state, len(example.names), example.viewer, language, example.names)
            ensure(example.text, "an example without a text")
            ensure(table.board(table.changes(example.happened)).places, "an example without a board")


@LOBBY.ruleset("Make `event_types` and `action_types` with `by_name`.")
def events_and_actions_go_by_their_names(ruleset: AnyRuleset) -> None:
    """Check the stored names."""
    for types in (ruleset.event_types, ruleset.action_types):
        same(by_name(types.values()), dict(types), "the stored names")
    ensure("game-started" not in ruleset.event_types, "GameStarted is no event of a game")


@LOBBY.ruleset("Let `parse` raise Unreadable, with the text in it, for all that is no action.")
def words_that_are_no_notation_are_refused_and_quoted_as_they_were_typed(ruleset: AnyRuleset) -> None:
    """Check that no small talk is an action."""
    for words in SMALL_TALK:
        for typed in (words, words.upper(), f"  {words} "):
            try:
                action = ruleset.parse(typed)
            except Unreadable as refusal:
                ensure(typed.strip() in str(refusal), f"{typed!r} is not quoted in the refusal {str(refusal)!r}")
            else:
                ensure(False, f"{typed!r} is read as {action!r}")


@LOBBY.ruleset("Write a README.md in the package of the game: `# Title`, and every name in `backticks`.")
def the_readme_of_a_game_names_every_action_event_and_option(ruleset: AnyRuleset) -> None:
    """Check the README beside the rules."""
    package = Path(inspect.getfile(ruleset.decide)).parent
    # `decide` may be a package in that of the game.
    path = (package if (package / "README.md").is_file() else package.parent) / "README.md"
    ensure(path.is_file(), f"{path} is not there")
    readme = path.read_text(encoding="utf-8")
    ensure(readme.startswith(f"# {ruleset.meta.title}\n"), f"{path} does not begin with `# {ruleset.meta.title}`")
    names = [*ruleset.action_types, *ruleset.event_types, *(option.name for option in ruleset.meta.options)]
    same([name for name in names if f"`{name}`" not in readme], [], "not in the README")
