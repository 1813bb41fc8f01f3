"""The HTML pages' addresses, and the headers that differ from those of the API."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, request

from service.handlers.refusals import Unavailable
from service.rules.isolation import isolated
from service.web import lobby_page, table_forms
from service.web.confirm import confirm, refuse, show_request
from service.web.confirm import show_refusal as show_ask_never
from service.web.game import show_game, show_news
from service.web.hooks import end_hook, hooks, make_hook, show_hook
from service.web.hosts import misdirected
from service.web.inbound import take_mail
from service.web.join import refuse_invitations, show_invitation, show_refusal, take_seat
from service.web.mail_settings import change_mail, mail_settings, try_mail, unmute
from service.web.mailbox import answer_mail, mail, mail_as_seen, mailbox
from service.web.my_games import my_games
from service.web.new_table import open_table, play_solo, show_new_table
from service.web.open_tables import open_tables
from service.web.page import HEADERS, later_page
from service.web.programs import end_bot, end_token, make_bot, make_token, programs
from service.web.proof import show_proof
from service.web.record import download_listing, download_record, download_records, download_view
from service.web.replay import play_on, show_replay
from service.web.rules import rules, rules_of, rules_picture
from service.web.second_thoughts import ask_fresh_link, offer_replacement, replace_links, take_action_back
from service.web.session import renew
from service.web.settings import change_profile, delete_account, download, settings
from service.web.sign_in import ask_sign_in, choose_language, leave, send_sign_in, show_sign_in, use_sign_in
from service.web.start import start
from service.web.turn import play_link, play_move, show_kind, show_link, show_move
from service.web.unsubscribe import show_unsubscribe, unsubscribe
from service.web.verify import show_verify

STYLE_AGE: Final = "public, max-age=3600"

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, later_page)
web.before_request(misdirected)
web.add_app_template_filter(isolated)
web.add_url_rule("/", view_func=start)
web.add_url_rule("/t/<token>", view_func=show_link, methods=["GET"])
web.add_url_rule("/t/<token>", view_func=play_link, methods=["POST"])
web.add_url_rule("/t/<token>/<code>", view_func=show_move, methods=["GET"])
web.add_url_rule("/t/<token>/<code>", view_func=play_move, methods=["POST"])
web.add_url_rule("/t/<token>/all/<int:number>", view_func=show_kind, methods=["GET"])
web.add_url_rule("/t/<token>/link/fresh", view_func=ask_fresh_link, methods=["POST"])
web.add_url_rule("/t/<token>/link/others", view_func=offer_replacement, methods=["GET"])
web.add_url_rule("/t/<token>/link/others", view_func=replace_links, methods=["POST"])
web.add_url_rule("/t/<token>/link/back", view_func=take_action_back, methods=["POST"])
web.add_url_rule("/sign-in", view_func=ask_sign_in, methods=["GET"])
web.add_url_rule("/sign-in", view_func=send_sign_in, methods=["POST"])
web.add_url_rule("/sign-out", view_func=leave, methods=["POST"])
web.add_url_rule("/language", view_func=choose_language, methods=["POST"])
web.add_url_rule("/sign-in/<token>", view_func=show_sign_in, methods=["GET"])
web.add_url_rule("/sign-in/<token>", view_func=use_sign_in, methods=["POST"])
web.add_url_rule("/join/<token>", view_func=show_invitation, methods=["GET"])
web.add_url_rule("/join/<token>", view_func=take_seat, methods=["POST"])
web.add_url_rule("/join/<token>/never", view_func=show_refusal, methods=["GET"])
web.add_url_rule("/join/<token>/never", view_func=refuse_invitations, methods=["POST"])
web.add_url_rule("/confirm/<token>", view_func=show_request, methods=["GET"])
web.add_url_rule("/confirm/<token>", view_func=confirm, methods=["POST"])
web.add_url_rule("/confirm/<token>/never", "show_ask_never", show_ask_never, methods=["GET"])
web.add_url_rule("/confirm/<token>/never", "ask_never", refuse, methods=["POST"])
web.add_url_rule("/play", view_func=play_solo, methods=["POST"])
web.add_url_rule("/games", view_func=my_games)
web.add_url_rule("/games/open", view_func=open_tables)
web.add_url_rule("/games/new", view_func=show_new_table, methods=["GET"])
web.add_url_rule("/games/new", view_func=open_table, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>", view_func=show_game)
for _deed in (
    lobby_page.join,
    lobby_page.leave,
    lobby_page.kick,
    lobby_page.start,
    lobby_page.cancel,
    lobby_page.invite,
    lobby_page.take_back,
    lobby_page.play_again,
):
    _name = _deed.__name__.replace("_", "-")
    web.add_url_rule(f"/games/<uuid:game_id>/{_name}", f"game-{_name}", _deed, methods=["POST"])
web.add_url_rule("/rules", view_func=rules)
web.add_url_rule("/verify", view_func=show_verify)
web.add_url_rule("/rules/<ruleset>", view_func=rules_of)
web.add_url_rule("/rules/<ruleset>/<spoken>/<int:number>.svg", view_func=rules_picture)
web.add_url_rule("/settings", view_func=settings, methods=["GET"])
web.add_url_rule("/settings", view_func=change_profile, methods=["POST"])
web.add_url_rule("/settings/data", view_func=download)
web.add_url_rule("/settings/records", view_func=download_records)
web.add_url_rule("/settings/delete", view_func=delete_account, methods=["POST"])
web.add_url_rule("/settings/mail", view_func=mail_settings, methods=["GET"])
web.add_url_rule("/settings/mail", view_func=change_mail, methods=["POST"])
web.add_url_rule("/settings/mail/trial", view_func=try_mail, methods=["POST"])
web.add_url_rule("/settings/mail/unmute/<uuid:game_id>", view_func=unmute, methods=["POST"])
web.add_url_rule("/settings/programs", view_func=programs)
web.add_url_rule("/settings/tokens", view_func=make_token, methods=["POST"])
web.add_url_rule("/settings/tokens/revoke", view_func=end_token, methods=["POST"])
web.add_url_rule("/settings/bots", view_func=make_bot, methods=["POST"])
web.add_url_rule("/settings/bots/delete", view_func=end_bot, methods=["POST"])
web.add_url_rule("/settings/webhooks", view_func=hooks, methods=["GET"])
web.add_url_rule("/settings/webhooks", view_func=make_hook, methods=["POST"])
web.add_url_rule("/settings/webhooks/<uuid:webhook_id>", view_func=show_hook)
web.add_url_rule("/settings/webhooks/<uuid:webhook_id>/delete", view_func=end_hook, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/live", view_func=show_news)
web.add_url_rule("/games/<uuid:game_id>/proof", view_func=show_proof)
web.add_url_rule("/games/<uuid:game_id>/record.jsonl", view_func=download_record)
web.add_url_rule("/games/<uuid:game_id>/view.jsonl", view_func=download_view)
web.add_url_rule("/games/<uuid:game_id>/listing.txt", view_func=download_listing)
web.add_url_rule("/games/<uuid:game_id>/replay", view_func=show_replay)
web.add_url_rule("/games/<uuid:game_id>/fork", view_func=play_on, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/action", view_func=table_forms.act, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/undo", view_func=table_forms.undo, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/talk", view_func=table_forms.say_something, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/notes", view_func=table_forms.keep_notes, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/mails", view_func=table_forms.change_mails, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/resignation", view_func=table_forms.give_up, methods=["POST"])
web.add_url_rule("/games/<uuid:game_id>/ticket", view_func=table_forms.open_news, methods=["POST"])
web.add_url_rule("/u/<token>", view_func=show_unsubscribe, methods=["GET"])
web.add_url_rule("/u/<token>", view_func=unsubscribe, methods=["POST"])
web.add_url_rule("/mailbox", view_func=mailbox)
web.add_url_rule("/mailbox/<name>", view_func=mail, methods=["GET"])
web.add_url_rule("/mailbox/<name>", view_func=answer_mail, methods=["POST"])
web.add_url_rule("/mailbox/<name>/html", view_func=mail_as_seen)
web.add_url_rule("/inbound/mail", view_func=take_mail, methods=["POST"])


@web.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "web.static":
        response.headers["Cache-Control"] = STYLE_AGE
    else:
        response.headers.update(HEADERS)
    return renew(response)
