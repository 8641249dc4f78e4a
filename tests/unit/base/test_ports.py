"""The ports are met by what stands behind them."""

import inspect

import numpy as np
import pytest

from scrubjay.adapters.embedders import open_embedder
from scrubjay.base import ports
from scrubjay.store import open_store


def verbs(protocol) -> set[str]:
    return {
        name
        for name, member in vars(protocol).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property))
    }


@pytest.fixture
def store(tmp_path, clock, entropy):
    opened = open_store(
        tmp_path / "ports.memory",
        tenant="default",
        create=True,
        entropy=entropy,
        now_us=clock.now_us(),
        durability="batch",
    )
    yield opened
    opened.close()


def test_sqlite_store_has_every_verb_of_the_port(store):
    assert set() == verbs(ports.Store) - set(dir(store))


def test_its_transaction_has_every_verb_of_the_port(store, clock):
    with store.write(now_us=clock.now_us()) as transaction:
        assert set() == verbs(ports.Transaction) - set(dir(transaction))


def test_keyword_names_of_the_port_are_those_of_the_store(store):
    def keywords(function):
        parameters = inspect.signature(function).parameters.values()
        return {item.name for item in parameters if item.kind is item.KEYWORD_ONLY}

    wrong = {
        name: (keywords(vars(ports.Store)[name]), keywords(getattr(store, name)))
        for name in verbs(ports.Store)
        if callable(vars(ports.Store)[name])
        and not keywords(vars(ports.Store)[name]) <= keywords(getattr(store, name))
    }
    assert {} == wrong


def test_a_callable_becomes_an_embedder():
    made = open_embedder(lambda texts: np.ones((len(texts), 3), np.float32))
    assert isinstance(made, ports.Embedder)
    vectors, norms = made.embed(["a", "b"])
    assert ((2, 3), (2,)) == (vectors.shape, norms.shape)
