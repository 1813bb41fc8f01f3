"""The guide in English."""

from __future__ import annotations

from service.rules.games.new_corp_order.guide.wording import Wording

ENGLISH = Wording(
    goal="Goal: the most victory points. Each company scores for the players with the most shares of its "
    "conglomerate: their cards and agents in the HQ.",
    goal_alone="Goal: more points than ODS, the computer. Each company of your two colours scores 1 point if "
    "its type is on one of the three objectives; the other two colours score for ODS in the same way.",
    names=("Ada", "Ben", "Cleo"),
    titles={
        "goal": "The goal",
        "turn": "Your turn",
        "plot": "Plot: take two cards",
        "infiltrate": "Infiltrate: place cards and agents",
        "takeover": "Takeover: rotate cards, move agents",
        "abilities": "What companies can do",
        "consultants": "Consultants",
        "end": "The end",
        "scoring": "Scoring",
        "solo": "Alone against ODS",
        "house": "House rules: Corporate Accountant and Deluxe",
    },
    chapters={
        "goal": "Four media conglomerates, red, black, blue and white, fight over the companies of a grid. You "
        "belong to none of them: you collect their cards as shares, place their agents, and see to it that "
        "those conglomerates grow of which you hold most.\n\n"
        "When the cards run out, every company pays victory points to the players with most shares of the "
        "conglomerate that controls it. The player with most points wins.",
        "turn": "On your turn you take exactly one action: Plot, Infiltrate or Takeover. With it you may use one "
        "of your consultants. Then it is the next player's turn.\n\n"
        "Your hand and your two secret objectives are yours alone; everything in an HQ lies open.",
        "plot": "Take two cards into your hand, one after the other, each from the display or from the top of "
        "the deck. You see the first before you choose the second. Then the display is filled up to five.\n\n"
        "At the end of your turn you may hold six cards at most: what is too many goes to the box.",
        "infiltrate": "Place any number of cards of one colour from your hand into your HQ. As many agents of "
        "that colour go from the supply to one company that has agents of that colour already.\n\n"
        "If you place three or more cards of one colour, you may take a consultant from the supply.",
        "takeover": "Rotate any number of unrotated cards of one colour in your HQ, and move as many agents of "
        "that colour from one company to a neighbour above, below, left or right of it. At least one agent stays "
        "behind, and a rotated card cannot be rotated again.\n\n"
        "If the neighbour has fewer agents of another colour, it is taken over: one of its agents goes to your "
        "HQ, the others to the supply, and you may use the ability of the company. If it has as many or more, "
        "your agents go back, and the cards stay rotated. On the same colour the agents simply join.\n\n"
        "The last agents of a colour on the grid cannot be driven out.",
        "abilities": "After you have taken a company over, you may use its ability once. Its type says which "
        "one that is.",
        "consultants": "You may use one consultant of your HQ with the action that it changes. It goes back to "
        "the supply at once, so you give up the points that it may bring at the end.",
        "end": "If the display cannot be filled up to five after a Plot, the last round begins: every other "
        "player has one more turn, and the player who took those cards has the last one.",
        "scoring": "For each colour, count your shares: one for each card in your HQ, rotated or not, and two "
        "for each agent in your HQ. The player with most shares gets 2 points for each company of that colour, the "
        "player with second most gets 1. Among players with equal shares the agents of that colour in the HQ "
        "count. With two players nobody is paid for the second place.\n\n"
        "If you score for a colour, each company of that colour whose type is on one of your objectives brings 2 "
        "points more.\n\n"
        "Each pair of different consultants brings 1 point, and all four types together 1 more. If players are "
        "level in the end, the one with more agents in the HQ wins.",
        "solo": "You choose two colours, ODS has the other two. There are no hands and no consultants, and three "
        "open objectives hold for both sides. A Plot takes two of the four cards in the display: a card of your "
        "own goes to your HQ, and its agent at once to a company of that colour; a card of ODS goes to the box. "
        "The display is filled up only when it is empty.\n\n"
        "At each of its turns ODS moves its marker one column to the right and does the first thing that is "
        "possible: take over a company of yours, take cards of its own, take yours away. The game ends at once "
        "when the display cannot be filled up.\n\n"
        "Each company that a side's colours control, and whose type is among the three objectives, is one point. "
        "You have to have more points than ODS; level, you win only with more agents in your HQ.",
        "house": "The rulebook names a Corporate Accountant, and companies and consultants of a Deluxe set, but what "
        "they do is told on sheets that we do not have. So what stands here are house rules: effects and names are our "
        "own, and those of the sheets differ. They are off unless the player who opens the table chooses them, and a "
        "game against ODS is always played without them.\n\n"
        "Option Corporate Accountant: one card of this consultant lies in the supply at the beginning, however many "
        "play. Nobody is dealt it.\n\n"
        "Option Deluxe: three types of companies, drawn at random, stay in the box with their objectives, and three "
        "further types take their places. Two further consultants join the others, with as many cards each.\n\n"
        "In these games any four different consultants bring the additional point at the end.",
    },
    examples={
        "glance": "Ada's turn. Five red agents on A2 stand beside three black ones on B2, and the cards in her HQ "
        "let her move four of them over: enough to take B2 over.",
        "before": "Ada's turn. She may take two of the five cards in the display, or draw from the deck.",
        "plotted": "Ada has taken the red card of slot 2 and the white card of slot 5; both slots have been filled.",
        "to_infiltrate": "It is Ada's turn again. She has three red cards in her hand, and A2 has red agents already.",
        "infiltrated": "The three red cards lie in her HQ, and three red agents more stand on A2: five now. For "
        "three cards of one colour she has taken a consultant, the Military Contractor.",
        "to_take_over": "A later turn: five red agents on A2, three black ones on B2 beside it, and five red cards "
        "in Ada's HQ that she can rotate.",
        "taken_over": "She has rotated four cards: four agents went over and beat the three. One black agent is "
        "in her HQ now, and she may use the ability of B2.",
        "scored": "The red conglomerate controls five companies. Ada holds six red cards: 6 shares. Ben holds "
        "four red cards and one red agent: 6 shares as well, and the agent makes him first. Ben gets 2 points "
        "for each company, 10 in all, Ada as the second 1 for each, 5 in all. Cleo with 3 shares gets nothing. "
        "Ada's objective Print Media fits one red company: 2 points more. Ben's objectives Guerrilla Marketing "
        "and Online Marketing fit one red company each: 4 points more.",
        "alone": "You have red and blue, ODS has black and white. Its marker stands above column B.",
    },
    abilities={
        "online-marketing": "All agents of two companies change places.",
        "guerrilla-marketing": "One or two cards of one colour in one HQ are rotated.",
        "broadcast-network": "One or two agents of one colour move to other companies of that colour.",
        "print-media": "You exchange a card of your HQ for one of another player's HQ.",
        "social-media": "One card of any HQ goes to the box.",
        "ambient-advertising": "One or two rotated cards in one HQ are turned back.",
    },
    consultants={
        "media-advisor": "Infiltrate: one card of another colour counts as one of the colour that you place.",
        "dealmaker": "Takeover: afterwards you draw two cards from the deck.",
        "corporate-lawyer": "Infiltrate: you place cards of two colours, and the agents of both.",
        "military-contractor": "Takeover: as many agents as the neighbour has are enough.",
    },
    house_abilities={
        "viral-marketing": "One or two agents of the supply join a company of their colour.",
        "product-placement": "You place one card of your hand in your HQ, without an agent.",
        "negative-campaigning": "One or two agents of a company go back to the supply; at least one stays.",
    },
    house_consultants={
        "corporate-accountant": "Takeover: you rotate one card fewer than agents move, but at least one.",
        "spin-doctor": "Infiltrate: one agent more than you place cards.",
        "headhunter": "Takeover: two of the defenders go to your HQ, if there were two.",
    },
    words={
        "ability": "Ability",
        "agent": "Agent",
        "box": "Box",
        "card": "Card",
        "company": "Company",
        "conglomerate": "Conglomerate",
        "consultant": "Consultant",
        "deck": "Deck",
        "display": "Display",
        "hq": "HQ",
        "infiltrate": "Infiltrate",
        "marker": "Marker",
        "objective": "Objective",
        "ods": "ODS",
        "plot": "Plot",
        "rotated": "Rotated",
        "share": "Share",
        "supply": "Supply",
        "takeover": "Takeover",
        "victory-point": "Victory point",
    },
    sentences={
        "ability": "What a company lets you do once, right after you have taken it over.",
        "agent": "A piece of one colour on a company; the colour with agents there controls it.",
        "box": "What goes to the box is out of the game for good.",
        "card": "A share of one conglomerate, in a hand, in an HQ, in the display or in the deck.",
        "company": "A tile of the grid with a name, a type and agents of exactly one colour.",
        "conglomerate": "One of the four colours: Mega Media (red), KuronoTech (black), Branx Entertainment "
        "(blue), Omnicorp (white).",
        "consultant": "A card in an HQ that changes one action, or brings points at the end.",
        "deck": "The face-down pile of cards; when it cannot fill the display, the game ends.",
        "display": "The open cards in numbered slots, of which a Plot takes.",
        "hq": "A player's open area: cards placed, agents won in takeovers, consultants.",
        "infiltrate": "Place cards of one colour in your HQ and as many agents on one company.",
        "marker": "ODS's marker shows at which column ODS begins to look for a target.",
        "objective": "A company type that brings extra points to the player who holds it.",
        "ods": "The opponent that the computer plays when you play alone.",
        "plot": "Take two cards from the display or the deck.",
        "rotated": "A card turned sideways: used up for a Takeover, but still a share.",
        "share": "A card in the HQ counts one, an agent in the HQ two, for its colour.",
        "supply": "The common stock of agents and consultants.",
        "takeover": "Rotate cards to move as many agents to a neighbouring company; if they outnumber its own, "
        "you take it over.",
        "victory-point": "The player with most of them at the end wins.",
    },
    figures_title="Figures from games of computer players",
    figures_limits="In these games computer players had all seats. The figures tell how these players play and are no"
    " law "
    "of the game: people play otherwise, and a stronger player may need fewer turns or win more points. In 95 of "
    "100 cases such an interval holds the true rate of these players.",
    figures_sizes={2: "Two players", 3: "Three players", 4: "Four players"},
    figures_text="Of {games} games the middle one had {turns} turns, and nine of ten had between {fewest} and {most}."
    " The "
    "middle score was {points} points, and nine of ten were between {least} and {greatest}; the middle score of "
    "the winners was {winner}. The player who began won {rate} of 100 games (interval: {low} to {high}; even: "
    "{even}).",
)
