"""What a caller may choose when opening, and that a refusal leaves nothing behind."""

import pytest

from scrubjay.assembly import assemble
from scrubjay.base.errors import (
    ArgumentTypeError,
    EmbedderMismatchError,
    InvalidArgumentError,
    MissingTenantError,
    StorageError,
)
from scrubjay.base.ids import SeededEntropy


@pytest.fixture
def place(tmp_path):
    return tmp_path / "assembled.memory"


@pytest.fixture
def built(place, clock):
    parts = assemble(place, clock=clock, seed=7)
    yield parts
    parts.store.close()


def test_parts_are_built_around_one_store(built, place, clock):
    assert place == built.store.path
    assert "default" == built.store.tenant
    assert clock is built.clock
    assert built.scope is None


def test_space_is_declared_once_and_at_the_first_write(built, clock):
    assert not built.space_declared
    built.declare_space(now_us=clock.now_us())
    before = built.store.last_seq()
    built.declare_space(now_us=clock.now_us())
    assert built.space_declared
    assert before == built.store.last_seq()


def test_entropy_wins_over_the_seed(tmp_path, clock):
    def node(name, **chosen):
        parts = assemble(tmp_path / name, clock=clock, **chosen)
        with parts.store.write(now_us=clock.now_us()) as transaction:
            made = transaction.new_id()
        parts.store.close()
        return made

    seeded = node("a", seed=1)
    assert seeded == node("b", seed=1)
    assert seeded == node("c", seed=2, entropy=SeededEntropy(1))


@pytest.mark.parametrize("path", [None, 7, b"bytes", ["list"]])
def test_path_of_a_wrong_type_is_refused(path, clock):
    with pytest.raises(ArgumentTypeError, match="expected str or Path"):
        assemble(path, clock=clock)


@pytest.mark.parametrize("path", ["", "   ", "a\0b"])
def test_path_that_names_nothing_is_refused(path, clock):
    with pytest.raises(InvalidArgumentError, match="expected a directory name"):
        assemble(path, clock=clock)


@pytest.mark.parametrize(
    "chosen",
    [
        {"durability": "sometimes"},
        {"tenant": ""},
        {"tenant": "a\0b"},
        {"scope": "a//b"},
        {"scope": ""},
        {"embedder": "no-such-embedder"},
    ],
)
def test_impossible_choice_is_refused_and_makes_no_directory(place, clock, chosen):
    with pytest.raises(InvalidArgumentError):
        assemble(place, clock=clock, **chosen)
    assert not place.exists()


def test_i3_tenant_that_was_never_created_is_a_typed_error(place, clock):
    assemble(place, clock=clock, seed=7).store.close()
    with pytest.raises(MissingTenantError, match="create=True"):
        assemble(place, tenant="acme", clock=clock)


def test_path_that_is_a_file_is_refused_and_stays(place, clock):
    place.write_text("not a directory")
    with pytest.raises(StorageError):
        assemble(place, clock=clock)
    assert "not a directory" == place.read_text()


def test_r11_other_embedder_is_refused_and_names_the_command(built, place, clock):
    built.declare_space(now_us=clock.now_us())
    with pytest.raises(EmbedderMismatchError, match="reembed"):
        assemble(place, clock=clock, embedder=lambda texts: [[1.0, 0.0]] * len(texts))


def test_refusal_after_opening_leaves_the_directory_usable(built, place, clock):
    built.declare_space(now_us=clock.now_us())
    for _ in range(3):
        with pytest.raises(EmbedderMismatchError):
            assemble(place, clock=clock, embedder=lambda texts: [[1.0, 0.0]] * len(texts))
    again = assemble(place, clock=clock)
    again.store.close()
