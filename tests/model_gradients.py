#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `vqscope run model_gradients` with a folder of cases that another framework has computed.

  model_gradients.py PROGRAM [FOLDER] [--precision float64|float32]

FOLDER (by default tests/data/model) holds cases.json, weights.safetensors and CASE.safetensors; a case without its file
is passed over. Prints a line for each case with the largest differences, and fails where one is beyond its limit."""
import argparse
import array
import json
import math
import os
import subprocess
import sys
import tempfile

CODES = {"F64": "d", "F32": "f", "I32": "i"}
#         logits   losses  gradients and parameters  attention
LIMITS = {"float64": (1e-10, 1e-11, 1e-9, 1e-6), "float32": (5e-5, 1e-5, 2e-5, 1e-5)}


def read(path):
    """The tensors of a .safetensors file: name -> (dtype, shape, numbers)."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        tensors[name] = entry["dtype"], entry["shape"], array.array(CODES[entry["dtype"]], data[begin:end])
    return tensors


def limit_of(name, dtype, precision):
    """(limit, whether it is one of the whole tensor's norm)."""
    logits, losses, gradients, attention = LIMITS[precision]
    if name == "out.logits":
        return logits, False
    if name.endswith("loss"):
        return losses, False
    if name.startswith("out.attn"):
        return attention, False
    return (max(gradients, 1e-6) if dtype == "F32" else gradients), True


def difference(own, golden, relative):
    if not relative:
        return max(abs(a - b) for a, b in zip(own, golden))
    size = math.sqrt(sum(b * b for b in golden))
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(own, golden))) / max(size, 1e-300)


def compare(golden, own, precision):
    """The largest difference by kind of tensor, and what is wrong."""
    worst, wrong = {}, []
    for name, (dtype, shape, numbers) in golden.items():
        if name.startswith("in."):
            continue
        ours = own.get(name.removeprefix("out."))
        if ours is None or ours[1] != shape:
            wrong.append(f"{name}: expected the shape {shape}, found {ours and ours[1]}")
        elif dtype == "I32":
            wrong += [] if ours[2] == numbers else [f"{name} differs"]
        else:
            limit, relative = limit_of(name, dtype, precision)
            apart = difference(ours[2], numbers, relative)
            kind = name.removeprefix("out.").split(".")[0]
            worst[kind] = max(worst.get(kind, 0.0), apart)
            if not apart <= limit:
                wrong.append(f"{name} is off by {apart:.2e}, the limit is {limit:.0e}")
    return worst, wrong


def run(program, folder, name, case, precision, temporary):
    config = dict(case["config"])
    if "optimizer" in case:
        config["optimizer"] = case["optimizer"]
    config_file = os.path.join(temporary, "config.json")
    with open(config_file, "w", encoding="utf-8") as file:
        json.dump(config, file)
    out = os.path.join(temporary, "g.safetensors")
    done = subprocess.run(
        [program, "run", "model_gradients", "--set", f"config={config_file}", "--set",
         f"weights={os.path.join(folder, 'weights.safetensors')}", "--set",
         f"inputs={os.path.join(folder, name + '.safetensors')}", "--set", f"precision={precision}", "--out", out],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {}, [done.stderr.strip()]
    return compare(read(os.path.join(folder, name + ".safetensors")), read(out), precision)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder", nargs="?", default=os.path.join(os.path.dirname(__file__), "data", "model"))
    parser.add_argument("--precision", choices=LIMITS, default="float64")
    arguments = parser.parse_args()
    with open(os.path.join(arguments.folder, "cases.json"), encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    failed = 0
    for name, case in cases.items():
        if not os.path.exists(os.path.join(arguments.folder, name + ".safetensors")):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            worst, wrong = run(arguments.program, arguments.folder, name, case, arguments.precision, temporary)
        failed += bool(wrong)
        print(f"{name:22}", "  ".join(f"{kind} {apart:.1e}" for kind, apart in worst.items()), *wrong, sep="\n    "
              if wrong else "  ")
    print(f"{failed} cases failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
