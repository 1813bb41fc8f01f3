"""Registry of effects: the urgency and the function of every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from service.inbound.replies import send_answer
from service.mail import send_policy
from service.mail.access import (
    send_account_changed_mail,
    send_confirmation_mail,
    send_reply_address_mail,
    send_sign_in_mail,
)
from service.mail.competition import send_competition_mail, send_tournament_invited_mail
from service.mail.digest import send_digest
from service.mail.lobby import send_challenge_mail, send_invitation_mail, send_problem_mail, send_seat_request_mail
from service.mail.messages import send_address_test_mail
from service.mail.operation import send_canary
from service.mail.pace import send_lapsed_mail, send_reminder_mail
from service.mail.people import send_friend_request_mail
from service.mail.play import (
    send_game_over_mail,
    send_pause_mail,
    send_said_mail,
    send_started_mail,
    send_take_back_mail,
    send_turn_withdrawn_mail,
)
from service.runtime import Runtime
from workers import competition, messages, pace, play, proof
from workers.mail import MailEffect, Send, carry_out_fresh_link, carry_out_reminder, deliver_turn_mail

Urgency = Literal["move", "awaited", "mail", "rest", "call", "computer"]
"""Urgencies: a lapse, an order, or a move by the service; a mail that somebody has requested and waits for; any other
mail; effects that nobody waits for; a call of a webhook or a channel, made by the courier; a move of a computer
player, which has to think."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect for the outbox rows of a kind: `perform` gets the id of a row, at least once.

    It finishes the row, or raises; then the row comes back.
    """

    kind: str
    urgency: Urgency
    perform: Callable[[Runtime, int], None]


def mail(kind: str, send: Send, may_go: send_policy.SendRule, awaited: bool = False) -> Effect:
    """Return the effect of a mail: `send` composes and sends the mail, `may_go` allows or refuses its address."""
    return Effect(kind, "awaited" if awaited else "mail", MailEffect(send, may_go, awaited).deliver)


_ALL: Final = (
    # Before lapses: no time lapses while its player is away.
    Effect("absence", "move", pace.carry_out_absence),
    # Lets nothing lapse, but writes the rows of lapses.
    Effect("timer", "move", pace.fire_timer),
    Effect("lapse", "move", pace.carry_out_lapse),
    Effect("automaton", "move", play.carry_out_automaton),
    Effect("pause-end", "move", pace.carry_out_pause_end),
    Effect("order", "move", play.carry_out_order),
    # Its player waits for the table.
    Effect("deal-result", "move", competition.count_deal_result),
    Effect("computer", "computer", play.carry_out_computer),
    mail("reply", send_answer, send_policy.always, awaited=True),
    mail("sign-in", send_sign_in_mail, send_policy.to_sign_in, awaited=True),
    # Writes no mail, but the row of a mail.
    Effect("fresh-link", "awaited", carry_out_fresh_link),
    mail("confirmation", send_confirmation_mail, send_policy.to_ask, awaited=True),
    mail("reply-address", send_reply_address_mail, send_policy.to_reply_address, awaited=True),
    mail("trial", send_address_test_mail, send_policy.to_player, awaited=True),
    Effect("turn-mail", "mail", deliver_turn_mail),
    mail("reminder", send_reminder_mail, send_policy.to_player),
    mail("lapsed", send_lapsed_mail, send_policy.to_player),
    mail("turn-withdrawn", send_turn_withdrawn_mail, send_policy.to_player),
    mail("started", send_started_mail, send_policy.to_player),
    mail("game-over", send_game_over_mail, send_policy.to_player),
    mail("problem", send_problem_mail, send_policy.to_player),
    mail("seat-request", send_seat_request_mail, send_policy.to_player),
    mail("message", send_said_mail, send_policy.to_player),
    mail("pause", send_pause_mail, send_policy.to_player),
    mail("take-back", send_take_back_mail, send_policy.to_player),
    mail("challenge", send_challenge_mail, send_policy.to_player),
    mail("account-changed", send_account_changed_mail, send_policy.to_player),
    mail("competition-begun", send_competition_mail, send_policy.to_player),
    mail("competition-over", send_competition_mail, send_policy.to_player),
    mail("entry-reminder", send_competition_mail, send_policy.to_player),
    mail("friend-request", send_friend_request_mail, send_policy.to_player),
    mail("tournament-invited", send_tournament_invited_mail, send_policy.to_player),
    mail("invitation", send_invitation_mail, send_policy.to_invited),
    mail("digest", send_digest, send_policy.to_player),
    mail("canary", send_canary, send_policy.always),
    # Writes no mail, but the row of a mail.
    Effect("remind", "rest", carry_out_reminder),
    Effect("seal", "rest", proof.carry_out_seal),
    Effect("result", "rest", competition.carry_out_result),
    Effect("played", "rest", competition.carry_out_played),
    Effect("night", "rest", proof.plan_audit),
    Effect("audit", "rest", proof.check_game),
    Effect("analysis", "rest", proof.analyse),
    Effect("deal-best", "rest", competition.find_best),
    Effect("season", "rest", competition.begin_season),
    Effect("entry-closing", "rest", competition.remind_of_entry),
    Effect("pairing", "rest", competition.make_game),
    Effect("counted", "rest", competition.count_game),
    Effect("next-round", "rest", competition.go_on),
    # Calls nobody, but writes the messages.
    Effect("deadline-near", "rest", messages.tell_deadline_near),
    Effect("webhooks", "call", messages.fan_out),
    Effect("webhook", "call", messages.deliver_webhook),
    Effect("channel", "call", messages.deliver_message),
)
EFFECTS: Final[Mapping[str, Effect]] = {each.kind: each for each in _ALL}
"""Every kind of effect by its name in the outbox. Within a queue the first kind is handed out first."""


def of_urgency(*urgencies: Urgency) -> list[str]:
    """Return the kinds of these urgencies, in the order in which they are handed out."""
    return [each.kind for each in EFFECTS.values() if each.urgency in urgencies]
