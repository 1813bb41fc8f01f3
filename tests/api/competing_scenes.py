"""The situations of operations on leagues and tournaments, in which Alice gets what she asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from service.handlers import tournaments
from service.shared import clock
from tests.api.scene import Asked, Scene
from tests.challenged import called
from tests.competing import league_of, read, tournament_of
from tests.people import register

WANTED: Final = {"title": "Spring Cup", "ruleset": "new-corp-order", "seats": 2, "system": "swiss"}


def _league(scene: Scene, **more: str) -> Asked:
    league, _ = league_of(scene.games)
    return Asked({"name": league.slug, **more})


def _tournament(scene: Scene) -> Asked:
    """A public tournament of somebody else."""
    eve = register(scene.games, "Eve", None, "en")
    return Asked({"tournament_id": str(tournament_of(scene.games, eve, [eve, scene.bob]).id)})


def _hosted(scene: Scene, body: Any = None, bob_is_in: bool = True) -> Asked:
    """A tournament that Alice hosts; all but the last two before are called off, since one hosts only so many."""
    with scene.games.engine.connect() as db:
        mine = db.exec_driver_sql(
            "select id from competition where host = %s and state in ('entry', 'running') order by created_at",
            (scene.alice.id,),
        ).scalars()
    for each in list(mine)[:-2]:
        if read(scene.games, each).state == "entry":
            tournaments.close(scene.games, each, scene.alice.id, clock.now())
    people = [scene.alice, scene.bob] if bob_is_in else []
    return Asked({"tournament_id": str(tournament_of(scene.games, scene.alice, people).id)}, body=body)


def _invited(scene: Scene) -> Asked:
    handle = f"bob-{uuid4().hex[:12]}"
    called(scene.games, scene.bob, handle)
    return _hosted(scene, {"to": handle}, bob_is_in=False)


SITUATIONS: Mapping[str, Callable[[Scene], Asked]] = {
    "listLeagues": lambda _: Asked(),
    "getLeague": _league,
    "enterLeague": _league,
    "leaveLeague": _league,
    "listSeasons": _league,
    "listGroups": lambda scene: _league(scene, number="1"),
    "listTournaments": lambda _: Asked(),
    "createTournament": lambda _: Asked(body=WANTED),
    "getTournament": _tournament,
    "getTournamentTable": _tournament,
    "enterTournament": _tournament,
    "leaveTournament": _tournament,
    "inviteToTournament": _invited,
    "startRound": lambda scene: _hosted(scene, {"after": 0}),
    "closeTournament": _hosted,
}
