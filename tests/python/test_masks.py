# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a caller may give as a mask or as an array."""

import array
import os
import pathlib
import tempfile
import unittest
from unittest import mock

from support import causal_lists, environment, fake_program, needs_numpy, needs_torch, numpy, torch

import vqscope  # after support, which knows where the client is
from vqscope.arrays import plain
from vqscope.files import safetensors_parts


class Masks(unittest.TestCase):
    def test_lists_text_preset_and_nothing(self):
        self.assertEqual(str(vqscope.recognise(causal_lists(12, 3))), "causal ∧ window 3")
        self.assertEqual(str(vqscope.recognise("kv_idx <= q_idx", q_length=9)), "causal")
        self.assertEqual(str(vqscope.recognise("packed", q_length=6, document_lengths=[2, 4])),
                         "causal ∧ documents [2, 4]")
        self.assertEqual(vqscope.check(attention_mask=[[0, 1, 1], [1, 1, 1]]).report["samples"], 2)

    def test_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a mask of ü.csv"
            path.write_text("\n".join(",".join(str(int(cell)) for cell in row) for row in causal_lists(6)))
            self.assertEqual(str(vqscope.recognise(path)), "causal")
            self.assertEqual(str(vqscope.recognise(str(path))), "causal")
            with self.assertRaisesRegex(vqscope.Refused, "No such file"):
                vqscope.check(pathlib.Path(folder) / "none.npy")

    def test_batch(self):
        found = vqscope.check({"attention_mask": [[0, 1, 1], [1, 1, 1]], "labels": [[-100, 2, 3], [4, 5, 6]],
                               "unknown": object()})
        self.assertEqual(found.report["samples"], 2)
        with self.assertRaisesRegex(vqscope.Refused, "the batch has pixels, but one of attention_mask, mask"):
            vqscope.check({"pixels": [1]})

    def test_batch_file(self):
        wrong = [[1, 1, 1], [1, 1, 0], [1, 1, 1]]
        arrays = {"mask": plain(wrong), "labels": plain([-100, 2, 3])}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "batch.safetensors")
            with open(path, "wb") as file:
                file.write(b"".join(bytes(part) for part in safetensors_parts(arrays)))
            self.assertEqual({each.rule for each in vqscope.check(path, objective="causal")}, {"future_visible"})
            with self.assertRaisesRegex(AssertionError, "Row 0 of 3 sees 3 of 3 keys"):
                vqscope.assert_mask(path, objective="causal")

    def test_refused_values(self):
        for mask, sentence in (
                ([[True, False], [True]], "mask is ragged: a list of 1 stands where 2 are expected"),
                ([[True, None]], "mask holds None where a number, True or False is expected"),
                ([], r"the array has shape \(0,\)"), ([[]], "holds no cells"), ([1, 0, 1], r"the array has shape \(3,\)"),
                (3.5, "mask is an object of type float"),
                ("", "mask is an empty text"), (len, "a function of Python's own"),
                ([[1 << 70]], "does not fit into 64 bits"), ("-", "standard input belongs to the Python program"),
                ("no such file.npy", "cannot read no such file.npy"), ("a mask (1).npz:m", r"cannot read a mask \(1\)"),
                (b"bytes", "mask is an object of type bytes")):
            with self.subTest(mask=mask), self.assertRaisesRegex(vqscope.Refused, sentence):
                vqscope.check(mask)

    def test_nothing_is_refused(self):
        for ask in (vqscope.check, vqscope.recognise, vqscope.assert_mask):
            with self.assertRaisesRegex(vqscope.Refused, "needs a mask"):
                ask(None)
        self.assertEqual(vqscope.check(labels=[1, 2, -100]).report["shape"], [3, 3])

    @needs_torch
    def test_huge_views_are_refused_before_they_are_copied(self):
        for mask in (torch.ones(1, dtype=torch.bool).expand(1 << 20, 1 << 20),
                     numpy.broadcast_to(numpy.ones(1, bool), (1 << 20, 1 << 20))):
            with self.assertRaisesRegex(vqscope.Refused, "mask has 1099511627776 elements"):
                vqscope.check(mask)

    @needs_torch
    def test_repetitions_are_not_copied(self):
        causal = torch.ones(8, 8).tril().bool()
        for mask in (causal.expand(4096, 1024, 8, 8), numpy.broadcast_to(causal.numpy(), (4096, 1024, 8, 8))):
            self.assertEqual(str(vqscope.recognise(mask)), "causal")
            self.assertEqual(vqscope.check(mask[:2, :2]).report["samples"], 2)

    def test_documents(self):
        for documents in ([4, 4], [0, 0, 0, 0, 1, 1, 1, 1], array.array("i", [4, 4]), [[4, 4]]):
            found = vqscope.check(causal_lists(8), documents=documents)
            self.assertEqual([each.rule for each in found], ["document_leak"], documents)
        found = vqscope.check([causal_lists(8)] * 2, documents=[[4, 4], [8]])
        self.assertEqual([(each.rule, each.batch) for each in found], [("document_leak", 0)])
        with self.assertRaisesRegex(vqscope.Refused, "documents of the samples add up to 4, 8 tokens"):
            vqscope.check([causal_lists(8)] * 2, documents=[[4], [4, 4]])

    def test_samples_and_heads(self):
        wrong = causal_lists(6)
        wrong[2][5] = True
        found = vqscope.check([[causal_lists(6), wrong], [causal_lists(6), causal_lists(6)]], objective="causal")
        self.assertEqual([(each.rule, each.batch, each.head, each.row, each.key) for each in found],
                         [("future_visible", 0, 1, 2, 5)])
        self.assertEqual(vqscope.check([causal_lists(6), wrong], objective="causal", batch=0), [])

    @needs_numpy
    def test_numpy(self):
        causal = numpy.tril(numpy.ones((8, 8), bool))
        big = causal.astype(">f4")
        for mask in (causal, causal[None, None], numpy.asfortranarray(causal), causal[::-1][::-1],
                     numpy.where(causal, 0.0, -numpy.inf), causal.astype("u2"),
                     numpy.where(causal, big * 0, numpy.float32(-1e30)).astype(">f4"), causal.astype(object)):
            self.assertEqual(str(vqscope.recognise(mask)), "causal")
        for kind, sentence in (("c8", "complex64"), ("U3", "dtype <U3"), ("M8[s]", "dtype datetime64")):
            with self.assertRaisesRegex(vqscope.Refused, sentence):
                vqscope.check(numpy.zeros((2, 2), kind))

    @needs_torch
    def test_torch(self):
        causal = torch.ones(8, 8).tril().bool()
        additive = torch.zeros(8, 8).masked_fill(~causal, float("-inf"))
        for mask in (causal, additive.bfloat16(), additive.half(), causal.expand(3, 2, 8, 8), causal.t().flip(0, 1),
                     additive.requires_grad_(), [causal, causal], torch.nn.Parameter(additive.detach())):
            self.assertEqual(str(vqscope.recognise(mask)), "causal")
        self.assertEqual(str(vqscope.recognise(torch.ones(16, 16).tril().bool()[::2, ::2])), "causal")
        with self.assertRaisesRegex(vqscope.Refused, "sparse"):
            vqscope.check(causal.float().to_sparse())
        with self.assertRaisesRegex(vqscope.Refused, "device meta"):
            vqscope.check(torch.ones(4, 4, device="meta"))

    @needs_torch
    def test_bits_reach_the_program(self):
        bits = torch.arange(-32768, 32767, 7, dtype=torch.int16)[:9000].reshape(90, 100)
        for sent in (bits.view(torch.bfloat16), bits.view(torch.float16), bits, bits.view(torch.bfloat16).t()[::3]):
            script = ('while [ $# -gt 0 ]; do [ "$1" = --mask ] && cp "$2" "$0.mask"; shift; done; '
                      'echo "vqscope: seen" >&2; exit 2')
            with fake_program(script), self.assertRaisesRegex(vqscope.Refused, "^seen$"):
                try:
                    vqscope.check(sent)
                finally:
                    with open(os.environ["VQSCOPE"] + ".mask", "rb") as file:
                        data = file.read()
            raw = sent.contiguous().view(torch.int16).numpy().tobytes()
            self.assertEqual(data[-len(raw):], raw)

    def test_misspelt_names(self):
        with self.assertRaisesRegex(vqscope.Refused, "unknown argument objektive of check, did you mean objective"):
            vqscope.check(causal_lists(4), objektive="causal")
        with self.assertRaisesRegex(vqscope.Refused, "windw of recognise.*allowed are.*polarity"):
            vqscope.recognise(causal_lists(4), windw=3)
        with self.assertRaisesRegex(vqscope.Refused, "block_sice of block_mask, did you mean block_size.*trim"):
            vqscope.block_mask(causal_lists(4), block_sice=3)
        with self.assertRaisesRegex(vqscope.Refused, "objective"):
            vqscope.check(causal_lists(4), objective="casual")

    def test_leaves_no_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with environment(TMPDIR=folder), mock.patch.object(tempfile, "tempdir", folder):
                vqscope.check(causal_lists(8), labels=list(range(8)), position_ids=list(range(8)))
                vqscope.export("visibility", mask=causal_lists(8))
                with self.assertRaises(vqscope.Refused):
                    vqscope.check(causal_lists(8), labels=[1])
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
