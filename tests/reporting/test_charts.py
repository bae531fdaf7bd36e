"""Charts: their numbers are the document's."""

from typing import Any

from pitch_server.reporting.charts import MOST_HISTOGRAMS, charts, curve_names


def rows(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    (chart,) = [chart for chart in charts(document) if chart.key == key]
    values: list[dict[str, Any]] = chart.spec["data"]["values"]
    return values


def test_each_chart_has_the_numbers_of_the_document(nasty: dict[str, Any]) -> None:
    analysis = nasty["analysis"]
    ratings = {row["name"]: row["rating"] for row in analysis["ratings"]}
    assert [row["rating"] for row in rows(nasty, "strengths-wide")] == [
        ratings[row["name"]] for row in nasty["entrants"]
    ]
    curve = analysis["trueskill_curve"][1]["points"]
    drawn = [row for row in rows(nasty, "curves-narrow") if row["name"] == "1"]
    assert [(row["board"], row["mu"]) for row in drawn] == [(b, mu) for b, mu, _ in curve]
    for index, pairing in enumerate(analysis["pairings"]):
        bars = rows(nasty, f"margins-{index}")
        assert [bar["count"] for bar in bars] == pairing["histogram"]["counts"]
        assert sum(bar["count"] for bar in bars) == pairing["boards"]


def test_bars_have_the_colour_of_their_side_of_zero(nasty: dict[str, Any]) -> None:
    histogram = {"from": -1.5, "step": 1.0, "counts": [1, 2, 3]}
    pairing = {**nasty["analysis"]["pairings"][0], "histogram": histogram}
    document = {**nasty, "analysis": {**nasty["analysis"], "pairings": [pairing]}}
    assert [bar["side"] for bar in rows(document, "margins-0")] == [-1, 0, 1]


def test_many_pairings_do_not_make_many_charts(nasty: dict[str, Any]) -> None:
    pairings = nasty["analysis"]["pairings"] * 30
    document = {**nasty, "analysis": {**nasty["analysis"], "pairings": pairings}}
    keys = [chart.key for chart in charts(document) if chart.key.startswith("margins")]
    assert len(keys) == MOST_HISTOGRAMS


def test_curves_have_colours_in_the_order_of_the_standings(nasty: dict[str, Any]) -> None:
    assert curve_names(nasty) == [row["name"] for row in nasty["entrants"]]
