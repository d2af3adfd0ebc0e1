# SPDX-License-Identifier: GPL-3.0-or-later
"""Python functions as masks: read from their source (read), or evaluated cell by cell (evaluate)."""

from .evaluated import MOST_CELLS, NotEvaluated, device_of, evaluate, length_of, samples_of
from .read import Unreadable, read

__all__ = ["MOST_CELLS", "NotEvaluated", "Unreadable", "device_of", "evaluate", "length_of", "read",
           "samples_of"]
