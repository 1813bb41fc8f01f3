"""How games of computer players go, by number of players; written by `boardroom facts new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.guide import Facts

FACTS: Mapping[int, Facts] = {
    2: Facts(level="hard", games=400, turns=(52, 58, 67), scores=(6, 18, 29), winner=24, first=(54, 49, 59)),
    3: Facts(level="hard", games=400, turns=(60, 82, 92), scores=(14, 27, 37), winner=33, first=(38, 34, 43)),
    4: Facts(level="hard", games=400, turns=(60, 75, 89), scores=(8, 23, 34), winner=30, first=(22, 19, 27)),
}
