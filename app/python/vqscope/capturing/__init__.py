# SPDX-License-Identifier: GPL-3.0-or-later
"""capture: writes what the attention layers of a running model see, as a folder that `vqscope parity` reads."""

from .capture import Capture


def capture(folder, layers=None, steps=None):
    """Writes q, k, v, the mask and the output of each attention call into ``folder``, from now until stop().

        with vqscope.capture("captures/a", steps=1):
            model(**batch)

    A step is one call of the outermost module that calls attention, a layer the n-th attention call in it; both count
    from 0. ``layers`` and ``steps`` choose: a number is how many (0: nothing is hooked), a list which. After the last
    step that was asked for, or after stop(), the model runs as before. Calls inside torch.compile are not seen.
    """
    return Capture(folder, layers, steps)


__all__ = ["Capture", "capture"]
