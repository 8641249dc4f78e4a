"""Write a session as OpenAI-style messages: what the story says, plus seeded noise.

Every message carries an ``id``, a ``timestamp`` with its UTC offset and, for tool results, an
``exit_code``. Numbers that mean nothing (loads, delays, latencies) come from a hash of the seed, so
any Python writes the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta

SEED = 20260302

SWEEP_HOSTS = ("queue-2", "queue-5", "queue-7", "edge-1")


class Dice:
    """A stream of small integers that depends only on its name."""

    def __init__(self, name: str) -> None:
        """Start the stream of ``name``."""
        self._name = f"{SEED}:{name}"
        self._drawn = 0

    def between(self, low: int, high: int) -> int:
        """Return the next integer in ``[low, high]``."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._name}:{self._drawn}".encode()).digest()
        return low + int.from_bytes(digest[:8], "big") % (high - low + 1)


class Session:
    """One conversation; its methods append messages and let a little time pass."""

    def __init__(self, name: str, start: str) -> None:
        """Begin the session ``name`` at an ISO instant with offset."""
        self.name = name
        self.messages: list[dict[str, object]] = []
        self._now = datetime.fromisoformat(start)
        self._dice = Dice(name)
        self._calls = 0

    def lines(self) -> str:
        """Return the session as JSON lines."""
        return "".join(json.dumps(m, ensure_ascii=False) + "\n" for m in self.messages)

    def wait(self, **span: float) -> None:
        """Let time pass, in the words of ``datetime.timedelta``."""
        self._now += timedelta(**span)

    def user(self, text: str) -> None:
        """Let the operator speak."""
        self._add({"role": "user", "name": "operator", "content": text}, 20, 90)

    def agent(self, text: str) -> None:
        """Let the agent answer."""
        self._add({"role": "assistant", "content": text}, 3, 15)

    def call(
        self,
        tool: str,
        output: object,
        *,
        exit_code: int = 0,
        says: str | None = None,
        **arguments: object,
    ) -> None:
        """Let the agent call one tool and read its answer."""
        self.calls([(tool, arguments, output, exit_code)], says=says)

    def calls(
        self,
        batch: list[tuple[str, dict[str, object], object, int]],
        *,
        says: str | None = None,
    ) -> None:
        """Let the agent call several tools in one message and read every answer."""
        ids = [f"call_{self.name[:10]}_{self._calls + n + 1:03d}" for n in range(len(batch))]
        self._calls += len(batch)
        requests = [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": tool, "arguments": json.dumps(arguments)},
            }
            for call_id, (tool, arguments, _, _) in zip(ids, batch, strict=True)
        ]
        self._add({"role": "assistant", "content": says, "tool_calls": requests}, 2, 8)
        for call_id, (tool, _, output, exit_code) in zip(ids, batch, strict=True):
            text = output if isinstance(output, str) else json.dumps(output)
            answer = {"role": "tool", "tool_call_id": call_id, "name": tool, "content": text}
            self._add({**answer, "exit_code": exit_code}, 1, 4)

    def repair(
        self,
        host: str,
        service: str,
        queue: str,
        *,
        silent_s: int,
        handed_back: int,
        waiting: tuple[int, int],
        lease_lost: bool = False,
    ) -> None:
        """Drain and start a stalled worker; ``waiting`` counts jobs before and after.

        With ``lease_lost`` the first drain times out, and freeing the lease is what helps.
        """
        worker: dict[str, object] = {"host": host, "service": service}
        depth = {"host": host, "queue": queue}
        beat = {"service": service, "state": "stalled", "silent_s": silent_s}
        self.call("heartbeat", beat, **worker)
        self.call("queue_depth", {"queue": queue, "waiting": waiting[0]}, **depth)
        if lease_lost:
            timeout = "timed out after 60 s: the lease is held by a worker that is gone"
            self.call("drain_worker", timeout, exit_code=124, **worker)
            says = "Draining timed out. I free the orphaned lease and try again."
            self.call("release_lease", {"service": service, "released": 1}, says=says, **worker)
        self.call("drain_worker", {"service": service, "handed_back": handed_back}, **worker)
        self.call("start_worker", {"service": service, "state": "running"}, **worker)
        self.call("queue_depth", {"queue": queue, "waiting": waiting[1]}, **depth)

    def sweep(self) -> None:
        """Read the vital signs of every host: the noise that a memory should let go."""
        batch: list[tuple[str, dict[str, object], object, int]] = []
        for host in SWEEP_HOSTS:
            reading: dict[str, object] = {
                "host": host,
                "load": self._dice.between(5, 240) / 100,
                "memory_pct": self._dice.between(31, 88),
                "disk_pct": self._dice.between(40, 79),
                "latency_ms": self._dice.between(2, 60),
            }
            batch.append(("host_vitals", {"host": host}, reading, 0))
        self.calls(batch)

    def _add(self, message: dict[str, object], shortest_s: int, longest_s: int) -> None:
        self._now += timedelta(seconds=self._dice.between(shortest_s, longest_s))
        number = len(self.messages) + 1
        self.messages.append(
            {
                "id": f"{self.name[:10]}-{number:03d}",
                "timestamp": self._now.isoformat(),
                **message,
            }
        )
