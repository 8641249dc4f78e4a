"""Turns for the sleep cycle: rows made by hand, and a real store to put them into."""

import json

import pytest

from scrubjay.activation.retention import eviction_instant, schedule_of
from scrubjay.base.clock import SECOND_US
from scrubjay.base.ids import SeededEntropy, make_id
from scrubjay.base.provenance import Channel, Provenance, Role, authority_of, plane_of
from scrubjay.base.trace import Category, Engram, Kind, ToolCall, ToolResult
from scrubjay.store import open_store


class Rows:
    """Makes rows of sessions; every row follows the last by a minute."""

    def __init__(self):
        self.made = 0
        self.now_us = 0

    def __call__(
        self, role, content, *, session="s", scope="main", principal=None, at=None, **rest
    ):
        self.made += 1
        self.now_us = self.now_us + 60 * SECOND_US if at is None else at
        role = Role(role)
        category = Category.TELEMETRY if role is Role.TOOL else Category.DIALOGUE
        schedule = schedule_of(category)
        channel = rest.pop("channel", Channel.TRANSCRIPT)
        recorded_us = rest.pop("recorded_us", self.now_us)
        return Engram(
            id=make_id(now_us=0, node=9, counter=self.made),
            scope=scope,
            kind=Kind.TOOL_RESULT if role is Role.TOOL else Kind.TURN,
            category=category,
            content=content,
            provenance=Provenance(
                role=role,
                channel=channel,
                principal=principal or str(role),
                authority=authority_of(role, channel),
                plane=plane_of(role),
                session=session,
                position=self.made,
            ),
            recorded_us=recorded_us,
            event_us=self.now_us,
            last_us=recorded_us,
            salience=schedule.salience,
            half_life_us=schedule.half_life_us,
            evict_at_us=eviction_instant(
                last_us=recorded_us,
                salience=schedule.salience,
                frequency=0,
                half_life_us=schedule.half_life_us,
            ),
            **rest,
        )

    def call(self, tool, arguments, output="ok", *, exit_code=0, **rest):
        """Return an assistant's call and its result."""
        call_id = f"c{self.made}"
        call = ToolCall(call_id=call_id, name=tool, arguments=json.dumps(arguments))
        result = ToolResult(call_id=call_id, name=tool, exit_code=exit_code)
        return [
            self("assistant", f"{tool}(...)", tool_calls=(call,), **rest),
            self("tool", output, tool_result=result, **rest),
        ]


class PlainEncoder:
    """Stores engrams without vectors; enough to see what a cycle writes."""

    def __init__(self, fail_at=None):
        self.fail_at = fail_at
        self.written = 0

    def encode(self, tx, engram):
        if self.written == self.fail_at:
            raise RuntimeError("the embedder broke")
        self.written += 1
        return tx.add_engram(engram)


@pytest.fixture
def row():
    return Rows()


@pytest.fixture
def encoder():
    return PlainEncoder()


@pytest.fixture
def failing_encoder():
    return PlainEncoder


@pytest.fixture
def store(tmp_path):
    opened = open_store(
        tmp_path / "test.memory",
        tenant="default",
        create=True,
        entropy=SeededEntropy(7),
        now_us=0,
        durability="batch",
    )
    yield opened
    opened.close()


@pytest.fixture
def put(store):
    """Store rows in one transaction."""

    def write(*rows, now_us=1):
        with store.write(now_us=now_us) as tx:
            for one in rows:
                tx.add_engram(one)

    return write
