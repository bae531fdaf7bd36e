"""Pitch as a PettingZoo environment (AEC), every variant, by the referee's own rules.

    env = pitch_v0.env(variant="ten-point")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Here belongs what PettingZoo wants of a game. What is legal and what comes next is the
referee's; what is observed is `encoding`'s.
"""

from collections.abc import Mapping
from functools import partial
from operator import index
from random import Random
from typing import Any, ClassVar, TypeAlias, cast
from warnings import warn

import numpy as np

from pitch.envs.actions import ACTION_COUNT, take_step
from pitch.envs.encoding import Encoding, Vector, reward_of
from pitch.envs.picture import table_text
from pitch.rules import VARIANTS, Action, Legal, Variant
from pitch.table.referee import Ask, Effect, Referee
from pitch.table.unit import Unit

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"pitch.envs.pitch_v0 needs {error.name}, a part of the envs extra; get it with: "
        "pip install 'pitch-arena[envs]' (in a checkout's folder: "
        "pip install -c constraints.txt -e '.[envs]')",
        name=error.name,
    ) from error

__all__ = ["PitchEnv", "env", "raw_env"]

Observation: TypeAlias = dict[str, Vector]

_OPTIONS = ("deal", "first_dealer")


def env(
    variant: Variant | str = "pitch-ac",
    *,
    unit: Unit | str = Unit.HAND,
    max_hands: int = 100,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment as it is used: an illegal action ends the game with a reward of -1."""
    raw = raw_env(variant, unit=unit, max_hands=max_hands, render_mode=render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(
    variant: Variant | str = "pitch-ac",
    *,
    unit: Unit | str = Unit.HAND,
    max_hands: int = 100,
    render_mode: str | None = None,
) -> "PitchEnv":
    """The environment without wrappers: quicker; an illegal action raises ValueError."""
    return PitchEnv(variant, unit=unit, max_hands=max_hands, render_mode=render_mode)


class PitchEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # it has no types
    """One game: a hand, or with `unit="game"` hands until a side wins. Agents are the seats.

    Rewards come at the end: by the hand the own side's score less the mean of the others', by
    the game 1 for the winners. A decision with one legal action is not asked. `info` of a game
    that is over holds `scores` (by side) and `winner` (a side or None).
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "pitch_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        variant: Variant | str = "pitch-ac",
        *,
        unit: Unit | str = Unit.HAND,
        max_hands: int = 100,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be 'ansi' or None, got {render_mode!r}")
        self.variant = _variant(variant)
        self.unit = Unit(unit)
        self.encoding = Encoding(self.variant, self.unit)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.variant.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._max_hands = 1 if self.unit is Unit.HAND else max_hands
        self._chance = Random()
        self._playing: Referee | None = None
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._choices = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation's bounds, and the mask of the actions."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The indexes of `pitch.envs.actions`, the same for every variant."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals anew. `seed` begins the row of games again; without it the row goes on.

        `options` may hold `deal` (an int or text: the same one deals the same cards) and
        `first_dealer` (a seat), which the row else draws. TypeError or ValueError for what they
        can't be, a warning for another option.
        """
        given = self._checked(options or {})
        if seed is not None:
            self._chance = Random(_whole("seed", seed))
        drawn, dealer = self._chance.getrandbits(64), self._chance.randrange(self.variant.players)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._putting = 0
        self._playing = Referee(
            self.variant,
            decks=partial(_deck, given.get("deal", drawn), self.variant.deck),
            first_dealer=given.get("first_dealer", dealer),
            max_hands=self._max_hands,
        )
        self._go_on(self._referee.begin())

    @property
    def _referee(self) -> Referee:
        if self._playing is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._playing

    def observe(self, agent: str) -> Observation:
        """What the seat may know now, whether it is to act or not."""
        if agent not in self._seats:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        known = self._referee.view(self._seats[agent])
        putting = self._putting if agent == self.agent_selection else 0
        return {
            "observation": self.encoding.observation(known, putting),
            "action_mask": self.encoding.mask(known, putting),
        }

    def step(self, action: int | None) -> None:
        """Has the seat to act choose; ValueError if that is not legal."""
        legal = self._referee.legal  # first, as it says that nothing has begun
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(cast("int", action))
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self._outcome(agent, action, legal)
        if isinstance(outcome, Action):
            self._putting = 0
            self._go_on(self._referee.answer(self._seats[agent], outcome))
        else:
            self._putting = outcome
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table with all cards open, as text: for people, never for a bot."""
        return table_text(self._referee) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    # --- inside -------------------------------------------------------------------------------

    def _space(self) -> spaces.Dict:
        encoding = self.encoding
        return spaces.Dict(
            {
                "observation": spaces.Box(encoding.low, encoding.high, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8),
            }
        )

    def _checked(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options of a reset, if they are such."""
        if unknown := [key for key in options if key not in _OPTIONS]:
            warn(  # PettingZoo's own test has every environment take whatever it is given
                f"options: {unknown[0]!r} is unknown; possible are {', '.join(_OPTIONS)}",
                stacklevel=3,
            )
        if not isinstance(options.get("deal", ""), str):
            _whole("options: deal", options["deal"])
        if "first_dealer" in options:
            dealer, seats = _whole("options: first_dealer", options["first_dealer"]), self._seats
            if not 0 <= dealer < len(seats):
                raise ValueError(
                    f"options: first_dealer: expected a seat from 0 to {len(seats) - 1}, "
                    f"got {dealer}"
                )
        return options

    def _outcome(self, agent: str, action: int | None, legal: Legal) -> Action | int:
        if action is None:
            raise ValueError(f"{agent} is to act: expected the index of an action, got None")
        try:
            return take_step(legal, self._putting, _whole("action", action))
        except ValueError as error:
            raise ValueError(f"{agent}: {error}") from error

    def _go_on(self, effects: list[Effect]) -> None:
        last = effects[-1]
        if isinstance(last, Ask):
            self.agent_selection = self.possible_agents[last.seat]
            return
        game = self._referee.game
        for agent in self.agents:
            side = self.variant.side_of(self._seats[agent])
            self.rewards[agent] = reward_of(self.unit, game.scores, game.winner, side)
            self.terminations[agent] = True
            self.infos[agent] = {"scores": game.scores, "winner": game.winner}


def _whole(what: str, given: object) -> int:
    """A whole number, perhaps numpy's; TypeError for anything else, True and False included."""
    try:
        if not isinstance(given, bool):
            return index(given)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise TypeError(f"{what}: expected a whole number, got {given!r}")


def _variant(given: Variant | str) -> Variant:
    if isinstance(given, Variant):
        return given
    if given not in VARIANTS:
        raise ValueError(f"unknown variant {given!r}, known are {', '.join(VARIANTS)}")
    return VARIANTS[given]


def _deck(deal: int | str, size: int, hand: int) -> list[int]:
    return Random(f"{deal}:{hand}").sample(range(size), size)
