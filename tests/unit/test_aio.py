"""The asynchronous door adds a thread and nothing else."""

import asyncio
import threading

import pytest

from scrubjay import aio
from scrubjay.base.errors import InvalidArgumentError


def test_call_runs_in_another_thread_with_its_arguments():
    def work(one, *, other):
        return threading.get_ident(), one, other

    ident, one, other = asyncio.run(aio.run(work, 1, other=2))
    assert ident != threading.get_ident()
    assert (1, 2) == (one, other)


def test_error_of_the_call_reaches_the_caller(memory):
    with pytest.raises(InvalidArgumentError):
        asyncio.run(aio.run(memory.recall, "anything", k=0))


def test_many_calls_at_once_keep_every_write(memory):
    async def crowd():
        return await asyncio.gather(
            *(aio.run(memory.observe, f"note number {n}", session="s") for n in range(20))
        )

    ids = asyncio.run(crowd())
    assert 20 == len(set(ids))
