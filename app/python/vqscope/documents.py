# SPDX-License-Identifier: GPL-3.0-or-later
"""documents=: lengths of packed documents, or the document of each token."""

import array

from .arrays import Plain, is_array, is_nested, plain
from .errors import Refused


def _integers(value, name):
    numbers = plain(value, name)
    if numbers.dtype[0] not in "IU":
        raise Refused(f"{name} must be whole numbers: lengths of documents, or the document of each token")
    return numbers


def document_arguments(value, keys, as_array):
    """--array document_lengths=... or document_ids=...; ``keys`` is the number of keys if it is known.

    A list with a 0 or a -1, or one number a token that do not add up to the tokens, is the document of each
    token. Rows of lengths, one a sample, become documents of tokens.
    """
    name = "documents"
    if isinstance(value, str):
        return ["--array", f"document_lengths={value}"]
    if isinstance(value, int) and not isinstance(value, bool):
        value = [value]
    if is_nested(value) and len(value) and all(is_nested(row) or is_array(row) for row in value):
        rows = [_listed(_integers(row, name)) for row in value]
        return _of_rows(rows, keys, as_array, name)
    numbers = _integers(value, name)
    if len(numbers.shape) == 2:
        flat, width = _listed(numbers), numbers.shape[1]
        rows = [flat[at:at + width] for at in range(0, len(flat), width)] if width else []
        return _of_rows(rows, keys, as_array, name)
    listed = _listed(numbers)
    if len(numbers.shape) != 1 or not listed:
        raise Refused(f"{name} must be a list of lengths, such as [128, 128, 256], or the document of each token")
    if _are_ids(listed, keys):
        return as_array("document_ids", numbers)
    return as_array("document_lengths", _as_plain(listed, (len(listed),)))


def _are_ids(numbers, keys):
    if min(numbers) < 1:
        return True
    return keys is not None and len(numbers) == keys and sum(numbers) != keys


def _of_rows(rows, keys, as_array, name):
    if not rows or not all(rows):
        raise Refused(f"{name} has a sample without documents")
    same = len({len(row) for row in rows}) == 1
    if same and all(_are_ids(row, keys) for row in rows):
        return as_array("document_ids", _as_plain([each for row in rows for each in row], (len(rows), len(rows[0]))))
    sums = {sum(row) for row in rows}
    if len(sums) != 1 or min(min(row) for row in rows) < 1:
        raise Refused(f"the {name} of the samples add up to {', '.join(map(str, sorted(sums)[:4]))} tokens, but all "
                      "samples must have as many")
    ids = [number for row in rows for number, length in enumerate(row) for _ in range(length)]
    return as_array("document_ids", _as_plain(ids, (len(rows), sums.pop())))


def _as_plain(numbers, shape):
    return Plain("I64", shape, array.array("q", numbers).tobytes())


def _listed(numbers):
    code = numbers.dtype[0].replace("I", "i").replace("U", "u")
    size = int(numbers.dtype[1:]) // 8
    letter = {1: "b", 2: "h", 4: "i", 8: "q"}[size]
    return memoryview(bytes(numbers.data)).cast(letter if code == "i" else letter.upper()).tolist()
