import numpy as np
import pytest

from pitch_server.comparing.resampling import (
    BOARDS_A_CHUNK,
    poisson_weights,
    rank_chances,
    resampling_seed,
)


def test_weights_are_poisson_with_mean_one() -> None:
    weights = poisson_weights(3, 0, 2000)
    assert weights.shape == (2000, BOARDS_A_CHUNK)
    shares = np.bincount(weights.ravel()) / weights.size
    assert shares[:5] == pytest.approx([0.3679, 0.3679, 0.1839, 0.0613, 0.0153], abs=0.002)
    assert weights.mean() == pytest.approx(1, abs=0.003)
    assert weights.astype(float).var() == pytest.approx(1, abs=0.005)


def test_boards_resamples_and_chunks_are_drawn_apart() -> None:
    weights = np.concatenate([poisson_weights(3, chunk, 200) for chunk in range(3)], axis=1)
    for axis in (0, 1):
        related = np.corrcoef(weights.astype(float), rowvar=axis == 0)
        np.fill_diagonal(related, 0)
        assert np.abs(related).max() < 0.45
        assert related.mean() == pytest.approx(0, abs=0.001)
    assert (poisson_weights(4, 0, 200) != poisson_weights(3, 0, 200)).any()


def test_weights_are_the_same_on_every_machine() -> None:
    weights = poisson_weights(resampling_seed("commitment"), 5, 4)
    assert weights[0, :16].tolist() == [0, 1, 1, 2, 2, 3, 1, 0, 2, 0, 1, 0, 4, 1, 0, 2]
    assert weights.sum(axis=1).tolist() == [553, 491, 494, 513]


def test_the_seed_is_that_of_the_text() -> None:
    assert resampling_seed("commitment") == 131720312916199498252679965921092704468
    assert resampling_seed("commitment") != resampling_seed("Commitment")


def test_ranks_are_counted_and_equal_ones_share() -> None:
    chances = rank_chances(np.array([[3.0, 1, 2], [1, 1 + 1e-12, 0], [0, 0, 0], [1, 2, 2]]))
    assert chances.tolist() == pytest.approx(
        np.array(
            [
                [1 + 0.5 + 1 / 3, 0.5 + 1 / 3, 1 / 3 + 1],
                [0.5 + 1 / 3 + 0.5, 0.5 + 1 / 3 + 0.5, 1 + 1 / 3],
                [1 / 3 + 0.5, 1 + 1 / 3 + 0.5, 1 + 1 / 3],
            ]
        )
        / 4
    )


def test_without_resamples_there_are_no_chances() -> None:
    assert rank_chances(np.zeros((0, 3))).tolist() == [[0] * 3] * 3
