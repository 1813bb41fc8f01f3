"""What the pages behind mailed links say: choosing, looking ahead, taking back, and getting a fresh link."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "choose": "What do you do?",
    "chosen": "Chosen so far",
    "choose-anew": "From the start",
    "choose-all": "All actions ({count})",
    "choose-ways": "{count} ways",
    "board-as-text": "The table as text",
    "ahead": "Not played yet",
    "ahead-happens": "What comes of it",
    "ahead-unknown": "What comes next depends on what you cannot know yet.",
    "ahead-shows": "This shows something that is hidden now.",
    "ahead-final": "It cannot be taken back.",
    "ahead-sure": "It cannot be taken back. Do you want to play it?",
    "ahead-sure-play": "Yes, play it for good",
    "ahead-undo": "You can take it back for {minutes} minutes, as long as nobody acts after you.",
    "ahead-table": "The table after it",
    "ahead-play": "Play this",
    "ahead-other": "Choose another",
    "ahead-impossible": "The action of this link is not possible here. Choose one of these:",
    "back-ask-one": "Pressed the wrong button? You can take this back for one more minute, as long as nobody acts "
    "after you.",
    "back-ask-other": "Pressed the wrong button? You can take this back for {count} more minutes, as long as nobody "
    "acts after you.",
    "back-button": "Take it back",
    "back-done": "Taken back",
    "back-done-text": "It is your move again, as if you had not acted. The others can read that you took an action "
    "back. Your old links no longer work; a mail with a new one is on its way, too.",
    "back-refused": "It was not taken back",
    "back-nothing": "There is nothing to take back any more.",
    "back-acted": "Somebody has acted since. Your action counts.",
    "back-time": "The time for it is over. Your action counts.",
    "back-shown": "The action has shown something that nobody could know before. It counts.",
    "fresh-ask": "Do you need a link that works? It goes to the address of your account, and nowhere else.",
    "fresh-button": "Send me a fresh link",
    "fresh-done-title": "A fresh link",
    "fresh-done": "If this link was once sent to you, and it is your move, a mail with a fresh one is on its way to "
    "your address. That happens once in ten minutes.",
    "seen-ask": "Has somebody else seen your mail?",
    "seen-text": "Then take all links to this game that were sent to you out of use. A mail brings you a new one.",
    "seen-button": "Replace my links",
    "seen-done-title": "Your links are replaced",
    "seen-done": "No link to this game that was sent to you before works any more. If it is your move, a mail with a "
    "new one is on its way to your address.",
    "past-dead": "This link no longer works",
    "share": "Shall somebody watch? This link you may share, it shows nothing hidden:",
    "own-title": "Sign in first",
    "own": "This link works only where the player whom it was mailed to is signed in: that is how they want it. Are "
    "you that player? Then have a mail sent to the address of your account. The link in it signs you in, and brings "
    "you back here.",
    "own-other": "You are signed in as {name}. This link was mailed to somebody else.",
    "own-refused": "Nothing has been played.",
    "past-seen": "You had this link replaced, because somebody else had seen your mail.",
    "past-address": "This link went to an address that is no longer yours.",
    "past-taken-back": "An action was taken back, and this link with it. A newer mail brings the link that works.",
    "past-undone": "That was taken back afterwards.",
}

DE: Final = {
    "choose": "Was machst du?",
    "chosen": "Bisher gewählt",
    "choose-anew": "Von vorn",
    "choose-all": "Alle Aktionen ({count})",
    "choose-ways": "{count} Möglichkeiten",
    "board-as-text": "Der Tisch als Text",
    "ahead": "Noch nicht gespielt",
    "ahead-happens": "Was daraus wird",
    "ahead-unknown": "Wie es weitergeht, hängt davon ab, was du noch nicht wissen kannst.",
    "ahead-shows": "Damit kommt etwas ans Licht, das jetzt verborgen ist.",
    "ahead-final": "Du kannst es nicht zurücknehmen.",
    "ahead-sure": "Du kannst es nicht zurücknehmen. Willst du es spielen?",
    "ahead-sure-play": "Ja, endgültig spielen",
    "ahead-undo": "Du kannst es {minutes} Minuten lang zurücknehmen, solange nach dir niemand handelt.",
    "ahead-table": "Der Tisch danach",
    "ahead-play": "Das spielen",
    "ahead-other": "Etwas anderes wählen",
    "ahead-impossible": "Die Aktion dieses Links ist hier nicht möglich. Wähle eine von diesen:",
    "back-ask-one": "Den falschen Knopf erwischt? Du kannst es noch eine Minute lang zurücknehmen, solange nach dir "
    "niemand handelt.",
    "back-ask-other": "Den falschen Knopf erwischt? Du kannst es noch {count} Minuten lang zurücknehmen, solange nach "
    "dir niemand handelt.",
    "back-button": "Zurücknehmen",
    "back-done": "Zurückgenommen",
    "back-done-text": "Du bist wieder am Zug, als hättest du nicht gehandelt. Die anderen können lesen, dass du eine "
    "Aktion zurückgenommen hast. Deine alten Links gelten nicht mehr; eine Mail mit einem neuen ist auch unterwegs.",
    "back-refused": "Es wurde nicht zurückgenommen",
    "back-nothing": "Es gibt nichts mehr zurückzunehmen.",
    "back-acted": "Seitdem hat jemand gehandelt. Deine Aktion gilt.",
    "back-time": "Die Zeit dafür ist um. Deine Aktion gilt.",
    "back-shown": "Die Aktion hat etwas gezeigt, das vorher niemand wissen konnte. Sie gilt.",
    "fresh-ask": "Brauchst du einen Link, der gilt? Er geht an die Adresse deines Kontos und nirgendwohin sonst.",
    "fresh-button": "Schick mir einen neuen Link",
    "fresh-done-title": "Ein neuer Link",
    "fresh-done": "Wenn dieser Link einmal an dich ging und du am Zug bist, ist eine Mail mit einem neuen an deine "
    "Adresse unterwegs. Das geht einmal in zehn Minuten.",
    "seen-ask": "Hat jemand anderes deine Mail gesehen?",
    "seen-text": "Dann mach alle Links zu dieser Partie, die an dich gingen, ungültig. Eine Mail bringt dir einen "
    "neuen.",
    "seen-button": "Meine Links ersetzen",
    "seen-done-title": "Deine Links sind ersetzt",
    "seen-done": "Kein Link zu dieser Partie, der bisher an dich ging, gilt noch. Wenn du am Zug bist, ist eine Mail "
    "mit einem neuen an deine Adresse unterwegs.",
    "past-dead": "Dieser Link gilt nicht mehr",
    "share": "Soll jemand zuschauen? Diesen Link darfst du weitergeben, er zeigt nichts Verborgenes:",
    "own-title": "Melde dich erst an",
    "own": "Dieser Link gilt nur da, wo angemeldet ist, wer ihn per Mail bekommen hat: So wurde es gewünscht. Bist du "
    "das? Dann lass eine Mail an die Adresse deines Kontos schicken. Der Link darin meldet dich an und bringt dich "
    "hierher zurück.",
    "own-other": "Du bist als {name} angemeldet. Dieser Link ging an jemand anderen.",
    "own-refused": "Es wurde nichts gespielt.",
    "past-seen": "Du hast diesen Link ersetzen lassen, weil jemand anderes deine Mail gesehen hat.",
    "past-address": "Dieser Link ging an eine Adresse, die nicht mehr deine ist.",
    "past-taken-back": "Eine Aktion wurde zurückgenommen, und damit gilt auch dieser Link nicht mehr. Eine neuere Mail "
    "bringt den, der gilt.",
    "past-undone": "Das wurde danach zurückgenommen.",
}

FR: Final = {
    "choose": "Que faites-vous ?",
    "chosen": "Choisi jusqu'ici",
    "choose-anew": "Depuis le début",
    "choose-all": "Toutes les actions ({count})",
    "choose-ways": "{count} possibilités",
    "board-as-text": "La table en texte",
    "ahead": "Pas encore joué",
    "ahead-happens": "Ce qui en résulte",
    "ahead-unknown": "La suite dépend de ce que vous ne pouvez pas encore savoir.",
    "ahead-shows": "Cette action dévoile quelque chose de caché.",
    "ahead-final": "Vous ne pourrez pas la reprendre.",
    "ahead-sure": "Vous ne pourrez pas la reprendre. Voulez-vous la jouer ?",
    "ahead-sure-play": "Oui, la jouer pour de bon",
    "ahead-undo": "Vous pourrez la reprendre pendant {minutes} minutes, tant que personne n'agit après vous.",
    "ahead-table": "La table ensuite",
    "ahead-play": "Jouer cette action",
    "ahead-other": "En choisir une autre",
    "ahead-impossible": "L'action de ce lien n'est pas possible ici. Choisissez-en une parmi celles-ci :",
    "back-ask-one": "Mauvais bouton ? Vous pouvez reprendre cette action pendant encore une minute, tant que personne "
    "n'agit après vous.",
    "back-ask-other": "Mauvais bouton ? Vous pouvez reprendre cette action pendant encore {count} minutes, tant que "
    "personne n'agit après vous.",
    "back-button": "Reprendre mon action",
    "back-done": "Action reprise",
    "back-done-text": "C'est de nouveau à vous, comme si vous n'aviez pas agi. Les autres peuvent lire que vous avez "
    "repris une action. Vos anciens liens ne fonctionnent plus ; un message avec un nouveau lien arrive aussi.",
    "back-refused": "L'action n'a pas été reprise",
    "back-nothing": "Il n'y a plus rien à reprendre.",
    "back-acted": "Quelqu'un a agi depuis. Votre action compte.",
    "back-time": "Le délai est passé. Votre action compte.",
    "back-shown": "L'action a dévoilé ce que personne ne pouvait savoir avant. Elle compte.",
    "fresh-ask": "Vous faut-il un lien qui fonctionne ? Il part à l'adresse de votre compte, et nulle part ailleurs.",
    "fresh-button": "Envoyez-moi un nouveau lien",
    "fresh-done-title": "Un nouveau lien",
    "fresh-done": "Si ce lien vous a été envoyé un jour et que c'est à vous de jouer, un message avec un nouveau lien "
    "part à votre adresse. Cela se fait une fois toutes les dix minutes.",
    "seen-ask": "Quelqu'un d'autre a vu votre message ?",
    "seen-text": "Rendez alors inutilisables tous les liens de cette partie qui vous ont été envoyés. Un message vous "
    "en apporte un nouveau.",
    "seen-button": "Remplacer mes liens",
    "seen-done-title": "Vos liens sont remplacés",
    "seen-done": "Aucun des liens de cette partie envoyés jusqu'ici ne fonctionne plus. Si c'est à vous de jouer, un "
    "message avec un nouveau lien part à votre adresse.",
    "past-dead": "Ce lien ne fonctionne plus",
    "share": "Quelqu'un veut regarder ? Ce lien-ci se partage, il ne montre rien de caché :",
    "own-title": "Connectez-vous d'abord",
    "own": "Ce lien ne fonctionne que là où la personne qui l'a reçu est connectée : c'est ce qu'elle souhaite. Est-ce "
    "vous ? Faites alors envoyer un message à l'adresse de votre compte. Le lien qu'il contient vous connecte et vous "
    "ramène ici.",
    "own-other": "Ce navigateur est connecté au compte de {name}. Ce lien a été envoyé à quelqu'un d'autre.",
    "own-refused": "Rien n'a été joué.",
    "past-seen": "Vous avez fait remplacer ce lien, parce que quelqu'un d'autre avait vu votre message.",
    "past-address": "Ce lien a été envoyé à une adresse qui n'est plus la vôtre.",
    "past-taken-back": "Une action a été reprise, et ce lien ne vaut plus. Un message plus récent apporte celui qui "
    "fonctionne.",
    "past-undone": "Cette action a été reprise ensuite.",
}
