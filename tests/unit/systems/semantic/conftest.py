"""Statements for timelines: one line each, ids in the order of making."""

from datetime import UTC, datetime

import pytest

from scrubjay.base.clock import instant_of
from scrubjay.base.ids import make_id
from scrubjay.base.provenance import Authority, Plane
from scrubjay.base.trace import Assertion, Precision


def on(year, month=1, day=1, hour=0):
    """Return an instant."""
    return instant_of("test", datetime(year, month, day, hour, tzinfo=UTC))


class Statements:
    """Makes assertions; what is not said has the plainest value."""

    def __init__(self):
        self.made = 0

    def __call__(
        self,
        object_,
        since=None,
        *,
        until=None,
        said=None,
        subject="ada",
        predicate="lives_in",
        authority=Authority.USER_EXPLICIT,
        plane=Plane.USER,
        principal="ada",
        precision=Precision.INSTANT,
        scope="main",
        recorded=0,
        **flags,
    ):
        self.made += 1
        return Assertion(
            id=make_id(now_us=0, node=1, counter=self.made),
            scope=scope,
            subject=subject,
            predicate=predicate,
            object=object_,
            plane=plane,
            authority=int(authority),
            principal=principal,
            recorded_us=recorded,
            event_us=said if said is not None else (since or 0),
            valid_from_us=since,
            valid_to_us=until,
            precision=Precision.UNKNOWN if since is None else precision,
            **flags,
        )

    def observed(self, object_, since=None, **rest):
        """Return a statement of a tool."""
        origin = {"authority": Authority.OBSERVED, "plane": Plane.OBSERVED, "principal": "probe"}
        return self(object_, since, **{**origin, **rest})


@pytest.fixture
def say():
    return Statements()
