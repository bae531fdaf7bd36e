import json

import pytest
from sqlalchemy import URL

from pitch_server.store.errors import ExportRefused
from pitch_server.store.export import export_lines
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings
from store.making import entry


def test_records_are_secret_until_the_end_unless_revealed(place: URL) -> None:
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append([entry(3), entry(0)])
        with pytest.raises(ExportRefused, match="--reveal"):
            export_lines(journal)
        lines = list(export_lines(journal, reveal=True))
        assert [json.loads(line)["x_game"] for line in lines] == [0, 3]
        journal.end(State.FINISHED, {"digest": "d"})
        assert list(export_lines(journal)) == lines
