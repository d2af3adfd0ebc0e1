#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that VQScope trains against the same weights in PyTorch: the captures of both, held against each other.

    torch_twin.py VQSCOPE [POS [DTYPE [FOLDER]]]

VQSCOPE trains the model of torch_training.py with POS, rope or alibi, and captures what its layers see of a sequence.
The twin loads the weights, computes the same sequence in DTYPE, float32 or bfloat16, and writes a capture. `VQSCOPE
parity` tells whether they are equal within the noise of the dtype; its exit status is that of this program. FOLDER
keeps the files. Needs torch for this interpreter (Debian: python3-torch), which nothing else does.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

import torch
from torch_training import LAYERS, Model

POSITIONS = ("rope", "alibi")
FLOATS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
DTYPES = {"F32": torch.float32, "I32": torch.int32, "BF16": torch.bfloat16}


def read_safetensors(path):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = torch.frombuffer(data[begin:end], dtype=DTYPES[entry["dtype"]]).view(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    header, parts, end = {}, [], 0
    names = {dtype: name for name, dtype in DTYPES.items()}
    for name, tensor in tensors.items():
        parts.append(bytes(tensor.contiguous().flatten().view(torch.uint8).tolist()))
        offsets = [end, end := end + len(parts[-1])]
        header[name] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


PARTS = {
    "attention_norm": ["input_layernorm"],
    "qkv": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"],
    "out": ["self_attn.o_proj"],
    "mlp_norm": ["post_attention_layernorm"],
    "gate_up": ["mlp.gate_proj", "mlp.up_proj"],
    "down": ["mlp.down_proj"],
}


def twin_of(weights, pos):
    """The model of torch_training.py with weights under Hugging Face's names."""
    own = {"embed": "model.embed_tokens", "norm": "model.norm", "head": "lm_head"}
    state = {f"{name}.weight": weights[f"{theirs}.weight"] for name, theirs in own.items()}
    for layer in range(LAYERS):
        for name, parts in PARTS.items():
            tensors = [weights[f"model.layers.{layer}.{part}.weight"] for part in parts]
            state[f"layers.{layer}.{name}.weight"] = torch.cat(tensors)
    model = Model(pos)
    model.load_state_dict(state)
    return model


@torch.no_grad()
def captured(model, tokens, pos, dtype):
    model = model.to(dtype)
    tables = [None if table is None else table.to(dtype) for table in (model.cos, model.sin, model.bias)]
    x, tensors = model.embed(tokens), {"input_ids": tokens.int()}
    names = ("q_rot", "k_rot", "v", "weights") if pos == "rope" else ("q", "k", "v", "weights")
    for number, layer in enumerate(model.layers):
        for name, tensor in zip(names, layer.attention(x, *tables)):
            tensors[f"layers.{number}.{name}"] = tensor
        x = layer(x, *tables)
    return tensors


def compare(program, pos, dtype, folder):
    weights, ours, theirs = (
        os.path.join(folder, name + ".safetensors") for name in ("vqscope", "vqscope.capture", "torch.capture")
    )
    subprocess.run(
        [program, "run", "train_model", "--set", f"pos={pos}", "--set", "steps=200", "--out", weights, ours],
        check=True,
        capture_output=True,
    )
    tokens = read_safetensors(ours)["input_ids"].long()
    model = twin_of(read_safetensors(weights), pos)
    write_safetensors(theirs, captured(model, tokens, pos, dtype))
    return subprocess.run([program, "parity", ours, theirs], check=False).returncode


def main():
    arguments = sys.argv[1:] + ["rope", "float32"][max(0, len(sys.argv) - 2) :]
    if len(arguments) not in (3, 4) or arguments[1] not in POSITIONS or arguments[2] not in FLOATS:
        sys.exit(f"usage: {sys.argv[0]} VQSCOPE [{'|'.join(POSITIONS)} [{'|'.join(FLOATS)} [FOLDER]]]")
    program, pos, dtype = arguments[:3]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(compare(program, pos, FLOATS[dtype], (arguments + [folder])[3]))


if __name__ == "__main__":
    main()
