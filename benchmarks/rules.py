"""Speed of the rules: every named variant, beside other engines called from Python.

    python benchmarks/rules.py [SECONDS]

All do the same work in this process, taking turns: list the legal actions, choose one by
chance, apply it, to the end of the hand. A move is one such action, forced ones too. Rounds
last a few milliseconds and are repeated for SECONDS (default 1) an engine; the quickest round
counts: what the machine does without its other work. `moves/s` is of the moves alone;
`with deal` counts dealing and scoring in; shuffling counts nowhere. The other engines come
with `pip install 'pitch-arena[bench]'`; one that is missing is named and left out.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from pitch.rules import (
    VARIANTS,
    Variant,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
)

MOVES = 1500  # a round, about
PLIES = 80  # of a game of chess, which has no deal and hardly an end
CHANCE = random.Random(1)

State = Any


class Engine(NamedTuple):
    """One game: what deals (given an order drawn before), plays to the end, and scores."""

    name: str
    draw: Callable[[], Any]
    deal: Callable[[Any], State]
    play: Callable[[State], tuple[int, State]]  # the number of moves, and the end
    score: Callable[[State], object]


# ---- this project


def pitch_engine(name: str, variant: Variant) -> Engine:
    cards = range(variant.deck)
    game = start_game(variant)
    return Engine(
        name,
        partial(CHANCE.sample, cards, variant.deck),
        partial(start_hand, variant, game.dealer),
        play_pitch,
        partial(finish_hand, game),
    )


def play_pitch(hand: State) -> tuple[int, State]:
    chance = CHANCE.random
    moves = 0
    while legal := legal_actions(hand):
        hand = apply_action(hand, legal[int(chance() * len(legal))])
        moves += 1
    return moves, hand


# ---- others


def open_spiel_engine(game_name: str) -> Engine:
    game = import_module("pyspiel").load_game(game_name)
    return Engine(
        f"OpenSpiel {game_name} (C++)",
        lambda: None,
        lambda _: deal_open_spiel(game.new_initial_state()),
        play_open_spiel,
        lambda state: state.returns(),
    )


def deal_open_spiel(state: State) -> State:
    while state.is_chance_node():
        state.apply_action(CHANCE.choice(state.legal_actions()))
    return state


def play_open_spiel(state: State) -> tuple[int, State]:
    chance = CHANCE.random
    moves = 0
    while legal := state.legal_actions():
        state.apply_action(legal[int(chance() * len(legal))])
        moves += 1
    return moves, state


def rlcard_engine() -> Engine:
    environment = import_module("rlcard").make("bridge")
    return Engine(
        "RLCard bridge",
        lambda: None,
        lambda _: (environment, environment.reset()[0]),
        play_rlcard,
        lambda end: end.get_payoffs(),
    )


def play_rlcard(dealt: State) -> tuple[int, State]:
    environment, state = dealt
    chance = CHANCE.random
    moves = 0
    while not environment.is_over():
        legal = list(state["legal_actions"])
        state, _ = environment.step(legal[int(chance() * len(legal))])
        moves += 1
    return moves, environment


def chess_engine() -> Engine:
    board = import_module("chess").Board
    return Engine("python-chess", lambda: None, lambda _: board(), play_chess, lambda _: None)


def play_chess(board: State) -> tuple[int, State]:
    chance = CHANCE.random
    moves = 0
    while moves < PLIES and (legal := list(board.legal_moves)):
        board.push(legal[int(chance() * len(legal))])
        moves += 1
    return moves, board


PEERS: tuple[tuple[str, str, Callable[[], Engine]], ...] = (
    ("OpenSpiel euchre", "open-spiel", partial(open_spiel_engine, "euchre")),
    ("OpenSpiel hearts", "open-spiel", partial(open_spiel_engine, "hearts")),
    ("OpenSpiel spades", "open-spiel", partial(open_spiel_engine, "spades")),
    ("RLCard bridge", "rlcard", rlcard_engine),
    ("python-chess", "chess", chess_engine),
)


def peers() -> Iterator[Engine]:
    """The engines that are installed; the others are named."""
    for name, package, make in PEERS:
        try:
            yield make()
        except ImportError as error:
            print(f"{name} is left out ({error}): pip install {package}")


# ---- measuring


class Speed(NamedTuple):
    """Seconds a move, of the moves alone and with dealing and scoring; moves a hand."""

    move: float
    whole: float
    moves: float


def play_round(engine: Engine, hands: int) -> Speed:
    drawn = [engine.draw() for _ in range(hands)]
    deal, play, score = engine.deal, engine.play, engine.score
    moves, playing = 0, 0.0
    start = time.perf_counter()
    for each in drawn:
        state = deal(each)
        began = time.perf_counter()
        count, state = play(state)
        playing += time.perf_counter() - began
        moves += count
        score(state)
    elapsed = time.perf_counter() - start
    return Speed(playing / moves, elapsed / moves, moves / hands)


def measure(engines: Sequence[Engine], seconds: float) -> list[Speed]:
    """The quickest round of each; they take turns, so that all have the same weather."""
    sizes = [max(1, round(MOVES / play_round(engine, 3).moves)) for engine in engines]
    best = [play_round(engine, size) for engine, size in zip(engines, sizes, strict=True)]
    end = time.perf_counter() + seconds * len(engines)
    while time.perf_counter() < end:
        for at, (engine, size) in enumerate(zip(engines, sizes, strict=True)):
            now, old = play_round(engine, size), best[at]
            moves = (now.moves + old.moves) / 2
            best[at] = Speed(min(now.move, old.move), min(now.whole, old.whole), moves)
    return best


def print_table(engines: Sequence[Engine], speeds: Sequence[Speed]) -> None:
    """A line an engine; its ratio says how pitch-ac stands to it: 2.00 is twice its moves/s."""
    names = [engine.name for engine in engines]
    base = speeds[names.index("pitch-ac")]
    print(
        f"{'':<24}{'moves/s':>11}{'µs/move':>9}{'with deal':>11}{'hands/s':>10}"
        f"{'pitch-ac is':>14}{'with deal':>11}"
    )
    for name, speed in zip(names, speeds, strict=True):
        print(
            f"{name:<24}{1 / speed.move:>11,.0f}{speed.move * 1e6:>9.2f}{1 / speed.whole:>11,.0f}"
            f"{1 / speed.whole / speed.moves:>10,.0f}"
            f"{speed.move / base.move:>13.2f}x{speed.whole / base.whole:>10.2f}x"
        )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    engines = [pitch_engine(name, variant) for name, variant in VARIANTS.items()]
    engines += peers()
    print_table(engines, measure(engines, seconds))


if __name__ == "__main__":
    main()
