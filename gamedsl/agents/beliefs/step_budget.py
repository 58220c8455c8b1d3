"""Limits the steps of the rules that a kernel may take, so that particles are drawn in time."""

from __future__ import annotations

import time

import numpy as np

from gamedsl.agents.beliefs.sampling import Scratch
from gamedsl.agents.position import ARENA
from gamedsl.compiler import Words

RATE = 100_000.0  # steps a second, before it has been measured
LEAST = 0.005  # seconds after which the measured rate is used


class StepBudget:
    """Limits for kernels, from a deadline (``time.monotonic``) for drawing particles (None: no deadline).

    ``is_cut``: a kernel was stopped that would have continued without the deadline.
    """

    def __init__(self, deadline: float | None) -> None:
        self.deadline, self.until = deadline, deadline
        self.began, self.is_cut = time.monotonic(), False
        self.steps, self.last, self.cut_at = 0, 0, -1

    def limits(self, scratch: Scratch, most: int) -> Words:
        """Returns the limits for a kernel that takes at most ``most`` steps: words of noted positions, and steps."""
        self.settle(scratch)
        if self.until is not None:
            left = int(self._rate() * (self.until - time.monotonic()))
            if left < most:
                most = max(0, left)
                self.cut_at = self.last + most
        return np.array([ARENA // 2, self.last + most])

    def settle(self, scratch: Scratch) -> None:
        """Counts the steps of the kernel that was called last."""
        done = int(scratch.steps[0])
        self.is_cut |= 0 <= self.cut_at < done
        self.steps += done - self.last
        self.last, self.cut_at = done, -1

    def begin(self, parts: int) -> None:
        """Begins one of ``parts`` parts that share the time left, with new working memory, whose steps count from 0."""
        self.last, self.cut_at = 0, -1
        if self.deadline is not None:
            now = time.monotonic()
            self.until = now + (self.deadline - now) / parts

    def _rate(self) -> float:
        took = time.monotonic() - self.began
        return self.steps / took if took > LEAST and self.steps else RATE
