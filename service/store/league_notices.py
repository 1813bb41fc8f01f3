"""What the outbox is told about leagues and tournaments: a notice for each kind of effect."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from service.log.recorded import milliseconds
from service.store.outbox import Notice


def season(competition: UUID, until: datetime) -> Notice:
    """Return the notice that entry into a season ends at a moment, and the season begins."""
    at = milliseconds(until)
    return Notice("season", f"season:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_closing(competition: UUID, until: datetime) -> Notice:
    """Return the notice that the players of the season before are to be reminded of the end of entry."""
    at = milliseconds(until)
    return Notice("entry-closing", f"entry-closing:{competition}:{at}", {"competition": str(competition), "until": at})


def entry_reminder(competition: UUID, player: UUID) -> Notice:
    """Return the notice that a player has not entered a season whose entry ends soon."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("entry-reminder", f"entry-reminder:{competition}:{player}", told)


def pairing(pairing_id: UUID) -> Notice:
    """Return the notice that the game of a pairing is to be made."""
    return Notice("pairing", f"pairing:{pairing_id}", {"pairing": str(pairing_id)})


def counted(game: UUID) -> Notice:
    """Return the notice that a game of a competition is over, and counts there."""
    return Notice("counted", f"counted:{game}", {})


def competition_begun(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player of the first game of a competition."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-begun", f"competition-begun:{competition}:{player}", told)


def competition_over(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player how a competition has ended."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("competition-over", f"competition-over:{competition}:{player}", told)


def tournament_invited(competition: UUID, player: UUID) -> Notice:
    """Return the notice that tells a player, once, that the host of a tournament invites them."""
    told = {"competition": str(competition), "player": str(player)}
    return Notice("tournament-invited", f"tournament-invited:{competition}:{player}", told)
