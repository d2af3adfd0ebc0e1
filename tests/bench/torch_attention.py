#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Full causal attention as PyTorch computes it against linear VQ attention, in the same run on this machine.

    torch_attention.py BENCH_CORE

BENCH_CORE is the benchmark binary. Needs torch for this interpreter (Debian: python3-torch), which nothing else does.
softmax(Q K^T + mask) V of one head, float32, d_k 128, d_v 256: both multiply the same tokens' worth of numbers, VQ
attention with 512 codes in blocks of 512, finding the codewords of its keys too. Medians; the bar is 10 times at 8192.
"""

import json
import os
import statistics
import subprocess
import sys
import time

import torch

D_K, D_V = 128, 256
LENGTHS = (2048, 8192)
THREADS = (1, 2)
TIMES = 7


def torch_seconds(length, threads):
    """In a process of its own: torch's BLAS takes the number of threads from the environment alone."""
    count = str(threads)
    result = subprocess.run(
        [sys.executable, __file__, "--torch", str(length), count],
        env=os.environ | {"OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(result.stdout)


def measure_torch(length, threads):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    q = torch.randn(length, D_K) * D_K**-0.25
    k = torch.randn(length, D_K) * D_K**-0.25
    v = torch.randn(length, D_V)
    mask = torch.full((length, length), float("-inf")).triu(1)
    taken = []
    with torch.no_grad():
        for _ in range(1 + TIMES):
            begin = time.perf_counter()
            torch.softmax(torch.addmm(mask, q, k.t()), dim=1) @ v
            taken.append(time.perf_counter() - begin)
    return statistics.median(taken[1:])  # the first one warms up


def linear_seconds(bench, length, threads):
    result = subprocess.run(
        [
            bench,
            f"--benchmark_filter=^linear_alone/{length}/{threads}/",
            f"--benchmark_repetitions={TIMES}",
            "--benchmark_report_aggregates_only=true",
            "--benchmark_format=json",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    runs = json.loads(result.stdout)["benchmarks"]
    median = next(run for run in runs if run["aggregate_name"] == "median")
    return median["real_time"] * 1e-3  # ms


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--torch":
        print(measure_torch(int(sys.argv[2]), int(sys.argv[3])))
        return
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BENCH_CORE")
    print(f"torch {torch.__version__}, float32, d_k {D_K}, d_v {D_V}, one head, medians of {TIMES}")
    print(f"{'T':>6} {'threads':>7} {'torch ms':>10} {'VQ ms':>8} {'ratio':>6}")
    for length in LENGTHS:
        for threads in THREADS:
            full = torch_seconds(length, threads)
            linear = linear_seconds(sys.argv[1], length, threads)
            print(f"{length:>6} {threads:>7} {1e3 * full:>10.1f} {1e3 * linear:>8.1f} {full / linear:>6.1f}")


if __name__ == "__main__":
    main()
