"""Skills have versions; a record is brought up to date under its own id."""

import msgspec
import pytest

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.trace import Category, Kind, Skill, SkillStep
from scrubjay.store.skills import select
from tests.rows import NOW_US, add


def skill(row, **changes):
    values = {
        "id": row.id, "scope": row.scope, "name": "restart", "description": "start it again",
        "triggers": ("stalled", "queue"), "parameters": '{"type":"object"}',
        "steps": (SkillStep(tool="drain", arguments='{"host":"${host}"}', check="exit 0"),),
        "recovery": (SkillStep(tool="release", arguments="{}"),),
    }  # fmt: skip
    return Skill(**(values | changes))


@pytest.fixture
def versions(store):
    """Two versions of one skill, and another skill elsewhere."""
    with store.write(now_us=NOW_US) as tx:
        rows = [
            add(tx, f"s{n}", kind=Kind.SKILL, category=Category.SKILL, scope=scope)
            for n, scope in enumerate(["main", "main", "other"])
        ]
        made = [skill(rows[0]), skill(rows[1], version=2, status="trusted"), skill(rows[2])]
        for one in made:
            tx.add_skill(one)
    return made


def test_the_newest_version_counts(store, versions):
    assert versions[1:] == store.skills()
    assert [versions[1]] == store.skills(scope="main")
    assert [] == store.skills(scope="nowhere")
    with store.reader() as database:
        assert versions == select(database, scope=None, newest=False)


def test_the_same_id_brings_the_record_up_to_date(store, versions):
    better = msgspec.structs.replace(versions[1], successes=3, failures=1, status="deprecated")
    with store.write(now_us=NOW_US) as tx:
        tx.add_skill(better)
    assert [better] == store.skills(scope="main")


def test_a_taken_name_version_or_id_is_refused(store, versions):
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, "s9", kind=Kind.SKILL)
    for bad in (skill(row, version=2), msgspec.structs.replace(versions[1], name="other")):
        with pytest.raises(ConflictError), store.write(now_us=NOW_US) as tx:
            tx.add_skill(bad)
    assert versions[1:] == store.skills()


def test_a_skill_needs_its_engram(store):
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, "x")
        stray = skill(row, id=tx.new_id())
        with pytest.raises(NotFoundError):
            tx.add_skill(stray)
