"""The guide in German."""

from __future__ import annotations

from service.rules.games.bastards_inc.guide.wording import Wording

GERMAN = Wording(
    goal="Ziel: nach der letzten Runde am meisten wert sein. Jede Milliarde zählt 1, jeder Einfluss 3 und der "
    "Friedensnobelpreis 12.",
    names=("Ada", "Ben", "Cleo"),
    titles={
        "goal": "Das Ziel",
        "company": "Deine Firma",
        "board": "Das Brett und seine Zeichen",
        "round": "Eine Runde",
        "draw": "Karten ziehen",
        "place": "Vizepräsidenten einsetzen",
        "event": "Das Ereignis",
        "war": "Krieg",
        "business": "Geschäfte machen",
        "money": "Schwarzgeld und sauberes Geld",
        "journalism": "Was illegal ist, und wer zusieht",
        "prize": "Der Friedensnobelpreis",
        "ventures": "Joint-Ventures und Geschenke",
        "mail": "Per Mail spielen",
        "end": "Das Ende",
    },
    chapters={
        "goal": "Du führst eine Firma mit einer Adresse, einem Slogan und keinem Gewissen. Deine Vizepräsidenten "
        "fliegen dorthin, wo Regeln billig sind, machen Geschäfte, die in keinem Buch stehen, und bringen das Geld "
        "nach Hause, bevor ein Krieg oder ein Journalist es findet.\n\n"
        "Nach {rounds} Runden hat die Firma gewonnen, die am meisten wert ist: jede Milliarde zählt 1, jeder "
        "Einfluss {influence_worth}, der Friedensnobelpreis {prize_worth}. Schwarzgeld zählt nichts, solange es "
        "nicht gewaschen ist.",
        "company": "Ein Geschäftsplan gibt dir vier Werte von 0 bis 6, Milliarden und Einfluss. Du beginnst mit zwei "
        "Vizepräsidenten und darfst {most_vps} haben. Offen liegt alles außer den Karten auf der Hand.\n\n"
        "Korruption oder Verbrechen öffnet die Regionen, Technologie verkauft dort Zeug, Medienmacht öffnet den "
        "Medienzirkus. Ist ein Wert um eins, zwei oder drei zu niedrig, kannst du für diese eine Aktion kaufen, was "
        "fehlt: als besondere Anstrengung für {effort1}, {effort2} oder {effort3} Milliarden. Sind deine Milliarden "
        "aufgebraucht, zahlt Einfluss die Preise, eins zu eins.",
        "board": "Die sechs Regionen sind eine Pyramide, die Reichen oben; darunter liegt der Medienzirkus, daneben "
        "die Lounge. Scheiben mit der Nummer eines Platzes sind Vizepräsidenten.",
        "round": "Eine Runde hat fünf Phasen: Karten ziehen, Vizepräsidenten einsetzen, Ereignis, Krieg, Geschäfte. "
        "Dann wird der Spieler nach dem Startspieler Startspieler.",
        "draw": "Alle entscheiden gleichzeitig und verdeckt. Wirf ab, was du nicht mehr brauchst, und zieh, bis du "
        "so viele Karten wie Vizepräsidenten hast. Eine, zwei oder drei Karten mehr gibt es als besondere "
        "Anstrengung. Du darfst auch nichts ziehen (in Partien nach Fassung 1 der Regeln ziehen alle).",
        "place": "Erst darf jeder Vizepräsidenten vom Brett zurückholen; Schwarzgeld auf ihnen ist verloren. Dann "
        "setzt jeder, beim Startspieler beginnend, einen ein, der letzte alle seine, und zurück um den Tisch jeder "
        "den Rest. Man darf immer einen in die Lounge schicken.\n\n"
        "Eine Region betrittst du mit Korruption oder mit Verbrechen: dieser Wert muss mindestens so hoch sein wie "
        "der der Region. Ein Medienfeld verlangt Medienmacht. Eine Region im Krieg ist geschlossen.\n\n"
        "Stehen andere dort, wo du ankommst, darf sich jeder von ihnen wehren und zahlt verdeckt beliebig viel "
        "Einfluss. Dann entscheidest du: zahl eins mehr als alle zusammen, und ihre Vizepräsidenten dort müssen in "
        "die Lounge; oder gib auf, und deiner muss gehen, mit allen anderen, die du auf diesem Feld hast. Wer sich "
        "nicht wehrt, bleibt.",
        "event": "Das oberste Ereignis wird aufgedeckt. Es bringt Kriege, bewegt Zeug und Geld; eine Hungersnot, "
        "eine Katastrophe, ein Boom, höhere Werte oder eine Amnestie gelten bis zum nächsten Ereignis.",
        "war": "Für jeden Krieg wird gewürfelt und das Zeug der Region dazugezählt. Die Summe sagt, wie viel Zeug "
        "verbraucht wird. Nach einer 1 oder einer 6 ist der Krieg vorbei. Vizepräsidenten in einer Region im Krieg "
        "können sie nicht verlassen. Ein Krieg bei den Schurkenstaaten kostet die Eine $upermacht so viel Zeug wie "
        "sie.",
        "business": "Beim Startspieler beginnend macht jeder eine Aktion, reihum und immer wieder, bis alle "
        "nacheinander passen. Wer gepasst hat, darf wieder handeln, wenn er an die Reihe kommt.",
        "money": "Ein Geschäft legt Schwarzgeld auf die Vizepräsidenten, die es machen. Zu Milliarden wird es erst, "
        "wenn es gewaschen ist. Wer eine Region anders verlässt, verliert es.\n\n"
        "Ein Geschäft bleibt vor dir liegen und geht einmal in jeder Runde; Platz ist für {most_businesses}.",
        "journalism": "Ein Verkauf ist illegal, wenn das Zeug danach im grauen Teil der Leiste liegt. Karten mit "
        "einer Maske sind es auch. Hat ein anderer einen Vizepräsidenten auf Enthüllungsjournalismus, darf er dich "
        "enthüllen: aus der Sache wird nichts, sein Journalist geht in die Lounge und bekommt {scoop} Einfluss, und "
        "ein enthüllter Friedensnobelpreisträger verliert den Preis.",
        "prize": "Der Preis kostet {prize_price} Einfluss, bei der Bank oder beim bisherigen Träger. Er bringt in "
        "jeder Runde {fee} Einfluss für Reden, öffnet jede Region umsonst und ungehindert, auch im Krieg, und holt "
        "Vizepräsidenten aus Kriegen. Am Ende ist er {prize_worth} wert.",
        "ventures": "Ein Geschäft für zwei Vizepräsidenten kannst du mit einem von dir und einem eines anderen "
        "machen. Du erfüllst alle Bedingungen, der Partner verdient gleich viel und braucht keine Aktion. Lad ein, "
        "auf Wunsch mit einer Zuzahlung; der andere antwortet, wenn er an der Reihe ist. Milliarden darfst du "
        "verschenken. Versprechen binden niemanden.",
        "mail": "Drei Anweisungen ersparen dir Mails: ob du gefragt werden willst, wenn jemand ankommt, wo du "
        "stehst, wenn etwas Illegales angekündigt wird, und wenn dich jemand als Partner will. In der Geschäftsphase "
        "kannst du passen, bis dich etwas betrifft, und weitere Aktionen gleich mitschicken.",
        "end": "Die Partie endet nach Runde {rounds}, oder nach einer Runde, in der jemand {target} wert ist; die "
        "kurze nach Runde {short_rounds} oder bei {short_target}. Bei gleichem Wert gewinnt mehr Einfluss, dann mehr "
        "Vizepräsidenten. In einem Atomkrieg haben alle verloren, außer dem, der den Bunker hat.",
    },
    points={
        "board": {
            "Umschlag": "Korruption.",
            "Maske": "Verbrechen; eine rote auf einer Karte: sie ist illegal.",
            "Zahnrad": "Technologie.",
            "Fernseher": "Medienmacht.",
            "Geldschein": "Milliarden; bei einer Region ihr Einkommen für Zeug.",
            "Krone": "Einfluss; auf einem Medienfeld, was eine Kampagne dort bringt.",
            "Bombe und Leiste": "Zeug, von 0 bis 6; im grauen Teil sind Verkäufe illegal.",
            "Stern": "Krieg.",
            "Koffer": "Schwarzgeld bei einem Vizepräsidenten; auf einem Geschäft, was jeder verdient.",
            "Rahmen auf einem Geschäft": "Einer für jeden Vizepräsidenten, den es braucht, mit den Regionen, in "
            "denen er stehen darf.",
        },
        "war": {
            "1–3, Scharmützel": "Kein Zeug wird verbraucht.",
            "4–6, Offensive": "1 Zeug.",
            "7–8, Gemetzel": "2 Zeug.",
            "9–10, Intervention": "2 Zeug, und 1 der Einen $upermacht; alle Vizepräsidenten außer denen des "
            "Friedensnobelpreisträgers werden ohne Gepäck ausgeflogen, und der Krieg ist vorbei.",
            "11, Verbrannte Erde": "3 Zeug.",
            "12, Atomkrieg": "Die Partie ist zu Ende.",
        },
        "business": {
            "Geschäft": "Mach eines aus der Hand, oder noch einmal eines, das vor dir liegt.",
            "Geld waschen": "Das Schwarzgeld eines Vizepräsidenten wird zu Milliarden; er geht in die Lounge. Du "
            "brauchst die Korruption oder das Verbrechen der Region.",
            "Zeug verkaufen": "Ein Vizepräsident geht in die Lounge, du bekommst das Einkommen der Region, und ihr "
            "Zeug steigt um 1. Du brauchst die Technologie der Region.",
            "Medienkampagne": "Ein Vizepräsident im Medienzirkus verdient 1 Einfluss und geht in die Lounge; mit der "
            "Mitleidsnummer 2, solange Krieg, Hungersnot oder Katastrophe ist.",
            "Karte spielen": "Was sie tut, steht darauf.",
            "Einstellen": "Ein Vizepräsident für {vp_price} Milliarden.",
            "Preis kaufen": "Für {prize_price} Einfluss.",
            "Passen": "Und sehen, was die anderen tun.",
        },
    },
    examples={
        "glance": "Ada ist dran. Ihr Vizepräsident bei den Tigerstaaten kann für 5 Milliarden Zeug verkaufen; der in "
        "Korruptistan trägt 3 Schwarzgeld, das sie waschen kann.",
        "to_place": "Ada setzt einen Vizepräsidenten ein. Ihre Korruption von 5 reicht für jede Region.",
        "placed": "Sie hat ihn zu den Tigerstaaten geschickt. Dort ist niemand, der sich wehren könnte.",
        "at_war": "Krieg in Korruptistan: Adas Vizepräsident kann mit seinem Schwarzgeld nicht heraus.",
        "to_deal": "Ada hat einen Vizepräsidenten in Korruptistan und die Karte Präsidentenpalast Nr. 7 auf der Hand.",
        "dealt": "Er trägt jetzt 3 Schwarzgeld, und das Geschäft liegt bis zur nächsten Runde gedreht vor ihr.",
    },
    words={
        "vice-president": "Vizepräsident",
        "lounge": "Lounge",
        "region": "Region",
        "media-circus": "Medienzirkus",
        "stuff": "Zeug",
        "billions": "Milliarden",
        "influence": "Einfluss",
        "black-money": "Schwarzgeld",
        "extra-effort": "Besondere Anstrengung",
        "fight": "Einflusskampf",
        "deal": "Geschäft",
        "portfolio": "Portfolio",
        "launder": "Geld waschen",
        "sell": "Zeug verkaufen",
        "campaign": "Medienkampagne",
        "place": "Einsetzen",
        "event": "Ereignis",
        "war": "Krieg",
        "prize": "Friedensnobelpreis",
        "laureate": "Friedensnobelpreisträger",
        "bunker": "Bunker",
        "joint-venture": "Joint-Venture",
        "start-player": "Startspieler",
        "worth": "Wert",
    },
    sentences={
        "vice-president": "Eine Figur von dir, die in einer Region, im Medienzirkus oder in der Lounge steht.",
        "lounge": "Wo Vizepräsidenten ruhen, sich verstecken oder warten.",
        "region": "Eines der sechs Felder der Pyramide, die Reichen oben.",
        "media-circus": "Drei Felder für Kampagnen und Journalisten.",
        "stuff": "Was knallt: an Regionen verkauft, in Kriegen verbraucht, von 0 bis 6 in jeder Region.",
        "billions": "Geld, das sauber ist, oder wenigstens in den Büchern steht.",
        "influence": "Zahlt Einflusskämpfe und den Preis, und Preise, wenn die Milliarden aufgebraucht sind.",
        "black-money": "Geld auf einem Vizepräsidenten, das nichts zählt, solange es nicht gewaschen ist.",
        "extra-effort": "Kauft für eine Aktion bis zu drei Punkte, die einem Wert fehlen.",
        "fight": "Wer auf einem Feld steht, kann Einfluss zahlen, um einen Neuen fernzuhalten.",
        "deal": "Eine Karte, die ein oder zwei Vizepräsidenten in den richtigen Regionen Schwarzgeld bringt.",
        "portfolio": "Die Geschäfte, die vor einem Spieler liegen; jedes geht einmal in der Runde.",
        "launder": "Mach das Schwarzgeld eines Vizepräsidenten zu Milliarden.",
        "sell": "Nimm das Einkommen der Region; dort liegt dann 1 Zeug mehr.",
        "campaign": "Verdien mit einem Vizepräsidenten im Medienzirkus Einfluss.",
        "place": "Schick einen Vizepräsidenten aus der Lounge auf ein Feld.",
        "event": "Eine Karte, die in jeder Runde aufgedeckt wird und bis zur nächsten gilt.",
        "war": "Eine Region im Krieg verbraucht Zeug und lässt niemanden heraus.",
        "prize": "Öffnet jede Region, bringt Einfluss und ist am Ende {prize_worth} wert.",
        "laureate": "Der Spieler, der den Friedensnobelpreis hat.",
        "bunker": "Wer ihn hat, gewinnt einen Atomkrieg, allein.",
        "joint-venture": "Ein Geschäft mit einem Vizepräsidenten von dir und einem eines anderen.",
        "start-player": "Beginnt in jeder Phase der Runde; danach ist es der nächste.",
        "worth": "Milliarden, {influence_worth} für jeden Einfluss, {prize_worth} für den Preis.",
    },
    shorts={
        "vice-president": "VP",
    },
)
