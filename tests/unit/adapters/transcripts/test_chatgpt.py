import json

import pytest

from scrubjay.adapters.transcripts import open_transcript
from scrubjay.adapters.transcripts.chatgpt import ChatGPTReader
from scrubjay.adapters.transcripts.fields import MalformedError
from scrubjay.adapters.transcripts.stream import Item
from scrubjay.base.provenance import Role
from scrubjay.base.trace import ToolCall, ToolResult


def node(key, parent, role=None, *parts, time=None, **content):
    message = None
    if role is not None:
        name = content.pop("name", None)
        outer = {key_: content.pop(key_) for key_ in ("recipient", "metadata") if key_ in content}
        content = {"content_type": "text", **({"parts": list(parts)} if parts else {}), **content}
        author = {"role": role, "name": name}
        message = {"id": key, "author": author, "content": content, "create_time": time, **outer}
    return {"id": key, "parent": parent, "children": [], "message": message}


def conversation(*nodes, current, **fields):
    mapping = {one["id"]: one for one in nodes}
    shared = {"id": "c1", "title": "On bread", "create_time": 1700000000.5}
    return {**shared, "mapping": mapping, "current_node": current, **fields}


def parse(value):
    reader = ChatGPTReader("export")
    data = json.dumps(value).encode()
    return reader.parse(Item(1, 0, len(data), data), data), reader


TREE = conversation(
    node("root", None),
    node("s", "root", "system", ""),
    node("q", "s", "user", "How long?", time=1700000001.25),
    node("old", "q", "assistant", "An hour.", time=1700000002),
    node("new", "q", "assistant", "Two hours.", time=1700000003),
    node("thanks", "new", "user", "Thanks", {"content_type": "image_asset_pointer"}),
    current="thanks",
)


def test_the_path_last_on_screen_is_read_and_other_branches_counted():
    outcomes, reader = parse(TREE)
    assert ["How long?", "Two hours.", "Thanks\n[image]"] == [one.content for one in outcomes]
    assert [Role.USER, Role.ASSISTANT, Role.USER] == [one.role for one in outcomes]
    assert {"abandoned branch": 1, "empty": 1} == reader.skipped
    assert ("On bread", {"c1"}) == (reader.title, {one.session for one in outcomes})
    assert ["q", "new", "thanks"] == [one.message_id for one in outcomes]


def test_a_message_without_a_time_happened_when_its_predecessor_did():
    outcomes, _ = parse(TREE)
    expected = [1700000001250000, 1700000003000000, 1700000003000000]
    assert expected == [one.event_us for one in outcomes]


def test_without_a_current_node_the_newest_leaf_stands_for_it():
    outcomes, _ = parse({**TREE, "current_node": None})
    assert ["How long?", "Two hours.", "Thanks\n[image]"] == [one.content for one in outcomes]
    mapping = {key: value for key, value in TREE["mapping"].items() if key != "thanks"}
    outcomes, _ = parse({**TREE, "mapping": mapping, "current_node": "gone"})
    assert ["How long?", "Two hours."] == [one.content for one in outcomes]


def test_calls_results_instructions_and_thoughts():
    outcomes, reader = parse(
        conversation(
            node("i", None, "user", content_type="user_editable_context", user_profile="I bake."),
            node("h", "i", "system", "x", metadata={"is_visually_hidden_from_conversation": True}),
            node("t", "h", "assistant", content_type="thoughts"),
            node("c", "t", "assistant", content_type="code", text="print(2)", recipient="python"),
            node("r", "c", "tool", content_type="execution_output", text="2", name="python"),
            node("j", "r", "assistant", '{"q": "rye"}', recipient="search.run"),
            node("e", "j", "tool", content_type="system_error", text="no net", name="other"),
            current="e",
        )
    )
    assert [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.TOOL] == [
        one.role for one in outcomes
    ]
    assert "I bake." == outcomes[0].content
    call = ToolCall(call_id="c", name="python", arguments='{"input":"print(2)"}')
    assert (call,) == outcomes[1].tool_calls
    assert ToolResult(call_id="c", name="python") == outcomes[2].tool_result
    assert '{"q": "rye"}' == outcomes[3].tool_calls[0].arguments
    assert ToolResult(call_id="", name="other", is_error=True) == outcomes[4].tool_result
    assert {"abandoned branch": 0, "hidden": 1, "thoughts": 1} == reader.skipped


def test_a_tree_that_runs_in_a_circle_is_malformed():
    with pytest.raises(MalformedError, match="circle"):
        parse(conversation(node("a", "b", "user", "x"), node("b", "a", "user", "y"), current="a"))


def test_a_bad_message_costs_itself_and_a_bad_conversation_itself(tmp_path):
    bad = conversation(
        node("a", None, "owner", "x"), node("b", "a", "user", "kept"), current="b", id="c2"
    )
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([TREE, {"mapping": 3}, bad], indent=1))
    records = list(open_transcript(path, format="chatgpt"))
    contents = [record.observation.content for record in records if record.observation]
    assert ["How long?", "Two hours.", "Thanks\n[image]", "kept"] == contents
    assert [2, 3] == [record.problem.line for record in records if record.problem]
    assert {"On bread"} == {record.session_title for record in records if record.observation}


def test_a_large_export_is_streamed(tmp_path):
    import tracemalloc

    path = tmp_path / "conversations.json"
    filler = "crumb " * 2000
    with path.open("w") as out:
        out.write("[")
        for n in range(1500):
            out.write("," if n else "")
            tree = conversation(node(f"m{n}", None, "user", filler), current=f"m{n}", id=f"c{n}")
            out.write(json.dumps(tree))
        out.write("]")
    assert path.stat().st_size > 18_000_000
    tracemalloc.start()
    count = sum(record.observation is not None for record in open_transcript(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 1500 == count
    assert peak < 6_000_000
