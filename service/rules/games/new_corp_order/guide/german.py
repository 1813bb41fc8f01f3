"""The guide in German."""

from __future__ import annotations

from service.rules.games.new_corp_order.guide.wording import Wording

GERMAN = Wording(
    goal="Ziel: die meisten Siegpunkte. Jede Firma bringt Punkte für die meisten Anteile an ihrem Konzern, also "
    "für Karten und Agenten im HQ.",
    goal_alone="Ziel: mehr Punkte als ODS, der Computer. Jede Firma deiner zwei Farben bringt 1 Punkt, wenn ihr "
    "Typ auf einer der drei Zielkarten steht; die beiden anderen Farben zählen ebenso für ODS.",
    names=("Ada", "Ben", "Cleo"),
    titles={
        "goal": "Das Ziel",
        "turn": "Dein Zug",
        "plot": "Planen: zwei Karten nehmen",
        "infiltrate": "Infiltrieren: Karten auslegen, Agenten einsetzen",
        "takeover": "Übernahme: Karten drehen, Agenten bewegen",
        "abilities": "Was Firmen können",
        "consultants": "Berater",
        "end": "Das Ende",
        "scoring": "Die Wertung",
        "solo": "Allein gegen ODS",
        "house": "Hausregeln: Firmenbuchhalter und Deluxe",
    },
    chapters={
        "goal": "Vier Medienkonzerne, Rot, Schwarz, Blau und Weiß, ringen um die Firmen eines Rasters. Du "
        "gehörst zu keinem: Du sammelst ihre Karten als Anteile, schickst ihre Agenten umher und sorgst dafür, "
        "dass die Konzerne wachsen, an denen du am meisten hältst.\n\n"
        "Gehen die Karten aus, zahlt jede Firma Siegpunkte an die Spieler mit den meisten Anteilen an dem "
        "Konzern, der sie kontrolliert. Wer die meisten Punkte hat, gewinnt.",
        "turn": "In deinem Zug machst du genau eine Aktion: Planen, Infiltrieren oder Übernahme. Dazu darfst du "
        "einen deiner Berater einsetzen. Dann ist der nächste Spieler an der Reihe.\n\n"
        "Deine Hand und deine zwei geheimen Zielkarten kennst nur du; alles in einem HQ liegt offen.",
        "plot": "Nimm zwei Karten auf die Hand, eine nach der anderen, jede aus der Auslage oder oben vom "
        "Stapel. Die erste siehst du, bevor du die zweite wählst. Danach wird die Auslage auf fünf Karten "
        "aufgefüllt.\n\n"
        "Am Ende deines Zuges darfst du höchstens sechs Handkarten haben: Was darüber ist, kommt in die "
        "Schachtel.",
        "infiltrate": "Lege beliebig viele Karten einer Farbe aus der Hand in dein HQ. Ebenso viele Agenten "
        "dieser Farbe kommen aus dem Vorrat auf eine Firma, auf der schon Agenten dieser Farbe stehen.\n\n"
        "Legst du drei oder mehr Karten einer Farbe, darfst du einen Berater aus dem Vorrat nehmen.",
        "takeover": "Drehe beliebig viele ungedrehte Karten einer Farbe in deinem HQ und bewege ebenso viele "
        "Agenten dieser Farbe von einer Firma auf eine benachbarte darüber, darunter, links oder rechts. "
        "Mindestens ein Agent bleibt zurück, und eine gedrehte Karte lässt sich nicht noch einmal drehen.\n\n"
        "Stehen dort weniger Agenten einer anderen Farbe, ist die Firma übernommen: Einer von ihnen kommt in "
        "dein HQ, die anderen in den Vorrat, und du darfst die Fähigkeit der Firma nutzen. Stehen dort ebenso "
        "viele oder mehr, gehen deine Agenten zurück, und die Karten bleiben gedreht. Bei gleicher Farbe kommen "
        "die Agenten einfach dazu.\n\n"
        "Die letzten Agenten einer Farbe auf dem Raster lassen sich nicht vertreiben.",
        "abilities": "Hast du eine Firma übernommen, darfst du einmal ihre Fähigkeit nutzen. Welche das ist, sagt "
        "ihre Art.",
        "consultants": "Zu der Aktion, die er verändert, darfst du einen Berater aus deinem HQ einsetzen. Er "
        "geht sofort in den Vorrat zurück: Du verzichtest also auf die Punkte, die er am Ende bringen kann.",
        "end": "Lässt sich die Auslage nach dem Planen nicht auf fünf Karten auffüllen, beginnt die letzte "
        "Runde: Alle anderen haben noch einen Zug, und wer jene Karten genommen hat, macht den letzten.",
        "scoring": "Zähle für jede Farbe deine Anteile: einen für jede Karte in deinem HQ, gedreht oder nicht, "
        "und zwei für jeden Agenten in deinem HQ. Wer die meisten Anteile hat, bekommt 2 Punkte für jede Firma "
        "dieser Farbe, wer die zweitmeisten hat, 1 Punkt. Bei gleich vielen Anteilen zählen die Agenten dieser "
        "Farbe im HQ. Zu zweit wird der zweite Platz nicht bezahlt.\n\n"
        "Bekommst du Punkte für eine Farbe, bringt dir jede Firma dieser Farbe, deren Art auf einer deiner "
        "Zielkarten steht, 2 Punkte mehr.\n\n"
        "Jedes Paar verschiedener Berater bringt 1 Punkt, alle vier Arten zusammen noch 1. Bei Gleichstand "
        "gewinnt, wer mehr Agenten im HQ hat.",
        "solo": "Du wählst zwei Farben, ODS hat die anderen beiden. Es gibt weder Handkarten noch Berater, und "
        "drei offene Zielkarten gelten für beide Seiten. Beim Planen nimmst du zwei der vier Karten der Auslage: "
        "Eine eigene kommt in dein HQ, und ihr Agent sofort auf eine Firma dieser Farbe; eine Karte von ODS "
        "kommt in die Schachtel. Die Auslage wird erst aufgefüllt, wenn sie leer ist.\n\n"
        "In jedem seiner Züge rückt ODS seinen Marker eine Spalte nach rechts und tut das Erste, was möglich "
        "ist: eine deiner Firmen übernehmen, eigene Karten nehmen, dir deine wegnehmen. Lässt sich die Auslage "
        "nicht auffüllen, ist das Spiel sofort zu Ende.\n\n"
        "Jede Firma, die von den Farben einer Seite kontrolliert wird und deren Art auf einer der drei "
        "Zielkarten steht, ist ein Punkt. Du brauchst mehr Punkte als ODS; bei Gleichstand gewinnst du nur mit "
        "mehr Agenten im HQ.",
        "house": "Die Spielregel nennt einen Corporate Accountant und die Firmen und Berater einer Deluxe-Ausgabe; was "
        "sie tun, steht auf Blättern, die wir nicht haben. Hier stehen deshalb Hausregeln: Fähigkeiten und Namen haben "
        "wir uns ausgedacht, die der Blätter sind andere. Sie gelten nur, wenn sie beim Eröffnen des Tisches gewählt "
        "werden, und gegen ODS nie.\n\n"
        "Option Firmenbuchhalter: Zu Beginn liegt von diesem Berater eine Karte im Vorrat, egal wie viele mitspielen. "
        "Ausgeteilt wird er nicht.\n\n"
        "Option Deluxe: Drei ausgeloste Arten von Firmen bleiben samt ihren Zielkarten in der Schachtel, und drei "
        "weitere Arten nehmen ihre Plätze ein. Zwei weitere Berater kommen zu den anderen, mit je ebenso vielen "
        "Karten.\n\n"
        "In diesen Partien bringen am Ende vier beliebige verschiedene Berater den zusätzlichen Punkt.",
    },
    examples={
        "glance": "Ada ist dran. Fünf rote Agenten auf A2 stehen neben drei schwarzen auf B2, und mit den Karten "
        "in ihrem HQ kann sie vier hinüberschicken: genug, um B2 zu übernehmen.",
        "before": "Ada ist dran. Sie kann zwei der fünf Karten der Auslage nehmen oder vom Stapel ziehen.",
        "plotted": "Ada hat die rote Karte von Feld 2 und die weiße von Feld 5 genommen; beide Felder sind "
        "wieder aufgefüllt.",
        "to_infiltrate": "Ada ist wieder dran. Sie hat drei rote Handkarten, und auf A2 stehen schon rote Agenten.",
        "infiltrated": "Die drei roten Karten liegen in ihrem HQ, und auf A2 stehen drei rote Agenten mehr: nun "
        "fünf. Für drei Karten einer Farbe hat sie einen Berater genommen, den Söldner.",
        "to_take_over": "Beim nächsten Mal: fünf rote Agenten auf A2, drei schwarze nebenan auf B2, und in Adas "
        "HQ fünf rote Karten, die sie drehen kann.",
        "taken_over": "Sie hat vier Karten gedreht: Vier Agenten zogen hinüber und schlugen die drei. Ein "
        "schwarzer Agent liegt nun in ihrem HQ, und sie darf die Fähigkeit von B2 nutzen.",
        "scored": "Der rote Konzern kontrolliert fünf Firmen. Ada hält sechs rote Karten: 6 Anteile. Ben hält "
        "vier rote Karten und einen roten Agenten: auch 6 Anteile, und der Agent macht ihn zum Ersten. Ben "
        "bekommt 2 Punkte je Firma, zusammen 10, Ada als Zweite 1 je Firma, zusammen 5. Cleo mit 3 Anteilen geht "
        "leer aus. Adas Zielkarte Druckmedien passt zu einer roten Firma: 2 Punkte mehr. Bens Zielkarten "
        "Guerrilla Marketing und Online Marketing passen zu je einer roten Firma: 4 Punkte mehr.",
        "alone": "Du hast Rot und Blau, ODS hat Schwarz und Weiß. Sein Marker steht über Spalte B.",
    },
    abilities={
        "online-marketing": "Alle Agenten zweier Firmen tauschen die Plätze.",
        "guerrilla-marketing": "Eine oder zwei Karten einer Farbe in einem HQ werden gedreht.",
        "broadcast-network": "Ein oder zwei Agenten einer Farbe ziehen auf andere Firmen dieser Farbe.",
        "print-media": "Du tauschst eine Karte deines HQs gegen eine aus dem HQ eines anderen Spielers.",
        "social-media": "Eine Karte aus einem beliebigen HQ kommt in die Schachtel.",
        "ambient-advertising": "Eine oder zwei gedrehte Karten in einem HQ werden zurückgedreht.",
    },
    consultants={
        "media-advisor": "Infiltrieren: Eine Karte einer anderen Farbe gilt als eine der Farbe, die du legst.",
        "dealmaker": "Übernahme: Danach ziehst du zwei Karten vom Stapel.",
        "corporate-lawyer": "Infiltrieren: Du legst Karten zweier Farben und setzt die Agenten beider ein.",
        "military-contractor": "Übernahme: Ebenso viele Agenten wie auf der Nachbarfirma genügen.",
    },
    house_abilities={
        "viral-marketing": "Ein oder zwei Agenten aus dem Vorrat kommen auf eine Firma ihrer Farbe.",
        "product-placement": "Du legst eine Handkarte in dein HQ, ohne Agenten.",
        "negative-campaigning": "Ein oder zwei Agenten einer Firma gehen in den Vorrat zurück; mindestens einer "
        "bleibt.",
    },
    house_consultants={
        "corporate-accountant": "Übernahme: Du drehst eine Karte weniger, als Agenten ziehen, aber mindestens eine.",
        "spin-doctor": "Infiltrieren: ein Agent mehr, als du Karten legst.",
        "headhunter": "Übernahme: Zwei der Verteidiger kommen in dein HQ, wenn dort zwei standen.",
    },
    words={
        "ability": "Fähigkeit",
        "agent": "Agent",
        "box": "Schachtel",
        "card": "Karte",
        "company": "Firma",
        "conglomerate": "Konzern",
        "consultant": "Berater",
        "deck": "Stapel",
        "display": "Auslage",
        "hq": "HQ",
        "infiltrate": "Infiltrieren",
        "marker": "Marker",
        "objective": "Zielkarte",
        "ods": "ODS",
        "plot": "Planen",
        "rotated": "Gedreht",
        "share": "Anteil",
        "supply": "Vorrat",
        "takeover": "Übernahme",
        "victory-point": "Siegpunkt",
    },
    sentences={
        "ability": "Was du einmal tun darfst, gleich nachdem du eine Firma übernommen hast.",
        "agent": "Ein Stein einer Farbe auf einer Firma; wessen Farbe dort steht, der kontrolliert sie.",
        "box": "Was in die Schachtel kommt, ist endgültig aus dem Spiel.",
        "card": "Ein Anteil an einem Konzern, auf einer Hand, in einem HQ, in der Auslage oder im Stapel.",
        "company": "Ein Plättchen des Rasters mit Namen, Art und Agenten genau einer Farbe.",
        "conglomerate": "Eine der vier Farben: Mega Media (Rot), KuronoTech (Schwarz), Branx Entertainment "
        "(Blau), Omnicorp (Weiß).",
        "consultant": "Eine Karte im HQ, die eine Aktion verändert oder am Ende Punkte bringt.",
        "deck": "Die verdeckten Karten; füllen sie die Auslage nicht mehr, geht das Spiel zu Ende.",
        "display": "Die offenen Karten auf nummerierten Feldern, aus denen du beim Planen nimmst.",
        "hq": "Der offene Bereich eines Spielers: gelegte Karten, eroberte Agenten, Berater.",
        "infiltrate": "Karten einer Farbe ins HQ legen und ebenso viele Agenten auf eine Firma setzen.",
        "marker": "Er zeigt, bei welcher Spalte ODS nach einem Ziel zu suchen beginnt.",
        "objective": "Eine Art von Firmen, die dem Besitzer der Karte zusätzliche Punkte bringt.",
        "ods": "Der Gegner, den der Computer spielt, wenn du allein spielst.",
        "plot": "Zwei Karten aus der Auslage oder vom Stapel nehmen.",
        "rotated": "Eine quer liegende Karte: für Übernahmen verbraucht, aber weiter ein Anteil.",
        "share": "Eine Karte im HQ zählt einen, ein Agent im HQ zwei Anteile seiner Farbe.",
        "supply": "Die gemeinsamen Agenten und Berater.",
        "takeover": "Karten drehen und ebenso viele Agenten auf eine benachbarte Firma bewegen: Sind es mehr, als "
        "dort stehen, ist sie übernommen.",
        "victory-point": "Wer am Ende die meisten hat, gewinnt.",
    },
    figures_title="Zahlen aus Partien von Computerspielern",
    figures_limits="In diesen Partien saßen auf allen Plätzen Computerspieler. Die Zahlen sagen, wie diese Spieler "
    "spielen, und sind kein Gesetz des Spiels: Menschen spielen anders, und ein stärkerer Spieler braucht "
    "vielleicht weniger Züge oder holt mehr Punkte. In 95 von 100 Fällen enthält ein solches Intervall den wahren "
    "Anteil dieser Spieler.",
    figures_sizes={2: "Zu zweit", 3: "Zu dritt", 4: "Zu viert"},
    figures_text="Von {games} Partien hatte die mittlere {turns} Züge; neun von zehn hatten zwischen {fewest} und"
    " {most}. "
    "Das mittlere Ergebnis waren {points} Punkte; neun von zehn lagen zwischen {least} und {greatest}. Das "
    "mittlere Ergebnis der Sieger waren {winner}. Wer begann, gewann {rate} von 100 Partien (Intervall: {low} bis "
    "{high}; ausgeglichen: {even}).",
)
