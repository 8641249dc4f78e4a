"""Reminders: an action and an instant, at the speaker's place."""

from datetime import UTC, datetime

import pytest

from scrubjay.base.clock import format_us, instant_of
from scrubjay.policies.consolidation.reminders import reminder_in
from scrubjay.policies.consolidation.sentences import sentences_of

# A Tuesday, 09:05 at +02:00.
SAID_US = instant_of("test", datetime(2026, 3, 31, 7, 5, tzinfo=UTC))


def reminder(text):
    [sentence] = sentences_of(text)
    found = reminder_in(sentence, event_us=SAID_US, offset_min=120)
    return None if found is None else (found.action, format_us(found.due_us))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Remind me on 2026-04-07 at 09:00 to renew the certificate.",
            ("renew the certificate", "2026-04-07T07:00:00Z"),
        ),
        ("Remind me to call Sam on Tuesday at 9.", ("call Sam", "2026-04-07T07:00:00Z")),
        ("remind me tomorrow at 3pm to send it", ("send it", "2026-04-01T13:00:00Z")),
        ("Remind me in 2 hours to check the oven.", ("check the oven", "2026-03-31T09:05:00Z")),
        ("Remind me to stretch in half an hour.", ("stretch", "2026-03-31T07:35:00Z")),
        ("Please remind me to pay rent on the 5th of April.", ("pay rent", "2026-04-05T07:00:00Z")),
        ("Don't let me forget to call mom tonight.", ("call mom", "2026-03-31T17:00:00Z")),
        ("remind me at 8 to leave", ("leave", "2026-04-01T06:00:00Z")),
        ("remind me at 5:30pm to leave", ("leave", "2026-03-31T15:30:00Z")),
        ("Remind me to eat at noon.", ("eat", "2026-03-31T10:00:00Z")),
    ],
)
def test_a_reminder_is_understood(text, expected):
    assert expected == reminder(text)


@pytest.mark.parametrize(
    "text", ["remind me to buy milk", "I will call Sam on Tuesday.", "remind me", "at 25:99 go"]
)
def test_without_a_time_or_a_wish_there_is_none(text):
    assert None is reminder(text)
