# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of any library, or nested lists, as bytes: bit for bit, in C order, little-endian."""

import array
import ctypes
import math
import sys
from typing import Any, NamedTuple

from .errors import Refused

#: dtype of safetensors -> descr of NPY; types without one are stored as safetensors.
NPY = {
    "BOOL": "|b1", "I8": "|i1", "U8": "|u1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4",
    "I64": "<i8", "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8", "C128": "<c16",
}
_OF_NPY = {descr[1:]: name for name, descr in NPY.items()}
_OF_TORCH = {
    "bool": "BOOL", "int8": "I8", "uint8": "U8", "int16": "I16", "uint16": "U16", "int32": "I32",
    "uint32": "U32", "int64": "I64", "uint64": "U64", "float16": "F16", "bfloat16": "BF16",
    "float32": "F32", "float64": "F64", "complex64": "C64", "complex128": "C128",
    "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
}


MOST_CELLS = 1 << 32
_MUCH = 1 << 26


class Plain(NamedTuple):
    dtype: str
    shape: tuple
    data: Any  # bytes-like, C order
    owner: Any = None  # keeps the memory of data


def loaded(name):
    """A library that the caller has imported; the client imports none to look at a value."""
    return sys.modules.get(name)


def is_tensor(value):
    torch = loaded("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value):
    """Whether the value is an array of a library: torch, NumPy, JAX, array.array, a memoryview."""
    if isinstance(value, (str, bytes, bytearray, type)):
        return False
    return is_tensor(value) or _has_table(value) or isinstance(value, (memoryview, array.array))


def _has_table(value):
    return hasattr(value, "__array__") or hasattr(value, "__array_interface__")


def is_nested(value):
    return isinstance(value, (list, tuple, range))


def plain(value, what="mask"):
    """The array as bytes; ``what`` names it in refusals."""
    if isinstance(value, Plain):
        return value
    if is_tensor(value):
        return _of_tensor(value, what)
    if _has_table(value) and not isinstance(value, type):
        return _of_numpy(value, what)
    if isinstance(value, (memoryview, array.array)):
        return _of_buffer(memoryview(value), what)
    if is_nested(value):
        return _of_lists(value, what)
    raise Refused(f"{what} is {describe(value)} but must be an array, a tensor or nested lists")


def _bounded(count, what):
    """Refuses what the program would refuse, before it is copied."""
    if count > MOST_CELLS:
        raise Refused(f"{what} has {count} elements, but at most {MOST_CELLS} are read: choose a part")


def _once(table, strides, what):
    """A large mask that repeats itself over samples or heads, as expand() makes it, without the repetitions."""
    if what == "mask" and table.ndim > 2 and math.prod(table.shape) > _MUCH:
        for axis in range(table.ndim - 2):
            if strides[axis] == 0 and table.shape[axis] > 1:
                table = table[(slice(None),) * axis + (slice(0, 1),)]
    return table


def describe(value):
    kind = type(value)
    is_plain = kind.__module__ in ("builtins", "__main__")
    name = kind.__qualname__ if is_plain else f"{kind.__module__}.{kind.__qualname__}"
    return f"an object of type {name}"


def _of_tensor(tensor, what):
    torch = loaded("torch")
    name = str(tensor.dtype).rpartition(".")[2]
    if tensor.is_quantized or name not in _OF_TORCH:
        raise Refused(f"{what} has the dtype {name}; dequantise it or give {', '.join(list(_OF_TORCH)[:13])}")
    if tensor.layout != torch.strided:
        raise Refused(f"{what} is a sparse tensor ({tensor.layout}); pass {what}.to_dense()")
    if tensor.device.type == "meta":
        raise Refused(f"{what} is on the device meta and has no values")
    tensor = _once(tensor, tensor.stride(), what)
    _bounded(tensor.numel(), what)
    try:
        tensor = tensor.detach()
        for resolve in ("resolve_conj", "resolve_neg"):
            tensor = getattr(tensor, resolve, lambda same=tensor: same)()
        tensor = tensor.cpu().contiguous()
        size = tensor.numel() * tensor.element_size()
        data = (ctypes.c_char * size).from_address(tensor.data_ptr()) if size else b""
    except (RuntimeError, NotImplementedError, MemoryError, ValueError) as error:
        raise Refused(f"the values of {what} cannot be read: {' '.join(str(error).split())[:200]}") from None
    return Plain(_OF_TORCH[name], tuple(tensor.shape), data, tensor)


def _of_numpy(value, what):
    try:
        import numpy
    except ImportError:
        raise Refused(f"{what} is {describe(value)}, which needs NumPy to be read") from None
    try:
        table = numpy.asarray(value)
    except Exception as error:  # whatever the other library raises
        raise Refused(f"{what} is {describe(value)}, which cannot be read as an array: {error}") from None
    kind = table.dtype
    if kind.kind == "O":
        return _of_lists(table.tolist(), what)
    name = {"bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2"}.get(kind.name)
    name = name or _OF_NPY.get(kind.str[1:])
    if name is None:
        raise Refused(f"{what} has the dtype {kind} but must be bool, int8 to int64, uint8 to uint64, float16, "
                      "float32 or float64")
    table = _once(table, table.strides, what)
    _bounded(table.size, what)
    shape = table.shape
    try:
        if kind.byteorder == ">" or (kind.byteorder == "=" and sys.byteorder == "big"):
            table = table.astype(kind.newbyteorder("<"))
        table = numpy.ascontiguousarray(table)
    except MemoryError:
        raise Refused(f"there is not enough memory to copy {what} of shape {shape}") from None
    return Plain(name, shape, table.reshape(-1).view(numpy.uint8).data if table.size else b"", table)


def _of_buffer(view, what):
    name = {"?": "BOOL", "e": "F16", "f": "F32", "d": "F64"}.get(view.format)
    if view.format in tuple("bBhHiIlLqQ"):
        name = ("I" if view.format.islower() else "U") + str(view.itemsize * 8)
    if name is None:
        raise Refused(f"{what} is a buffer of the format {view.format!r}, which is not a type of numbers")
    return Plain(name, tuple(view.shape), view.tobytes())


def _of_lists(rows, what):
    flat, shape = [], []
    _flatten(rows, what, 0, shape, flat)
    if flat and isinstance(flat[0], Plain):
        first = flat[0]
        if any(each.dtype != first.dtype or each.shape != first.shape for each in flat):
            raise Refused(f"{what} is a list of arrays of several shapes or dtypes; one of {first.dtype} "
                          f"{list(first.shape)} is expected throughout")
        return Plain(first.dtype, (*shape, *first.shape), b"".join(bytes(each.data) for each in flat))
    kinds = set(map(type, flat))
    if kinds <= {bool}:
        return Plain("BOOL", tuple(shape), bytes(flat))
    try:
        if kinds <= {bool, int}:
            return Plain("I64", tuple(shape), _little(array.array("q", flat)))
        return Plain("F64", tuple(shape), _little(array.array("d", flat)))
    except OverflowError:
        raise Refused(f"{what} holds a number that does not fit into 64 bits") from None


def _little(numbers):
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


_NUMBERS = {bool, int, float}


def _flatten(rows, what, depth, shape, flat):
    if depth == len(shape):
        shape.append(len(rows))
    elif shape[depth] != len(rows):
        raise Refused(f"{what} is ragged: a list of {len(rows)} stands where {shape[depth]} are expected")
    if depth + 1 == len(shape) and not (flat and isinstance(flat[0], Plain)) and set(map(type, rows)) <= _NUMBERS:
        flat.extend(rows)  # a long list of numbers at once
        return
    for item in rows:
        if is_nested(item):
            if flat and depth + 1 >= len(shape):
                raise Refused(f"{what} is ragged: numbers and lists stand side by side")
            _flatten(item, what, depth + 1, shape, flat)
            continue
        if depth + 1 != len(shape):
            raise Refused(f"{what} is ragged: numbers and lists stand side by side")
        flat.append(_number(item, what, bool(flat) and isinstance(flat[0], Plain)))


def _number(item, what, among_arrays):
    if type(item) in (bool, int, float) and not among_arrays:
        return item
    if is_array(item):
        one = getattr(item, "ndim", None) == 0
        return item.item() if one else plain(item, what)
    if isinstance(item, (bool, int, float)) and not among_arrays:
        return int(item) if isinstance(item, int) else float(item)
    shown = "None" if item is None else describe(item)
    raise Refused(f"{what} holds {shown} where a number, True or False is expected")
