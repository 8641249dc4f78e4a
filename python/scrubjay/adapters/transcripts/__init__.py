"""Conversations in: five file formats, read as streams of observations.

============  =============================================================  ==================
format        what it is                                                     module
============  =============================================================  ==================
openai        messages or ``{"messages": [...]}``, one per line              ``openai``
claude_code   session file of the coding agent, one event per line           ``claude_code``
chatgpt       ``conversations.json`` of an account export, trees             ``chatgpt``
locomo        long dialogues of the LoCoMo data set                          ``locomo``
plain         ``{"role", "content", "time"}``, one per line                  ``plain``
============  =============================================================  ==================

Files may be gzip. Memory use does not depend on their size. What cannot be read is a
:class:`Problem` with its line, never an exception. Reading a file twice yields equal records, and
a file that only grew yields the old records first, so ingestion can resume and repeat safely.
"""

from __future__ import annotations

from scrubjay.adapters.transcripts.detection import FORMATS, detect
from scrubjay.adapters.transcripts.opening import Transcript, open_transcript
from scrubjay.adapters.transcripts.records import Problem, Record

__all__ = ["FORMATS", "Problem", "Record", "Transcript", "detect", "open_transcript"]
