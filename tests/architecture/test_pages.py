"""The pages say what the code says."""

import re
from pathlib import PurePath

import pytest

from docs import generate
from tests.architecture.rule import ROOT, files, read

_LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")


def broken_links(path: str, text: str, known: set[str]) -> list[str]:
    """Return the relative links of a page that lead to no tracked file or folder."""
    found = []
    for target in _LINK.findall(text):
        joined = (ROOT / PurePath(path).parent / target).resolve()
        relative = str(joined.relative_to(ROOT)) if joined.is_relative_to(ROOT) else None
        if relative not in known and not any(name.startswith(f"{relative}/") for name in known):
            found.append(target)
    return found


def test_generated_pages_are_fresh():
    assert [] == generate.stale()


def test_readme_names_every_command():
    readme = read("README.md")
    names = generate.commands()
    assert len(names) >= 13
    assert [] == [name for name in names if f"scrubjay {name}" not in readme]


def test_index_of_the_documentation_names_every_page():
    index = read("docs/README.md")
    pages = [path.removeprefix("docs/") for path in files() if re.match(r"docs/.*\.md$", path)]
    listed = [page for page in pages if page != "README.md" and not page.startswith("decisions/")]
    assert [] == [page for page in listed if f"]({page})" not in index]


@pytest.mark.parametrize("path", [path for path in files() if path.endswith(".md")])
def test_links_lead_somewhere(path):
    assert [] == broken_links(path, read(path), set(files()))


def test_broken_link_is_seen():
    assert ["no-such-page.md"] == broken_links("README.md", "[a](no-such-page.md)", {"README.md"})


def test_every_decision_says_status_context_and_consequences():
    records = [path for path in files() if re.match(r"docs/decisions/\d{4}-.*\.md", path)]
    assert [] != records
    wanted = ("Status:", "## Context", "## Decision", "## Consequences")
    assert [] == [(p, word) for p in records for word in wanted if word not in read(p)]
