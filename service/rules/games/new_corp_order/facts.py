"""How games of computer players go, by number of players; written by `boardroom facts new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.facts import Facts

FACTS: Mapping[int, Facts] = {
    2: Facts(level="hard", games=400, turns=(45, 60, 68), scores=(6, 18, 29), winner=24, first=(56, 51, 60)),
    3: Facts(level="hard", games=120, turns=(55, 80, 91), scores=(12, 28, 38), winner=33, first=(40, 32, 49)),
    4: Facts(level="hard", games=120, turns=(49, 67, 82), scores=(7, 21, 34), winner=30, first=(25, 18, 33)),
}
