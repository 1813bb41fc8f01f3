"""What the rules do not allow, in French: a sentence by the code of the refusal."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, str] = {
    "": "Les règles ne permettent pas cela.",
    "not-your-turn": "Ce n'est pas votre tour. Vous serez sollicité le moment venu.",
    "game-over": "La partie est terminée ; plus rien ne peut être joué.",
    "other-decision-due": "Autre chose est à faire maintenant : {due}.",
    "no-such-seat": "Il n'y a là personne que vous puissiez désigner. Les sièges s'appellent s1, s2, etc.",
    "no-such-vp": "Ce VP n'existe pas. Les VP sont numérotés à partir de 1.",
    "cannot-pay": "Vous ne pouvez pas payer cela ; le prix est de {price}.",
    "score-too-low": "Votre valeur est trop basse, même avec un effort particulier : on achète trois points au plus.",
    "not-so-much-influence": "Vous n'avez pas autant d'Influence.",
    "too-little-influence": "Cela coûte {influence_price}, et les milliards ne comptent pas ici.",
    "card-not-in-hand": "Vous n'avez pas {card}.",
    "card-dropped-already": "Vous avez déjà choisi de défausser {card}.",
    "no-such-bonus": "Le bonus est de 1, 2 ou 3 cartes.",
    "bonus-buys-no-card": "Ce bonus n'achèterait aucune carte : votre main est trop grande. Piochez avec moins, ou"
    " sans bonus.",
    "draws-nothing-anyway": "Vous ne piocheriez rien de toute façon : vous avez autant de cartes que de VP. Piochez,"
    " avec ou sans bonus.",
    "not-in-rising-order": "Nommez chaque VP à rappeler une seule fois, dans l'ordre croissant.",
    "vp-cannot-leave": "Impossible de rappeler {vp} : il est déjà au salon VIP, ou dans une région en guerre.",
    "only-regions-are-entered-by": "On n'entre par la Corruption, le Crime ou autrement que dans une région ; ne le"
    " précisez pas ici.",
    "laureate-enters-by-prize": "Lauréat, vous entrez gratuitement dans toute région : ajoutez `prize`.",
    "region-at-war": "Cette région est en guerre : seuls les VP du lauréat y vont et en reviennent.",
    "not-laureate": "Vous n'avez pas le prix Nobel de la paix.",
    "score-not-named": "Dites si vous entrez dans la région par la Corruption (`cor`) ou par le Crime (`cri`).",
    "not-all-wars-once": "Nommez chaque région en guerre une fois, dans l'ordre où les guerres se déroulent.",
    "already-laureate": "Vous avez déjà le prix Nobel de la paix.",
    "already-so": "Cette consigne est déjà donnée.",
    "no-such-setting": "Cette consigne ne peut pas être donnée ainsi.",
    "once-per-turn": "Vous l'avez déjà fait pendant ce tour ; c'est une fois par tour.",
    "once-per-turn.B-54": "Par tour, vous pouvez donner de l'argent une fois et inviter une fois ; c'est déjà fait.",
    "business-turned": "{card} : carte retournée, cette affaire est déjà faite pour cette manche.",
    "portfolio-full": "Trois affaires sont devant vous. Nommez avec `for` celle que {card} remplace.",
    "nothing-to-replace": "Rien n'a besoin de laisser la place à {card} ; supprimez le `for`.",
    "wrong-number-of-vps": "{card} demande un autre nombre de VP.",
    "wrong-region": "{card} demande des VP dans d'autres régions.",
    "no-consent": "Pour {card}, votre partenaire doit accepter : invitez d'abord ce VP, aux mêmes conditions.",
    "no-partner": "Un dessous-de-table va à un partenaire, et {card} n'en a pas ici.",
    "no-venture": "{card} ne demande qu'un VP ; ce ne peut pas être une coentreprise.",
    "partner-cannot-pay": "Votre partenaire ne peut pas payer cela.",
    "closed-to-ventures": "Cette société ne veut pas de coentreprise.",
    "no-such-side-payment": "Un dessous-de-table est de −2, 0 ou 2 milliards ; à qui est ouvert aux coentreprises, on"
    " ne peut que demander de payer.",
    "no-further-invitation": "Vous pouvez inviter trois fois par manche, avec une seule invitation ouverte à la fois.",
    "no-invitation": "Cette invitation n'existe pas.",
    "no-such-gift": "Un cadeau est de 1, 2, 5 ou 10 milliards.",
    "enough-vps": "Vous avez déjà quatre VP ; c'est le maximum.",
    "no-black-money": "Il n'y a pas d'argent sale sur {vp}.",
    "not-in-a-region": "Pour cela, {vp} devrait être dans une région.",
    "not-on-a-media-square": "Pour cela, {vp} devrait être sur une case média.",
    "too-much-stuff": "Une région n'achète pas plus de six Matos.",
    "not-playable": "{card} n'aurait aucun effet maintenant.",
    "only-when-placing": "{card} se joue en plaçant un VP, par exemple `place TIG a27`.",
    "wrong-target": "{card} ne peut pas être jouée ainsi.",
}
