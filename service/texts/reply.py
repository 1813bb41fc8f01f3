"""What answers to players' mails say, in the languages of the players.

Nothing in them stands on a line alone that a reply could be read from.
"""

from __future__ import annotations

from typing import Final

EN: Final = {
    "answer-played": "Your move is played: {notation}",
    "answer-played-text": 'You played "{notation}": {text}',
    "answer-played-undo": 'If that was a mistake, answer with the word "undo" within {minutes} minutes, before '
    "anybody else acts.",
    "answer-illegal": 'Nothing was played: "{notation}" is not possible',
    "answer-illegal-text": '"{notation}" is not possible now: {reason} Nothing was played.',
    "answer-nothing": "Nothing was played: your mail was not understood",
    "answer-nothing-text": "No line of your mail is an action or a command, so nothing has changed. Write the "
    'notation of one action on a line of its own, or the word "help".',
    "answer-nothing-read": 'Your mail begins with: "{words}".',
    "answer-several": "Nothing was played: your mail asks for several things",
    "answer-several-text": "Your mail asks for several things: {found}. Nothing was played, since only one can be "
    "meant. Please answer with one of them.",
    "answer-stale": "Nothing was played: you answered an old mail",
    "answer-stale-text": "The mail that you answered is an old one: its decision has been taken since. Nothing was "
    "played. This is the table as it is now.",
    "answer-not-your-turn": "Nothing was played: it is not your move",
    "answer-not-your-turn-text": "It is not your move at the moment, so nothing was played.",
    "answer-over": "The game is over",
    "answer-over-text": "The game is over, so nothing has changed.",
    "answer-not-running": "Nothing was played: the game does not go on for you",
    "answer-not-running-text": "The game is not running for you any more, so nothing has changed.",
    "answer-help": "What you can write to the game",
    "answer-help-text": "Answer any mail of this game. To play, write the notation of one action on a line of its "
    "own. What your mail program quotes is left out. These words do more, each on a line of its own:",
    "answer-help-show": '"show" brings you the table as it is.',
    "answer-help-undo": '"undo" takes your last action back, as long as it has shown nothing and nobody has acted '
    "since.",
    "answer-help-say": '"say: good luck!" talks to the table; a move in the same mail stands above it.',
    "answer-help-mute": '"mute" stops the mails of this game.',
    "answer-help-resign": '"resign" gives the game up, after asking you once more.',
    "answer-shown": "The table as it is now",
    "answer-shown-text": "This is the table as it is now.",
    "answer-undone": "Your action is taken back",
    "answer-undone-text": "Your last action is taken back, and it is your move again.",
    "answer-nothing-to-undo": "Nothing was taken back",
    "answer-nothing-to-undo-text": "There is no action of yours that could be taken back.",
    "answer-too-late-to-undo": "It is too late to take that back",
    "answer-too-late-to-undo-text": "Somebody else has acted since, or too much time has passed. Nothing has changed.",
    "answer-cannot-be-undone": "That action cannot be taken back",
    "answer-cannot-be-undone-text": "Your last action has shown something that was hidden, so it stays. Nothing has "
    "changed.",
    "answer-resign-asked": "Do you want to resign?",
    "answer-resign-asked-text": 'If you want to give this game up for good, answer with the two words "resign yes" '
    "on a line of their own. If you do nothing, you play on.",
    "answer-resigned": "You have resigned",
    "answer-resigned-text": "You have given this game up.",
    "answer-muted": "No more mails of this game",
    "answer-muted-text": "You get no more mails of this game, except answers to your own. It goes on nevertheless, "
    "and waits for your moves. The settings of your mails bring them back.",
    "answer-said": "Your words are at the table",
    "answer-said-text": "What you had to say can now be read at the table.",
    "answer-late": "Nothing was played: your action stands in a remark",
    "answer-late-text": "Not carried out: {found}. It stands after the beginning of a remark, and from "
    'there on your mail is only what you say. Write an action above "say:", or in a mail of its own.',
    "answer-too-long": "That was too long to say",
    "answer-too-long-text": "A remark has at most {most} letters. Yours is longer, so it was not said.",
    "answer-too-many": "That was not said",
    "answer-too-many-text": "You have said something by mail {most} times within an hour, and this was not said any "
    "more. Please try again later, or say it at the table on the web site.",
    "answer-not-believed": "Is this mail from you?",
    "answer-not-believed-text": "A mail came for your seat that we cannot be sure is from you: it came from an "
    "address that is not yours here, or its sender could not be checked. Nothing was played. If it was you, play by "
    "the links in this mail, or answer it from this address. If not, you need not do anything.",
    "answer-not-believed-strict": "You have chosen that your links play only where you are signed in. So an answer "
    "by mail plays only if your mail provider proves that it is from you (DMARC), and it did not.",
    "answer-dead-link": "Nothing was played: that mail no longer counts",
    "answer-dead-link-text": "The mail that you answered is too old, or was taken out of use. Nothing was played. "
    "This mail has new links, and you can answer it.",
    "answer-quiet": "From now on, mails that change nothing bring no answer for a while, since a machine might be "
    "writing them. Moves are still played, and confirmed.",
    "mailbox-reply": "Answer this mail",
    "mailbox-reply-how": "Your answer goes to the game as a mail, like one from the recipient's own mail program. "
    "For example the notation of an action, or the word help.",
    "mailbox-reply-send": "Send",
    "mailbox-reply-sent": "Your answer is on its way. What comes of it arrives in the mailbox in a moment.",
    "mailbox-reply-refused": "The answer could not be handed over. Please try again in a moment.",
}


