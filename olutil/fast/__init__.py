"""Fast twins of the readable learners: the same mistakes, in less time.

Each function plays a whole stream that is known beforehand, and returns what the
learner of the same name would count.  They rest on five ideas.

1. *Streams side by side.*  The experts are the outer axis in memory and the streams the
   inner one, so that numpy adds long rows.  One long stream is cut into segments, which
   are streams too: the losses say with which counts each of them starts.
2. *Compiled loops.*  Where numba is installed, the Perceptron and Weighted Majority are
   plain loops, which it compiles when they are first called (``olutil.fast.loops``).
3. *Looking ahead.*  A conservative learner changes only at a mistake: score many rounds
   with the current weights and go to the first mistake (`winnow`, and `perceptron`
   without numba).
4. *From switch to switch.*  While the best responses do not change, a round of
   fictitious play adds what the last one did (`fictitious_play_counts`).
5. *Sets as bits.*  A version space has one bit a concept, 64 to a word (`halving`).

The state is what the readable learner keeps: counts of mistakes.  Floating-point
weights are computed anew from the counts every few rounds, so that rounding errors do
not add up and no weight stays 0.  Where rounding could decide a prediction, the
readable learner makes it.
"""

from olutil.fast.concepts import concept_sets, halving
from olutil.fast.experts import majority_mistakes, randomized_mistakes
from olutil.fast.games import fictitious_play_counts
from olutil.fast.linear import Learned, perceptron, sparse_perceptron, winnow

__all__ = [
    "Learned", "concept_sets", "fictitious_play_counts", "halving", "majority_mistakes",
    "perceptron", "randomized_mistakes", "sparse_perceptron", "winnow",
]  # fmt: skip
