"""What the page says that checks game records, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "ve-title": "Check a game",
    "ve-what": "Here your browser checks the record of a finished game by itself: that its file is whole, that no "
    "line was changed, that its seal is genuine, and that every card was drawn as had been fixed before the game. "
    "The file is sent nowhere.",
    "ve-no-script": "This needs JavaScript. Without it, check the record by the command below.",
    "ve-file": "The record, a file that ends in .jsonl",
    "ve-drop": "Or drop it here. The page of every finished game leads to its record.",
    "ve-holds": "{name}: the record holds",
    "ve-wrong": "{name}: the record does NOT hold",
    "ve-line": "line {line}: {said}",
    "ve-unread": "{name}: this file cannot be read, or a record in it is longer than 8 MB",
    "ve-no-crypto": "At this address the browser cannot check anything, because it computes hashes and signatures only "
    "on pages that come by https. The command below can.",
    "ve-keys": "It has no seal of this service. A record from elsewhere is checked with the keys of the service that "
    "sealed it.",
    "ve-several": "Records in this file: {count}. Of them do not hold: {wrong}.",
    "ve-true": "holds",
    "ve-false": "WRONG",
    "ve-null": "not checked",
    "ve-level": "Level",
    "ve-verdict": "Verdict",
    "ve-told": "What was found",
    "ve-form": "Form",
    "ve-chain": "Chain",
    "ve-seal": "Seal",
    "ve-draws": "Draws",
    "ve-more": "More, and without this site",
    "ve-rules": "Whether every action was legal, and the score is right, is checked by playing the game once more by "
    "the rules. This command does so, offline:",
    "ve-offline": "The check of this page is one file without dependencies, which also runs with Node:",
    "ve-list": "The published keys of this service, without which both only tell that some key has sealed it:",
}
DE: Final = {
    "ve-title": "Eine Partie prüfen",
    "ve-what": "Hier prüft dein Browser selbst das Protokoll einer beendeten Partie: dass die Datei ganz ist, dass "
    "keine Zeile geändert wurde, dass ihr Siegel echt ist und dass jede Karte so gezogen wurde, wie es vor der "
    "Partie feststand. Die Datei wird nirgendwohin geschickt.",
    "ve-no-script": "Das braucht JavaScript. Ohne prüfst du das Protokoll mit dem Befehl unten.",
    "ve-file": "Das Protokoll, eine Datei mit der Endung .jsonl",
    "ve-drop": "Oder lege sie hier ab. Die Seite jeder beendeten Partie führt zu ihrem Protokoll.",
    "ve-holds": "{name}: Das Protokoll stimmt",
    "ve-wrong": "{name}: Das Protokoll stimmt NICHT",
    "ve-line": "Zeile {line}: {said}",
    "ve-unread": "{name}: Diese Datei lässt sich nicht lesen, oder ein Protokoll darin ist länger als 8 MB",
    "ve-no-crypto": "Unter dieser Adresse kann der Browser nichts prüfen, weil er Prüfwerte und Unterschriften nur auf "
    "Seiten berechnet, die über https kommen. Der Befehl unten kann es.",
    "ve-keys": "Es hat kein Siegel dieses Dienstes. Ein Protokoll von anderswo wird mit den Schlüsseln des Dienstes "
    "geprüft, der es gesiegelt hat.",
    "ve-several": "Protokolle in dieser Datei: {count}. Davon stimmen nicht: {wrong}.",
    "ve-true": "stimmt",
    "ve-false": "FALSCH",
    "ve-null": "nicht geprüft",
    "ve-level": "Stufe",
    "ve-verdict": "Urteil",
    "ve-told": "Was sich ergab",
    "ve-form": "Form",
    "ve-chain": "Kette",
    "ve-seal": "Siegel",
    "ve-draws": "Ziehungen",
    "ve-more": "Mehr, und ohne diese Seite",
    "ve-rules": "Ob jede Aktion erlaubt war und die Wertung stimmt, prüft man, indem man die Partie nach den Regeln "
    "noch einmal spielt. Das tut dieser Befehl, ohne Netz:",
    "ve-offline": "Die Prüfung dieser Seite ist eine einzige Datei ohne Abhängigkeiten, die auch mit Node läuft:",
    "ve-list": "Die veröffentlichten Schlüssel dieses Dienstes, ohne die beide nur sagen, dass irgendein Schlüssel "
    "gesiegelt hat:",
}
FR: Final = {
    "ve-title": "Vérifier une partie",
    "ve-what": "Ici, votre navigateur vérifie lui-même l'enregistrement d'une partie terminée : que le fichier est "
    "entier, qu'aucune ligne n'a été modifiée, que son sceau est authentique et que chaque carte a été tirée comme "
    "il était fixé avant la partie. Le fichier n'est envoyé nulle part.",
    "ve-no-script": "Il faut JavaScript. Sans lui, vérifiez l'enregistrement par la commande ci-dessous.",
    "ve-file": "L'enregistrement, un fichier qui finit par .jsonl",
    "ve-drop": "Ou déposez-le ici. La page de chaque partie terminée mène à son enregistrement.",
    "ve-holds": "{name} : l'enregistrement est exact",
    "ve-wrong": "{name} : l'enregistrement n'est PAS exact",
    "ve-line": "ligne {line} : {said}",
    "ve-unread": "{name} : ce fichier ne peut pas être lu, ou il contient un enregistrement de plus de 8 Mo",
    "ve-no-crypto": "À cette adresse, le navigateur ne peut rien vérifier, car il ne calcule empreintes et signatures "
    "que sur les pages reçues par https. La commande ci-dessous le peut.",
    "ve-keys": "Il n'a pas de sceau de ce service. Un enregistrement venu d'ailleurs se vérifie avec les clés du "
    "service qui l'a scellé.",
    "ve-several": "Enregistrements dans ce fichier : {count}. Parmi eux, ne sont pas exacts : {wrong}.",
    "ve-true": "exact",
    "ve-false": "FAUX",
    "ve-null": "non vérifié",
    "ve-level": "Niveau",
    "ve-verdict": "Verdict",
    "ve-told": "Ce qui a été constaté",
    "ve-form": "Forme",
    "ve-chain": "Chaîne",
    "ve-seal": "Sceau",
    "ve-draws": "Tirages",
    "ve-more": "Davantage, et sans ce site",
    "ve-rules": "Pour savoir si chaque action était permise et si le score est juste, on rejoue la partie selon les "
    "règles. Cette commande le fait, hors ligne :",
    "ve-offline": "La vérification de cette page tient en un seul fichier sans dépendances, qui fonctionne aussi "
    "avec Node :",
    "ve-list": "Les clés publiées de ce service, sans lesquelles les deux disent seulement qu'une clé quelconque l'a "
    "scellé :",
}
