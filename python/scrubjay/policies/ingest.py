"""Ingesting: transcripts stream in, in batches, resumable and idempotent.

Each batch commits its turns together with how far the file was read. A second run of the same
file skips what was read; a file that grew goes on where it stopped; a file that was rewritten is
read again, and messages known by id are not stored twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from scrubjay.adapters.transcripts import Problem, Transcript, open_transcript
from scrubjay.base.clock import DAY_US
from scrubjay.base.errors import InvalidArgumentError, TranscriptError
from scrubjay.base.ports import Store
from scrubjay.base.provenance import Channel
from scrubjay.base.trace import Observation
from scrubjay.policies.door import check_content, check_name
from scrubjay.policies.encoding import Encoder, text_of
from scrubjay.policies.observing import observe_batch

__all__ = ["IngestProgress", "IngestReport", "ingest_file"]

BATCH = 256
"""Turns that share one transaction and one call of the embedder."""

MAX_LISTED_PROBLEMS = 1000
"""Problems kept in a report; all are counted."""


class IngestProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a file was read: bytes of ``total_bytes``, and turns stored so far."""

    position: int
    total_bytes: int
    stored: int


class IngestReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gave: turns stored, turns known before, records skipped, problems by line."""

    path: str
    format: str
    stored: int = 0
    repeated: int = 0
    skipped: int = 0
    problem_count: int = 0
    problems: tuple[Problem, ...] = ()


class _Tally:
    """The running counts of one file."""

    def __init__(self) -> None:
        self.stored = 0
        self.repeated = 0
        self.skipped = 0
        self.problem_count = 0
        self.problems: list[Problem] = []

    def note(self, problem: Problem, *, path: Path, strict: bool) -> None:
        if strict:
            msg = (
                f"ingest: {path.name} line {problem.line}: {problem.reason}; "
                "leave out strict to skip and list such lines"
            )
            raise TranscriptError(msg)
        self.problem_count += 1
        if len(self.problems) < MAX_LISTED_PROBLEMS:
            self.problems.append(problem)


def ingest_file(
    store: Store,
    encoder: Encoder,
    path: Path,
    *,
    format_: str,
    scope: str,
    strict: bool,
    now_us: int,
    on_progress: Callable[[IngestProgress], None] | None = None,
) -> IngestReport:
    """Read one transcript into the store; ``scope`` is used where the format names none.

    Raises:
        TranscriptError: the format cannot be told, or a record is malformed and ``strict``.
        StorageError: the file or the directory cannot be read or written; batches before stay.
    """
    transcript = open_transcript(path, format=format_)
    tally = _Tally()
    for batch in _batches(transcript, store, scope, path, tally, strict=strict, now_us=now_us):
        observations, position = batch
        report = observe_batch(
            store,
            encoder,
            observations,
            channel=Channel.TRANSCRIPT,
            now_us=now_us,
            progress=(transcript.source, position, transcript.digest(position)),
        )
        tally.stored += report.stored
        tally.repeated += report.repeated
        if on_progress is not None:
            total = transcript.size_bytes
            on_progress(IngestProgress(position=position, total_bytes=total, stored=tally.stored))
    return IngestReport(
        path=str(path),
        format=transcript.format,
        stored=tally.stored,
        repeated=tally.repeated,
        skipped=tally.skipped,
        problem_count=tally.problem_count,
        problems=tuple(tally.problems),
    )


def _batches(
    transcript: Transcript,
    store: Store,
    scope: str,
    path: Path,
    tally: _Tally,
    *,
    strict: bool,
    now_us: int,
) -> Iterator[tuple[list[Observation], int]]:
    """Yield (observations, position after them), leaving out what an earlier run has read."""
    resume_at = _resume_position(transcript, store)
    batch: list[Observation] = []
    position = resume_at
    for record in transcript:
        if record.position <= resume_at:
            tally.skipped += 1
            continue
        position = record.position
        if record.problem is not None:
            tally.note(record.problem, path=path, strict=strict)
        if record.observation is not None:
            problem = _refusal(record.observation, line=record.line, now_us=now_us)
            if problem is None:
                batch.append(_placed(record.observation, scope))
            else:
                tally.note(problem, path=path, strict=strict)
        if len(batch) >= BATCH:
            yield batch, position
            batch = []
    if batch or position > resume_at:
        yield batch, position


def _resume_position(transcript: Transcript, store: Store) -> int:
    known = store.progress(transcript.source)
    if known is None:
        return 0
    position, digest = known
    return position if digest == transcript.digest(position) else 0


def _placed(observation: Observation, scope: str) -> Observation:
    if observation.scope:
        return observation
    return msgspec.structs.replace(observation, scope=scope)


def _refusal(observation: Observation, *, line: int, now_us: int) -> Problem | None:
    """Return why a record cannot be stored, None if it can."""
    try:
        check_content("ingest", text_of(observation))
        check_name("ingest", "session", observation.session)
    except InvalidArgumentError as error:
        return Problem(line=line, reason=str(error))
    if observation.event_us is not None and observation.event_us > now_us + DAY_US:
        return Problem(line=line, reason=f"ingest: time {observation.event_us} us is in the future")
    return None
