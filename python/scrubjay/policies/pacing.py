"""Pacing: time handed down never runs backwards.

If the system clock steps back, operations go on at the newest journalled instant, and the step is
recorded once, so that ages stay non-negative and the order of the journal is the order of time.
"""

from __future__ import annotations

import threading

import msgspec

from scrubjay.base.clock import check_instant
from scrubjay.base.ports import Store

__all__ = ["Pace"]


class Pace:
    """Clamps instants to the newest one handed out. Thread-safe."""

    def __init__(self, store: Store) -> None:
        """Follow the journal of ``store``."""
        self._store = store
        self._newest_us = store.last_instant_us()
        self._behind_us = 0
        self._recorded = False
        self._lock = threading.Lock()

    def instant(self, clock_us: int) -> int:
        """Return ``clock_us``, or the newest known instant if the clock stepped back.

        Raises:
            ClockError: the clock shows a year outside 1 to 9999.
        """
        now_us = check_instant("clock", clock_us)
        with self._lock:
            newest_us = self._newest_us
            if newest_us is None or now_us >= newest_us:
                self._newest_us = now_us
                self._behind_us = 0
                self._recorded = False
                return now_us
            self._behind_us = newest_us - now_us
            return newest_us

    def record_step_back(self, *, now_us: int) -> None:
        """Journal, once for each step back, how far the clock lags behind ``now_us``."""
        if not self._behind_us or self._recorded:
            return
        detail = msgspec.json.encode({"behind_us": self._behind_us}).decode()
        with self._store.write(now_us=now_us) as tx:
            tx.journal("clock-stepped-back", detail=detail)
        self._recorded = True
