"""What the door to the core refuses, and that a refusal says where and what."""

import inspect
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from scrubjay import _kernels
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, ShapeError, UnitError

ONES = np.ones(4, np.float32)
WEIGHTS = {"w_recency": 0.2, "w_salience": 0.2, "w_frequency": 0.1}
BANK = np.zeros((4, 3), np.float32)
ORDER = np.arange(12).reshape(4, 3)
TIMES = np.arange(4)

# Each kernel with good arguments: the arrays by name, then the rest.
CALLS = {
    "exp_f32": ({"x": ONES}, {}),
    "log_f32": ({"x": ONES}, {}),
    "decay_by_item": ({"value": ONES, "lambda_per_s": ONES, "dt_s": ONES}, {}),
    "decay_by_category": (
        {"value": ONES, "category": np.zeros(4, np.uint8), "lambda_per_s": ONES, "dt_s": ONES},
        {},
    ),
    "decay_constants": ({"half_life_us": TIMES + 1}, {}),
    "retention_prior": (
        {"age_s": ONES, "lambda_per_s": ONES, "salience": ONES, "frequency": ONES},
        WEIGHTS,
    ),
    "retention_score": ({"similarity": ONES, "prior": ONES}, {"w_relevance": 0.5}),
    "eviction_delay": (
        {"lambda_per_s": np.ones(4), "salience": ONES, "frequency": ONES},
        {**WEIGHTS, "threshold": 0.1},
    ),
    "displace": ({"salience": BANK, "sequence": ORDER, "incoming": ONES}, {}),
    "bank_activation": (
        {"anchor_us": ORDER, "sequence": ORDER},
        {"now_us": 9, "decay_rate_per_s": 0.05, "threshold": 0.1},
    ),
    "expired": ({"created_us": TIMES, "ttl_us": TIMES}, {"now_us": 9}),
    "pool_rows": (
        {
            "table": np.ones((5, 3), np.float16),
            "ids": np.zeros(4, np.int32),
            "offsets": np.array([0, 4]),
        },
        {},
    ),
    "triad": ({"b": ONES, "c": ONES}, {"s": 1.0}),
    "read_sum": ({"x": ONES}, {}),
}
ARGUMENTS = [(name, arg) for name, (arrays, _) in CALLS.items() for arg in arrays]

# A single byte has neither order nor alignment.
WIDE = [(name, arg) for name, arg in ARGUMENTS if CALLS[name][0][arg].itemsize > 1]

each_argument = pytest.mark.parametrize(("name", "arg"), ARGUMENTS)
each_wide_argument = pytest.mark.parametrize(("name", "arg"), WIDE)


def call(name, **changed):
    arrays, rest = CALLS[name]
    return getattr(_kernels, name)(**{**arrays, **rest, **changed})


def refusal(error, name, **changed):
    with pytest.raises(error) as caught:
        call(name, **changed)
    assert type(caught.value) is error
    return str(caught.value)


@pytest.mark.parametrize("name", CALLS)
def test_good_arguments_pass(name):
    assert call(name) is not None


def test_every_public_kernel_is_tried_here():
    functions = {n for n in _kernels.__all__ if inspect.isroutine(getattr(_kernels, n))}
    assert functions >= set(CALLS)
    assert set(CALLS) == {n for n in CALLS if inspect.isfunction(getattr(_kernels, n))}


@each_argument
def test_other_dtype_is_refused(name, arg):
    other = CALLS[name][0][arg].astype(np.complex128)
    text = refusal(ShapeError, name, **{arg: other})
    assert text.startswith(f"{name}: {arg} has the wrong dtype, got complex128, expected ")


@each_argument
def test_silent_conversion_is_refused(name, arg):
    array = CALLS[name][0][arg]
    near = {np.float32: np.float64, np.float64: np.float32, np.int64: np.int32}
    other = array.astype(near.get(array.dtype.type, np.int64))
    assert "use astype" in refusal(ShapeError, name, **{arg: other})


@each_wide_argument
def test_byte_swapped_array_is_refused(name, arg):
    array = CALLS[name][0][arg]
    refusal(ShapeError, name, **{arg: array.astype(array.dtype.newbyteorder())})


@each_argument
def test_strided_view_is_refused(name, arg):
    array = CALLS[name][0][arg]
    wide = np.repeat(array, 2, axis=-1)[..., ::2]
    assert "ascontiguousarray" in refusal(ShapeError, name, **{arg: wide})


