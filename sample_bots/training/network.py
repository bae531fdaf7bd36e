"""A small policy in NumPy alone: one hidden layer, a score for each choice, a guess of the reward.

Here belong the network, its gradient and its file. How it comes to play well is train.py's.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitch.envs.actions import ACTION_COUNT

Array = NDArray[np.floating]
_NEVER = np.float32(-1e9)  # the score of what is not legal
_RATE, _MOMENTUM, _SCALE = 2e-3, 0.9, 0.999  # of Adam


class Policy:
    """Chances of the legal choices, given what a seat knows."""

    def __init__(self, weights: dict[str, Array], high: Array) -> None:
        self.weights = weights
        self.high = high  # what observations are divided by
        self._first = {name: np.zeros_like(value) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in weights.items()}
        self._steps = 0

    @classmethod
    def new(cls, high: NDArray[np.int8], hidden: int, chance: np.random.Generator) -> "Policy":
        """A policy that knows nothing: every legal choice is nearly as likely as any other."""

        def some(rows: int, columns: int, scale: float) -> Array:
            return (chance.standard_normal((rows, columns)) * scale).astype(np.float32)

        size = len(high)
        weights = {
            "inner": some(size, hidden, size**-0.5),
            "inner_bias": np.zeros(hidden, np.float32),
            "scores": some(hidden, ACTION_COUNT, 0.01),
            "scores_bias": np.zeros(ACTION_COUNT, np.float32),
            "guess": some(hidden, 1, 0.01),
            "guess_bias": np.zeros(1, np.float32),
        }
        return cls(weights, high.astype(np.float32))

    @classmethod
    def load(cls, path: Path) -> "Policy":
        """The policy that `save` wrote."""
        with np.load(path) as file:
            weights = {name: file[name] for name in file.files}
        return cls(weights, weights.pop("high"))

    def save(self, path: Path) -> None:
        """Writes the weights to a file."""
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, high=self.high, **self.weights)

    def chances(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Array:
        """How likely each choice is; 0 for what is not legal. For one decision, or for rows."""
        hidden = self._hidden(self._scaled(observation))
        return self._softmax(hidden, mask)

    def learn(
        self,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        choices: NDArray[np.int64],
        rewards: Array,
        curiosity: float,
        *,
        imitate: bool = False,
    ) -> None:
        """One step: choices that brought more than was guessed become likelier, others rarer.

        `curiosity` is what an even spread of chances is worth beside the rewards. To `imitate`
        makes every choice likelier, whatever it brought.
        """
        rows, count = np.arange(len(choices)), len(choices)
        inputs = self._scaled(observations)
        hidden = self._hidden(inputs)
        chances = self._softmax(hidden, masks)
        guess = (hidden @ self.weights["guess"] + self.weights["guess_bias"])[:, 0]
        surplus = rewards - guess
        worth = np.ones_like(surplus) if imitate else surplus
        # The gradient of -worth * log(chance of the choice), by the scores of all choices.
        by_score = chances * worth[:, None]
        by_score[rows, choices] -= worth
        logs = np.log(chances + 1e-9)
        spread = -(chances * logs).sum(axis=1, keepdims=True)
        by_score += curiosity * chances * (logs + spread)
        by_score /= count
        by_guess = -surplus[:, None] / count
        by_hidden = by_score @ self.weights["scores"].T + by_guess @ self.weights["guess"].T
        by_hidden *= 1 - hidden**2
        self._descend(
            {
                "inner": inputs.T @ by_hidden,
                "inner_bias": by_hidden.sum(axis=0),
                "scores": hidden.T @ by_score,
                "scores_bias": by_score.sum(axis=0),
                "guess": hidden.T @ by_guess,
                "guess_bias": by_guess.sum(axis=0),
            }
        )

    def _scaled(self, observations: NDArray[np.int8]) -> Array:
        return np.divide(observations, self.high, dtype=np.float32)

    def _hidden(self, inputs: Array) -> Array:
        hidden: Array = np.tanh(inputs @ self.weights["inner"] + self.weights["inner_bias"])
        return hidden

    def _softmax(self, hidden: Array, mask: NDArray[np.int8]) -> Array:
        scores = hidden @ self.weights["scores"] + self.weights["scores_bias"]
        scores = np.where(mask, scores, _NEVER)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        chances: Array = powers / powers.sum(axis=-1, keepdims=True)
        return chances

    def _descend(self, gradient: dict[str, Array]) -> None:
        """Adam: a step against the gradient, by its own mean and size so far."""
        self._steps += 1
        rate = _RATE * (1 - _SCALE**self._steps) ** 0.5 / (1 - _MOMENTUM**self._steps)
        for name, value in gradient.items():
            first, second = self._first[name], self._second[name]
            first += (1 - _MOMENTUM) * (value - first)
            second += (1 - _SCALE) * (value**2 - second)
            self.weights[name] -= (rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
