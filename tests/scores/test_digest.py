import hashlib

from pitch_server.scores.digest import text_digest, tournament_digest
from scores.making import result


def test_the_digest_is_over_a_line_a_game() -> None:
    results = [result(0, (1, 0), digest="aa"), result(7, (1, 0), digest="bb")]
    assert tournament_digest(results) == hashlib.sha256(b"0 aa\n7 bb\n").hexdigest()
    assert tournament_digest([]) == hashlib.sha256(b"").hexdigest()


def test_a_records_digest_is_that_of_its_utf8() -> None:
    assert text_digest('{"é":1}') == hashlib.sha256('{"é":1}'.encode()).hexdigest()
