# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python mask_mod as cells: called with all indices at once where it can be, else cell by cell."""

import dis
import types

from ..arrays import Plain, is_array, is_tensor, loaded, plain
from ..errors import Refused
from .read import parameter_count, unwrapped
from .source import Unreadable, free_names

MOST_CELLS = 1 << 28
MOST_SINGLE = 1 << 18
_AT_ONCE = 1 << 22
_MOST_PROBED = 256


class NotEvaluated(Refused):
    """The lengths are too large for an evaluation, or the function fails."""


def evaluate(function, q_length, kv_length, batch=1, heads=1, device=None):
    """The cells [batch, heads, q, kv]; refused beyond 2^28 cells, and beyond 2^18 if each needs a call."""
    cells = batch * heads * q_length * kv_length
    if min(batch, heads, q_length, kv_length) < 1:
        raise NotEvaluated(f"q_length is {q_length} and kv_length is {kv_length}, but both must be at least 1")
    if cells > MOST_CELLS:
        raise NotEvaluated(f"the function would be evaluated over {cells} cells, but at most {MOST_CELLS} are "
                           "evaluated; a function whose source can be read has no such limit")
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


def samples_of(function):
    """How many samples and heads a function has: as many as its arrays can be asked for. The third is whether that
    is known; a function that asks no array for its sample or head has one of each."""
    counts, known = [], True
    for axis in range(2):
        if parameter_count(unwrapped(function)) == 2 or not _uses(function, axis):
            counts.append(1)
            continue
        count = next((n for n in range(_MOST_PROBED + 1) if not _answers(function, axis, n)), None)
        known = known and count is not None
        counts.append(count or 1)
    return (*counts, known)


def length_of(function, depth=4):
    """The number of tokens of the arrays that a function reads, if all have the same; else None."""
    lengths = _lengths(unwrapped(function), depth)
    return lengths.pop() if len(lengths) == 1 else None


def _lengths(function, depth):
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType) or not depth:
        return set()
    lengths = set()
    try:
        values = free_names(function).values()
    except Unreadable:
        return set()
    for value in values:
        if is_array(value) and getattr(value, "ndim", 0):
            lengths.add(int(value.shape[-1]))
        elif isinstance(value, types.FunctionType):
            lengths |= _lengths(unwrapped(value), depth - 1)
    return lengths


def _uses(function, axis):
    code = getattr(getattr(unwrapped(function), "__func__", unwrapped(function)), "__code__", None)
    if code is None:
        return True
    name = code.co_varnames[:code.co_argcount][axis - 4:][:1]
    return not name or name[0] in code.co_cellvars or any(
        name[0] in (each.argval if isinstance(each.argval, tuple) else (each.argval,))  # Python 3.13 loads two at once
        for each in dis.get_instructions(code) if "LOAD_FAST" in each.opname)


def _answers(function, axis, number):
    """Whether the sample or head exists; an index that is too large says that it does not."""
    for library in ("torch", None):
        index = [0, 0, 0, 0]
        index[axis] = number
        try:
            torch = loaded(library) if library else None
            if library and torch is None:
                continue
            device = device_of(function) if torch else None
            function(*(torch.tensor(each, device=device) if torch else each for each in index))
            return True
        except IndexError:
            return False
        except Exception:  # whatever the function raises says nothing about its samples
            continue
    return True


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
