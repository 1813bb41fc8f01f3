"""What the page says that shows what proves a game, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "pr-title": "How this game can be checked",
    "pr-link": "How this game can be checked",
    "pr-imported": "This game was played elsewhere: only its record was brought here, so nobody here knows who played.",
    "pr-chance": "Chance",
    "pr-commitment": "Before anybody sat down, a secret was fixed from which the order of the cards follows. This is "
    "its fingerprint. When the game is over the secret is told, and everybody can see that it is the same.",
    "pr-seed": "This is the secret:",
    "pr-own": "Each seat adds a value of its own to the secret. Where a player's own browser or program has drawn one, "
    "the service cannot have chosen the cards.",
    "pr-by-client": "Drawn by the player's own browser or program: {names}",
    "pr-by-server": "Drawn by the service, which knows the secret as well: {names}",
    "pr-trusted": "Here the service has drawn all of them, so its word is all there is that it has not tried several.",
    "pr-log": "The log",
    "pr-head": "Each event is chained to the one before it. This value comes from all {count} of them; its beginning "
    "stands in the mails of the game as well. If any event is changed, it does not fit any more.",
    "pr-seal": "The seal",
    "pr-sealed": "The service has signed this value with its key {name}:",
    "pr-day": "The seals of that day ({count} in all) come to this root, which is kept for ever:",
    "pr-no-day": "When the day is over, the seals of all its games come to one root, which is kept for ever.",
    "pr-no-seal": "There is no seal yet. If none comes within some minutes, this service has no key to seal with.",
    "pr-files": "Files",
    "pr-record": "The whole record, with all that was hidden.",
    "pr-check": "Your browser or a command can check it without this service:",
    "pr-mine": "What you know so far",
    "pr-knew": "What {name} knew",
    "pr-spectators": "What spectators see",
    "pr-listing": "The game written down, move by move",
}
DE: Final = {
    "pr-title": "Wie sich diese Partie prüfen lässt",
    "pr-link": "Wie sich diese Partie prüfen lässt",
    "pr-imported": "Diese Partie wurde anderswo gespielt: Nur ihr Protokoll kam hierher, darum weiß hier niemand, wer "
    "gespielt hat.",
    "pr-chance": "Zufall",
    "pr-commitment": "Bevor jemand Platz nahm, stand ein Geheimnis fest, aus dem die Reihenfolge der Karten folgt. "
    "Dies ist sein Fingerabdruck. Nach der Partie wird das Geheimnis verraten, und alle können "
    "sehen, dass es dasselbe ist.",
    "pr-seed": "Dies ist das Geheimnis:",
    "pr-own": "Jeder Platz gibt einen eigenen Wert dazu. Wo ihn der Browser oder das Programm eines Spielers selbst "
    "gezogen hat, kann der Dienst die Karten nicht ausgesucht haben.",
    "pr-by-client": "Vom eigenen Browser oder Programm gezogen: {names}",
    "pr-by-server": "Vom Dienst gezogen, der auch das Geheimnis kennt: {names}",
    "pr-trusted": "Hier hat der Dienst alle gezogen. Dass er nicht mehrere ausprobiert hat, kann nur er selbst sagen.",
    "pr-log": "Das Logbuch",
    "pr-head": "Jedes Ereignis ist mit dem davor verkettet. Dieser Wert folgt aus allen {count}; sein Anfang steht "
    "auch in den Mails der Partie. Wird ein Ereignis geändert, passt er nicht mehr.",
    "pr-seal": "Das Siegel",
    "pr-sealed": "Der Dienst hat diesen Wert mit seinem Schlüssel {name} unterschrieben:",
    "pr-day": "Die Siegel dieses Tages ({count} im Ganzen) ergeben diese Wurzel, die für immer aufgehoben wird:",
    "pr-no-day": "Ist der Tag vorbei, ergeben die Siegel aller seiner Partien eine Wurzel, die für "
    "immer aufgehoben wird.",
    "pr-no-seal": "Noch gibt es kein Siegel. Kommt in einigen Minuten keines, hat dieser Dienst "
    "keinen Schlüssel dafür.",
    "pr-files": "Dateien",
    "pr-record": "Das ganze Protokoll, mit allem, was verdeckt war.",
    "pr-check": "Dein Browser oder ein Befehl kann es ohne diesen Dienst prüfen:",
    "pr-mine": "Was du bis jetzt weißt",
    "pr-knew": "Was {name} wusste",
    "pr-spectators": "Was Zuschauer sehen",
    "pr-listing": "Die Partie Zug für Zug aufgeschrieben",
}
FR: Final = {
    "pr-title": "Comment vérifier cette partie",
    "pr-link": "Comment vérifier cette partie",
    "pr-imported": "Cette partie a été jouée ailleurs : seul son enregistrement est venu ici, et personne ici ne sait "
    "qui a joué.",
    "pr-chance": "Hasard",
    "pr-commitment": "Avant que quiconque prenne place, un secret a été fixé, dont découle l'ordre des cartes. En "
    "voici l'empreinte. Une fois la partie finie, le secret est révélé, et chacun peut voir que c'est bien le même.",
    "pr-seed": "Voici le secret :",
    "pr-own": "Chaque place y ajoute une valeur. Là où le navigateur ou le programme d'un joueur l'a tirée lui-même, "
    "le service ne peut pas avoir choisi les cartes.",
    "pr-by-client": "Tirée par le navigateur ou le programme du joueur : {names}",
    "pr-by-server": "Tirée par le service, qui connaît aussi le secret : {names}",
    "pr-trusted": "Ici, le service les a toutes tirées : seule sa parole dit qu'il n'en a pas essayé plusieurs.",
    "pr-log": "Le journal",
    "pr-head": "Chaque événement est enchaîné au précédent. Cette valeur découle des {count} ; son début figure aussi "
    "dans les messages de la partie. Si l'un d'eux est modifié, elle ne correspond plus.",
    "pr-seal": "Le sceau",
    "pr-sealed": "Le service a signé cette valeur avec sa clé {name} :",
    "pr-day": "Les sceaux de ce jour ({count} en tout) donnent cette racine, conservée pour toujours :",
    "pr-no-day": "À la fin du jour, les sceaux de toutes ses parties donnent une racine, conservée pour toujours.",
    "pr-no-seal": "Il n'y a pas encore de sceau. S'il n'en vient pas dans quelques minutes, ce service n'a pas de clé.",
    "pr-files": "Fichiers",
    "pr-record": "L'enregistrement complet, avec tout ce qui était caché.",
    "pr-check": "Votre navigateur ou une commande peut le vérifier sans ce service :",
    "pr-mine": "Ce que vous savez jusqu'ici",
    "pr-knew": "Ce que savait {name}",
    "pr-spectators": "Ce que voient les spectateurs",
    "pr-listing": "La partie écrite coup par coup",
}
