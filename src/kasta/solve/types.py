"""The types of arrays that kernels work on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Table = NDArray[Any]  # of numbers of any type
