"""What the games on a grid share: the grid as arrays, sequential halving, temporal-difference learning.

Kernels that walk through a game (`search`, `training`) are one for each game: sheets and actions differ,
and numba compiles a kernel for the arrays that it is given.
"""
