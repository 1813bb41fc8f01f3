"""The business plans: what each company begins with (B-02)."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.bastards_inc.setup_events import Dealt
from service.rules.games.bastards_inc.terms import Plan, Scores

PLAN_DATA: Mapping[Plan, Dealt] = {
    "p1": Dealt(plan="p1", scores=Scores(cor=3, cri=1, med=2, tec=5), billions=9, influence=4),
    "p2": Dealt(plan="p2", scores=Scores(cor=1, cri=5, med=2, tec=2), billions=10, influence=4),
    "p3": Dealt(plan="p3", scores=Scores(cor=3, cri=2, med=5, tec=1), billions=11, influence=7),
    "p4": Dealt(plan="p4", scores=Scores(cor=5, cri=1, med=2, tec=2), billions=10, influence=4),
    "p5": Dealt(plan="p5", scores=Scores(cor=3, cri=2, med=3, tec=2), billions=9, influence=4),
    "p6": Dealt(plan="p6", scores=Scores(cor=3, cri=3, med=1, tec=2), billions=8, influence=4),
}
