"""What the check of game records finds (service/web/static/verify.mjs), in the languages of the players.

The check itself speaks English and hands over its sentences as templates: `{0}`, `{1}` are where values go. Those are
the keys here. "It" is the line that the page names before the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.rules.typeset import typeset

DE: Final = {
    "a value is not in hex as it has to be": "ein Wert ist nicht in kleinen Hexadezimalziffern geschrieben oder hat "
    "die falsche Länge",
    "the file does not end with a line feed; its end is missing": "die Datei endet nicht mit einem Zeilenumbruch; ihr "
    "Ende fehlt",
    "every line is canonical JSON with the fields of its kind; lines: {0}": "jede Zeile ist kanonisches JSON mit den "
    "Feldern ihrer Art; Zeilen: {0}",
    "it is too long for a line": "sie ist zu lang für eine Zeile",
    "it is no JSON text in UTF-8": "sie ist kein JSON-Text in UTF-8",
    "it is no JSON object": "sie ist kein JSON-Objekt",
    "it is not written in the canonical form of RFC 8785": "sie ist nicht in der kanonischen Form nach RFC 8785 "
    "geschrieben",
    "this is what one seat may see of a game; the record is made when the game is over": "das ist, was ein Platz von "
    "einer Partie sehen darf; das Protokoll entsteht, wenn die Partie zu Ende ist",
    "no kind of line has such fields": "keine Art von Zeile hat solche Felder",
    "its check is missing, or it has one and must not": "ihr Feld „check“ fehlt, oder sie hat eines und darf es nicht",
    "an event has other fields than events have": "ein Ereignis hat andere Felder, als Ereignisse haben",
    "a draw is no JSON object": "eine Ziehung ist kein JSON-Objekt",
    "its moment is before 1970 or after the year 9999": "ihr Zeitpunkt liegt vor 1970 oder nach dem Jahr 9999",
    "format {0} is not known here": "das Format {0} ist hier nicht bekannt",
    "a number is not whole, or too large": "eine Zahl ist nicht ganz oder zu groß",
    "a text has half a character in it": "in einem Text steht ein halbes Zeichen",
    "a line of kind {0} cannot stand here": "eine Zeile der Art „{0}“ kann hier nicht stehen",
    "event {0} is missing": "Ereignis {0} fehlt",
    "the record is not finished: its end is missing": "das Protokoll ist nicht abgeschlossen: Sein Ende fehlt",
    "the seed is not the one that was committed to before the game began": "der Startwert des Zufalls ist nicht der, "
    "auf den sich der Dienst vor Beginn der Partie festgelegt hat",
    "a seal can only stand at the end": "ein Siegel kann nur am Ende stehen",
    "the header knows of no lobby": "nach der Kopfzeile wurde nicht notiert, was vor der Partie geschah",
    "the end of the lobby is missing": "das Ende dessen fehlt, was vor der Partie am Tisch geschah",
    "it does not fit the lines before it": "sie passt nicht zu den Zeilen davor",
    "the seal is over another record": "das Siegel gehört zu einem anderen Protokoll",
    "every line follows from the one before, and no event is missing; the head is {0}": "jede Zeile folgt aus der "
    "davor, und kein Ereignis fehlt; der letzte Prüfwert ist {0}",
    "there is no seal: nobody has vouched for this record": "es gibt kein Siegel: Für dieses Protokoll bürgt niemand",
    "there is no seal": "es gibt kein Siegel",
    "its algorithm or key's name is wrong": "sein Verfahren oder der Name seines Schlüssels ist falsch",
    "its key is none of Ed25519": "sein Schlüssel ist keiner von Ed25519",
    "this browser or program cannot check seals: it does not know Ed25519": "dieser Browser kann keine Siegel prüfen: "
    "Er kennt Ed25519 nicht",
    "the signature was not made with the key": "die Unterschrift wurde nicht mit dem Schlüssel gemacht",
    "signed with the key {0}; whose key that is only the published keys can tell": "unterschrieben mit dem Schlüssel "
    "{0}; wem der gehört, sagen nur die veröffentlichten Schlüssel",
    "the key {0} is none of those that were published": "der Schlüssel {0} ist keiner der veröffentlichten",
    "the key {0} was not in use at {1}": "der Schlüssel {0} war nicht in Gebrauch ({1})",
    "signed with the published key {0} at {1}": "unterschrieben mit dem veröffentlichten Schlüssel {0} ({1})",
    "this could not happen in the lobby at that moment": "das konnte in diesem Augenblick vor der Partie nicht "
    "geschehen",
    "the game that was opened is not the one of the header": "die Partie, die eröffnet wurde, ist nicht die der "
    "Kopfzeile",
    "the lobby ended otherwise than it goes on here": "was vor der Partie geschah, endete anders, als es hier "
    "weitergeht",
    "the game was called off before anything was drawn": "die Partie wurde abgesagt, bevor etwas gezogen wurde",
    "the seats' own values of chance are missing": "die eigenen Zufallswerte der Plätze fehlen",
    "the seats' own values of chance are not those that were given on joining": "die eigenen Zufallswerte der Plätze "
    "sind nicht die, die beim Beitritt gegeben wurden",
    "the draw {0} does not follow from the seed": "die Ziehung {0} folgt nicht aus dem Startwert",
    "the draw {0} was made twice": "die Ziehung {0} gibt es zweimal",
    "every draw follows from the seed and the seats' own values; draws: {0}": "jede Ziehung folgt aus dem Startwert "
    "und den eigenen Werten der Plätze; Ziehungen: {0}",
    "{0}; these values were given on joining, by the players themselves: {1} of {2}": "{0}; diese Werte wurden beim "
    "Beitritt gegeben, von den Spielern selbst: {1} von {2}",
    "{0}; what it takes over from another game was not checked": "{0}; was die Partie aus einer anderen "
    "übernimmt, wurde nicht geprüft",
    "nobody can make sense of it ({0})": "das ergibt keinen Sinn ({0})",
}
FR: Final = {
    "a value is not in hex as it has to be": "une valeur n'est pas en hexadécimal minuscule, ou n'a pas la bonne "
    "longueur",
    "the file does not end with a line feed; its end is missing": "le fichier ne se termine pas par un saut de ligne ; "
    "sa fin manque",
    "every line is canonical JSON with the fields of its kind; lines: {0}": "chaque ligne est du JSON canonique, avec "
    "les champs de son genre ; lignes : {0}",
    "it is too long for a line": "elle est trop longue pour une ligne",
    "it is no JSON text in UTF-8": "elle n'est pas un texte JSON en UTF-8",
    "it is no JSON object": "elle n'est pas un objet JSON",
    "it is not written in the canonical form of RFC 8785": "elle n'est pas écrite dans la forme canonique de la "
    "RFC 8785",
    "this is what one seat may see of a game; the record is made when the game is over": "ceci est ce qu'une place "
    "peut voir d'une partie ; l'enregistrement se fait quand la partie est terminée",
    "no kind of line has such fields": "aucun genre de ligne n'a de tels champs",
    "its check is missing, or it has one and must not": "son champ « check » manque, ou elle en a un alors qu'elle "
    "n'en doit pas avoir",
    "an event has other fields than events have": "un événement a d'autres champs que ceux des événements",
    "a draw is no JSON object": "un tirage n'est pas un objet JSON",
    "its moment is before 1970 or after the year 9999": "sa date est avant 1970 ou après l'an 9999",
    "format {0} is not known here": "le format {0} n'est pas connu ici",
    "a number is not whole, or too large": "un nombre n'est pas entier, ou est trop grand",
    "a text has half a character in it": "un texte contient une moitié de caractère",
    "a line of kind {0} cannot stand here": "une ligne du genre « {0} » ne peut pas se trouver ici",
    "event {0} is missing": "l'événement {0} manque",
    "the record is not finished: its end is missing": "l'enregistrement n'est pas complet : sa fin manque",
    "the seed is not the one that was committed to before the game began": "la graine du hasard n'est pas celle à "
    "laquelle le service s'était engagé avant le début de la partie",
    "a seal can only stand at the end": "un sceau ne peut se trouver qu'à la fin",
    "the header knows of no lobby": "selon l'en-tête, ce qui s'est passé avant la partie n'a pas été noté",
    "the end of the lobby is missing": "la fin de ce qui s'est passé à la table avant la partie manque",
    "it does not fit the lines before it": "elle ne s'accorde pas avec les lignes qui précèdent",
    "the seal is over another record": "le sceau est celui d'un autre enregistrement",
    "every line follows from the one before, and no event is missing; the head is {0}": "chaque ligne découle de la "
    "précédente, et aucun événement ne manque ; la dernière empreinte est {0}",
    "there is no seal: nobody has vouched for this record": "il n'y a pas de sceau : personne ne s'est porté garant de "
    "cet enregistrement",
    "there is no seal": "il n'y a pas de sceau",
    "its algorithm or key's name is wrong": "son algorithme ou le nom de sa clé est faux",
    "its key is none of Ed25519": "sa clé n'est pas une clé Ed25519",
    "this browser or program cannot check seals: it does not know Ed25519": "ce navigateur ne peut pas vérifier les "
    "sceaux : il ne connaît pas Ed25519",
    "the signature was not made with the key": "la signature n'a pas été faite avec la clé",
    "signed with the key {0}; whose key that is only the published keys can tell": "signé avec la clé {0} ; seules les "
    "clés publiées peuvent dire à qui elle est",
    "the key {0} is none of those that were published": "la clé {0} n'est pas de celles qui ont été publiées",
    "the key {0} was not in use at {1}": "la clé {0} n'était pas en usage ({1})",
    "signed with the published key {0} at {1}": "signé avec la clé publiée {0} ({1})",
    "this could not happen in the lobby at that moment": "cela ne pouvait pas se passer à ce moment avant la partie",
    "the game that was opened is not the one of the header": "la partie qui a été ouverte n'est pas celle de l'en-tête",
    "the lobby ended otherwise than it goes on here": "ce qui s'est passé avant la partie a fini autrement que cela ne "
    "continue ici",
    "the game was called off before anything was drawn": "la partie a été annulée avant tout tirage",
    "the seats' own values of chance are missing": "les valeurs de hasard propres aux places manquent",
    "the seats' own values of chance are not those that were given on joining": "les valeurs de hasard propres aux "
    "places ne sont pas celles qui ont été données à l'arrivée",
    "the draw {0} does not follow from the seed": "le tirage {0} ne découle pas de la graine",
    "the draw {0} was made twice": "le tirage {0} a été fait deux fois",
    "every draw follows from the seed and the seats' own values; draws: {0}": "chaque tirage découle de la graine et "
    "des valeurs propres aux places ; tirages : {0}",
    "{0}; these values were given on joining, by the players themselves: {1} of {2}": "{0} ; ces valeurs ont été "
    "données à l'arrivée, par les joueurs eux-mêmes : {1} sur {2}",
    "{0}; what it takes over from another game was not checked": "{0} ; ce que la partie reprend d'une autre n'a pas "
    "été vérifié",
    "nobody can make sense of it ({0})": "cela n'a pas de sens ({0})",
}
FINDINGS: Final[Mapping[str, Mapping[str, str]]] = {"en": {each: each for each in DE}, "de": DE, "fr": typeset(FR)}
