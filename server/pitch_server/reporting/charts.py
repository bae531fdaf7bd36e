"""The charts of a report as Vega-Lite specifications, with their numbers in them.

Here belong what is drawn and in which colours, as names that the page's style sheet gives in
light and dark. Names of entrants are only axis labels here; legends are the page's. Making
pictures of specifications is for `drawing`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pitch_server.reporting.names import isolated, label
from pitch_server.reporting.numbers import Form, Node, shown
from pitch_server.reporting.ranking import by_rank

__all__ = ["COLOURS", "MOST_CURVES", "MOST_HISTOGRAMS", "Chart", "charts", "curve_names"]

COLOURS = 8  # --c0 to --c7 of the style sheet
MOST_CURVES = 8  # in colours; more can't be told apart
MOST_HISTOGRAMS = 24
MOST_ROWS = 40

Json = dict[str, Any]

WIDE, NARROW = 640, 290

_AXIS: Json = {
    "labelColor": "var(--soft)",
    "titleColor": "var(--soft)",
    "gridColor": "var(--line)",
    "domainColor": "var(--rule)",
    "tickColor": "var(--rule)",
    "labelFontSize": 11,
    "titleFontSize": 11,
    "titleFontWeight": "normal",
}
_ROOM_FOR_NAMES: Json = {"left": 24, "top": 2, "right": 4, "bottom": 2}
"""Vega measures names in a font of its own; the reader's may be wider."""
_CONFIG: Json = {
    "background": None,
    "font": "system-ui, sans-serif",
    "axis": _AXIS,
    "view": {"stroke": None},
    "aria": False,  # each picture has one description
}


class Chart(NamedTuple):
    """A picture to be: which one, what it says in words, its specification."""

    key: str
    words: str
    spec: Json


def charts(document: Mapping[str, Any]) -> list[Chart]:
    """The charts that the document has numbers for."""
    root = Node(dict(document))
    return [*_strengths(root), *_curves(root), *_histograms(root)]


def curve_names(document: Mapping[str, Any]) -> list[str]:
    """The entrants whose curves have a colour, in the order of the colours."""
    root = Node(dict(document))
    known = {node["name"].value for node in root["analysis"]["trueskill_curve"]}
    ranked = [node["name"].value for node in root["entrants"]]
    return [name for name in ranked if name in known][:MOST_CURVES]


# --- strengths ------------------------------------------------------------------------------------


def _strengths(root: Node) -> Iterator[Chart]:
    rows = []
    for node in by_rank(root, root["analysis"]["ratings"])[:MOST_ROWS]:
        rating, error = node["rating"].value, node["standard_error"].value
        if rating is None:
            continue
        margin = 1.96 * (error or 0.0)
        rows.append(
            {
                "name": isolated(label(node["name"].value)),
                "rating": rating,
                "low": rating - margin,
                "high": rating + margin,
            }
        )
    if len(rows) < 2:
        return
    words = "; ".join(f"{row['name']} {shown(row['rating'], Form.SIGNED)}" for row in rows)
    measure = root["analysis"]["measure"].value or "points per board"
    layers = _strength_layers(f"strength, {measure}")
    for size, width in (("wide", WIDE - 160), ("narrow", NARROW - 110)):
        yield Chart(
            f"strengths-{size}",
            f"Strengths in {measure} with 95 % intervals: {words}",
            _spec(layers, rows, width, {"step": 26}) | {"padding": _ROOM_FOR_NAMES},
        )


def _strength_layers(title: str) -> list[Json]:
    name = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "axis": {
            "title": None,
            "labelLimit": 100,
            "labelFontSize": 12,
            "labelColor": "var(--ink)",
            "domain": False,
            "ticks": False,
            "labelPadding": 8,
        },
    }
    across = {"type": "quantitative", "axis": {"title": title, "tickCount": 6}}
    return [
        {
            "mark": {"type": "rule", "color": "var(--rule)", "strokeDash": [3, 3]},
            "encoding": {"x": {"datum": 0, "type": "quantitative"}},
        },
        {
            "mark": {"type": "rule", "color": "var(--accent)", "strokeWidth": 3, "opacity": 0.45},
            "encoding": {"y": name, "x": across | {"field": "low"}, "x2": {"field": "high"}},
        },
        {
            "mark": {
                "type": "point",
                "filled": True,
                "color": "var(--accent)",
                "size": 90,
                "opacity": 1,
            },
            "encoding": {"y": name, "x": across | {"field": "rating"}},
        },
    ]


# --- TrueSkill over time --------------------------------------------------------------------------