@each_argument
def test_other_number_of_dimensions_is_refused(name, arg):
    array = CALLS[name][0][arg]
    assert "dimensions" in refusal(ShapeError, name, **{arg: array[np.newaxis]})


@each_argument
@pytest.mark.parametrize(
    "value",
    [None, 1.0, [1.0, 2.0], "abc", memoryview(b"abcd")],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_array_is_refused(name, arg, value):
    text = refusal(ArgumentTypeError, name, **{arg: value})
    assert f"got {type(value).__name__}, expected a " in text


@each_wide_argument
def test_unaligned_memory_is_refused(name, arg):
    array = CALLS[name][0][arg]
    room = np.zeros(array.nbytes + 1, np.uint8)
    unaligned = room[1:].view(array.dtype).reshape(array.shape)
    assert "not aligned" in refusal(ShapeError, name, **{arg: unaligned})


@pytest.mark.parametrize(
    ("name", "arg"),
    [
        (name, arg)
        for name, arg in ARGUMENTS
        if len(CALLS[name][0]) > 1 and (name, arg) != ("pool_rows", "table")
    ],
)
def test_lengths_that_disagree_are_refused(name, arg):
    with pytest.raises(InvalidArgumentError, match=f"^{name}: "):
        call(name, **{arg: CALLS[name][0][arg][:-1].copy()})


FLOATS = [
    (name, arg)
    for name, arg in ARGUMENTS
    if CALLS[name][0][arg].dtype.kind == "f" and name not in {"triad", "read_sum", "pool_rows"}
]


@pytest.mark.parametrize(("name", "arg"), FLOATS)
@pytest.mark.parametrize("isa", _kernels.SUPPORTED_ISAS)
def test_nan_is_refused_with_its_place(name, arg, isa):
    array = CALLS[name][0][arg].copy()
    array.flat[2] = np.nan
    text = refusal(UnitError, name, **{arg: array}, isa=isa)
    assert text.startswith(f"{name}: {arg}[2] is out of range, got nan, expected ")


@pytest.mark.parametrize(
    ("name", "arg", "bad"),
    [
        ("log_f32", "x", -1.0),
        ("decay_by_item", "value", np.inf),
        ("decay_by_item", "lambda_per_s", -1.0),
        ("decay_by_item", "lambda_per_s", np.inf),
        ("decay_by_item", "dt_s", -1.0),
        ("decay_by_category", "value", -np.inf),
        ("decay_by_category", "category", 4),
        ("decay_by_category", "lambda_per_s", -1.0),
        ("decay_by_category", "dt_s", -1.0),
        ("decay_constants", "half_life_us", 0),
        ("retention_prior", "lambda_per_s", -1.0),
        ("retention_prior", "lambda_per_s", np.inf),
        ("retention_prior", "salience", 1.5),
        ("retention_prior", "salience", -0.5),
        ("retention_prior", "frequency", -1.0),
        ("retention_prior", "frequency", np.inf),
        ("retention_score", "similarity", np.inf),
        ("retention_score", "prior", -np.inf),
        ("eviction_delay", "lambda_per_s", -1.0),
        ("eviction_delay", "salience", 2.0),
        ("eviction_delay", "frequency", np.inf),
        ("displace", "salience", 1.5),
        ("displace", "incoming", -0.5),
        ("expired", "ttl_us", -1),
        ("pool_rows", "ids", 5),
        ("pool_rows", "ids", -1),
    ],
)
def test_value_out_of_range_is_refused_with_its_place(name, arg, bad):
    array = CALLS[name][0][arg].copy()
    array.flat[-1] = bad
    text = refusal(UnitError, name, **{arg: array})
    assert text.startswith(f"{name}: {arg}[{array.size - 1}] is out of range, got {bad:g}")


@pytest.mark.parametrize("offsets", [[], [1, 4], [0, 5], [0, 3], [0, 3, 2, 4], [-1, 4]])
def test_bad_offsets_are_refused(offsets):
    text = refusal(UnitError, "pool_rows", offsets=np.array(offsets, np.int64))
    assert "offsets" in text


def test_infinite_table_entry_is_refused():
    table = np.ones((5, 3), np.float16)
    table[0, 1] = np.inf
    assert "norms[0]" in refusal(UnitError, "pool_rows", table=table)


@pytest.mark.parametrize(
    ("name", "scalar", "bad"),
    [
        *[("retention_prior", w, bad) for w in WEIGHTS for bad in (-0.1, 1.1, np.nan)],
        *[("eviction_delay", w, bad) for w in WEIGHTS for bad in (-0.1, 1.1, np.nan)],
        *[("retention_prior", "frequency_ceiling", bad) for bad in (0, -1, np.inf, np.nan)],
        *[("eviction_delay", "threshold", bad) for bad in (0, -1, 1.1, np.nan)],
        ("retention_score", "w_relevance", 1.1),
        *[("bank_activation", "decay_rate_per_s", bad) for bad in (-0.1, 1.0, np.nan)],
        *[("bank_activation", "threshold", bad) for bad in (-0.1, 1.1, np.nan)],
        ("bank_activation", "now_us", 2**63),
        ("expired", "now_us", -(2**63) - 1),
    ],
)
def test_scalar_out_of_range_is_refused(name, scalar, bad):
    text = refusal(UnitError, name, **{scalar: bad})
    assert text.startswith(f"{name}: {scalar} is out of range, got ")


@pytest.mark.parametrize("name", ["bank_activation", "expired"])
@pytest.mark.parametrize("value", [1.5, "1", None, True], ids=repr)
def test_instant_must_be_an_integer(name, value):
    assert "now_us is not an integer" in refusal(ArgumentTypeError, name, now_us=value)


def test_weights_must_not_exceed_one_together():
    weights = dict(WEIGHTS, w_recency=0.9)
    assert "sum of the weights" in refusal(UnitError, "retention_prior", **weights)


def test_more_than_256_categories_are_refused():
    tables = np.ones(257, np.float32)
    text = refusal(UnitError, "decay_by_category", lambda_per_s=tables, dt_s=tables)
    assert "number of categories" in text


WITH_OUT = [n for n in CALLS if n not in {"bank_activation", "pool_rows", "read_sum"}]


@pytest.mark.parametrize("name", WITH_OUT)
def test_out_receives_the_result(name):
    expected = call(name)
    out = np.empty_like(expected)
    assert call(name, out=out) is out
    assert expected.tolist() == out.tolist()


@pytest.mark.parametrize("name", WITH_OUT)
def test_bad_out_is_refused(name):
    good = call(name)
    refusal(ShapeError, name, out=good.astype(np.complex64))
    refusal(ShapeError, name, out=np.repeat(good, 2))
    refusal(ShapeError, name, out=np.repeat(good, 2)[::2])
    good.flags.writeable = False
    assert "read-only" in refusal(InvalidArgumentError, name, out=good)


@pytest.mark.parametrize("name", ["exp_f32", "decay_by_item", "retention_prior"])
def test_refusal_in_place_changes_nothing(name):
    arg = next(iter(CALLS[name][0]))
    array = CALLS[name][0][arg].copy()
    array[-1] = np.nan
    refusal(UnitError, name, **{arg: array}, out=array)
    assert [1.0, 1.0, 1.0] == array[:-1].tolist()


def test_unknown_instruction_set_is_refused():
    text = refusal(InvalidArgumentError, "exp_f32", isa="mmx")
    assert "got 'mmx', expected one of scalar" in text


def chosen_in_child(isa):
    return subprocess.run(
        [sys.executable, "-c", "from scrubjay._kernels import ACTIVE_ISA; print(ACTIVE_ISA)"],
        env={**os.environ, "SCRUBJAY_ISA": isa},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("isa", _kernels.SUPPORTED_ISAS)
def test_environment_chooses_the_instruction_set(isa):
    assert f"{isa}\n" == chosen_in_child(isa).stdout


def test_environment_asking_for_the_impossible_is_a_typed_error():
    child = chosen_in_child("sse9")
    assert child.returncode != 0
    assert "InvalidArgumentError: SCRUBJAY_ISA: not an instruction set" in child.stderr


def test_kernels_release_the_lock():
    # While one thread is inside a long kernel, this one must get on with Python.
    x = np.ones(20_000_000, np.float32)
    inside, done = threading.Event(), threading.Event()

    def work():
        inside.set()
        for _ in range(3):
            _kernels.exp_f32(x, out=x, isa="scalar")
            x.fill(1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    steps = 0
    while not done.is_set():
        steps += 1
    thread.join()
    assert steps > 1000
