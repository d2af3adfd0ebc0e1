# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the guide's page, one after the other."""

import contextlib
import io
import linecache
import os
import re
import tempfile
import unittest
from unittest import mock

from support import ROOT, torch

PAGE = os.path.join(ROOT, "resources", "docs", "guide", "python.md")


class Guide(unittest.TestCase):
    def test_examples(self):
        with open(PAGE, encoding="utf-8") as file:
            examples = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        self.assertGreaterEqual(len(examples), 5)
        scope = {"__name__": "guide"}
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            os.chdir(folder)
            try:
                for number, example in enumerate(examples):
                    name = f"<example {number}>"
                    # As a notebook does, so that functions have a source.
                    linecache.cache[name] = (len(example), None, example.splitlines(keepends=True), name)
                    code = compile(example, name, "exec")
                    if "# needs torch" not in example:
                        exec(code, scope)
                    elif torch:
                        self.with_model(code, scope)
                self.assertIn("mask.csv", os.listdir(folder))
            finally:
                os.chdir(here)

    def with_model(self, code, scope):
        def attend(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False):
            return value

        class Model(torch.nn.Module):
            def forward(self, x):
                return torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)

        with mock.patch.object(torch.nn.functional, "scaled_dot_product_attention", attend, create=True):
            exec(code, {**scope, "model": Model(), "batch": {"x": torch.ones(1, 1, 2, 4)}})
        self.assertEqual(sorted(os.listdir("captured")), ["capture.json", "step0000_layer00.safetensors"])


if __name__ == "__main__":
    unittest.main()
