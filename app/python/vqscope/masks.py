# SPDX-License-Identifier: GPL-3.0-or-later
"""What a caller may give as a mask, as the arguments of a command."""

import math
import os
import re
from collections.abc import Mapping

from .arrays import describe, is_array, is_nested, plain
from .errors import Refused
from .files import parts_of, safetensors_parts
from .functions import MOST_CELLS, NotEvaluated, Unreadable, evaluate, length_of, read, samples_of

#: Members of a collator's batch that the program knows by name.
MEMBERS = ("attention_mask", "mask", "input_ids", "position_ids", "labels", "cu_seqlens", "document_ids",
           "prefix_length", "span_ids")
_TEXT = re.compile(r"[\n<>=&|()\[]|\blambda\b|\breturn\b")
_FILE = re.compile(r"^[^\n]+\.(npy|npz|pt|pth|pkl|safetensors|csv|png|py)(:[^\n]*)?$")
_PRESET = re.compile(r"[a-z][a-z0-9_]*\Z")


class Form:
    """A mask as arguments; ``shape`` is that of its cells, or None. A mask ``of_any_length`` has none of its own."""

    def __init__(self, arguments, shape=None, of_any_length=False):
        self.arguments = arguments
        self.shape = shape
        self.of_any_length = of_any_length
        self.note = None


def is_block_mask(value):
    return callable(getattr(value, "mask_mod", None)) and hasattr(value, "kv_num_blocks")


def is_path(text):
    """Whether FILE or FILE:NAME names a file that is there."""
    if os.path.exists(text):
        return True
    return any(os.path.isfile(text[:at]) for at, letter in enumerate(text) if letter == ":")


def path_argument(path):
    text = os.fspath(path)
    text = os.fsdecode(text) if isinstance(text, bytes) else text
    return "./" + text if text.startswith("-") else text


def form_of(mask, request, lengths):
    """The arguments of a mask. ``lengths`` are q_length and kv_length as far as they are known."""
    if mask is None:
        return Form([])
    if isinstance(mask, str):
        return _of_string(mask, request)
    if isinstance(mask, os.PathLike):
        return _of_path(mask, request)
    if is_block_mask(mask):
        return _of_block_mask(mask, request, lengths)
    if isinstance(mask, Mapping):
        return _of_batch(mask, request)
    if is_array(mask) or is_nested(mask):
        return _of_cells(plain(mask), request)
    if callable(mask) and not isinstance(mask, type):
        return _of_function(mask, request, lengths)
    raise Refused(f"mask is {describe(mask)} but must be a tensor, an array, nested lists, a path, a text, a mask_mod, "
                  "a BlockMask or a dictionary of a batch")


def _of_string(text, request):
    if "\0" in text:
        raise Refused("mask is a text with a zero byte, which no path and no mask has")
    if not text.strip():
        raise Refused("mask is an empty text but must be a path, a text of the mask language or a preset")
    if text == "-":
        raise Refused("mask is \"-\", but standard input belongs to the Python program: read it there")
    if "\n" not in text and len(text) < 4096 and is_path(text):
        return _of_path(text, request)
    if _TEXT.search(text) and not _FILE.search(text):
        return Form(["--mask", request.file([text.encode("utf-8", "surrogatepass")], "mask", ".py")],
                    of_any_length=True)
    if _PRESET.match(text):
        return Form(["--set", f"mask={text}"], of_any_length=True)
    return _of_path(text, request)


def _of_path(path, request):
    """A file: a mask, or a batch, as its names decide where the command asks them."""
    return Form([*request.file_option, path_argument(path)])


def _of_cells(cells, request):
    return Form(["--mask", request.file(parts_of(cells), "mask", ".npy")], cells.shape)


