"""The guide in English."""

from __future__ import annotations

from service.rules.games.bastards_inc.guide.wording import Wording

ENGLISH = Wording(
    goal="Goal: to be worth most after the last round. Each Billion counts 1, each Influence 3, and the Nobel "
    "Peace Prize 12.",
    names=("Ada", "Ben", "Cleo"),
    titles={
        "goal": "The goal",
        "company": "Your company",
        "board": "The board and its signs",
        "round": "A round",
        "draw": "Drawing cards",
        "place": "Placing vice presidents",
        "event": "The event",
        "war": "War",
        "business": "Doing business",
        "money": "Black money and clean money",
        "journalism": "What is illegal, and who is watching",
        "prize": "The Nobel Peace Prize",
        "ventures": "Joint ventures and gifts",
        "mail": "Playing by mail",
        "end": "The end",
    },
    chapters={
        "goal": "You run a company with an address, a slogan and no conscience. Your vice presidents fly to where "
        "rules are cheap, make deals that nobody can find in the books, and carry the money home before a war or a "
        "journalist finds it.\n\n"
        "After {rounds} rounds the company that is worth most has won: each Billion counts 1, each Influence "
        "{influence_worth}, the Nobel Peace Prize {prize_worth}. Black money counts nothing before it is laundered.",
        "company": "A business plan gives you four scores from 0 to 6, Billions and Influence. You begin with two "
        "vice presidents and may have {most_vps}. Everything is open but the cards in your hand.\n\n"
        "Corruption or Crime opens the regions, Technology sells Stuff there, Media power opens the media circus. If "
        "a score is one, two or three too low, you may buy what is missing for that one action, as an extra effort: "
        "for {effort1}, {effort2} or {effort3} Billions. When your Billions have run out, Influence pays prices, one "
        "for one.",
        "board": "The six regions are a pyramid, the rich on top; below them lies the media circus, beside them the "
        "Lounge. Discs with the number of a seat are vice presidents.",
        "round": "A round has five phases: draw cards, place vice presidents, event, war, business. Then the player "
        "after the start player becomes start player.",
        "draw": "All decide at the same time and unseen. Discard what you no longer need, then draw until you have "
        "as many cards as vice presidents. One, two or three cards more can be bought as an extra effort. You may also "
        "draw nothing (in games that began under revision 1 of the rules everybody draws).",
        "place": "First everybody may collect vice presidents from the board; black money on them is lost. Then, "
        "from the start player on, each places one, the last player all of his, and back round the table each places "
        "the rest. Sending one to the Lounge is always allowed.\n\n"
        "You enter a region by Corruption or by Crime: that score has to be at least the region's value. A media "
        "square asks for Media power. A region at war is closed.\n\n"
        "If others stand where you arrive, each of them may fight and pays any amount of Influence, unseen. Then you "
        "choose: pay one more than all of them together, and their vice presidents there go to the Lounge; or give "
        "up, and yours goes, with all others that you have on this field. Who does not fight stays.",
        "event": "The top event is revealed. It starts wars, moves Stuff and money; a famine, a disaster, a boom, "
        "higher values or an amnesty last until the next event.",
        "war": "For each war a die is rolled, and the Stuff in the region is added. The total says how much Stuff is "
        "used up. After a 1 or a 6 the war is over. Vice presidents in a region at war cannot leave it. A war among "
        "the Rogue States costs the One $uperpower as much Stuff as them.",
        "business": "From the start player on, everybody takes one action at a time, round and round, until all pass "
        "in a row. A player who has passed may act again when the turn comes round.",
        "money": "A business puts black money on the vice presidents who make it. It becomes Billions only when it "
        "is laundered. A vice president who leaves a region in any other way loses it.\n\n"
        "A business stays in your portfolio and can be made once each round; a portfolio has room for "
        "{most_businesses}.",
        "journalism": "A sale is illegal if the Stuff after it lies in the grey part of the bar. Cards with a mask "
        "are illegal too. If somebody else has a vice president on Investigative Journalism, that player may expose "
        "you: the act comes to nothing, the journalist goes to the Lounge and gets {scoop} Influence, and an exposed "
        "laureate loses the prize.",
        "prize": "The prize costs {prize_price} Influence, from the bank or from under the laureate. The laureate "
        "gets {fee} Influence each round for speeches, enters every region free of charge and unhindered, at war "
        "too, and takes vice presidents out of wars. At the end the prize is worth {prize_worth}.",
        "ventures": "A business for two vice presidents may be made with one of yours and one of another player's. "
        "You fulfil all conditions, the partner earns as much and needs no action. Invite, with a side payment if "
        "you like; the other answers when it is their turn. Billions may be given away. Promises bind nobody.",
        "mail": "Three instructions save you mails: whether you want to be asked when somebody arrives where you "
        "stand, when something illegal is announced, and when somebody wants you as a partner. In the business phase "
        "you may pass until something concerns you, and send further actions along with the first.",
        "end": "The game ends after round {rounds}, or after a round in which somebody is worth {target}; the short "
        "game after round {short_rounds}, or at {short_target}. Equal worth: more Influence, then more vice "
        "presidents, wins. In a nuclear war everybody has lost, but for the player who has the Bunker.",
    },
    points={
        "board": {
            "Envelope": "Corruption.",
            "Mask": "Crime; a red one on a card: it is illegal.",
            "Gear": "Technology.",
            "Television set": "Media power.",
            "Banknote": "Billions; in a region its income for Stuff.",
            "Crown": "Influence; on a media square what a campaign earns there.",
            "Bomb and bar": "Stuff, from 0 to 6; the grey part is where sales are illegal.",
            "Burst": "War.",
            "Case": "Black money on a vice president; on a business what each of them earns.",
            "Frames on a business": "One for each vice president that it needs, with the regions where that one may "
            "stand.",
        },
        "war": {
            "1–3, Skirmish": "No Stuff is used up.",
            "4–6, Offensive": "1 Stuff.",
            "7–8, Carnage": "2 Stuff.",
            "9–10, Intervention": "2 Stuff, and 1 of the One $uperpower; all vice presidents but the laureate's are "
            "flown out without their luggage, and the war is over.",
            "11, Scorched earth": "3 Stuff.",
            "12, Nuclear war": "The game is over.",
        },
        "business": {
            "Deal": "Make a business from your hand, or again one that lies before you.",
            "Launder": "Black money of a vice president becomes Billions; he goes to the Lounge. It takes the "
            "region's Corruption or Crime.",
            "Sell Stuff": "A vice president goes to the Lounge, you get the region's income, and its Stuff goes up "
            "by 1. It takes the region's Technology.",
            "Media campaign": "A vice president in the media circus earns 1 Influence and goes to the Lounge; on the "
            "Pity Act 2 while there is war, famine or disaster.",
            "Play a card": "What it does stands on it.",
            "Hire": "A vice president for {vp_price} Billions.",
            "Buy the prize": "For {prize_price} Influence.",
            "Pass": "And see what the others do.",
        },
    },
    examples={
        "glance": "Ada's move. Her vice president among the Tigers can sell Stuff for 5 Billions; the one in "
        "Corruptistan carries 3 of black money, which she can launder.",
        "to_place": "Ada places a vice president. Her Corruption of 5 is enough for every region.",
        "placed": "She has sent him to the Tigers. Nobody is there who could fight.",
        "at_war": "War in Corruptistan: Ada's vice president cannot leave with the black money that he carries.",
        "to_deal": "Ada has a vice president in Corruptistan and the card Presidential Palace No. 7 in her hand.",
        "dealt": "He carries 3 of black money now, and the business lies turned before her until the next round.",
    },
    words={
        "vice-president": "Vice president",
        "lounge": "Lounge",
        "region": "Region",
        "media-circus": "Media circus",
        "stuff": "Stuff",
        "billions": "Billions",
        "influence": "Influence",
        "black-money": "Black money",
        "extra-effort": "Extra effort",
        "fight": "Fight",
        "deal": "Business",
        "portfolio": "Portfolio",
        "launder": "Launder",
        "sell": "Sell Stuff",
        "campaign": "Media campaign",
        "place": "Place",
        "event": "Event",
        "war": "War",
        "prize": "Nobel Peace Prize",
        "laureate": "Laureate",
        "bunker": "Bunker",
        "joint-venture": "Joint venture",
        "start-player": "Start player",
        "worth": "Worth",
    },
    sentences={
        "vice-president": "A piece of yours that stands in a region, in the media circus or in the Lounge.",
        "lounge": "Where vice presidents rest, hide or wait.",
        "region": "One of six fields of the pyramid, the rich on top.",
        "media-circus": "Three fields for campaigns and for journalists.",
        "stuff": "Whatever goes bang: sold to regions, used up by wars, from 0 to 6 in each region.",
        "billions": "Money that is clean, or at least in the books.",
        "influence": "Pays for fights and the prize, and for prices when the Billions have run out.",
        "black-money": "Money on a vice president that counts nothing before it is laundered.",
        "extra-effort": "Buys up to three points that a score lacks, for one action.",
        "fight": "A player who stands on a field may pay Influence to keep a newcomer out.",
        "deal": "A card that puts black money on one or two vice presidents in the right regions.",
        "portfolio": "The businesses in front of a player, each for one use a round.",
        "launder": "Turn the black money of a vice president into Billions.",
        "sell": "Take the region's income for 1 Stuff more there.",
        "campaign": "Earn Influence with a vice president in the media circus.",
        "place": "Send a vice president from the Lounge to a field.",
        "event": "A card revealed each round, in force until the next one.",
        "war": "A region at war uses up Stuff and lets nobody out.",
        "prize": "Opens every region, brings Influence, and is worth {prize_worth} at the end.",
        "laureate": "The player who has the Nobel Peace Prize.",
        "bunker": "Its owner wins a nuclear war, alone.",
        "joint-venture": "A business with one vice president of yours and one of another player's.",
        "start-player": "Begins in every phase of the round; then it is the next player's turn to be it.",
        "worth": "Billions, {influence_worth} for each Influence, {prize_worth} for the prize.",
    },
    shorts={
        "vice-president": "VP",
    },
)
