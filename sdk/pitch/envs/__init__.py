"""For people who let machines learn: Pitch as vectors, an environment, files of games.

Here belong `encoding` (what a seat may know and may do, as vectors; needs NumPy), `dataset`
(games as one file of arrays) and `pitch_v0` (a PettingZoo environment, the extra `envs`). The
rules do not: the referee's are the only ones.
"""
