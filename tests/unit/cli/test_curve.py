"""Curves: every value lands on its line, in text and in SVG."""

import xml.etree.ElementTree as ET

from scrubjay.cli.curve import TICKS, Curve, Plot, as_svg, as_text, instants

AGES_US = instants(71)
FALLING = Curve("falling", "*", tuple(1 - i / 70 for i in range(71)))
LEVEL = Curve("level", "=", (0.5,) * 71)
PLOT = Plot(AGES_US, (FALLING, LEVEL), 0.25, 1.0)


def test_instants_span_the_axis_and_rise():
    assert (TICKS[0][0], TICKS[-1][0]) == (AGES_US[0], AGES_US[-1])
    assert sorted(set(AGES_US)) == list(AGES_US)


def test_a_falling_curve_starts_at_the_top_and_ends_at_the_bottom():
    lines = as_text(PLOT, width=76, height=11)
    assert lines[0].startswith("1.00 *")
    assert lines[10].endswith("*")


def test_a_level_curve_stays_on_its_row():
    rows = [n for n, line in enumerate(as_text(PLOT, width=76, height=11)) if "=" in line]
    assert [5] == rows


def test_the_threshold_is_drawn_and_labelled():
    lines = as_text(PLOT, width=76, height=9)
    assert lines[6].startswith("0.25 ┄")


def test_text_keeps_inside_its_width_and_names_every_tick():
    lines = as_text(PLOT, width=76, height=11)
    assert max(len(line) for line in lines) <= 76
    assert [label for _, label in TICKS if label in lines[-1]] == [label for _, label in TICKS]


def test_values_beyond_the_edge_are_drawn_at_the_edge():
    plot = Plot(AGES_US, (Curve("wild", "*", (9.0,) * 35 + (-9.0,) * 36),), 0.25, 1.0)
    lines = as_text(plot, width=76, height=5)
    assert "*" in lines[0]
    assert "*" in lines[4]


def test_svg_is_well_formed_and_holds_one_line_per_curve():
    root = ET.fromstring(as_svg(PLOT, title="Two curves"))
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    assert 2 == len(lines)
    assert 71 == len(lines[0].get("points").split())


def test_the_same_values_give_the_same_bytes():
    assert as_svg(PLOT, title="t") == as_svg(PLOT, title="t")
