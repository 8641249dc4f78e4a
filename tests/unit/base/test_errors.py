"""Every error has one base, resembles a builtin and shows its own text."""

import pytest

from scrubjay.base import errors

CLASSES = [getattr(errors, name) for name in errors.__all__]

RESEMBLES = {
    "ArgumentTypeError": (TypeError, ValueError),
    "AuthorityError": (PermissionError,),
    "BusyError": (OSError,),
    "ClockError": (ValueError,),
    "ClosedError": (ValueError,),
    "CorruptionError": (OSError,),
    "DependencyError": (ImportError,),
    "EmbedderMismatchError": (ValueError,),
    "FormatVersionError": (OSError,),
    "InvalidArgumentError": (ValueError,),
    "MissingTenantError": (KeyError,),
    "NotFoundError": (KeyError,),
    "ShapeError": (ValueError,),
    "StorageError": (OSError,),
    "TranscriptError": (ValueError,),
    "UnitError": (ValueError,),
}


@pytest.mark.parametrize("error", CLASSES)
def test_one_handler_catches_all(error):
    assert issubclass(error, errors.ScrubjayError)


@pytest.mark.parametrize(("name", "builtins"), list(RESEMBLES.items()))
def test_code_that_knows_only_builtins_catches_it(name, builtins):
    assert all(issubclass(getattr(errors, name), builtin) for builtin in builtins)


@pytest.mark.parametrize("error", CLASSES)
def test_text_is_shown_as_it_was_written(error):
    text = "open: no such tenant, got 'x', expected one that exists"
    assert text == str(error(text))


@pytest.mark.parametrize("error", CLASSES)
def test_no_error_hides_a_builtin(error):
    assert not hasattr(__builtins__, error.__name__)
