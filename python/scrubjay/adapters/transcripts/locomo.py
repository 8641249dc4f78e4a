"""LoCoMo: long conversations of two people over months, as one JSON array of samples.

A sample has ``sample_id`` and ``conversation``: ``session_N`` lists of turns (``speaker``,
``dia_id``, ``text``, perhaps a ``blip_caption`` of a shared image) with ``session_N_date_time``.
Its questions are not read: they are the examination, not the memory.

The format gives one time for a whole session. Turn i is placed i seconds after it, so that the
order by event time is the order of speaking. Both speakers are people: each turn has the role
``user`` and names its speaker as principal and at the start of the text.

Source: Maharana et al., Evaluating very long-term conversational memory of LLM agents, ACL 2024.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar

import msgspec

from scrubjay.adapters.transcripts.fields import (
    MalformedError,
    check_text,
    decode_reason,
    moment_of,
    name_of,
)
from scrubjay.adapters.transcripts.reading import Outcome, Split
from scrubjay.adapters.transcripts.stream import Item, iter_elements
from scrubjay.adapters.transcripts.times import Moment
from scrubjay.base.clock import SECOND_US
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation

__all__ = ["LocomoReader"]

_SESSION = re.compile(r"session_(\d+)", re.ASCII)


class _Sample(msgspec.Struct, frozen=True):
    conversation: dict[str, msgspec.Raw]
    sample_id: str | int | None = None


class _Turn(msgspec.Struct, frozen=True):
    speaker: str
    text: str = ""
    dia_id: str | None = None
    blip_caption: str | None = None


class LocomoReader:
    """Reads samples, one element of the array each: sessions by number, turns in order."""

    split: ClassVar[Split] = staticmethod(iter_elements)
    title = ""

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` names samples without an id."""
        self._stem = stem
        self.skipped: Counter[str] = Counter()

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return the turns of one sample."""
        sample = msgspec.json.decode(data, type=_Sample)
        name = name_of("a sample id", sample.sample_id, f"{self._stem}:{item.number}")
        found = (_SESSION.fullmatch(key) for key in sample.conversation)
        sessions = sorted((int(match[1]), match[0]) for match in found if match)
        outcomes: list[Outcome] = []
        for _, session in sessions:
            outcomes += self._session(sample.conversation, name, session)
        return outcomes

    def _session(
        self, conversation: dict[str, msgspec.Raw], sample: str, session: str
    ) -> list[Outcome]:
        try:
            turns = msgspec.json.decode(conversation[session], type=list[msgspec.Raw])
            start = _start(conversation.get(f"{session}_date_time"))
        except (msgspec.DecodeError, MalformedError) as error:
            return [f"{sample} {session}: {decode_reason(error)}"]
        outcomes: list[Outcome] = []
        for index, raw in enumerate(turns):
            try:
                turn = msgspec.json.decode(raw, type=_Turn)
                outcome = _observation(turn, sample, session, index, start)
            except (msgspec.DecodeError, MalformedError) as error:
                outcomes.append(f"{sample} {session} turn {index + 1}: {decode_reason(error)}")
                continue
            if outcome is None:
                self.skipped["empty"] += 1
            else:
                outcomes.append(outcome)
        return outcomes


def _start(raw: msgspec.Raw | None) -> Moment | None:
    return moment_of(None if raw is None else msgspec.json.decode(raw, type=str))


def _observation(
    turn: _Turn, sample: str, session: str, index: int, start: Moment | None
) -> Observation | None:
    caption = f" [{turn.blip_caption}]" if turn.blip_caption else ""
    if not turn.text.strip() and not caption:
        return None
    return Observation(
        content=check_text(f"{turn.speaker}: {turn.text}{caption}"),
        role=Role.USER,
        session=session,
        scope=f"locomo/{sample.replace('/', '_')}",
        principal=name_of("a speaker", turn.speaker),
        message_id=name_of("a dialogue id", turn.dia_id),
        position=index,
        event_us=start.us + index * SECOND_US if start else None,
        event_offset_min=start.offset_min if start else 0,
    )
