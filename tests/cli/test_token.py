"""`pitch token`: who gets one, how it is shown and kept, what a running server makes of it."""

import hashlib
from pathlib import Path

import pytest

from cli.running import pitch
from cli.serving import serving
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal, list_tournaments
from service.live import QuietLive

CONFIG = """\
name = "public"
database = "public.db"
[variant]
name = "pitch-ac"
[format]
boards = 2
[[entrants]]
name = "ann"
[[entrants]]
name = "Größe и"
[[entrants]]
name = "local"
command = ["{python}", "bot.py"]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A tournament with two entrants that connect by themselves."""
    (tmp_path / "bot.py").write_text("")
    file = tmp_path / "public.toml"
    file.write_text(CONFIG, encoding="utf-8")
    return file


def _hashes(config: Path, tournament: int | None = None) -> dict[str, str | None]:
    with Journal.open(config.with_name("public.db"), tournament) as journal:
        return {row.name: row.token_hash for row in journal.entrants()}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@pytest.mark.parametrize("name", ["ann", "Größe и"])
def test_a_token_is_alone_on_standard_output_and_only_its_hash_is_kept(
    config: Path, name: str
) -> None:
    result = pitch("token", str(config), name)
    assert result.exit_code == 0, result.stderr
    token = result.stdout.removesuffix("\n")
    assert len(token) >= 43  # 256 bits
    assert token.isascii()
    assert token not in result.stderr
    assert f"the token of {name!r} in " in result.stderr
    assert "not valid any more" not in result.stderr
    assert _hashes(config)[name] == _hash(token)
    for kept in config.parent.glob("public.db*"):
        assert token.encode() not in kept.read_bytes()


def test_the_tournament_is_made_once(config: Path) -> None:
    tokens = [pitch("token", str(config), name).stdout.strip() for name in ("ann", "Größe и")]
    assert len(list_tournaments(config.with_name("public.db"))) == 1
    assert list(_hashes(config).values()) == [*map(_hash, tokens), None]


def test_another_takes_the_place_of_the_one_before(config: Path) -> None:
    first, second = pitch("token", str(config), "ann"), pitch("token", str(config), "ann")
    assert second.exit_code == 0
    assert first.stdout != second.stdout
    assert "the token before it is not valid any more" in second.stderr
    assert _hashes(config)["ann"] == _hash(second.stdout.strip())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param("an", "no entrant is named 'an'; did you mean 'ann'?", id="misspelt"),
        pytest.param("xyzzy", "no entrant is named 'xyzzy'; there are ann, ", id="unknown"),
        pytest.param("", "no entrant is named ''; there are ann, ", id="empty"),
        pytest.param("local", "'local' has a command: whoever starts it hands it a", id="launched"),
    ],
)
def test_who_can_have_no_token_is_told_why_and_nothing_is_made(
    config: Path, name: str, sentence: str
) -> None:
    result = pitch("token", str(config), name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert not config.with_name("public.db").exists()


def test_a_seed_that_could_be_guessed_is_refused_as_by_the_server(config: Path) -> None:
    config.write_text('seed = "short"\n' + CONFIG, encoding="utf-8")
    result = pitch("token", str(config), "ann")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "seed: got 5 characters; expected 22 or more" in result.stderr


def test_who_is_withdrawn_gets_none(config: Path) -> None:
    before = pitch("token", str(config), "ann").stdout.strip()
    pitch("withdraw", str(config.with_name("public.db")), "ann")
    result = pitch("token", str(config), "ann")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'ann' is withdrawn from the tournament" in result.stderr
    assert _hashes(config)["ann"] == _hash(before)


def test_a_tournament_that_is_over_needs_none_and_a_fresh_one_is_made_beside_it(
    config: Path,
) -> None:
    pitch("token", str(config), "ann")
    pitch("close", str(config.with_name("public.db")))
    result = pitch("token", str(config), "ann")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the tournament is closed; with --fresh a new one begins beside it" in result.stderr
    fresh = pitch("token", str(config), "ann", "--fresh")
    assert fresh.exit_code == 0
    assert _hashes(config, 2)["ann"] == _hash(fresh.stdout.strip()) != _hashes(config, 1)["ann"]


def test_one_is_made_while_a_server_plays_which_takes_it_soon(config: Path) -> None:
    pitch("token", str(config), "ann")
    database = config.with_name("public.db")
    with hold_database(database), serving(QuietLive(), database):
        result = pitch("token", str(config), "ann")
    assert result.exit_code == 0
    assert "not valid any more; a server that runs knows within seconds" in result.stderr
    assert _hashes(config)["ann"] == _hash(result.stdout.strip())


def test_no_tournament_is_made_where_another_process_plays(config: Path) -> None:
    with hold_database(config.with_name("public.db")):
        result = pitch("token", str(config), "ann")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "plays a tournament in it" in result.stderr


def test_another_database_can_be_named(config: Path, tmp_path: Path) -> None:
    assert pitch("token", str(config), "ann", "--db", str(tmp_path / "other.db")).exit_code == 0
    assert (tmp_path / "other.db").exists()
    assert not config.with_name("public.db").exists()
