# SPDX-License-Identifier: GPL-3.0-or-later
"""show: what reaches the window, with a script in place of the program."""

import os
import tempfile
import time
import unittest

from support import causal_lists, environment, fake_program

import vqscope

WINDOW = 4


def near(b, h, q_idx, kv_idx):
    return (q_idx >= kv_idx) & (q_idx - kv_idx < WINDOW)


class Window(unittest.TestCase):
    def shown(self, *things, **values):
        """The arguments that the program is given, one a line."""
        script = 'printf "%s\\n" "$@" > "$0.part"; mv "$0.part" "$0.said"; sleep 0.2'
        with tempfile.TemporaryDirectory() as runtime, fake_program(script), environment(
                QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=runtime):
            vqscope.show(*things, **values)
            said = os.environ["VQSCOPE"] + ".said"
            until = time.monotonic() + 120
            while not os.path.exists(said) and time.monotonic() < until:
                time.sleep(0.01)
            with open(said, encoding="utf-8") as file:
                paths = file.read().splitlines()
            contents = []
            for path in filter(os.path.isfile, paths):
                self.assertEqual(os.stat(path).st_mode & 0o077, 0)
                with open(path, "rb") as file:
                    contents.append(file.read())
            return paths, contents

    def test_mask_and_tensors(self):
        paths, contents = self.shown(causal_lists(4), q=[[1.0]], k=[[2.0]], v=[[3.0]])
        self.assertEqual([os.path.basename(path) for path in paths], ["mask.npy", "q.npy", "k.npy", "v.npy"])
        self.assertTrue(all(data.startswith(b"\x93NUMPY") for data in contents))

    def test_files_are_opened_as_they_are(self):
        paths, _ = self.shown("a mask.npy", q="q.npy")
        self.assertEqual(paths, [os.path.abspath("a mask.npy"), os.path.abspath("q.npy")])

    def test_function_is_a_text(self):
        paths, contents = self.shown(near, new_window=True)
        self.assertEqual((paths[0], os.path.basename(paths[1])), ("--new-window", "mask.py"))
        self.assertIn(b"WINDOW = 4\ndef near(b, h, q_idx, kv_idx):", contents[0])

    def test_tokens(self):
        for tokens in (["The", "cat", "The"], "The cat The", '["The", "cat", "The"]'):
            paths, contents = self.shown(causal_lists(3), tokens=tokens)
            self.assertEqual(os.path.basename(paths[0]), "mask.safetensors")
            self.assertIn(b'"input_ids":{"dtype":"I64","shape":[3]', contents[0])

    def test_refusals(self):
        with environment(QT_QPA_PLATFORM="offscreen"), tempfile.TemporaryDirectory() as runtime:
            with environment(XDG_RUNTIME_DIR=runtime):
                with self.assertRaisesRegex(vqscope.Refused, "show needs a mask or q, k and v"):
                    vqscope.show()
                with self.assertRaisesRegex(vqscope.Refused, "tokens is an object of type int"):
                    vqscope.show(causal_lists(4), tokens=3)
                with environment(VQSCOPE="/no/vqscope"), self.assertRaisesRegex(vqscope.MissingProgram, "VQSCOPE"):
                    vqscope.show(causal_lists(4))
                self.assertEqual(os.listdir(runtime), [])


if __name__ == "__main__":
    unittest.main()