DE: Final = {
    "answer-played": "Dein Zug ist gespielt: {notation}",
    "answer-played-text": "Du hast „{notation}“ gespielt: {text}",
    "answer-played-undo": "War das ein Versehen, dann antworte innerhalb von {minutes} Minuten mit dem Wort "
    "„zurück“, bevor jemand anderes handelt.",
    "answer-illegal": "Nichts wurde gespielt: „{notation}“ ist nicht möglich",
    "answer-illegal-text": "„{notation}“ ist jetzt nicht möglich: {reason} Es wurde nichts gespielt.",
    "answer-nothing": "Nichts wurde gespielt: Deine Mail war nicht zu verstehen",
    "answer-nothing-text": "Keine Zeile deiner Mail ist eine Aktion oder ein Befehl, also hat sich nichts geändert. "
    "Schreibe die Notation einer Aktion in eine eigene Zeile, oder das Wort „hilfe“.",
    "answer-nothing-read": "Deine Mail beginnt mit: „{words}“.",
    "answer-several": "Nichts wurde gespielt: Deine Mail verlangt mehreres",
    "answer-several-text": "Deine Mail verlangt mehreres: {found}. Es wurde nichts gespielt, denn nur eines kann "
    "gemeint sein. Bitte antworte mit einem davon.",
    "answer-stale": "Nichts wurde gespielt: Du hast auf eine alte Mail geantwortet",
    "answer-stale-text": "Die Mail, auf die du geantwortet hast, ist eine alte: Ihre Entscheidung ist inzwischen "
    "gefallen. Es wurde nichts gespielt. So steht der Tisch jetzt.",
    "answer-not-your-turn": "Nichts wurde gespielt: Du bist nicht am Zug",
    "answer-not-your-turn-text": "Du bist gerade nicht am Zug, also wurde nichts gespielt.",
    "answer-over": "Die Partie ist zu Ende",
    "answer-over-text": "Die Partie ist zu Ende, also hat sich nichts geändert.",
    "answer-not-running": "Nichts wurde gespielt: Die Partie läuft für dich nicht weiter",
    "answer-not-running-text": "Die Partie läuft für dich nicht mehr, also hat sich nichts geändert.",
    "answer-help": "Was du der Partie schreiben kannst",
    "answer-help-text": "Antworte auf irgendeine Mail dieser Partie. Zum Ziehen schreibst du die Notation einer "
    "Aktion in eine eigene Zeile. Was dein Mailprogramm zitiert, bleibt außer Acht. Diese Wörter können mehr, jedes "
    "in einer eigenen Zeile:",
    "answer-help-show": "„zeige“ bringt dir den Tisch, wie er steht.",
    "answer-help-undo": "„zurück“ nimmt deine letzte Aktion zurück, solange sie nichts aufgedeckt hat und niemand "
    "seither gehandelt hat.",
    "answer-help-say": "„sag: viel Glück!“ spricht zum Tisch; ein Zug in derselben Mail steht darüber.",
    "answer-help-mute": "„stumm“ beendet die Mails zu dieser Partie.",
    "answer-help-resign": "„aufgeben“ gibt die Partie auf, nachdem du noch einmal gefragt wurdest.",
    "answer-shown": "Der Tisch, wie er jetzt steht",
    "answer-shown-text": "So steht der Tisch jetzt.",
    "answer-undone": "Deine Aktion ist zurückgenommen",
    "answer-undone-text": "Deine letzte Aktion ist zurückgenommen, und du bist wieder am Zug.",
    "answer-nothing-to-undo": "Nichts wurde zurückgenommen",
    "answer-nothing-to-undo-text": "Es gibt keine Aktion von dir, die sich zurücknehmen ließe.",
    "answer-too-late-to-undo": "Zum Zurücknehmen ist es zu spät",
    "answer-too-late-to-undo-text": "Jemand anderes hat seither gehandelt, oder es ist zu viel Zeit vergangen. Es "
    "hat sich nichts geändert.",
    "answer-cannot-be-undone": "Diese Aktion lässt sich nicht zurücknehmen",
    "answer-cannot-be-undone-text": "Deine letzte Aktion hat etwas Verborgenes aufgedeckt, deshalb bleibt sie "
    "stehen. Es hat sich nichts geändert.",
    "answer-resign-asked": "Willst du aufgeben?",
    "answer-resign-asked-text": "Willst du diese Partie endgültig aufgeben, dann antworte mit den zwei Wörtern "
    "„aufgeben ja“ in einer eigenen Zeile. Tust du nichts, dann spielst du weiter.",
    "answer-resigned": "Du hast aufgegeben",
    "answer-resigned-text": "Du hast diese Partie aufgegeben.",
    "answer-muted": "Keine Mails mehr zu dieser Partie",
    "answer-muted-text": "Du bekommst keine Mails mehr zu dieser Partie, außer Antworten auf deine eigenen. Sie "
    "geht trotzdem weiter und wartet auf deine Züge. In den Einstellungen für Mails stellst du sie wieder an.",
    "answer-said": "Deine Worte sind am Tisch",
    "answer-said-text": "Was du zu sagen hattest, ist jetzt am Tisch zu lesen.",
    "answer-late": "Nichts wurde gespielt: Deine Aktion steht in einer Bemerkung",
    "answer-late-text": "Nicht ausgeführt: {found}. Das steht hinter dem Anfang einer Bemerkung, und von da an "
    "ist deine Mail nur noch das, was du sagst. Schreibe eine Aktion über „sag:“ oder in eine eigene Mail.",
    "answer-too-long": "Das war zu lang zum Sagen",
    "answer-too-long-text": "Eine Bemerkung hat höchstens {most} Zeichen. Deine ist länger, deshalb wurde sie nicht "
    "gesagt.",
    "answer-too-many": "Das wurde nicht gesagt",
    "answer-too-many-text": "Du hast innerhalb einer Stunde {most} Mal etwas per Mail gesagt, und dies wurde nicht "
    "mehr gesagt. Bitte versuche es später noch einmal, oder sage es am Tisch auf der Webseite.",
    "answer-not-believed": "Ist diese Mail von dir?",
    "answer-not-believed-text": "Für deinen Platz kam eine Mail, von der wir nicht sicher wissen, ob sie von dir "
    "ist: Sie kam von einer Adresse, die hier nicht deine ist, oder ihr Absender ließ sich nicht prüfen. Es wurde "
    "nichts gespielt. Warst du es, dann spiele über die Links in dieser Mail, oder antworte auf sie von dieser "
    "Adresse aus. Wenn nicht, brauchst du nichts zu tun.",
    "answer-not-believed-strict": "Du hast gewählt, dass deine Links nur da spielen, wo du angemeldet bist. Darum "
    "spielt eine Antwort per Mail nur, wenn dein Mailanbieter belegt, dass sie von dir ist (DMARC), und das hat er "
    "nicht.",
    "answer-dead-link": "Nichts wurde gespielt: Diese Mail gilt nicht mehr",
    "answer-dead-link-text": "Die Mail, auf die du geantwortet hast, ist zu alt oder wurde ungültig gemacht. Es "
    "wurde nichts gespielt. Diese Mail hat neue Links, und du kannst auf sie antworten.",
    "answer-quiet": "Mails, die nichts ändern, bekommen ab jetzt eine Weile keine Antwort, denn eine Maschine könnte "
    "sie schreiben. Züge werden weiterhin gespielt und bestätigt.",
    "mailbox-reply": "Auf diese Mail antworten",
    "mailbox-reply-how": "Deine Antwort geht als Mail an die Partie, wie aus dem Mailprogramm des Empfängers. Zum "
    "Beispiel die Notation einer Aktion, oder das Wort hilfe.",
    "mailbox-reply-send": "Abschicken",
    "mailbox-reply-sent": "Deine Antwort ist unterwegs. Was daraus wird, liegt gleich im Postfach.",
    "mailbox-reply-refused": "Die Antwort ließ sich nicht übergeben. Bitte versuche es gleich noch einmal.",
}


