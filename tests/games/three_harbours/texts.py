"""The words of Three Harbours by language."""

from __future__ import annotations

from service.rules.typography import typeset

ENGLISH = {
    "summary": "Sail in secret to one of three harbours, and share what the dice leave there.",
    "north": "North",
    "east": "East",
    "south": "South",
    "sail": "Sail to {harbour}.",
    "sail.word": "Sail",
    "sail.means": "Send your ship to a harbour; nobody sees which until all have decided.",
    "sail.harbour": "Which harbour do you sail to?",
    "contracts-dealt": "Everybody gets a contract.",
    "contracts-dealt.own": "Your contract: {contracts}.",
    "order-sealed": "{seat:name} has decided.",
    "order-sealed.own": "{seat:name} sails to {harbour}.",
    "ships-arrived": "Round {round}: {harbours:seats}. Goods in North, East, South: {dice}.",
    "contracts-opened": "The contracts: {contracts:seats}.",
    "already-sealed": "This ship is on its way already.",
    "table": "Three Harbours, round {round} of 5",
    "seat": "{seat:name}: {goods} goods; visits: {visits}; contract: {contracts}",
    "own": "Your order: {orders}",
    "caption": "Round {round}. Goods: {goods:seats}.",
    "rules": "In each of five rounds all ships sail in secret. A die shows the goods of each harbour, and its ships "
    "share them.\nEach visit to the harbour of your secret contract is worth two more points.",
    "example": "The first round is over: the goods are shared.",
}
GERMAN = {
    "summary": "Segle heimlich in einen von drei Häfen, und teile, was die Würfel dort lassen.",
    "north": "Nord",
    "east": "Ost",
    "south": "Süd",
    "sail": "Nach {harbour} segeln.",
    "sail.word": "Segeln",
    "sail.means": "Schick dein Schiff in einen Hafen; niemand sieht, in welchen, bis alle entschieden haben.",
    "sail.harbour": "In welchen Hafen segelst du?",
    "contracts-dealt": "Alle erhalten einen Auftrag.",
    "contracts-dealt.own": "Dein Auftrag: {contracts}.",
    "order-sealed": "{seat:name} hat entschieden.",
    "order-sealed.own": "{seat:name} segelt nach {harbour}.",
    "ships-arrived": "Runde {round}: {harbours:seats}. Waren in Nord, Ost, Süd: {dice}.",
    "contracts-opened": "Die Aufträge: {contracts:seats}.",
    "already-sealed": "Dieses Schiff ist schon unterwegs.",
    "table": "Three Harbours, Runde {round} von 5",
    "seat": "{seat:name}: {goods} Waren; Fahrten: {visits}; Auftrag: {contracts}",
    "own": "Dein Befehl: {orders}",
    "caption": "Runde {round}. Waren: {goods:seats}.",
    "rules": "In jeder von fünf Runden segeln alle Schiffe heimlich. Ein Würfel zeigt die Waren jedes Hafens; seine "
    "Schiffe teilen sie.\nJede Fahrt in den Hafen deines geheimen Auftrags bringt zwei weitere Punkte.",
    "example": "Die erste Runde ist vorbei: Die Waren sind verteilt.",
}
FRENCH = typeset(
    {
        "summary": "Naviguez en secret vers l'un des trois ports, et partagez ce que les dés y laissent.",
        "north": "Nord",
        "east": "Est",
        "south": "Sud",
        "sail": "Mettre le cap sur {harbour}.",
        "sail.word": "Naviguer",
        "sail.means": "Envoyer son navire vers un port ; personne ne sait lequel avant que chacun ait choisi.",
        "sail.harbour": "Vers quel port naviguez-vous ?",
        "contracts-dealt": "Chacun reçoit un contrat.",
        "contracts-dealt.own": "Votre contrat : {contracts}.",
        "order-sealed": "{seat:name} a choisi.",
        "order-sealed.own": "{seat:name} met le cap sur {harbour}.",
        "ships-arrived": "Manche {round} : {harbours:seats}. Marchandises au Nord, à l'Est, au Sud : {dice}.",
        "contracts-opened": "Les contrats : {contracts:seats}.",
        "already-sealed": "Ce navire est déjà en route.",
        "table": "Three Harbours, manche {round} sur 5",
        "seat": "{seat:name} : {goods} marchandises ; escales : {visits} ; contrat : {contracts}",
        "own": "Votre ordre : {orders}",
        "caption": "Manche {round}. Marchandises : {goods:seats}.",
        "rules": "À chacune des cinq manches, tous les navires partent en secret. Un dé indique les marchandises de "
        "chaque port, que ses navires se partagent.\n"
        "Chaque escale dans le port de votre contrat secret rapporte deux points de plus.",
        "example": "La première manche est finie : les marchandises sont partagées.",
    }
)
TEXTS = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH}
