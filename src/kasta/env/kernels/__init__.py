"""The games as kernels: tables made by the rules, and few operations on them. No score stands here as a number.

The module that a game's traits name has `make(solo)`, which gives what the rules answered as a named tuple,
`notes` among it (how many numbers are kept beside a sheet), and the five parts that `play` describes. They work
on the rows of the game's coding; `simulate` needs its bounds, too.
"""
