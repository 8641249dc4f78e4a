"""Alignment: the moves that several tasks share, in order, and which tasks belong together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scrubjay.policies.consolidation.tasks import Shape, Step, Task

__all__ = ["Cluster", "clusters_of", "common_subsequence", "positions_in", "working_steps"]

MIN_SHARE = 0.6
"""Share of the shorter task that must be common before two tasks are one procedure."""

MIN_MOVES = 2
MAX_STEPS = 60


class Cluster:
    """Tasks of one scope that share ``moves``; grows in the order tasks are offered."""

    def __init__(self, task: Task) -> None:
        """Start with one task."""
        self.tasks = [task]
        self.moves = [step.shape for step in working_steps(task)]

    def take(self, task: Task) -> bool:
        """Join ``task`` if it shares enough; ``moves`` shrinks to what all share."""
        if task.scope != self.tasks[0].scope:
            return False
        steps = [step.shape for step in working_steps(task)]
        shared = common_subsequence(self.moves, steps)
        enough = math.ceil(MIN_SHARE * min(len(self.moves), len(steps)))
        if len(set(shared)) < MIN_MOVES or len(shared) < enough:
            return False
        self.tasks.append(task)
        self.moves = shared
        return True


def clusters_of(tasks: Sequence[Task]) -> list[Cluster]:
    """Return groups of at least two successful tasks; deterministic in the order of tasks."""
    clusters: list[Cluster] = []
    for task in tasks:
        if not task.succeeded or len({s.shape for s in working_steps(task)}) < MIN_MOVES:
            continue
        if not any(cluster.take(task) for cluster in clusters):
            clusters.append(Cluster(task))
    return [cluster for cluster in clusters if len(cluster.tasks) >= MIN_MOVES]


def working_steps(task: Task) -> list[Step]:
    """Return the steps that worked, a run of one move (polling, a sweep) counted once."""
    out: list[Step] = []
    for step in task.steps[:MAX_STEPS]:
        if step.ok and not (out and out[-1].shape == step.shape):
            out.append(step)
    return out


def common_subsequence(first: Sequence[Shape], second: Sequence[Shape]) -> list[Shape]:
    """Return a longest common subsequence, the leftmost in ``first``. Cost: O(n m).

    >>> common_subsequence([("a",), ("b",), ("c",)], [("a",), ("x",), ("c",)])
    [('a',), ('c',)]
    """
    rows, columns = len(first), len(second)
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            if first[i] == second[j]:
                length[i][j] = 1 + length[i + 1][j + 1]
            else:
                length[i][j] = max(length[i + 1][j], length[i][j + 1])
    out: list[Shape] = []
    i = j = 0
    while i < rows and j < columns:
        if first[i] == second[j]:
            out.append(first[i])
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return out


def positions_in(moves: Sequence[Shape], steps: Sequence[Step]) -> list[int] | None:
    """Return where ``moves`` stand in ``steps``, each as early as can be; None if they do not."""
    out: list[int] = []
    at = 0
    for move in moves:
        while at < len(steps) and steps[at].shape != move:
            at += 1
        if at == len(steps):
            return None
        out.append(at)
        at += 1
    return out
