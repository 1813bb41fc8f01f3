"""Turns of players: Plot, Infiltrate, Takeover, the solo player's decisions, the end of a turn (R-10 to R-22)."""

from __future__ import annotations

from typing import Any, cast

from service.rules.games.new_corp_order.abilities import can_use, use_ability
from service.rules.games.new_corp_order.actions import (
    Ability,
    ChooseConglomerates,
    Discard,
    Infiltrate,
    PlaceAgents,
    Plot,
    TakeOver,
    agents_of,
    cards_of,
    rotated_by,
)
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AgentsMoved,
    AgentsPlaced,
    CardsDiscarded,
    CardsDrawn,
    CardsPlaced,
    CardsRotated,
    CardTaken,
    CompanyTakenOver,
    ConglomeratesChosen,
    ConsultantTaken,
    ConsultantUsed,
    DecisionReached,
    DefenderHired,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TakeoverFailed,
    TurnBegan,
    TurnPassed,
    Zone,
)
from service.rules.games.new_corp_order.evolve import Course
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.legal import can_act, check_consultant, is_last_of_colour, takeover_succeeds
from service.rules.games.new_corp_order.scoring import final_scores, winners
from service.rules.games.new_corp_order.state import cards_due
from service.rules.games.new_corp_order.terms import (
    CARDS_FOR_CONSULTANT,
    COLOURS,
    HAND_LIMIT,
    SLOTS,
    Colour,
    count,
)
from service.rules.kernel import Illegal


def plot(course: Course, action: Plot) -> None:
    """Take one card or two; after a lone first card ask for the second (R-12)."""
    due = cards_due(course.state)
    if not 1 <= len(action.sources) <= due:
        raise Illegal("wrong-number-of-cards", "R-12", least=min(1, due), most=due)
    for source in action.sources:
        state = course.state
        if source == "deck":
            if not state.deck:
                raise Illegal("empty-deck", "R-12")
            card: Colour | None = state.deck[0]
        else:
            slot = SLOTS.index(source)
            card = state.display[slot] if slot < len(state.display) else None
        if card is None:
            raise Illegal("empty-slot", "R-12", slot=source)
        # Alone against ODS own cards go to the HQ, those of the other side to the box.
        to: Zone = "hand" if not state.solo else "hq" if card in state.colours[state.active] else "box"
        course.record(CardTaken(seat=state.active, source=source, card=card, to=to))
    if len(action.sources) < due:
        course.record(DecisionReached(seat=course.state.active, decision="second-card"))
    elif course.state.solo:
        finish_solo_plot(course)
    else:
        finish_plot(course)


# Infiltrate: cards from the hand into the HQ, as many agents to a company.


def infiltrate(course: Course, action: Infiltrate) -> None:
    """Place cards and agents, with the help of at most one consultant."""
    state, seat = course.state, course.state.active
    if state.solo:
        raise Illegal("no-infiltrate-in-solo", "R-51")
    check_consultant(state, action)
    check_colours(action)
    hand = state.hands[seat]
    for placement in action.placements:
        colour = placement.colour
        if placement.cards < 1:
            raise Illegal("no-cards-placed", "R-15")
        if placement.cards > hand[colour]:
            raise Illegal("cards-not-in-hand", "R-15", colour=colour, held=hand[colour])
        if action.joker is not None and not hand[action.joker]:
            raise Illegal("cards-not-in-hand", "R-15", colour=action.joker, held=0)
        if agents_of(placement, action) > state.supply[colour]:
            rule = "R-78" if action.use == "spin-doctor" else "R-15"
            raise Illegal("supply-too-small", rule, colour=colour, left=state.supply[colour])
        if placement.company not in state.companies:
            raise Illegal("no-such-company", square=placement.company)
        if state.companies[placement.company].colour != colour:
            raise Illegal("other-colour-there", "R-15", square=placement.company, colour=colour)

    # Three cards of one colour let the player take a consultant.
    if action.take is not None:
        if max(cards_of(placement, action) for placement in action.placements) < CARDS_FOR_CONSULTANT:
            raise Illegal("too-few-cards-for-consultant", "R-16")
        if action.take == action.use:
            raise Illegal("consultant-just-used", "R-16", consultant=action.take)
        if not state.consultants.get(action.take):
            raise Illegal("consultant-not-in-supply", "R-16", consultant=action.take)

    if action.use is not None:
        course.record(ConsultantUsed(seat=seat, consultant=action.use))
    for placement in action.placements:
        colour, agents = placement.colour, agents_of(placement, action)
        course.record(CardsPlaced(seat=seat, colour=colour, cards=placement.cards))
        if action.joker is not None:
            course.record(CardsPlaced(seat=seat, colour=action.joker, cards=1))
        course.record(AgentsPlaced(seat=seat, company=placement.company, colour=colour, agents=agents))
    if action.take is not None:
        course.record(ConsultantTaken(seat=seat, consultant=action.take))
    finish_turn(course)


