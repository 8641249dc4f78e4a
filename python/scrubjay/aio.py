"""The same memory for asynchronous programs: every call runs in a thread.

The core is synchronous, since its calls take microseconds to milliseconds; this module adds the
thread and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["run"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def run(
    call: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Await one call of a memory, made in a worker thread.

    >>> import asyncio, tempfile
    >>> from scrubjay import Memory, aio
    >>> async def main():
    ...     with Memory.open(tempfile.mkdtemp()) as memory:
    ...         await aio.run(memory.observe, "The kettle is on.")
    ...         answer = await aio.run(memory.recall, "kettle?", k=1)
    ...         return answer[0].content
    >>> asyncio.run(main())
    'The kettle is on.'
    """
    return await asyncio.to_thread(call, *args, **kwargs)
