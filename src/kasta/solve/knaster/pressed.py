"""How near another's sheet brings the end, by how many numbers one's own sheet and the fullest other lack.

Both come nearer to the end from throw to throw. So it can be computed how much of what a sheet could still bring
is lost on average when the other is full first. The own pace is that of `quick`. The others' is chosen so that
`quick` beside `quick`, `seasoned`, `casual` or `child` loses as much on average as is expected.
"""

from __future__ import annotations

import numpy as np

from kasta.solve.types import Floats, Ints

URGENT = 4  # numbers that the fullest other sheet lacks: from then on choices are made for what pays soon
OWN_PACE = (  # by what a sheet lacks: how often a throw brings it nearer to the end
    *(0, 0.60, 0.84, 0.76, 0.74, 0.66, 0.65, 0.59, 0.59, 0.57, 0.58, 0.57, 0.60),
    *(0.63, 0.65, 0.64, 0.70, 0.70, 0.79, 0.83, 0.90, 0.94, 0.97, 0.98, 0.99, 1.0),
)
OTHERS_PACE = (
    *(0, 0.28, 0.40, 0.40, 0.42, 0.44, 0.44, 0.46, 0.46, 0.50, 0.54, 0.56, 0.60),
    *(0.68, 0.72, 0.74, 0.77, 0.80, 0.83, 0.94, 0.96, 0.97, 0.98, 1.0, 1.0, 1.0),
)
TO_COME = (  # by what a sheet lacks: points that it brings if it is played on, more than with one throw
    *(0.0, 2.4, 13.9, 25.5, 35.8, 45.3, 53.2, 60.7, 68.0, 74.2, 79.7, 85.1, 89.2),
    *(92.3, 94.3, 96.2, 97.2, 98.0, 98.6, 98.9, 99.3, 99.5, 99.6, 99.8, 100.0, 100.0),
)


def _lost() -> Floats:
    """Points that are lost on average, before a throw: [own, other]."""
    lost = np.zeros((len(OWN_PACE), len(OTHERS_PACE)))
    lost[:, 0] = TO_COME
    for own in range(1, len(OWN_PACE)):
        for other in range(1, len(OTHERS_PACE)):
            one, two = OWN_PACE[own], OTHERS_PACE[other]
            both = one * two
            later = both * lost[own - 1, other - 1]
            later += (one - both) * lost[own - 1, other] + (two - both) * lost[own, other - 1]
            lost[own, other] = later / (one + two - both)
    return lost


def _shares() -> Floats:
    """The same as shares, after one's own choice, while the other has not acted on the throw yet."""
    shares, pace = _lost() / np.maximum(TO_COME, 1e-9)[:, None], np.array(OTHERS_PACE)
    shares[:, 1:] = pace[1:] * shares[:, :-1] + (1 - pace[1:]) * shares[:, 1:]
    return shares


PRESSED = _shares()


def pressed(own: Ints, other: int) -> Floats:
    """The share of what sheets could still bring, alone, that others' ending the game takes from them."""
    share: Floats = PRESSED[own, other]
    return share
