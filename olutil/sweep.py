"""Many streams in blocks, with the same sums on one core and on a cluster.

The random numbers of a block depend only on the seed and on the block's number, and the
blocks are added up in their order.  So it makes no difference how many processes play
them, where, and which of them ends first.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from olutil._arguments import count, invalid, numbers, one_of

# So many streams take the book's learners a good part of a second, beside which the
# milliseconds that a cluster needs for each task do not count.
BLOCK_SIZE = 2048


class BlockError(RuntimeError):
    """A block of a sweep failed; the message says which one, and how to repeat it."""


@dataclass(frozen=True)
class Sums:
    """What was counted in many streams, summed up.

    Integers and Fractions are added, and for the variance subtracted, exactly: they are
    Python's numbers.

    Attributes
    ----------
    count : int
        How many streams were played.
    total : number or ndarray, shape (...)
        The sum over the streams of what was counted.
    squares : number or ndarray, shape (...)
        The sum of the squares.
    """

    count: int
    total: Any
    squares: Any

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*map(add, vars(self).values(), vars(other).values()))

    @property
    def mean(self) -> Any:
        """The mean of a stream, shape (...)."""
        return np.asarray(self.total / self.count, dtype=float)[()]

    @property
    def standard_error(self) -> Any:
        """The estimated standard deviation of `mean`, shape (...); NaN for one stream.

        Sums of floats lose digits here where a mean is millions of times the spread.
        """
        if self.count == 1:
            return np.full(np.shape(self.total), np.nan)[()]
        spread = self.count * self.squares - self.total * self.total
        variance = np.asarray(spread / (self.count**2 * (self.count - 1)), dtype=float)
        return np.sqrt(np.maximum(variance, 0))[()]


def sweep(
    block: Callable[[np.random.Generator, int], Any], streams: int, *, seed: int,
    size: int = BLOCK_SIZE, progress: bool | None = None,
) -> Sums:  # fmt: skip
    """Play many streams, block by block, on whatever engine joblib is told to use.

    Parameters
    ----------
    block : callable
        ``block(rng, n)`` plays ``n`` independent streams with random numbers from
        ``rng`` alone, and returns what it counted: an array of shape ``(n, ...)``, one
        row a stream.
    streams : int
        How many streams to play, at least 1.
    seed : int
        At least 0.  The block with number b gets the generator
        ``np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(b,)))``.
    size : int
        The streams of a block, at least 1; the last block has what is left.  With
        another size the streams get other random numbers.
    progress : bool, optional
        Whether to show a bar with the blocks done and the time left; by default if the
        standard error is a terminal.

    Returns
    -------
    Sums
        The same for every engine and any number of workers: integers and Fractions
        always, floats to the last bit as long as the machines round alike.

    Raises
    ------
    ValueError
        If an argument is out of range.
    BlockError
        If ``block`` raised, or did not return one row of finite numbers a stream; it
        names the block and its seed.
    ModuleNotFoundError
        If joblib is missing, or tqdm for the bar (the extra ``olutil[sweep]``).

    Notes
    -----
    By default this runs in the calling process.  Around it,
    ``joblib.parallel_config(backend="loky", n_jobs=8)`` makes it eight processes, and
    ``joblib.parallel_config(backend="dask")`` a cluster to which a
    ``dask.distributed.Client`` is connected.  A block whose worker dies is played
    again by dask, with the same seed; loky gives up with an error.  A block that kills
    every worker (it is too large for the memory, say) is given up by dask after four
    of them, and joblib (1.6) then waits in vain: watch the bar.

    Examples
    --------
    Three fair coins are tossed, a hundred thousand times; how many show heads?

    >>> def heads(rng, n):
    ...     return rng.integers(0, 2, size=(n, 3)).sum(axis=1)
    >>> found = sweep(heads, 100_000, seed=7)
    >>> found.count, found.total
    (100000, 150110)
    >>> print(f"{found.mean:.4f}, give or take {found.standard_error:.4f}")
    1.5011, give or take 0.0027
    """
    if not callable(block):
        raise invalid("block", "a function of a generator and a number", block)
    streams, seed = count("streams", streams), count("seed", seed, least=0)
    size = count("size", size)
    one_of("progress", progress, (None, True, False))
    shown = sys.stderr.isatty() if progress is None else progress
    try:
        from joblib import Parallel, delayed

        if shown:
            from tqdm.auto import tqdm
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"olutil.sweep needs {error.name}: pip install 'olutil[sweep]'",
            name=error.name,
        ) from None

    blocks = -(-streams // size)
    tasks = (
        delayed(_play_block)(block, seed, number, min(size, streams - number * size))
        for number in range(blocks)
    )
    try:
        pool = Parallel(return_as="generator")  # in the order of the blocks
    except ValueError:
        pool = Parallel()  # some engines, such as ray, return all at once
    if not shown:
        return reduce(add, pool(tasks))
    with tqdm(pool(tasks), total=blocks, unit="block") as bar:
        return reduce(add, bar)


def _play_block(block: Callable, seed: int, number: int, n: int) -> Sums:
    """Play one block, in whatever process."""
    source = np.random.SeedSequence(seed, spawn_key=(number,))
    try:
        rows = numbers("block", block(np.random.default_rng(source), n))
        if rows.shape[:1] != (n,):
            raise invalid("block", f"{n} rows, one a stream", f"shape {rows.shape}")
    except Exception as error:
        # As text, since not every error can be sent from one process to another.
        raise BlockError(
            f"block {number} of the sweep failed: {type(error).__name__}: {error}\n"
            "Its generator: np.random.default_rng(np.random.SeedSequence("
            f"{seed}, spawn_key=({number},))), and its streams: {n}"
        ) from error
    total, squares = rows.sum(axis=0), (rows * rows).sum(axis=0)
    if rows.dtype.kind in "bi":
        # The sums over many blocks might not fit 64 bits.
        total, squares = (np.asarray(v).astype(object)[()] for v in (total, squares))
    return Sums(n, total, squares)
