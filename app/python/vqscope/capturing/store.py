# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a capture: written aside and renamed, so that a file that exists is whole."""

import json
import os

from ..arrays import is_tensor, plain
from ..files import safetensors_parts
from ..functions import evaluate
from ..masks import is_block_mask
from ..payload import write_file

_MOST_MASK = 1 << 26
_INPUTS = ("input_ids", "attention_mask", "cu_seqlens", "cache_position")


def write_aside(folder, name, parts):
    path = os.path.join(folder, name)
    write_file(path + ".part", parts, os.O_TRUNC, 0o666)
    os.replace(path + ".part", path)


def layer_name(step, layer):
    return f"step{step:04d}_layer{layer:02d}.safetensors"


def write_layer(folder, step, layer, call, positions):
    """One attention call. The mask is [B or 1, H or 1, Tq, Tk]; that of a BlockMask is made from its mask_mod."""
    arrays, notes = {}, {}
    for name, value in (("q", call.q), ("k", call.k), ("v", call.v), ("out", call.out), ("weights", call.weights)):
        if is_tensor(value):
            arrays[name] = plain(value, name)
    if is_tensor(call.mask):
        mask = call.mask
        while mask.dim() < 4:
            mask = mask[None]
        arrays["mask"] = plain(mask, "mask")
    elif is_block_mask(call.mask) and "q" in arrays and "k" in arrays:
        q_length, kv_length = arrays["q"].shape[-2], arrays["k"].shape[-2]
        batch, heads = ((1, 1) + tuple(int(size) for size in call.mask.shape[:-2]))[-2:]
        if batch * heads * q_length * kv_length <= _MOST_MASK:
            arrays["mask"] = evaluate(call.mask.mask_mod, q_length, kv_length, batch, heads, call.q.device)
        else:
            notes["mask"] = "too large to be written as cells"
    if is_tensor(positions):
        arrays["position_ids"] = plain(positions if positions.dim() > 1 else positions[None], "position_ids")
    scalars = {"is_causal": False, **call.scalars}
    metadata = {name: json.dumps(value) for name, value in scalars.items()}
    write_aside(folder, layer_name(step, layer),
                safetensors_parts(arrays, {**metadata, **notes, "source": call.source}))
    return arrays


def write_inputs(folder, values):
    arrays = {}
    for name in _INPUTS:
        value = values.get(name)
        if is_tensor(value) and value.dim() in (1, 2):
            arrays[name] = plain(value if name in ("cu_seqlens", "cache_position") or value.dim() == 2 else value[None])
    if arrays:
        write_aside(folder, "inputs.safetensors", safetensors_parts(arrays))


def write_summary(folder, summary):
    text = json.dumps({"format": 1, **summary}, default=str, indent=1, ensure_ascii=False)
    write_aside(folder, "capture.json", [text.encode("utf-8", "surrogatepass")])


def config_of(module):
    """The config of a model, or None; that of a wrapper such as DistributedDataParallel is its module's."""
    for _ in range(4):
        config = getattr(module, "config", None)
        if callable(getattr(config, "to_dict", None)):
            return config.to_dict()
        if isinstance(config, dict):
            return config
        module = getattr(module, "module", None)
        if module is None:
            return None
    return None
