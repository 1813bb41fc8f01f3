"""What the site says around signing in, in the languages of the players."""

from __future__ import annotations

from typing import Final

EN: Final = {
    "join-known": "You are signed in as {name} and sit down as that.",
    "language-name": "English",
    "skip": "Skip to the content",
    "nav": "Main navigation",
    "nav-my_games": "My games",
    "nav-open_tables": "Open tables",
    "nav-show_new_table": "New table",
    "nav-rules": "Rules",
    "nav-settings": "Settings",
    "nav-ask_sign_in": "Sign in",
    "nav-sign-out": "Sign out",
    "language": "Language",
    "ask-title": "Sign in",
    "ask-how": "There is no password: you get a mail with a link that signs you in. If you have no account yet, "
    "the link makes one.",
    "ask-guest": "Your games stay yours: open the link in this browser, and choose to keep them.",
    "ask-address": "Your mail address",
    "ask-press": "Send me the link",
    "ask-bad-address": "That does not look like a mail address.",
    "asked-title": "Look into your mail",
    "asked": "A link is on its way to {email}. It works once, for {minutes} minutes. Open it in this browser: the page "
    "behind it has the button that signs you in.",
    "asked-locally": "Mails do not leave this machine: you find yours in the mailbox.",
    "sign-in-keep": "You have been playing here as {name}. Shall these games be yours under {email}? This "
    "works if the address has no account yet.",
    "sign-in-keep-button": "Sign in and keep these games",
    "sign-in-leave-button": "Sign in without them",
    "form-refused-title": "Nothing has been done",
    "form-refused": "This form was not sent from one of our pages, or you have signed in or out since. Go back, load "
    "the page again and send it once more.",
    "too-often-title": "Too often",
    "too-often": "This has been asked for too often from here. Please try again later.",
    "missing-title": "There is nothing here for you",
    "missing": "Either there is no such page, or it is not yours to see. If you play in this game, sign in "
    "with the account that you play with.",
}

DE: Final = {
    "join-known": "Du bist als {name} angemeldet und nimmst so Platz.",
    "language-name": "Deutsch",
    "skip": "Zum Inhalt springen",
    "nav": "Hauptnavigation",
    "nav-my_games": "Meine Partien",
    "nav-open_tables": "Offene Tische",
    "nav-show_new_table": "Neuer Tisch",
    "nav-rules": "Regeln",
    "nav-settings": "Einstellungen",
    "nav-ask_sign_in": "Anmelden",
    "nav-sign-out": "Abmelden",
    "language": "Sprache",
    "ask-title": "Anmelden",
    "ask-how": "Ein Passwort gibt es nicht: Du bekommst eine Mail mit einem Link, der dich anmeldet. Hast du noch kein "
    "Konto, legt der Link eines an.",
    "ask-guest": "Deine Partien bleiben deine: Öffne den Link in diesem Browser und behalte sie dort.",
    "ask-address": "Deine Mailadresse",
    "ask-press": "Schick mir den Link",
    "ask-bad-address": "Das sieht nicht wie eine Mailadresse aus.",
    "asked-title": "Schau in deine Mails",
    "asked": "Ein Link ist unterwegs an {email}. Er gilt einmal, {minutes} Minuten lang. Öffne ihn in diesem Browser: "
    "Auf seiner Seite ist der Knopf, der dich anmeldet.",
    "asked-locally": "Mails verlassen diesen Rechner nicht: Deine liegt im Postfach.",
    "sign-in-keep": "Du hast hier als {name} gespielt. Sollen diese Partien unter {email} dir gehören? Das geht, "
    "wenn die Adresse noch kein Konto hat.",
    "sign-in-keep-button": "Anmelden und diese Partien behalten",
    "sign-in-leave-button": "Ohne sie anmelden",
    "form-refused-title": "Es ist nichts geschehen",
    "form-refused": "Dieses Formular kam nicht von einer unserer Seiten, oder du hast dich seitdem an- oder "
    "abgemeldet. Geh zurück, lade die Seite neu und schicke es noch einmal ab.",
    "too-often-title": "Zu oft",
    "too-often": "Darum wurde von hier aus zu oft gebeten. Bitte versuche es später noch einmal.",
    "missing-title": "Hier gibt es nichts für dich",
    "missing": "Entweder gibt es diese Seite nicht, oder du darfst sie nicht sehen. Spielst du in dieser Partie mit, "
    "melde dich mit dem Konto an, mit dem du spielst.",
}

FR: Final = {
    "join-known": "Vous êtes connecté comme {name} et prenez place ainsi.",
    "language-name": "Français",
    "skip": "Aller au contenu",
    "nav": "Navigation principale",
    "nav-my_games": "Mes parties",
    "nav-open_tables": "Tables ouvertes",
    "nav-show_new_table": "Nouvelle table",
    "nav-rules": "Règles",
    "nav-settings": "Réglages",
    "nav-ask_sign_in": "Se connecter",
    "nav-sign-out": "Se déconnecter",
    "language": "Langue",
    "ask-title": "Se connecter",
    "ask-how": "Il n'y a pas de mot de passe : vous recevez un message dont le lien vous connecte. Si vous n'avez pas "
    "encore de compte, le lien en crée un.",
    "ask-guest": "Vos parties restent les vôtres : ouvrez le lien dans ce navigateur et gardez-les.",
    "ask-address": "Votre adresse électronique",
    "ask-press": "Envoyez-moi le lien",
    "ask-bad-address": "Cela ne ressemble pas à une adresse électronique.",
    "asked-title": "Regardez vos messages",
    "asked": "Un lien est en route vers {email}. Il sert une seule fois, pendant {minutes} minutes. Ouvrez-le dans ce "
    "navigateur : sa page porte le bouton qui vous connecte.",
    "asked-locally": "Les messages ne quittent pas cette machine : le vôtre est dans la boîte aux lettres.",
    "sign-in-keep": "Vous avez joué ici sous le nom {name}. Ces parties doivent-elles être les vôtres sous {email} ? "
    "C'est possible si l'adresse n'a pas encore de compte.",
    "sign-in-keep-button": "Se connecter et garder ces parties",
    "sign-in-leave-button": "Se connecter sans elles",
    "form-refused-title": "Rien n'a été fait",
    "form-refused": "Ce formulaire ne vient pas d'une de nos pages, ou vous vous êtes connecté ou déconnecté depuis. "
    "Revenez en arrière, rechargez la page et envoyez-le de nouveau.",
    "too-often-title": "Trop souvent",
    "too-often": "Cela a été demandé trop souvent d'ici. Réessayez plus tard.",
    "missing-title": "Il n'y a rien ici pour vous",
    "missing": "Soit cette page n'existe pas, soit elle ne vous est pas destinée. Si vous jouez dans cette partie, "
    "connectez-vous avec le compte qui y joue.",
}
