# SPDX-License-Identifier: GPL-3.0-or-later
"""What the questions give: findings, descriptions, rows, configs, numbers."""

import array
import os
import pickle
import subprocess
import tempfile
import unittest
from unittest import mock

from support import causal_lists, environment

import vqscope  # after support, which knows where the client is


class Answers(unittest.TestCase):
    def test_findings(self):
        found = vqscope.check(causal_lists(16), objective="causal", window=8)
        (one,) = found
        self.assertEqual((one["rule"], one.severity, one.row, one.key, one.batch), ("window_off", "error", 8, 0, None))
        self.assertEqual(one.sentence, one["message"])
        self.assertIsInstance(one, dict)
        self.assertIsInstance(found, list)
        self.assertEqual(found.summary.split(",")[0], "1 error")
        (asked,) = vqscope.check([[float(cell) for cell in row] for row in causal_lists(4)]).questions
        self.assertRegex(asked.sentence, r"^mask \[4, 4\] has floats 0 and 1")
        self.assertEqual(pickle.loads(pickle.dumps(found)).summary, found.summary)
        with self.assertRaisesRegex(AttributeError, "a finding has no colour, but batch, count"):
            one.colour

    def test_assert_mask(self):
        self.assertEqual(vqscope.assert_mask(causal_lists(8), objective="causal"), [])
        with self.assertRaises(AssertionError) as failed:
            vqscope.assert_mask(causal_lists(8), objective="causal", window=4, labels=[-100] * 8)
        text = str(failed.exception)
        self.assertIn("window_off", text)
        self.assertIn("Row 4 of 8 sees 5 of 8 keys: 0–4", text)
        self.assertIn("File: mask [8, 8] is boolean", text)

    def test_assert_mask_does_not_pass_on_a_guess(self):
        inverted = [[not cell for cell in row] for row in causal_lists(8)]
        with self.assertRaisesRegex(AssertionError, '(?s)True is masked .guessed.*give dialect="sdpa".*or polarity='):
            vqscope.assert_mask(inverted, objective="causal")
        with self.assertRaisesRegex(AssertionError, r"True is masked in mask \[8, 8\]"):
            vqscope.assert_mask(inverted, objective="causal", dialect="sdpa")
        for stated in ({"polarity": "masked_true"}, {"dialect": "mha"}):
            vqscope.assert_mask(inverted, objective="causal", **stated)
        floats = [[float(cell) for cell in row] for row in causal_lists(8)]
        with self.assertRaisesRegex(AssertionError, "(?s)has floats 0 and 1.*give dialect="):
            vqscope.assert_mask(floats, objective="causal", polarity="visible_true")
        vqscope.assert_mask(floats, objective="causal", values="boolean")

    def test_assert_mask_shows_the_sample(self):
        wrong = causal_lists(6)
        wrong[2][5] = True
        with self.assertRaisesRegex(AssertionError, "(?s)batch 1.*Row 2 of 6 sees 4 of 6 keys.*sample 1 of 2"):
            vqscope.assert_mask([causal_lists(6), wrong], objective="causal")

    def test_row_is_what_the_command_prints(self):
        row = vqscope.row("packed", 5, q_length=8, documents=[4, 4])
        said = subprocess.run([os.environ["VQSCOPE"], "row", "5", "--set", "mask=packed", "--set", "q_length=8",
                               "--array", "document_lengths=4,4"], capture_output=True, text=True).stdout
        self.assertEqual(str(row), said)
        self.assertEqual((row["count"], row["visible"]), (2, [[4, 6]]))
        listed = vqscope.row(causal_lists(6), 3, keys=(1, 3), tokens=["a", "b", "c", "d", "e", "f"])
        self.assertEqual([each["key"] for each in listed["keys"]], [1, 2])
        self.assertEqual(listed["file"].split()[0], "mask")
        for q, sentence in ((-1, "at least 0"), ("two", "must be the number of a query"), (6, "6")):
            with self.assertRaisesRegex(vqscope.Refused, sentence):
                vqscope.row(causal_lists(6), q)

    def test_config(self):
        model = {"model_type": "llama", "rope_theta": 10000.0, "hidden_size": 64, "num_attention_heads": 4}
        self.assertIsInstance(vqscope.config(model), dict)
        self.assertIn("rope_theta 10000", str(vqscope.config(model)))
        other = vqscope.config(model, {**model, "rope_theta": 500000.0})
        self.assertIn("500000", str(other))
        with tempfile.TemporaryDirectory() as folder, environment(HF_HUB_CACHE=folder):
            with self.assertRaisesRegex(vqscope.Refused, "no/model"):
                vqscope.config("no/model")
        with self.assertRaisesRegex(vqscope.Refused, "but must be a path, an id or a dictionary"):
            vqscope.config(3)

    def test_export(self):
        numbers = vqscope.export("visibility", mask=causal_lists(4), rows=(1, 3))
        self.assertEqual([[int(cell) for cell in row] for row in numbers], [[1, 1, 0, 0], [1, 1, 1, 0]])
        self.assertEqual(int(vqscope.export("t5_bucket", q_length=4)[0][1]), 17)
        self.assertEqual(float(vqscope.export("alibi", q_length=2, num_heads=8, head=1)[1][0]), -0.25)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mask.csv")
            self.assertIsNone(vqscope.export("visibility", mask="causal", q_length=4, out=path))
            self.assertTrue(os.path.exists(path))
        with self.assertRaisesRegex(vqscope.Refused, "no_such_method"):
            vqscope.export("no_such_method")

    def test_long_arrays_of_an_answer_are_not_searched(self):
        length = 1 << 16
        named = []

        class Counting(vqscope.request.Request):
            def _named(self, text):
                named.append(len(text))
                return super()._named(text)

        documents = array.array("i", (token // 1000 for token in range(length)))
        with mock.patch.object(vqscope.request, "Request", Counting):
            answer = vqscope.recognise("return (q_idx >= kv_idx) & (document[q_idx] == document[kv_idx])",
                                       q_length=length, document=documents)
        self.assertEqual(len(answer["arrays"]["document_id"]), length)
        self.assertGreater(len(named), 5)
        self.assertLess(sum(named), 4000)

    def test_pictures(self):
        picture = vqscope.check(causal_lists(8), window=4)._repr_svg_()
        if picture is None:
            self.skipTest("the program makes no figures")
        self.assertIn("<svg", picture)
        self.assertIn("<svg", vqscope.recognise("causal", q_length=8)._repr_html_())


if __name__ == "__main__":
    unittest.main()
