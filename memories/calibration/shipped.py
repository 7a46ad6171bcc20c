"""The shipped similarity tables of the built-in embedder, and what each was fitted on (SPEC W-13)."""

from typing import Final

from memories.calibration.relevance import Relevance, Scale
from memories.calibration.table import Calibration

PASSAGES_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="passage-passage",
    knots=(
        (0.6313, 0.0),
        (0.8024, 0.05),
        (0.8196, 0.1),
        (0.8787, 0.2),
        (0.8982, 0.35),
        (0.9093, 0.5),
        (0.9349, 0.65),
        (0.9659, 0.75),
        (0.9826, 0.85),
        (0.9855, 0.9),
        (0.9878, 0.95),
        (1.0, 1.0),
    ),
)
"""
Meaning of two stored texts, for connect and links: 0 unrelated, 0.5 on the same thing, 1 the same meaning.

Fitted on 22 November 2026 to one half of the labelled pairs (docs/calibration.md): LCQMC (zh, 758), MSRP (en,
705) and SICK (en, 747; same = entailment with relatedness ≥ 4.5, unrelated = relatedness < 2.5), with 1 800
random pairs within the sets as unrelated, every label of every set of equal weight. On the other half LCQMC
pairs of the same meaning reach 0.85 in 65 %, of another in 16 %; SICK contradictions in 1 of 116. Left out:
PAWS-X (words swapped), in which a cosine tells nothing: 47 % of its different pairs reach 0.85. Hence
`alike.judge_same` decides what is merged.
The texts were bare. A date and a speaker before each text lift every cosine (median of unrelated turns
0.847 → 0.925; a speaker alone: 0.870) and with it the share of unrelated pairs above 0.35 from 5 to 87 %.
"""

QUERIES_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="query-passage",
    knots=(
        (0.6666, 0.0),
        (0.7236, 0.05),
        (0.7347, 0.10),
        (0.7384, 0.20),
        (0.8043, 0.35),
        (0.8617, 0.50),
        (0.8674, 0.65),
        (0.8705, 0.75),
        (0.8739, 0.85),
        (0.8800, 0.90),
        (0.8882, 0.95),
        (1.0, 1.0),
    ),
)
"""
Chance that a stored text, embedded as it stands, answers a question, at even odds.

Fitted on 22 November 2026 to 302 questions of two LoCoMo conversations (en; bare texts of turns) and 200 of
XQuAD (zh), both of equal weight: the right texts against all wrong ones of the same store, half of the wrong
weight on the 20 nearest. Against random wrong texts alone the curve saturates among the best rows and costs
2 to 3 points of R@10.
"""

TURNS_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="query-turn",
    knots=(
        (0.6995, 0.0),
        (0.7546, 0.05),
        (0.7666, 0.10),
        (0.7917, 0.20),
        (0.8268, 0.35),
        (0.8468, 0.50),
        (0.8550, 0.65),
        (0.8687, 0.75),
        (0.8919, 0.85),
        (1.0, 1.0),
    ),
)
"""
The same for a turn of talk, which is embedded with its speaker and day: that lifts every cosine (median of
all turns against all questions 0.758 → 0.807), so that beside a bare note a turn would always look nearer.

Fitted likewise to the 302 questions of the two LoCoMo conversations, in the layout of `index_text`.
"""

CALIBRATIONS: Final = {
    (table.space, table.pairing): table
    for table in (PASSAGES_E5_SMALL_Q4, QUERIES_E5_SMALL_Q4, TURNS_E5_SMALL_Q4)
}


RELEVANCE_E5_SMALL_Q4: Final = Relevance(
    space="e5-small-q4",
    floor=0.15,
    background=0.17,
    scales={
        "all": Scale(
            intercept=-8.86,
            weights={
                "similarity": 4.66, "margin": 4.28, "words": 3.12, "word_margin": 1.56, "agreed": 1.23,
                "known": 1.89, "named": 3.19, "tag": 0.0,
            },
        ),
        "across": Scale(intercept=-3.27, weights={"similarity": 1.56, "margin": 6.86}),
        "words": Scale(
            intercept=-5.81,
            weights={"words": 6.01, "word_margin": 3.82, "known": 2.02, "named": 2.38, "tag": 0.0},
        ),
        "meaning": Scale(intercept=-5.64, weights={"similarity": 4.88, "margin": 4.6}),
        "few": Scale(
            intercept=-4.14, weights={"similarity": 4.41, "words": 4.35, "known": 2.62, "named": 1.68}
        ),
    },
)  # fmt: skip
"""
How relevant a row is to a question, and the floor of «nothing known» (SPEC K-10).

Fitted on 26 November 2026 by `manage.py calibrate_relevance --seed 1` to what `make bench-nothing-known`
asked on the half for that: questions with and without an answer on three LoCoMo conversations and four BEAM
chats (en), half of XQuAD's passages (zh, asked in zh and en), and 100 pairs of relations.jsonl in each of two
stores (six languages); «few» to stores of 1, 3 and 10 memories cut from these. What the floor does to the
other half stands in docs/calibration.md.
"""

RELEVANCES: Final = {one.space: one for one in (RELEVANCE_E5_SMALL_Q4,)}
