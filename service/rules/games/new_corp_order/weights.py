"""What the features are worth, by number of players; written by `boardroom train new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {
    2: Weights(
        version=1,
        figures="69 then 113 then 188 games, 16511 positions of the last round, seed 1",
        values=(
            0.6744,  # lead
            -0.3256,  # lead-over-mean
            1.2180,  # margins
            0.3863,  # hand-worth
            0.3746,  # hand
            -1.0621,  # above-limit
            0.3943,  # agents
            0.2088,  # unrotated
            -0.0101,  # rotated
            -0.6102,  # their-unrotated
            0.8419,  # consultants
            0.7946,  # kinds-of-consultants
            0.6752,  # capture
            -0.9648,  # threat
            -1.3019,  # their-hands
            0.0119,  # agents-behind
            0.1973,  # second-card
            1.2739,  # ability
            -3.7751,  # one
            -0.3027,  # lead-early
            -0.3027,  # lead-over-mean-early
            -0.9154,  # margins-early
            0.4393,  # hand-worth-early
            -0.1304,  # hand-early
            0.7357,  # above-limit-early
            0.9179,  # agents-early
            1.2150,  # unrotated-early
            0.2849,  # rotated-early
            -0.6183,  # their-unrotated-early
            0.0780,  # consultants-early
            0.4396,  # kinds-of-consultants-early
            -0.9495,  # capture-early
            1.5544,  # threat-early
            0.6566,  # their-hands-early
            -0.9916,  # agents-behind-early
            -0.0996,  # second-card-early
            -0.4931,  # ability-early
            -0.5049,  # one-early
        ),
    ),
    3: Weights(
        version=1,
        figures="31 then 43 then 86 games, 9953 positions of the last round, seed 1",
        values=(
            0.4586,  # lead
            -0.0274,  # lead-over-mean
            0.5227,  # margins
            0.3147,  # hand-worth
            0.2246,  # hand
            -0.6076,  # above-limit
            1.4707,  # agents
            0.3352,  # unrotated
            -0.0730,  # rotated
            -0.4238,  # their-unrotated
            0.5996,  # consultants
            -0.1784,  # kinds-of-consultants
            0.4516,  # capture
            -0.9093,  # threat
            -0.9276,  # their-hands
            -0.0954,  # agents-behind
            -0.4758,  # second-card
            0.7290,  # ability
            -3.5367,  # one
            -0.5242,  # lead-early
            0.0296,  # lead-over-mean-early
            -0.3372,  # margins-early
            -0.0880,  # hand-worth-early
            0.0949,  # hand-early
            0.2678,  # above-limit-early
            0.5253,  # agents-early
            0.4194,  # unrotated-early
            0.0900,  # rotated-early
            -0.4576,  # their-unrotated-early
            0.3351,  # consultants-early
            -0.2222,  # kinds-of-consultants-early
            -0.3365,  # capture-early
            0.9482,  # threat-early
            0.2084,  # their-hands-early
            -0.1442,  # agents-behind-early
            0.3993,  # second-card-early
            0.0456,  # ability-early
            -1.8678,  # one-early
        ),
    ),
    4: Weights(
        version=1,
        figures="33 then 58 then 79 games, 8472 positions of the last round, seed 1",
        values=(
            0.4568,  # lead
            -0.0285,  # lead-over-mean
            0.3099,  # margins
            0.3739,  # hand-worth
            0.1384,  # hand
            -1.6228,  # above-limit
            1.2390,  # agents
            0.1558,  # unrotated
            -0.0069,  # rotated
            -0.5684,  # their-unrotated
            0.3030,  # consultants
            0.3736,  # kinds-of-consultants
            0.2952,  # capture
            -0.6673,  # threat
            -0.7714,  # their-hands
            0.1459,  # agents-behind
            0.2241,  # second-card
            1.2864,  # ability
            -5.0694,  # one
            -0.4868,  # lead-early
            -0.0218,  # lead-over-mean-early
            -0.2672,  # margins-early
            -0.1570,  # hand-worth-early
            0.1929,  # hand-early
            1.5304,  # above-limit-early
            -2.8110,  # agents-early
            0.9086,  # unrotated-early
            0.0738,  # rotated-early
            -0.3208,  # their-unrotated-early
            -0.1400,  # consultants-early
            -0.5811,  # kinds-of-consultants-early
            -0.2050,  # capture-early
            1.0339,  # threat-early
            0.1139,  # their-hands-early
            -1.0762,  # agents-behind-early
            -0.1584,  # second-card-early
            -1.5096,  # ability-early
            -1.7596,  # one-early
        ),
    ),
}
