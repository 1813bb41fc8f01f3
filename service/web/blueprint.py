"""The HTML pages' addresses, and the headers that differ from those of the API."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, request

from service.handlers.refusals import Unavailable
from service.web.answers import later_page
from service.web.inbound import take_mail
from service.web.join import refuse_invitations, show_invitation, show_refusal, take_seat
from service.web.mailbox import answer_mail, mail, mailbox
from service.web.session import renew
from service.web.sign_in import ask_sign_in, choose_language, leave, send_sign_in, show_sign_in, use_sign_in
from service.web.start import start
from service.web.turn import play_link, show_link
from service.web.unsubscribe import show_unsubscribe, unsubscribe

HEADERS: Final = {
    # Stricter ones would make browsers send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
STYLE_AGE: Final = "public, max-age=3600"

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, later_page)
web.add_url_rule("/", view_func=start)
web.add_url_rule("/t/<token>", view_func=show_link, methods=["GET"])
web.add_url_rule("/t/<token>", view_func=play_link, methods=["POST"])
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
web.add_url_rule("/u/<token>", view_func=show_unsubscribe, methods=["GET"])
web.add_url_rule("/u/<token>", view_func=unsubscribe, methods=["POST"])
web.add_url_rule("/mailbox", view_func=mailbox)
web.add_url_rule("/mailbox/<name>", view_func=mail, methods=["GET"])
web.add_url_rule("/mailbox/<name>", view_func=answer_mail, methods=["POST"])
web.add_url_rule("/inbound/mail", view_func=take_mail, methods=["POST"])


@web.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "web.static":
        response.headers["Cache-Control"] = STYLE_AGE
    else:
        response.headers.update(HEADERS)
    return renew(response)
