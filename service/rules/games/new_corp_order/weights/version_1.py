"""What the features are worth, by number of players; written by `boardroom train new-corp-order`, not by hand."""

from collections.abc import Mapping

from service.rules.valuation import Weights

WEIGHTS: Mapping[int, Weights] = {
    2: Weights(
        version=1,
        figures="400 games of normal against itself, 43253 positions, seed 1",
        values=(
            0.0237,  # lead
            0.0237,  # lead-over-mean
            0.1176,  # narrow-margins
            0.3505,  # wide-margins
            0.0000,  # second-margins
            0.3848,  # agents
            0.0422,  # agents-behind
            0.0540,  # capture
            0.0930,  # captures
            -0.0715,  # threat
            -0.0602,  # threats
            0.0301,  # lay
            0.0617,  # lays
            0.3905,  # second-card
            0.5636,  # ability
            -0.1316,  # one
            0.1167,  # hand-worth
            0.0773,  # hand
            -0.0893,  # above-limit
            0.3664,  # three-alike
            0.1040,  # unrotated
            -0.0263,  # rotated
            -0.1752,  # their-unrotated
            0.1475,  # consultants
            0.1513,  # kinds-of-consultants
            -0.2839,  # their-hands
            -0.0331,  # lead-early
            -0.0331,  # lead-over-mean-early
            -0.1332,  # narrow-margins-early
            -0.2306,  # wide-margins-early
            0.0000,  # second-margins-early
            0.1142,  # agents-early
            -0.0550,  # agents-behind-early
            -0.0496,  # capture-early
            -0.1040,  # captures-early
            0.0667,  # threat-early
            0.0987,  # threats-early
            -0.0514,  # lay-early
            -0.0787,  # lays-early
            -0.1860,  # second-card-early
            -0.4191,  # ability-early
            0.1436,  # one-early
            0.0220,  # hand-worth-early
            0.0217,  # hand-early
            -0.1538,  # above-limit-early
            0.2672,  # three-alike-early
            0.1322,  # unrotated-early
            0.0206,  # rotated-early
            -0.0775,  # their-unrotated-early
            0.0222,  # consultants-early
            0.0280,  # kinds-of-consultants-early
            0.0455,  # their-hands-early
            0.1780,  # last-lead
            0.1780,  # last-lead-over-mean
            0.2022,  # last-narrow-margins
            0.0978,  # last-wide-margins
            0.0000,  # last-second-margins
            -0.1642,  # last-agents
            1.3968,  # last-ability
            -1.2235,  # last-one
            -3.1810,  # last-others-yet
            -0.3805,  # last-threat-yet
            0.2776,  # last-threats-yet
            0.4151,  # last-step
            0.2930,  # last-hand-yet
        ),
    ),
    3: Weights(
        version=1,
        figures="400 games of normal against itself, 58066 positions, seed 1",
        values=(
            0.0343,  # lead
            0.0153,  # lead-over-mean
            0.0599,  # narrow-margins
            0.2009,  # wide-margins
            0.0466,  # second-margins
            0.4984,  # agents
            0.0179,  # agents-behind
            0.0328,  # capture
            0.0769,  # captures
            -0.0606,  # threat
            -0.0726,  # threats
            0.0323,  # lay
            0.0405,  # lays
            0.2539,  # second-card
            0.3878,  # ability
            -0.4434,  # one
            0.0933,  # hand-worth
            0.0045,  # hand
            -0.1135,  # above-limit
            0.6250,  # three-alike
            0.0553,  # unrotated
            -0.0506,  # rotated
            -0.1440,  # their-unrotated
            0.2486,  # consultants
            0.2876,  # kinds-of-consultants
            -0.2480,  # their-hands
            -0.0290,  # lead-early
            -0.0248,  # lead-over-mean-early
            -0.0448,  # narrow-margins-early
            -0.0960,  # wide-margins-early
            -0.0324,  # second-margins-early
            -0.1438,  # agents-early
            -0.0666,  # agents-behind-early
            -0.0251,  # capture-early
            -0.0585,  # captures-early
            0.0534,  # threat-early
            0.0705,  # threats-early
            -0.0334,  # lay-early
            -0.0507,  # lays-early
            -0.1064,  # second-card-early
            -0.2210,  # ability-early
            -0.4141,  # one-early
            0.0022,  # hand-worth-early
            -0.0304,  # hand-early
            -0.0487,  # above-limit-early
            -0.1611,  # three-alike-early
            0.0207,  # unrotated-early
            -0.0331,  # rotated-early
            -0.0920,  # their-unrotated-early
            -0.1875,  # consultants-early
            -0.1869,  # kinds-of-consultants-early
            -0.0356,  # their-hands-early
            0.3196,  # last-lead
            0.0755,  # last-lead-over-mean
            0.0798,  # last-narrow-margins
            0.0174,  # last-wide-margins
            0.0632,  # last-second-margins
            0.2128,  # last-agents
            0.9092,  # last-ability
            -4.1840,  # last-one
            -0.9327,  # last-others-yet
            -0.1972,  # last-threat-yet
            -0.3046,  # last-threats-yet
            0.3373,  # last-step
            0.0362,  # last-hand-yet
        ),
    ),
    4: Weights(
        version=1,
        figures="400 games of normal against itself, 53721 positions, seed 1",
        values=(
            0.0393,  # lead
            0.0135,  # lead-over-mean
            0.0693,  # narrow-margins
            0.1640,  # wide-margins
            0.0935,  # second-margins
            0.3488,  # agents
            0.0424,  # agents-behind
            0.0247,  # capture
            0.0781,  # captures
            -0.0561,  # threat
            -0.0661,  # threats
            0.0336,  # lay
            0.0468,  # lays
            0.3360,  # second-card
            0.4271,  # ability
            -0.6034,  # one
            0.1228,  # hand-worth
            0.0071,  # hand
            -0.1473,  # above-limit
            0.1867,  # three-alike
            0.0385,  # unrotated
            -0.0935,  # rotated
            -0.1634,  # their-unrotated
            0.1915,  # consultants
            0.2085,  # kinds-of-consultants
            -0.3129,  # their-hands
            -0.0378,  # lead-early
            -0.0310,  # lead-over-mean-early
            -0.0374,  # narrow-margins-early
            -0.0635,  # wide-margins-early
            -0.0679,  # second-margins-early
            -0.0918,  # agents-early
            -0.0991,  # agents-behind-early
            -0.0239,  # capture-early
            -0.0587,  # captures-early
            0.0555,  # threat-early
            0.0610,  # threats-early
            -0.0361,  # lay-early
            -0.0594,  # lays-early
            -0.2158,  # second-card-early
            -0.2704,  # ability-early
            -0.6638,  # one-early
            0.0007,  # hand-worth-early
            -0.1003,  # hand-early
            0.0303,  # above-limit-early
            0.2129,  # three-alike-early
            -0.0288,  # unrotated-early
            -0.0737,  # rotated-early
            -0.1204,  # their-unrotated-early
            -0.1670,  # consultants-early
            -0.1654,  # kinds-of-consultants-early
            -0.1247,  # their-hands-early
            0.3375,  # last-lead
            0.0229,  # last-lead-over-mean
            0.1380,  # last-narrow-margins
            0.0331,  # last-wide-margins
            0.0806,  # last-second-margins
            0.1127,  # last-agents
            0.9826,  # last-ability
            -2.8453,  # last-one
            -0.8277,  # last-others-yet
            -0.0609,  # last-threat-yet
            -0.3396,  # last-threats-yet
            0.2233,  # last-step
            0.2196,  # last-hand-yet
        ),
    ),
}