def _curves(root: Node) -> Iterator[Chart]:
    nodes = list(root["analysis"]["trueskill_curve"])
    coloured = curve_names(root.value)
    rows = [
        {
            "name": str(index),
            "board": point[0],
            "mu": point[1],
            "low": point[1] - point[2],
            "high": point[1] + point[2],
        }
        for index, node in enumerate(nodes)
        for point in _points(node["points"].value)
    ]
    if not rows or not coloured:
        return
    colours = [_colour(node["name"].value, coloured) for node in nodes]
    last = (
        f"{label(node['name'].value)} {shown(points[-1][1], Form.PLAIN)}"
        for node in nodes
        if (points := _points(node["points"].value))
    )
    words = f"TrueSkill over the boards; in the end: {'; '.join(last)}"
    for size, width, height in (("wide", WIDE, 280), ("narrow", NARROW, 220)):
        yield Chart(f"curves-{size}", words, _spec(_curve_layers(colours), rows, width, height))


def _points(value: Any) -> list[Any]:
    return [point for point in value or () if None not in point]


def _colour(name: Any, coloured: list[str]) -> str:
    return f"var(--c{coloured.index(name)})" if name in coloured else "var(--faint)"


def _curve_layers(colours: list[str]) -> list[Json]:
    colour = {
        "field": "name",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": [str(index) for index in range(len(colours))], "range": colours},
    }
    board = {
        "field": "board",
        "type": "quantitative",
        "axis": {"title": "boards", "grid": False, "tickCount": 6},
    }
    up: Json = {"type": "quantitative", "scale": {"zero": False}, "axis": {"title": "μ ± σ"}}
    return [
        {
            "mark": {"type": "area", "opacity": 0.13},
            "encoding": {
                "x": board,
                "y": up | {"field": "low"},
                "y2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "line", "strokeWidth": 2, "clip": False},
            "encoding": {"x": board, "y": up | {"field": "mu"}, "color": colour},
        },
    ]


# --- margins --------------------------------------------------------------------------------------


def _histograms(root: Node) -> Iterator[Chart]:
    measure = root["analysis"]["measure"].value or "points per board"
    for index, node in enumerate(list(root["analysis"]["pairings"])[:MOST_HISTOGRAMS]):
        bars = _bars(node["histogram"])
        if not bars:
            continue
        mean = shown(node["mean"].value, Form.SIGNED)
        words = f"Distribution of margins in {measure}, mean {mean}; " + ", ".join(
            f"{shown(bar['from'], Form.SIGNED)}: {bar['count']}" for bar in bars if bar["count"]
        )
        yield Chart(
            f"margins-{index}", words, _spec(_bar_layers(node, bars), bars, NARROW - 30, 110)
        )


def _bars(histogram: Node) -> list[Json]:
    start, step = histogram["from"].value, histogram["step"].value
    counts = histogram["counts"].value
    if start is None or not step or not counts:
        return []
    gap = step * 0.08
    return [
        {
            "from": start + step * index,
            "left": start + step * index + gap,
            "right": start + step * (index + 1) - gap,
            "count": count,
            "side": (start + step * (index + 0.5) > 0) - (start + step * (index + 0.5) < 0),
        }
        for index, count in enumerate(counts)
    ]


def _bar_layers(node: Node, bars: list[Json]) -> list[Json]:
    ticks = min(3, max(1, *(bar["count"] for bar in bars)))  # whole boards
    layers: list[Json] = [
        {
            "mark": {"type": "rect"},
            "encoding": {
                "x": {
                    "field": "left",
                    "type": "quantitative",
                    "axis": {"title": None, "grid": False, "tickCount": 7},
                    "scale": {"nice": False},
                },
                "x2": {"field": "right"},
                "y": {
                    "field": "count",
                    "type": "quantitative",
                    "axis": {"title": "boards", "tickCount": ticks, "tickMinStep": 1},
                    "scale": {"nice": True, "domainMin": 0},
                },
                "y2": {"datum": 0},
                "color": {
                    "field": "side",
                    "type": "nominal",
                    "legend": None,
                    "scale": {
                        "domain": [-1, 0, 1],
                        "range": ["var(--cold)", "var(--faint)", "var(--warm)"],
                    },
                },
            },
        }
    ]
    mean = node["mean"].value
    if mean is not None:
        layers.append(
            {
                "mark": {"type": "rule", "color": "var(--ink)", "strokeWidth": 1.5},
                "encoding": {"x": {"datum": mean, "type": "quantitative"}},
            }
        )
    return layers


def _spec(layers: list[Json], rows: list[Json], width: int, height: int | Json) -> Json:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": width,
        "height": height,
        "padding": 2,
        "data": {"values": rows},
        "layer": layers,
        "config": _CONFIG,
    }
