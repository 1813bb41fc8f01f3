"""What the features are worth, by number of players; written by `boardroom train new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {
    4: Weights(
        version=3,
        figures="200 games of normal 2 and hard 2, 23958 positions, seed 1",
        values=(
            0.0396,  # lead
            0.0035,  # lead-over-mean
            0.0649,  # narrow-margins
            0.2710,  # wide-margins
            0.1052,  # second-margins
            0.4586,  # agents
            0.0621,  # agents-behind
            0.0415,  # capture
            0.0272,  # captures
            -0.0574,  # threat
            -0.0728,  # threats
            0.0433,  # lay
            0.0545,  # lays
            0.3508,  # second-card
            0.5946,  # ability
            -1.3672,  # one
            0.1477,  # hand-worth
            0.1060,  # hand
            -0.2512,  # above-limit
            0.6511,  # three-alike
            0.1316,  # unrotated
            -0.0821,  # rotated
            -0.2661,  # their-unrotated
            0.4726,  # consultants
            0.2729,  # kinds-of-consultants
            -0.5048,  # their-hands
            -0.0392,  # lead-early
            -0.0282,  # lead-over-mean-early
            -0.0529,  # narrow-margins-early
            -0.1253,  # wide-margins-early
            -0.0741,  # second-margins-early
            -0.1381,  # agents-early
            -0.1098,  # agents-behind-early
            -0.0500,  # capture-early
            -0.0151,  # captures-early
            0.0762,  # threat-early
            0.0547,  # threats-early
            -0.0465,  # lay-early
            -0.0803,  # lays-early
            -0.0372,  # second-card-early
            -0.3866,  # ability-early
            -1.1942,  # one-early
            -0.0002,  # hand-worth-early
            -0.0490,  # hand-early
            0.0956,  # above-limit-early
            -0.0617,  # three-alike-early
            0.0899,  # unrotated-early
            0.0293,  # rotated-early
            -0.1521,  # their-unrotated-early
            0.1282,  # consultants-early
            -0.2314,  # kinds-of-consultants-early
            -0.0638,  # their-hands-early
            0.3148,  # last-lead
            0.0357,  # last-lead-over-mean
            0.0709,  # last-narrow-margins
            0.1162,  # last-wide-margins
            0.0257,  # last-second-margins
            0.1094,  # last-agents
            1.0335,  # last-ability
            -3.1696,  # last-one
            -0.7759,  # last-others-yet
            -0.1952,  # last-threat-yet
            -0.1543,  # last-threats-yet
            0.2402,  # last-step
            0.1421,  # last-hand-yet
        ),
    ),
}
