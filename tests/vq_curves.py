#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains VQ models and checks what their losses by length must show, for each of some seeds.

  vq_curves.py PROGRAM [--seed FIRST] [--seeds COUNT]

Takes a few minutes on two cores. Prints a line for each check, with its number by seed, and fails where one is beyond
its limit."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

MODELS = "rope,alibi,vq_xl,vq,vq_rope,vq_rope_linear,vq_rope_yarn,vq_xpos,vq_alibi,vq_kerple_log,vq_sandwich,vq_t5_bias"
EXACT = ("vq_xl", "vq", "vq_rope", "vq_xpos", "vq_alibi", "vq_kerple_log", "vq_sandwich", "vq_t5_bias")


def columns(program, arguments, folder):
    """The numbers of a run: name -> list."""
    path = os.path.join(folder, "run.csv")
    subprocess.run([program, "run", *arguments, "--set", "lines=seeds", "--out", path], check=True)
    with open(path, encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


class Checks:
    """Checks of numbers by seed."""

    def __init__(self, seeds):
        self.seeds = seeds
        self.failed = 0

    def add(self, what, number, low, high):
        """`number(seed)` lies from low to high for each seed."""
        numbers = [number(seed) for seed in self.seeds]
        good = all(low <= each <= high for each in numbers)
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}: {', '.join(f'{each:.3g}' for each in numbers)} ({low:g} to {high:g})")


def check_language(program, first, seeds, folder):
    run = columns(program, ["length_extrapolation", "--set", f"models={MODELS}", "--set", "vq_cache=with,test_without",
                            "--set", "quantity=loss", "--set", "longest_multiple=8", "--set", f"seed={first}",
                            "--set", f"seed_count={len(seeds)}"], folder)
    checks = Checks(seeds)

    def gap(model):
        return lambda seed: run[f"{model}, seed {seed}"][-1] - run[f"{model}, seed {seed}"][0]

    def less(model, other):
        return lambda seed: gap(other)(seed) - gap(model)(seed)

    most = float("inf")
    for model in EXACT:
        checks.add(f"{model} tested without its cache, 8x - 1x", gap(model + "_test_without_cache"), -1e-5, 1e-5)
    checks.add("vq_rope 8x - 1x", gap("vq_rope"), 0.05, most)
    checks.add("rope loses more than vq_rope", less("vq_rope", "rope"), 0.1, most)
    checks.add("vq_alibi loses more than alibi", less("alibi", "vq_alibi"), 0.1, most)
    checks.add("vq_xl 8x - 1x", gap("vq_xl"), -0.05, 0.05)
    checks.add("vq above vq_xl at 1x", lambda s: run[f"vq, seed {s}"][0] - run[f"vq_xl, seed {s}"][0], 0.1, most)
    checks.add("vq_rope_linear loses more than vq_rope", less("vq_rope", "vq_rope_linear"), 0.2, most)
    checks.add("vq_rope loses more than vq_rope_yarn", less("vq_rope_yarn", "vq_rope"), 0.1, most)
    return checks.failed


def check_passkeys(program, first, seeds, folder):
    run = columns(program, ["length_generalisation", "--set", "task=passkey", "--set", "models=vq_xl", "--set",
                            "vq_cache=with,without", "--set", "longest_multiple=2", "--set", f"seed={first}", "--set",
                            f"seed_count={len(seeds)}"], folder)
    checks = Checks(seeds)
    without = next(name for name in run if name.startswith("vq_xl_without_cache")).rsplit(", ", 1)[0]
    for size in (60, 120):
        at = run["symbols"].index(size)
        checks.add(f"passkeys among {size} with the cache", lambda s, at=at: run[f"vq_xl, seed {s}"][at], 0.9, 1)
        checks.add(f"passkeys among {size} without it", lambda s, at=at: run[f"{without}, seed {s}"][at], 0, 0.4)
    return checks.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.seeds)
    with tempfile.TemporaryDirectory() as folder:
        failed = check_language(given.program, given.seed, seeds, folder)
        failed += check_passkeys(given.program, given.seed, seeds, folder)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
