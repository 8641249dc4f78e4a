"""Tasks: runs of calls and how they ended."""

from scrubjay.policies.consolidation.tasks import shape_of, tasks_of


def test_a_user_turn_begins_another_task_and_a_nod_does_not(row):
    rows = [
        row("user", "Please look at the mailer."),
        *row.call("status", {"s": "mailer"}),
        row("user", "ok"),
        *row.call("restart", {"s": "mailer"}),
        row("user", "And now look at the invoicer, please."),
        *row.call("status", {"s": "invoicer"}),
    ]
    assert [["status", "restart"], ["status"]] == [
        [s.tool for s in t.steps] for t in tasks_of(rows)
    ]


def test_the_users_words_before_it_are_the_trigger(row):
    rows = [row("user", "The mailer is stalled."), *row.call("restart", {})]
    [task] = tasks_of(rows)
    assert (("The mailer is stalled.",), True) == (task.triggers, task.asked_by_user)


def test_a_call_worked_if_its_result_says_so(row):
    rows = [
        *row.call("a", {}, exit_code=0),
        *row.call("b", {}, exit_code=124),
        row.call("c", {})[0],
    ]
    [task] = tasks_of(rows)
    assert ([True, False, False], False) == ([s.ok for s in task.steps], task.succeeded)


def test_shapes_tell_moves_apart_and_values_do_not():
    assert shape_of("bash", {"command": "systemctl restart a"}) == shape_of(
        "bash", {"command": "/bin/systemctl restart b-2"}
    )
    assert shape_of("bash", {"command": "systemctl stop a"}) != shape_of(
        "bash", {"command": "systemctl restart a"}
    )
    assert shape_of("q", {"a": 1, "b": 2}) == shape_of("q", {"b": 9, "a": 8})
    assert shape_of("q", {"a": 1}) != shape_of("q", {"b": 1})


def test_arguments_that_are_no_object_are_kept_under_one_name(row):
    call, result = row.call("a", [1, 2])
    [task] = tasks_of([call, result])
    assert {"value": [1, 2]} == task.steps[0].arguments