def _of_batch(batch, request):
    members = {name: plain(batch[name], name) for name in MEMBERS if batch.get(name) is not None}
    if not members:
        shown = ", ".join(str(name) for name in list(batch)[:12])
        raise Refused(f"the batch has {shown or 'nothing'}, but one of {', '.join(MEMBERS)} is expected")
    attention = members.get("attention_mask")
    if attention is not None and len(attention.shape) > 2 and "mask" not in members:
        members["mask"] = members.pop("attention_mask")
    data = safetensors_parts(members)
    return Form([request.batch_option, request.file(data, "batch", ".safetensors")])


def _of_block_mask(mask, request, lengths):
    """Its mask_mod, for its lengths unless others are given. The rules about its making are told how it was made."""
    shape = (1, 1, *(int(size) for size in mask.shape))[-4:]
    made = dict(zip(("block_mask_batch", "block_mask_heads", "block_mask_q_length", "block_mask_kv_length"), shape))
    if not hasattr(mask, "seq_lengths"):  # torch 2.5 knows whole blocks only
        made = dict(list(made.items())[:2])
    if getattr(mask.mask_mod, "__name__", "") == "noop_mask":
        form = _of_cells(plain(_by_blocks(mask, shape)), request)
    else:
        q_length, kv_length = lengths if lengths[0] else shape[2:]
        form = _of_function(mask.mask_mod, request, (q_length, kv_length or q_length), shape[:2])
        if request.command == "check" and not request.evaluates:
            for name in set(made) - request.names:
                form.arguments += ["--set", f"{name}={made[name]}"]
    return form


def _by_blocks(mask, shape):
    """The cells of a BlockMask that was made of lists alone: its blocks are seen whole."""
    if math.prod(shape) > MOST_CELLS:
        raise Refused(f"the BlockMask of shape {list(shape)} has no mask_mod, and its blocks have more than "
                      f"{MOST_CELLS} cells")
    cells = mask.to_dense().bool()
    for dimension, size in zip((-2, -1), mask.BLOCK_SIZE):
        cells = cells.repeat_interleave(size, dimension)
    return cells[..., :shape[-2], :shape[-1]]


def _of_function(function, request, lengths, outer=()):
    q_length, kv_length = lengths
    batch, heads = (1, 1, *outer)[-2:]
    reason = request.evaluates  # why its text was refused, or empty
    if not reason:
        try:
            text = read(function, taken=request.names)
            return _of_text(text, request, lengths if outer else (None, None))
        except Unreadable as error:
            reason = str(error)
    q_length = q_length or length_of(function)
    if q_length is None:
        raise Refused(f"the mask_mod cannot be read ({reason or 'not in the mask language'}); give q_length= to "
                      "evaluate it cell by cell")
    kv_length = kv_length or q_length
    known = True
    if not outer:
        batch, heads, known = samples_of(function)
    try:
        cells = evaluate(function, q_length, kv_length, batch, heads)
    except NotEvaluated as error:
        if request.evaluates:
            raise
        raise NotEvaluated(f"the mask_mod cannot be read ({reason}), and {error}") from None
    form = _of_cells(cells, request)
    if not request.polarity:
        form.arguments += ["--polarity", "visible_true"]  # a mask_mod leaves nothing to be guessed
    place, holds = ("", "lengths") if known else (" of b = 0 and h = 0", "alone")
    because = f", because {reason}" if reason else ""
    form.note = (f"the mask_mod was evaluated over {q_length} × {kv_length} indices{place}{because}: "
                 f"the answer holds for these {holds}")
    return form


def _of_text(text, request, lengths):
    arguments = ["--mask", request.file([text.text.encode("utf-8")], "mask", ".py"), "--name", text.name]
    for name, array in text.arrays.items():
        arguments += ["--array", f"text.{name}={request.file(parts_of(array), name, '.npy')}"]
    for name, length in zip(("q_length", "kv_length"), lengths):
        if length is not None:
            arguments += ["--set", f"{name}={length}"]
    return Form(arguments, of_any_length=lengths[0] is None)
