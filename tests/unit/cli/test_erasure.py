"""``scrubjay forget``: nothing goes without being asked for, and what goes is gone."""

import json

from scrubjay import Memory


def ids_of(run, directory, query):
    answer = json.loads(run("recall", query, "--json", "--dir", directory).stdout)
    return [hit["id"] for hit in answer["hits"]]


def test_an_id_is_erased(run, small):
    id_ = ids_of(run, small, "stalled worker")[0]
    assert "1 memory erased" in run("forget", id_, "--yes", "--dir", small).stdout
    assert id_ not in ids_of(run, small, "stalled worker")


def test_everything_of_a_speaker_is_erased(run, small):
    run("forget", "--principal", "host_vitals", "--yes", "--dir", small)
    with Memory.open(small) as memory:
        assert [] == [h for h in memory.recall("disk_pct") if "disk_pct" in h.content]


def test_without_a_terminal_it_wants_yes(run, small):
    result = run("forget", "--scope", "ops", "--dir", small, code=2)
    assert "--yes" in result.stderr
    assert ids_of(run, small, "stalled worker")


def test_without_a_condition_it_is_refused(run, small):
    for arguments in (("--yes",), ()):
        result = run("forget", *arguments, "--dir", small, code=2)
        assert "says nothing to select by" in result.stderr


def test_what_does_not_exist_is_an_error(run, small):
    result = run("forget", "0" * 32, "--yes", "--dir", small, code=2)
    assert "0" * 32 in result.stderr