FR: Final = {
    "answer-played": "Votre coup est joué : {notation}",
    "answer-played-text": "Vous avez joué « {notation} » : {text}",
    "answer-played-undo": "Si c'était une erreur, répondez avec le mot « annuler » dans les {minutes} minutes, "
    "avant que quelqu'un d'autre n'agisse.",
    "answer-illegal": "Rien n'a été joué : « {notation} » n'est pas possible",
    "answer-illegal-text": "« {notation} » n'est pas possible maintenant : {reason} Rien n'a été joué.",
    "answer-nothing": "Rien n'a été joué : votre message n'a pas été compris",
    "answer-nothing-text": "Aucune ligne de votre message n'est une action ou une commande, donc rien n'a changé. "
    "Écrivez la notation d'une action, seule sur une ligne, ou le mot « aide ».",
    "answer-nothing-read": "Votre message commence par : « {words} ».",
    "answer-several": "Rien n'a été joué : votre message demande plusieurs choses",
    "answer-several-text": "Votre message demande plusieurs choses : {found}. Rien n'a été joué, car une seule peut "
    "être la bonne. Répondez avec l'une d'elles.",
    "answer-stale": "Rien n'a été joué : vous avez répondu à un ancien message",
    "answer-stale-text": "Le message auquel vous avez répondu est ancien : sa décision a été prise depuis. Rien n'a "
    "été joué. Voici la table telle qu'elle est maintenant.",
    "answer-not-your-turn": "Rien n'a été joué : ce n'est pas à vous",
    "answer-not-your-turn-text": "Ce n'est pas à vous de jouer pour l'instant, donc rien n'a été joué.",
    "answer-over": "La partie est terminée",
    "answer-over-text": "La partie est terminée, donc rien n'a changé.",
    "answer-not-running": "Rien n'a été joué : la partie ne continue pas pour vous",
    "answer-not-running-text": "La partie n'est plus en cours pour vous, donc rien n'a changé.",
    "answer-help": "Ce que vous pouvez écrire à la partie",
    "answer-help-text": "Répondez à n'importe quel message de cette partie. Pour jouer, écrivez la notation d'une "
    "action, seule sur une ligne. Ce que votre messagerie cite n'est pas lu. Ces mots en font plus, chacun seul sur "
    "une ligne :",
    "answer-help-show": "« montre » vous apporte la table telle qu'elle est.",
    "answer-help-undo": "« annuler » annule votre dernière action, tant qu'elle n'a rien révélé et que personne n'a "
    "agi depuis.",
    "answer-help-say": "« dis: bonne chance ! » parle à la table ; dans le même message, un coup se place au-dessus.",
    "answer-help-mute": "« muet » arrête les messages de cette partie.",
    "answer-help-resign": "« abandonner » abandonne la partie, après vous l'avoir demandé encore une fois.",
    "answer-shown": "La table telle qu'elle est maintenant",
    "answer-shown-text": "Voici la table telle qu'elle est maintenant.",
    "answer-undone": "Votre action est annulée",
    "answer-undone-text": "Votre dernière action est annulée, et c'est de nouveau à vous.",
    "answer-nothing-to-undo": "Rien n'a été annulé",
    "answer-nothing-to-undo-text": "Il n'y a aucune action de vous qui puisse être annulée.",
    "answer-too-late-to-undo": "Il est trop tard pour annuler",
    "answer-too-late-to-undo-text": "Quelqu'un d'autre a agi depuis, ou trop de temps a passé. Rien n'a changé.",
    "answer-cannot-be-undone": "Cette action ne peut pas être annulée",
    "answer-cannot-be-undone-text": "Votre dernière action a révélé quelque chose de caché, elle reste donc. Rien "
    "n'a changé.",
    "answer-resign-asked": "Voulez-vous abandonner ?",
    "answer-resign-asked-text": "Si vous voulez abandonner cette partie pour de bon, répondez avec les deux mots « "
    "abandonner oui », seuls sur une ligne. Si vous ne faites rien, vous continuez à jouer.",
    "answer-resigned": "Vous avez abandonné",
    "answer-resigned-text": "Vous avez abandonné cette partie.",
    "answer-muted": "Plus de messages de cette partie",
    "answer-muted-text": "Vous ne recevrez plus de messages de cette partie, sauf les réponses aux vôtres. Elle "
    "continue pourtant, et attend vos coups. Les réglages de vos messages les rétablissent.",
    "answer-said": "Vos mots sont à la table",
    "answer-said-text": "Ce que vous aviez à dire peut maintenant se lire à la table.",
    "answer-late": "Rien n'a été joué : votre action se trouve dans une remarque",
    "answer-late-text": "Non exécuté : {found}. Cela se trouve après le début d'une remarque, et à partir de là "
    "votre message n'est que ce que vous dites. Écrivez une action au-dessus de « dis: », ou dans un message à part.",
    "answer-too-long": "C'était trop long à dire",
    "answer-too-long-text": "Une remarque a au plus {most} caractères. La vôtre est plus longue, elle n'a donc pas "
    "été dite.",
    "answer-too-many": "Cela n'a pas été dit",
    "answer-too-many-text": "Vous avez dit quelque chose par message {most} fois en une heure, et ceci n'a plus été "
    "dit. Réessayez plus tard, ou dites-le à la table sur le site.",
    "answer-not-believed": "Ce message est-il de vous ?",
    "answer-not-believed-text": "Un message est arrivé pour votre place sans que nous soyons sûrs qu'il soit de "
    "vous : il venait d'une adresse qui n'est pas la vôtre ici, ou son expéditeur n'a pas pu être vérifié. Rien n'a "
    "été joué. Si c'était vous, jouez par les liens de ce message, ou répondez-y depuis cette adresse. Sinon, vous "
    "n'avez rien à faire.",
    "answer-not-believed-strict": "Vous avez choisi que vos liens ne jouent que dans un navigateur connecté à votre "
    "compte. Une réponse par courriel ne joue donc que si votre fournisseur prouve qu'elle vient de vous (DMARC), ce "
    "qu'il n'a pas fait.",
    "answer-dead-link": "Rien n'a été joué : ce message n'est plus valable",
    "answer-dead-link-text": "Le message auquel vous avez répondu est trop ancien, ou a été mis hors d'usage. Rien "
    "n'a été joué. Ce message-ci a de nouveaux liens, et vous pouvez y répondre.",
    "answer-quiet": "Désormais, les messages qui ne changent rien restent un moment sans réponse, car une machine "
    "pourrait en être l'auteur. Les coups sont toujours joués, et confirmés.",
    "mailbox-reply": "Répondre à ce message",
    "mailbox-reply-how": "Votre réponse part vers la partie par courriel, comme de la messagerie du destinataire. "
    "Par exemple la notation d'une action, ou le mot aide.",
    "mailbox-reply-send": "Envoyer",
    "mailbox-reply-sent": "Votre réponse est partie. Ce qu'elle devient arrive tout de suite dans la boîte aux "
    "lettres.",
    "mailbox-reply-refused": "La réponse n'a pas pu être remise. Réessayez dans un instant.",
}
