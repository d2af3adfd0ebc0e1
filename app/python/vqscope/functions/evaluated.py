# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python mask_mod as cells: called with all indices at once where it can be, else cell by cell."""

from ..arrays import Plain, is_tensor, loaded, plain
from ..errors import Refused
from .read import parameter_count, unwrapped

MOST_CELLS = 1 << 28
MOST_SINGLE = 1 << 18
_AT_ONCE = 1 << 22


class NotEvaluated(Refused):
    """The lengths are too large for an evaluation, or the function fails."""


def evaluate(function, q_length, kv_length, batch=1, heads=1, device=None):
    """The cells [batch, heads, q, kv]; refused beyond 2^28 cells, and beyond 2^18 if each needs a call."""
    cells = batch * heads * q_length * kv_length
    if min(batch, heads, q_length, kv_length) < 1:
        raise NotEvaluated(f"q_length is {q_length} and kv_length is {kv_length}, but both must be at least 1")
    if cells > MOST_CELLS:
        raise NotEvaluated(f"the function would be evaluated over {cells} cells, but at most {MOST_CELLS} are evaluated; "
                      "a function whose source can be read has no such limit")
    two = parameter_count(unwrapped(function)) == 2
    ask = (lambda b, h, q, kv: function(q, kv)) if two else function
    errors = []
    for way in (_by_torch, _by_numpy, _by_calls):
        try:
            rows = [way(ask, b, h, q_length, kv_length, device) for b in range(batch) for h in range(heads)]
            return Plain("BOOL", (batch, heads, q_length, kv_length), b"".join(rows))
        except _Unavailable:
            continue
        except NotEvaluated:
            raise
        except Exception as error:  # whatever the function raises
            errors.append(error)
    shown = " ".join(f"{type(errors[0]).__name__}: {errors[0]}".split()) if errors else "no value"
    raise NotEvaluated(f"the function cannot be evaluated over its indices: {shown[:300]}")


class _Unavailable(Exception):
    pass


def _steps(q_length, kv_length):
    step = max(1, _AT_ONCE // kv_length)
    return [(first, min(first + step, q_length)) for first in range(0, q_length, step)]


def _by_torch(function, b, h, q_length, kv_length, device):
    torch = loaded("torch")
    if torch is None:
        raise _Unavailable
    device = device or device_of(function)
    made = []
    with torch.no_grad():
        keys = torch.arange(kv_length, device=device)[None, :]
        sample, head = torch.tensor(b, device=device), torch.tensor(h, device=device)
        for first, end in _steps(q_length, kv_length):
            seen = function(sample, head, torch.arange(first, end, device=device)[:, None], keys)
            if not is_tensor(seen):
                seen = torch.as_tensor(seen)
            seen = torch.broadcast_to(seen.bool(), (end - first, kv_length))
            made.append(bytes(plain(seen).data))
    return b"".join(made)


def device_of(function):
    """The device of the tensors in a function's closure, or the CPU."""
    for cell in getattr(unwrapped(function), "__closure__", None) or ():
        try:
            if is_tensor(cell.cell_contents):
                return cell.cell_contents.device
        except ValueError:
            continue
    return "cpu"


def _by_numpy(function, b, h, q_length, kv_length, _device_of_torch):
    try:
        import numpy
    except ImportError:
        raise _Unavailable from None
    made = []
    keys = numpy.arange(kv_length)[None, :]
    for first, end in _steps(q_length, kv_length):
        seen = numpy.asarray(function(b, h, numpy.arange(first, end)[:, None], keys)).astype(bool)
        made.append(numpy.broadcast_to(seen, (end - first, kv_length)).tobytes())
    return b"".join(made)


def _by_calls(function, b, h, q_length, kv_length, _device_of_torch):
    if q_length * kv_length > MOST_SINGLE:
        raise NotEvaluated(f"the function takes one cell at a time, and {q_length} × {kv_length} are more than "
                      f"{MOST_SINGLE}; give smaller lengths, or write it for arrays of indices")
    made = bytearray()
    for q in range(q_length):
        for kv in range(kv_length):
            made.append(bool(function(b, h, q, kv)))
    return bytes(made)