def check_colours(action: Infiltrate) -> None:
    """Refuse colours that no table allows together."""
    placed = [placement.colour for placement in action.placements]
    if not placed:
        raise Illegal("no-cards-placed", "R-15")
    if action.use == "corporate-lawyer":
        if len(placed) != 2 or placed[0] == placed[1]:
            raise Illegal("corporate-lawyer-needs-two-colours", "R-18")
    elif len(placed) > 1:
        raise Illegal("second-colour-needs-corporate-lawyer", "R-18")
    if action.joker is not None and action.use != "media-advisor":
        raise Illegal("joker-needs-media-advisor", "R-17")
    if action.joker is None and action.use == "media-advisor":
        raise Illegal("media-advisor-needs-joker", "R-17")
    if action.joker in placed:
        raise Illegal("joker-of-main-colour", "R-17", colour=action.joker)


# Takeover: rotated cards move agents to an adjacent company, and may win it.


def take_over(course: Course, action: TakeOver) -> None:
    """Rotate the cards and move the agents; a won company's ability is a decision of its own."""
    state, seat, agents = course.state, course.state.active, action.agents
    check_consultant(state, action)
    for square in (action.source, action.target):
        if square not in state.companies:
            raise Illegal("no-such-company", square=square)
    if action.target not in neighbours_of(len(state.companies))[action.source]:
        raise Illegal("not-adjacent", "R-19", source=action.source, target=action.target)
    source, target = state.companies[action.source], state.companies[action.target]
    colour = source.colour
    if state.solo and colour not in state.colours[seat]:
        raise Illegal("not-your-conglomerate", "R-53", colour=colour)

    # Agents are paid for with unrotated cards; one agent stays, and a colour never leaves the grid.
    if agents < 1:
        raise Illegal("no-agents-moved", "R-19")
    if rotated_by(action) < 1:
        raise Illegal("corporate-accountant-needs-two-agents", "R-72")
    unrotated = state.hqs[seat].cards[colour]
    if rotated_by(action) > unrotated:
        raise Illegal("too-few-cards", "R-19", colour=colour, unrotated=unrotated)
    if agents >= source.agents:
        raise Illegal("last-agent-stays", "R-19", square=action.source)
    wins = takeover_succeeds(target, colour, agents, action.use)
    if wins and is_last_of_colour(state, target.colour):
        raise Illegal("last-of-colour", "R-20", colour=target.colour)

    # The agents join others of their colour, win the company, or are driven back.
    if action.use is not None:
        course.record(ConsultantUsed(seat=seat, consultant=action.use))
    course.record(CardsRotated(hq=seat, colour=colour, cards=rotated_by(action)))
    move: dict[str, Any] = {"source": action.source, "target": action.target, "colour": colour, "agents": agents}
    if target.colour == colour:
        course.record(AgentsMoved(**move))
    elif not wins:
        course.record(TakeoverFailed(seat=seat, **move))
    else:
        course.record(CompanyTakenOver(seat=seat, **move, defender=target.colour, defenders=target.agents))
        if action.use == "headhunter" and target.agents > 1:
            course.record(DefenderHired(seat=seat, colour=target.colour))

    # An ability that could change nothing is no decision.
    taken_over = course.state.taken_over
    if taken_over is not None and can_use(course.state):
        course.record(DecisionReached(seat=seat, decision="ability"))
        return
    if taken_over is not None:
        course.record(AbilityLapsed(seat=seat, company=taken_over))
    finish_takeover(course)


def use_won_ability(course: Course, action: Ability) -> None:
    """Use or skip the ability of the company just won, and end the turn."""
    use_ability(course, action)
    finish_takeover(course)


# The solo player's decisions: conglomerates, placement of agents, the end.


