"""Every example runs where it can leave files behind: doctests get a directory of their own."""

import pytest
from _pytest.doctest import DoctestItem


@pytest.fixture(autouse=True)
def _example_directory(request: pytest.FixtureRequest) -> None:
    """Let a docstring or a page write ``notes.memory`` without touching the source tree."""
    if isinstance(request.node, DoctestItem):
        directory = request.getfixturevalue("tmp_path")
        request.getfixturevalue("monkeypatch").chdir(directory)
