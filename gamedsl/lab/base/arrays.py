"""Array types shared by several packages."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[Any]  # integers of some width
Bytes: TypeAlias = npt.NDArray[np.int8]
