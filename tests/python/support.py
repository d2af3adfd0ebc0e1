# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python client share. CTest sets VQSCOPE."""

import contextlib
import os
import stat
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLIENT = os.path.join(ROOT, "app", "python")
if CLIENT not in sys.path:
    sys.path.insert(0, CLIENT)


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        return None


numpy = imported("numpy")
torch = imported("torch")
needs_numpy = unittest.skipUnless(numpy, "no NumPy")
needs_torch = unittest.skipUnless(torch, "no torch")


def causal_lists(length, window=None):
    return [[k <= q and (window is None or q - k < window) for k in range(length)] for q in range(length)]


@contextlib.contextmanager
def environment(**values):
    """Sets variables of the environment; None removes one."""
    kept = {name: os.environ.get(name) for name in values}
    try:
        for name, value in values.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
        yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)


@contextlib.contextmanager
def fake_program(script):
    """A program that is a shell script, as VQSCOPE."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "vqscope")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, stat.S_IRWXU)
        with environment(VQSCOPE=path):
            yield folder
