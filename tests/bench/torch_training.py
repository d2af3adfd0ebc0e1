#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training of a small transformer in PyTorch against the same training in VQScope, in the same run on this machine.

    torch_training.py VQSCOPE [STEPS [THREADS]]

VQSCOPE is the program. Needs torch for this interpreter and a BLAS worth comparing with (Debian: python3-torch,
libopenblas0-pthread), which nothing else does; the first line names the BLAS. Both train the model of the measured
runs: d_model 64, 2 layers of 4 heads, SwiGLU of 128, float32, batches of 16 sequences of 64 tokens, AdamW and clipping.
Tokens a second and their ratio, medians of 5 runs that alternate, with one and two threads or with THREADS; the bar is
1.5 with one thread, the aim 2.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn
from torch.nn import functional

VOCAB, D_MODEL, LAYERS, HEADS, D_FF = 40, 64, 2, 4, 128
HEAD_DIM = D_MODEL // HEADS
ROWS, LENGTH = 16, 64
TIMES = 5


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(D_MODEL))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_norm, self.mlp_norm = Norm(), Norm()
        self.qkv = nn.Linear(D_MODEL, 3 * D_MODEL, bias=False)
        self.out = nn.Linear(D_MODEL, D_MODEL, bias=False)
        self.gate_up = nn.Linear(D_MODEL, 2 * D_FF, bias=False)
        self.down = nn.Linear(D_FF, D_MODEL, bias=False)

    def attention(self, x, cos, sin, bias):
        """q and k as the scores take them, v, and the weights."""
        shape = (x.shape[0], x.shape[1], 3, HEADS, HEAD_DIM)
        q, k, v = self.qkv(self.attention_norm(x)).view(shape).permute(2, 0, 3, 1, 4)
        if cos is not None:
            q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        return q, k, v, torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(HEAD_DIM) + bias, -1)

    def forward(self, x, cos, sin, bias):
        _, _, v, p = self.attention(x, cos, sin, bias)
        x = x + self.out((p @ v).transpose(1, 2).reshape(x.shape))
        gate, up = self.gate_up(self.mlp_norm(x)).chunk(2, -1)
        return x + self.down(functional.silu(gate) * up)


class Model(nn.Module):
    def __init__(self, pos):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, D_MODEL)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = Norm(), nn.Linear(D_MODEL, VOCAB, bias=False)
        distance = (torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)[None, :]).float()
        self.bias = torch.zeros(HEADS, LENGTH, LENGTH).masked_fill(distance < 0, float("-inf"))
        self.cos = self.sin = None
        if pos == "alibi":
            slopes = 2.0 ** (-8 * torch.arange(1, HEADS + 1) / HEADS)
            self.bias = self.bias - slopes[:, None, None] * distance
        else:
            angles = torch.arange(LENGTH)[:, None] * 10000 ** (-torch.arange(0, HEAD_DIM, 2) / HEAD_DIM)
            self.cos, self.sin = angles.cos(), angles.sin()

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, self.cos, self.sin, self.bias)
        return self.head(self.norm(x))


def train_torch(pos, steps, threads):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = Model(pos)
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3, betas=(0.9, 0.95), weight_decay=0.1)
    data = torch.randint(VOCAB, (steps, ROWS, LENGTH + 1))
    begin = time.perf_counter()
    for batch in data:
        optimiser.zero_grad(set_to_none=True)
        logits = model(batch[:, :-1])
        functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return steps * ROWS * LENGTH / (time.perf_counter() - begin)


def torch_rate(pos, steps, threads):
    """In a process of its own: torch's BLAS takes the number of threads from the environment alone."""
    count = str(threads)
    result = subprocess.run(
        [sys.executable, __file__, "--torch", pos, str(steps), count],
        env=os.environ | {"OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(result.stdout)


def vqscope_rate(program, pos, steps, threads):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        values = [f"pos={pos}", f"steps={steps}", f"threads={threads}"]
        sets = [argument for value in values for argument in ("--set", value)]
        subprocess.run([program, "run", "train_model", *sets, "--out", report], check=True, capture_output=True)
        with open(report, encoding="utf-8") as file:
            return json.load(file)["tokens_per_second"]


def blas():
    """The name of the file that torch's products come from."""
    torch.ones(2, 2) @ torch.ones(2, 2)
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {os.path.basename(line.split()[-1]) for line in maps if "/" in line}
    names = sorted(name for name in files if "blas" in name or "mkl" in name)
    own = [name for name in names if not name.startswith("libblas")]
    return (own or names or ["a BLAS of its own"])[0]


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--torch":
        print(train_torch(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(f"usage: {sys.argv[0]} VQSCOPE [STEPS [THREADS]]")
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print(f"torch {torch.__version__} with {blas()}, tokens a second in training, medians of {TIMES}")
    print(f"{'model':>6} {'threads':>7} {'torch':>8} {'vqscope':>8} {'ratio':>6}")
    for pos in ("rope", "alibi"):
        for threads in (int(sys.argv[3]),) if len(sys.argv) > 3 else (1, 2):
            rates = [
                (torch_rate(pos, steps, threads), vqscope_rate(sys.argv[1], pos, steps, threads)) for _ in range(TIMES)
            ]
            theirs, ours = (statistics.median(column) for column in zip(*rates))
            ratio = statistics.median(our / their for their, our in rates)
            print(f"{pos:>6} {threads:>7} {theirs:>8.0f} {ours:>8.0f} {ratio:>6.2f}", flush=True)


if __name__ == "__main__":
    main()
