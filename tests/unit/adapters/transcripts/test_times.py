import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.adapters.transcripts.times import Moment, parse_time
from scrubjay.base.clock import MAX_US, format_us, instant_of, offset_min_of
from scrubjay.base.errors import ClockError


def us(text):
    return instant_of("test", dt.datetime.fromisoformat(text))


def test_b12_a_naive_time_is_rejected():
    for text in ("2023-05-20T02:21:00", "2023-05-20", "20230520T0221", "2023-05-20 02:21:00.5"):
        with pytest.raises(ClockError, match="an offset"):
            parse_time(text)
    with pytest.raises(ClockError, match="no time zone"):
        instant_of("observe", dt.datetime(2023, 5, 20, 2, 21))  # noqa: DTZ001 - the case itself


def test_b12_an_offset_is_kept_and_the_instant_is_utc():
    moment = parse_time("2023-05-20T02:21:00+05:30")
    assert Moment(us=us("2023-05-19T20:51:00+00:00"), offset_min=330) == moment
    assert -210 == parse_time("2023-05-20T02:21:00-03:30").offset_min
    assert 0 == parse_time("2023-05-20T02:21:00Z").offset_min


def test_b12_both_readings_of_a_repeated_hour_are_told_apart():
    berlin = ZoneInfo("Europe/Berlin")
    first = dt.datetime(2023, 10, 29, 2, 30, tzinfo=berlin)
    second = first.replace(fold=1)
    assert 3_600_000_000 == instant_of("t", second) - instant_of("t", first)
    assert (120, 60) == (offset_min_of(first), offset_min_of(second))
    for moment in (first, second):
        read = parse_time(moment.isoformat())
        assert (instant_of("t", moment), offset_min_of(moment)) == read


def test_b12_a_leap_day_exists_only_in_leap_years():
    assert us("2024-02-29T12:00:00+00:00") == parse_time("2024-02-29T12:00:00Z").us
    assert us("2024-02-29T12:00:00+00:00") == parse_time("2024/02/29 (Thu) 12:00").us
    for text in ("2023-02-29T12:00:00Z", "2023/02/29 (Wed) 12:00", "1:00 pm on 29 February, 2023"):
        with pytest.raises(ClockError):
            parse_time(text)


def test_b12_the_last_microsecond_of_year_9999_is_an_instant_and_nothing_after_it():
    assert MAX_US == parse_time("9999-12-31T23:59:59.999999Z").us
    assert "9999-12-31T23:59:59.999999Z" == format_us(MAX_US)
    for text in ("9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+05:30"):
        with pytest.raises(ClockError):
            parse_time(text)


def test_b12_a_date_with_weekday_is_parsed_exactly():
    assert Moment(us("2023-05-20T02:21:00+00:00"), 0) == parse_time("2023/05/20 (Sat) 02:21")
    assert us("2023-05-20T02:21:07+00:00") == parse_time("2023/05/20 (sat) 02:21:07").us
    with pytest.raises(ClockError, match="Sat"):
        parse_time("2023/05/20 (Sun) 02:21")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00"),
        ("12:05 am on 1 January, 2024", "2024-01-01T00:05:00+00:00"),
        ("12:30 pm on 31 december 2023", "2023-12-31T12:30:00+00:00"),
        ("11:59 PM on 3 Jul, 2023", "2023-07-03T23:59:00+00:00"),
    ],
)
def test_a_spoken_date_is_parsed_exactly(text, iso):
    assert Moment(us(iso), 0) == parse_time(text)


@pytest.mark.parametrize(
    ("number", "iso"),
    [
        (0, "1970-01-01T00:00:00+00:00"),
        (1684549260, "2023-05-20T02:21:00+00:00"),
        (1684549260.123457, "2023-05-20T02:21:00.123457+00:00"),
        (1684549260123, "2023-05-20T02:21:00.123+00:00"),
        (1684549260123456, "2023-05-20T02:21:00.123456+00:00"),
        ("1684549260.25", "2023-05-20T02:21:00.25+00:00"),
        ("1684549260123", "2023-05-20T02:21:00.123+00:00"),
    ],
)
def test_an_epoch_number_is_read_by_its_size(number, iso):
    assert Moment(us(iso), 0) == parse_time(number)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "2023-13-01T00:00:00Z",
        "2023-05-20T25:00:00Z",
        "13:00 pm on 8 May, 2023",
        "1:56 pm on 8 Mai, 2023",
        "1:61 pm on 8 May, 2023",
        "٢٠٢٣/05/20 (Sat) 02:21",
        float("nan"),
        float("inf"),
        True,
        10**17,
        "9" * 400,
    ],
)
def test_what_is_no_time_is_refused_with_its_name(value):
    with pytest.raises(ClockError, match="parse_time: not a time"):
        parse_time(value)


offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59)


@given(
    st.datetimes(dt.datetime(1970, 1, 2), dt.datetime(9999, 12, 30)),  # noqa: DTZ001 - given a zone below
    offsets,
)
def test_any_aware_time_survives_being_written_and_read(moment, offset):
    aware = moment.replace(tzinfo=dt.timezone(dt.timedelta(minutes=offset)))
    read = parse_time(aware.isoformat())
    assert (instant_of("test", aware), offset) == read


@given(st.integers(0, 99_999_999_999_999_999))
def test_a_float_of_seconds_gives_the_microseconds_it_was_printed_with(number):
    seconds = number % 10**16 / 1_000_000
    assert abs(round(seconds * 1e6) - parse_time(seconds).us) <= 1
