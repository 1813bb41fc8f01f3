"""What the features are worth, by number of players; written by `boardroom train new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {
    2: Weights(
        version=1,
        figures="69 then 113 games, 9667 positions of the last round, seed 1",
        values=(
            0.7163,  # lead
            -0.2837,  # lead-over-mean
            1.0455,  # margins
            0.3413,  # hand-worth
            0.4623,  # hand
            -1.6302,  # above-limit
            1.6308,  # agents
            0.4195,  # unrotated
            -0.0529,  # rotated
            -0.8303,  # their-unrotated
            1.0334,  # consultants
            0.9854,  # kinds-of-consultants
            0.7978,  # capture
            -1.0588,  # threat
            -1.2726,  # their-hands
            -0.1673,  # agents-behind
            0.5579,  # second-card
            1.3532,  # ability
            -2.6094,  # one
            -0.4016,  # lead-early
            -0.4016,  # lead-over-mean-early
            -0.5137,  # margins-early
            0.4733,  # hand-worth-early
            0.0388,  # hand-early
            1.6539,  # above-limit-early
            1.6213,  # agents-early
            1.2739,  # unrotated-early
            0.4194,  # rotated-early
            -0.9534,  # their-unrotated-early
            -0.1214,  # consultants-early
            0.2560,  # kinds-of-consultants-early
            -1.0203,  # capture-early
            1.3968,  # threat-early
            0.1178,  # their-hands-early
            -0.9945,  # agents-behind-early
            0.0032,  # second-card-early
            -0.1615,  # ability-early
            -0.4689,  # one-early
        ),
    ),
    3: Weights(
        version=1,
        figures="31 then 43 games, 4981 positions of the last round, seed 1",
        values=(
            0.4676,  # lead
            -0.0437,  # lead-over-mean
            0.4993,  # margins
            0.2616,  # hand-worth
            0.0635,  # hand
            -1.3584,  # above-limit
            1.2673,  # agents
            0.1892,  # unrotated
            -0.1324,  # rotated
            -0.3930,  # their-unrotated
            1.2256,  # consultants
            -0.2328,  # kinds-of-consultants
            0.2080,  # capture
            -0.6780,  # threat
            -0.9082,  # their-hands
            -0.1375,  # agents-behind
            -0.2168,  # second-card
            0.4564,  # ability
            -3.0273,  # one
            -0.4897,  # lead-early
            -0.0063,  # lead-over-mean-early
            -0.2371,  # margins-early
            0.0179,  # hand-worth-early
            0.1734,  # hand-early
            1.0980,  # above-limit-early
            0.6796,  # agents-early
            0.4473,  # unrotated-early
            0.0321,  # rotated-early
            -0.5634,  # their-unrotated-early
            0.4825,  # consultants-early
            -0.6163,  # kinds-of-consultants-early
            -0.0818,  # capture-early
            0.7383,  # threat-early
            0.0327,  # their-hands-early
            -0.1480,  # agents-behind-early
            0.5971,  # second-card-early
            0.1690,  # ability-early
            -1.6010,  # one-early
        ),
    ),
    4: Weights(
        version=1,
        figures="33 then 58 games, 5742 positions of the last round, seed 1",
        values=(
            0.4844,  # lead
            -0.0862,  # lead-over-mean
            0.5638,  # margins
            0.3821,  # hand-worth
            0.0997,  # hand
            -2.1039,  # above-limit
            1.5089,  # agents
            0.1296,  # unrotated
            0.0663,  # rotated
            -0.5036,  # their-unrotated
            0.6062,  # consultants
            0.4672,  # kinds-of-consultants
            0.4293,  # capture
            -0.8772,  # threat
            -0.7534,  # their-hands
            0.1204,  # agents-behind
            0.3395,  # second-card
            0.6627,  # ability
            -4.3550,  # one
            -0.5118,  # lead-early
            -0.0505,  # lead-over-mean-early
            -0.4270,  # margins-early
            -0.1178,  # hand-worth-early
            0.1751,  # hand-early
            2.3970,  # above-limit-early
            -2.4272,  # agents-early
            0.5669,  # unrotated-early
            0.0189,  # rotated-early
            -0.1971,  # their-unrotated-early
            -0.3496,  # consultants-early
            -0.6214,  # kinds-of-consultants-early
            -0.2184,  # capture-early
            1.4589,  # threat-early
            -0.1785,  # their-hands-early
            -0.7884,  # agents-behind-early
            0.3088,  # second-card-early
            -0.6052,  # ability-early
            -1.9705,  # one-early
        ),
    ),
}
