"""Plays cohorts of games: in this process or several, in blocks that are kept as they are finished.

Which games are played, and how each of them goes, does not depend on the number of processes, the size of the blocks
or on having been stopped: only the cohort counts.
"""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import Any

from spit_agents.match import GameResults
from spit_train.cohort import Cohort
from spit_train.journal import Block, Journal, gaps, joined

Progress = Callable[[int, int], None]
BLOCK_S = 2.0  # about how long a block takes: what is lost at most if the process is killed
FIRST_GAMES = 64  # of a cohort, to see how long its games take
MOST_GAMES = 8192  # in a block
BATCH = 1024  # games in progress at a time
WORTH_A_POOL_S = 10.0  # of playing in one process: starting others costs a second or two


class WorkerFailed(ValueError):
    """A process that plays games has died."""


class Stop:
    """Whether Ctrl-C has asked to stop after the blocks that are under way."""

    asked = False


def play_cohorts(
    cohorts: Sequence[Cohort],
    *,
    workers: int | None = 1,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> list[GameResults]:
    """Play all games of all cohorts that the journal does not hold yet.

    Args:
        workers: processes that play; 1 plays in this process; None takes all cores if there is enough to play.
        journal: where finished games are kept and found again; None: nowhere.
        progress: called with (games finished, games in all).

    Returns:
        For each cohort its games, in order.

    Raises:
        KeyboardInterrupt: after Ctrl-C, when the blocks under way are finished and kept. A second one stops at once.
        WorkerFailed: if a process of the pool has died. An exception of a bot is raised as it is.
    """
    journal = Journal() if journal is None else journal
    keys = [cohort.key() for cohort in cohorts]
    todo = Todo(cohorts, [list(gaps(journal.of(key, c.deals), c.deals)) for key, c in zip(keys, cohorts)])
    total = sum(cohort.games for cohort in cohorts)
    with stopping_gently() as stop:
        if progress:
            progress(total - todo.games, total)
        for index, block in play_blocks(cohorts, todo, workers, stop):
            journal.add(keys[index], block)
            if progress:
                progress(total - todo.games, total)
    if stop.asked:
        raise KeyboardInterrupt
    return [joined(journal.of(key, cohort.deals)) for key, cohort in zip(keys, cohorts)]


class Todo:
    """What is still to be played, handed out in blocks that take about `BLOCK_S`."""

    def __init__(self, cohorts: Sequence[Cohort], missing: list[list[tuple[int, int]]]) -> None:
        self.seats = [len(cohort.players) for cohort in cohorts]
        self.missing = missing  # of each cohort: (first deal, deals)
        self.seconds: list[float | None] = [None] * len(cohorts)  # that a game takes, once it is known
        self.usual: float | None = None  # the same of whatever cohort was last
        self.games = sum(n * seats for parts, seats in zip(missing, self.seats) for _, n in parts)  # not finished

    def next(self, workers: int) -> tuple[int, int, int] | None:
        """The next block: (cohort, first deal, deals); None if nothing is left."""
        for index, parts in enumerate(self.missing):
            if parts:
                first, left = parts.pop(0)
                deals = min(left, self.block_deals(index, workers))
                if left > deals:
                    parts.insert(0, (first + deals, left - deals))
                return index, first, deals
        return None

    def block_deals(self, index: int, workers: int) -> int:
        """How many deals make a good block. With several workers the last ones are small, to end together."""
        seconds, seats = self.seconds[index] or self.usual, self.seats[index]
        games = FIRST_GAMES if seconds is None else min(MOST_GAMES, int(BLOCK_S / seconds))
        if workers > 1:
            games = min(games, max(FIRST_GAMES, self.games // (2 * workers)))
        return max(1, games // seats)

    def finished(self, index: int, block: Block, took: float) -> tuple[int, Block]:
        """A block of a cohort is done; it took so many seconds."""
        self.games -= len(block.rows.seed)
        self.seconds[index] = self.usual = max(took, 1e-9) / len(block.rows.seed)
        return index, block


def play_blocks(
    cohorts: Sequence[Cohort], todo: Todo, workers: int | None, stop: Stop
) -> Iterator[tuple[int, Block]]:  # fmt: skip
    """Play what is to be played; yields (cohort, block) as blocks are finished."""
    if workers is None:
        began, games = time.perf_counter(), todo.games
        yield from play_here(cohorts, todo, stop, blocks=1)
        spent = (time.perf_counter() - began) / max(1, games - todo.games)
        workers = len(os.sched_getaffinity(0)) if spent * todo.games > WORTH_A_POOL_S else 1
    yield from play_here(cohorts, todo, stop) if workers == 1 else play_in_pool(cohorts, todo, workers, stop)


def timed_block(cohort: Cohort, first: int, deals: int) -> tuple[Block, float]:
    """Play a block; with the seconds that it took."""
    began = time.perf_counter()
    rows = cohort.play(first, deals, BATCH)
    return Block(first, deals, rows), time.perf_counter() - began


def play_here(
    cohorts: Sequence[Cohort], todo: Todo, stop: Stop, blocks: int | None = None
) -> Iterator[tuple[int, Block]]:  # fmt: skip
    """Play one block after the other, all or so many."""
    for _ in range(blocks) if blocks is not None else count():
        part = None if stop.asked else todo.next(workers=1)
        if part is None:
            return
        index, first, deals = part
        yield todo.finished(index, *timed_block(cohorts[index], first, deals))


# --- In several processes --------------------------------------------------------------------------------------------

_pools: dict[tuple[int, tuple[str, ...]], ProcessPoolExecutor] = {}  # kept for later: starting one takes a while


def pool_of(workers: int) -> ProcessPoolExecutor:
    """So many processes, those of an earlier call if there are any."""
    key = workers, tuple(sys.path)
    if key not in _pools:
        end_pools()
        context = multiprocessing.get_context("spawn")
        _pools[key] = ProcessPoolExecutor(workers, context, start_worker, (list(sys.path),))
    return _pools[key]


def end_pools() -> None:
    """End all processes, when they have finished what they are at."""
    for pool in _pools.values():
        pool.shutdown(wait=False, cancel_futures=True)
    _pools.clear()


def start_worker(path: list[str]) -> None:
    """Begin a worker process: it leaves Ctrl-C to the process that has started it, and does not outlive that."""
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End this process when the one that has started it is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def worker_block(pickled: bytes, first: int, deals: int) -> tuple[Block, float]:
    """Play a block of a cohort in a worker process."""
    return timed_block(unpickled(pickled), first, deals)


@lru_cache(maxsize=16)
def unpickled(cohort: bytes) -> Cohort:
    """A cohort that was sent; for the blocks of one the same."""
    found: Cohort = pickle.loads(cohort)
    return found


def play_in_pool(cohorts: Sequence[Cohort], todo: Todo, workers: int, stop: Stop) -> Iterator[tuple[int, Block]]:
    """Play blocks in several processes; yields them as they are finished."""
    running: dict[Future[tuple[Block, float]], int] = {}
    try:
        sent = [pickle.dumps(cohort) for cohort in cohorts]
        pool = pool_of(workers)
        while True:
            while not stop.asked and len(running) < workers and (part := todo.next(workers)):
                index, first, deals = part
                running[pool.submit(worker_block, sent[index], first, deals)] = index
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield todo.finished(running.pop(future), *future.result())
    except BrokenProcessPool as error:
        end_pools()
        raise WorkerFailed(
            "a process that plays games has died; a script that asks for several workers must do so "
            "under `if __name__ == '__main__':`, and memory must suffice for all"
        ) from error
    except BaseException:
        end_pools()
        raise


@contextmanager
def stopping_gently() -> Iterator[Stop]:
    """Turn the first Ctrl-C into a wish to stop; the second one stops at once, as ever."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before: Any = signal.getsignal(signal.SIGINT)

    def ask(*_: Any) -> None:
        stop.asked = True
        print("stopping when the games under way are finished; Ctrl-C again stops at once", file=sys.stderr, flush=True)
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
