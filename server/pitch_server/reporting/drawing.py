"""Pictures of charts: SVG, drawn by Vega-Lite itself, which vl-convert brings along.

Here belongs the library, and nothing else. The pictures are part of the page and need no script,
so a page cannot do anything but show.
"""

import html
import re
from collections.abc import Iterable

import vl_convert

from pitch_server.reporting.charts import Chart

__all__ = ["draw"]

_VERSION = "6.4"  # of Vega-Lite: the same numbers give the same bytes
_ROOT = re.compile(r'<svg [^>]*?class="marks" width="([\d.]+)" height="([\d.]+)"([^>]*)>')


def draw(charts: Iterable[Chart]) -> dict[str, str]:
    """The SVG of each chart, by its key."""
    return {chart.key: _draw(chart) for chart in charts}


def _draw(chart: Chart) -> str:
    svg = vl_convert.vegalite_to_svg(chart.spec, vl_version=_VERSION, allowed_base_urls=[])
    words = html.escape(chart.words, quote=True)
    return _ROOT.sub(
        r'<svg class="chart" role="img" aria-label="WORDS" width="\1" height="\2"\3>', svg, count=1
    ).replace("WORDS", words, 1)