def choose_conglomerates(course: Course, action: ChooseConglomerates) -> None:
    """Take two colours; ODS gets the others, and the player the first turn (R-50)."""
    first, second = action.colours
    if first == second:
        raise Illegal("two-different-colours", "R-50")
    others = tuple(colour for colour in COLOURS if colour not in action.colours)
    course.record(ConglomeratesChosen(player=action.colours, ods=cast("tuple[Colour, Colour]", others)))
    course.record(TurnBegan(seat=0))


def finish_solo_plot(course: Course) -> None:
    """Ask where the agents of the cards just taken go, or look at the display (R-51)."""
    if course.state.to_place:
        course.record(DecisionReached(seat=course.state.active, decision="placement"))
    else:
        check_display(course)


def place_agents(course: Course, action: PlaceAgents) -> None:
    """Put the agents of each colour taken on one company of that colour (R-15, R-51)."""
    state = course.state
    colours = tuple(dict.fromkeys(state.to_place))
    chosen = {}
    for square in action.companies:
        if square not in state.companies:
            raise Illegal("no-such-company", square=square)
        chosen[state.companies[square].colour] = square
    if len(action.companies) != len(colours) or set(chosen) != set(colours):
        raise Illegal("one-company-per-colour", "R-51", colours=colours)
    for colour in colours:
        agents = state.to_place.count(colour)
        course.record(AgentsPlaced(seat=state.active, company=chosen[colour], colour=colour, agents=agents))
    check_display(course)


def check_display(course: Course) -> None:
    """Refill an empty display, or end the game if that is not possible; else the other side moves (R-51, R-52)."""
    state = course.state
    if all(card is None for card in state.display):
        if len(state.deck) < len(state.display):
            end_game(course)
            return
        refill_display(course)
    begin_next_turn(course)


# The end of a turn: refill, hand limit, last round, end of the game.

DEALMAKER_CARDS = 2


def refill_display(course: Course) -> bool:
    """Fill the empty slots from the left; return whether the deck had enough cards (R-12, R-13)."""
    state = course.state
    empty = [slot for slot, card in zip(SLOTS, state.display, strict=False) if card is None]
    cards = tuple(zip(empty, state.deck, strict=False))
    if cards:
        course.record(DisplayRefilled(cards=cards))
    return len(cards) == len(empty)


def finish_plot(course: Course) -> None:
    """Refill the display after a Plot of a game for 2 to 4, and end the turn."""
    refilled = refill_display(course)
    if not refilled and course.state.final_turns is None:
        course.record(EndTriggered(seat=course.state.active))
    finish_turn(course)


def finish_takeover(course: Course) -> None:
    """Let a Dealmaker draw after the takeover and its ability (R-21), and end the turn."""
    state = course.state
    if state.used == "dealmaker" and state.deck:
        course.record(CardsDrawn(seat=state.active, cards=state.deck[:DEALMAKER_CARDS]))
    finish_turn(course)


def finish_turn(course: Course) -> None:
    """Ask for discards above the hand limit (R-14), or pass the turn on."""
    state = course.state
    if sum(state.hands[state.active].values()) > HAND_LIMIT:
        course.record(DecisionReached(seat=state.active, decision="discard"))
    else:
        begin_next_turn(course)


def begin_next_turn(course: Course) -> None:
    """Give the turn to the next seat that can act, or end the game after the last round (R-10, R-40)."""
    while course.state.final_turns != 0:
        seat = (course.state.active + 1) % len(course.state.hqs)
        if can_act(course.state, seat):
            course.record(TurnBegan(seat=seat))
            return
        course.record(TurnPassed(seat=seat))
    end_game(course)


def end_game(course: Course) -> None:
    """Score the table and name the winners."""
    scores = final_scores(course.state)
    course.record(GameEnded(scores=scores, winners=winners(course.state, scores)))


def discard(course: Course, action: Discard) -> None:
    """Discard down to the hand limit, face down (R-14)."""
    seat, hand = course.state.active, course.state.hands[course.state.active]
    above = sum(hand.values()) - HAND_LIMIT
    if len(action.cards) != above:
        raise Illegal("wrong-number-of-cards", "R-14", least=above, most=above)
    chosen = count(action.cards)
    for colour in COLOURS:
        if chosen[colour] > hand[colour]:
            raise Illegal("cards-not-in-hand", "R-14", colour=colour, held=hand[colour])
    course.record(CardsDiscarded(seat=seat, cards=action.cards))
    begin_next_turn(course)
