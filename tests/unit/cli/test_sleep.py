"""``scrubjay sleep``: the plan changes nothing, the cycle says what it did."""

import json

from scrubjay import Memory


def observed(directory):
    with Memory.open(directory, scope="ops") as memory:
        memory.observe("The status page runs on edge-1.", principal="operator")
        return memory.stats()


def test_the_plan_changes_nothing(run, small):
    before = observed(small)
    out = run("sleep", "--plan", "--dir", small).stdout
    assert "nothing was changed" in out
    with Memory.open(small) as memory:
        assert before == memory.stats()


def test_the_cycle_does_what_the_plan_said(run, small):
    observed(small)
    plan = json.loads(run("sleep", "--plan", "--json", "--dir", small).stdout)
    report = json.loads(run("sleep", "--json", "--dir", small).stdout)
    assert plan["cycle_id"] == report["cycle_id"]
    assert (len(plan["read"]), len(plan["beliefs"])) == (report["read"], report["beliefs_new"])
    facts = json.loads(run("facts", "--about", "status page", "--json", "--dir", small).stdout)
    assert ["edge-1"] == [fact["object"] for fact in facts]


def test_the_report_reads_as_a_table(run, small):
    observed(small)
    out = run("sleep", "--dir", small).stdout
    assert "beliefs new" in out
    assert max(len(line) for line in out.splitlines()) <= 80
