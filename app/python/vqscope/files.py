# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays as the bytes of NPY and safetensors files, and back: no library is needed."""

import ast
import json
import struct

from .arrays import NPY
from .errors import BrokenAnswer

_CODES = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
          "f2": "e", "f4": "f", "f8": "d"}


def npy_parts(array):
    """The header and the data of an NPY file."""
    shape = "(" + "".join(f"{size}, " for size in array.shape) + ")"
    text = f"{{'descr': '{NPY[array.dtype]}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return [b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("ascii"), array.data]


def safetensors_parts(arrays, metadata=None):
    """The header and the data of a safetensors file with these named arrays."""
    head, at = {}, 0
    if metadata:
        head["__metadata__"] = {name: str(value) for name, value in metadata.items()}
    for name, array in arrays.items():
        head[name] = {"dtype": array.dtype, "shape": list(array.shape), "data_offsets": [at, at + len(array.data)]}
        at += len(array.data)
    text = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text, *(array.data for array in arrays.values())]


def parts_of(array):
    """The file of one array, in the plainest format that has its dtype."""
    return npy_parts(array) if array.dtype in NPY else safetensors_parts({"values": array})


def _numbers(code, shape, data):
    """A NumPy array, or nested lists where there is no NumPy."""
    try:
        import numpy
    except ImportError:
        count = len(data) // struct.calcsize("<" + code)
        return _nested(list(struct.unpack(f"<{count}{code}", data)), list(shape))
    kind = {v: k for k, v in _CODES.items()}[code]
    return numpy.frombuffer(bytearray(data), numpy.dtype("<" + kind)).reshape(shape)


def _nested(flat, shape):
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[at * step:(at + 1) * step], shape[1:]) for at in range(shape[0])]


def read_npy(data):
    try:
        if data[:6] != b"\x93NUMPY":
            raise ValueError("not NPY")
        wide = data[6] >= 2
        size = struct.unpack_from("<I" if wide else "<H", data, 8)[0]
        start = (12 if wide else 10) + size
        head = ast.literal_eval(data[12 if wide else 10:start].decode("latin-1").strip())
        shape, code = tuple(head["shape"]), _CODES[head["descr"][1:]]
        if head["fortran_order"]:
            raise ValueError("columns first")
        return _numbers(code, shape, _exactly(data[start:], code, shape))
    except (ValueError, KeyError, IndexError, struct.error, SyntaxError) as error:
        raise BrokenAnswer(f"the array that the program wrote cannot be read: {error}") from None


def _exactly(data, code, shape):
    count = 1
    for size in shape:
        count *= size
    if len(data) != count * struct.calcsize("<" + code):
        raise ValueError(f"{len(data)} bytes for the shape {shape}")
    return data


def read_safetensors(data):
    """The arrays of a safetensors file, by name."""
    kinds = {name: _CODES[descr[1:]] for name, descr in NPY.items() if descr[1:] in _CODES}
    try:
        size = struct.unpack_from("<Q", data)[0]
        head = json.loads(data[8:8 + size].decode("utf-8"))
        head.pop("__metadata__", None)
        return {name: _numbers(kinds[entry["dtype"]], tuple(entry["shape"]),
                               _exactly(data[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]],
                                        kinds[entry["dtype"]], entry["shape"]))
                for name, entry in head.items()}
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise BrokenAnswer(f"the arrays that the program wrote cannot be read: {error}") from None
