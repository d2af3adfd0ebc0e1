# SPDX-License-Identifier: GPL-3.0-or-later
"""VQScope from Python: lint, describe and explain attention masks, read configs, export numbers.

    import vqscope
    vqscope.assert_mask(mask, objective="causal", documents=[128, 128, 256], window=128)

The program `vqscope` does the work; the environment variable VQSCOPE or PATH leads to it. Only the standard library is
needed; tensors of torch and arrays of NumPy are taken as they are.
"""

from ._version import __version__
from .blocks import block_mask, torch_block_mask
from .capturing import capture
from .configs import config
from .errors import BrokenAnswer, Died, Interrupted, MissingProgram, Refused, VqscopeError
from .exports import export
from .lint import assert_mask, check, recognise, row
from .window import show

__all__ = [
    "BrokenAnswer", "Died", "Interrupted", "MissingProgram", "Refused", "VqscopeError", "__version__", "assert_mask",
    "block_mask", "capture", "check", "config", "export", "recognise", "row", "show", "torch_block_mask",
]
