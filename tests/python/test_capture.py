# SPDX-License-Identifier: GPL-3.0-or-later
"""capture: steps, layers, tensors and their files, on a small model."""

import collections
import json
import os
import struct
import sys
import tempfile
import types
import unittest
import warnings
from unittest import mock

from support import ROOT, needs_torch, torch

import vqscope
from vqscope.files import read_safetensors

PASTED = os.path.join(ROOT, "resources", "capture", "capture_attention.py")


def attend(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """torch 2's function, which Debian's torch does not have."""
    scores = query @ key.transpose(-1, -2) * (scale or query.shape[-1] ** -0.5)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:]).tril().bool()
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    return scores.softmax(-1) @ value


def model_of(layers):
    class Layer(torch.nn.Module):
        def forward(self, x, mask, position_ids=None):
            q, k, v = (x.unflatten(-1, (2, -1)).transpose(1, 2) + n for n in range(3))
            out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
            return x + out.transpose(1, 2).flatten(-2)

    class Model(torch.nn.Module):
        config = {"num_hidden_layers": layers}

        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Embedding(8, 8)
            self.layers = torch.nn.ModuleList(Layer() for _ in range(layers))

        def forward(self, input_ids, mask=None, position_ids=None):
            x = self.embed(input_ids)
            for layer in self.layers:
                x = layer(x, mask, position_ids=position_ids)
            return x

    return Model()


class Interface(collections.UserDict):
    """As in transformers: entries of its own over those of the class."""

    def __init__(self, of_class):
        super().__init__(of_class)
        self._local_mapping = {}

    def __getitem__(self, key):
        return self._local_mapping.get(key, self.data[key])

    def __setitem__(self, key, value):
        (self._local_mapping if hasattr(self, "_local_mapping") else self.data)[key] = value

    def __delitem__(self, key):
        del self._local_mapping[key]


def read_file(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    size = struct.unpack_from("<Q", data)[0]
    return read_safetensors(data), json.loads(data[8:8 + size])["__metadata__"]


def layer_files(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("step"))


@needs_torch
class Captures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "a capture")
        patched = mock.patch.object(torch.nn.functional, "scaled_dot_product_attention", attend, create=True)
        patched.start()
        self.addCleanup(patched.stop)
        self.ids = torch.tensor([[1, 2, 3, 4]])

    def test_steps_layers_and_files(self):
        model, loss = model_of(2), torch.nn.MSELoss()
        call = torch.nn.Module.__call__
        with vqscope.capture(self.folder):
            out = model(self.ids, position_ids=torch.arange(4)[None])
            loss(out, out)  # calls no attention, so it is no step
            model(self.ids, torch.ones(4, 4).tril().bool())
        self.assertIs(torch.nn.Module.__call__, call)
        self.assertIs(torch.nn.functional.scaled_dot_product_attention, attend)
        self.assertEqual(layer_files(self.folder), [f"step000{step}_layer0{layer}.safetensors"
                                                    for step in range(2) for layer in range(2)])
        tensors, metadata = read_file(self.folder, "step0000_layer01.safetensors")
        self.assertEqual(sorted(tensors), ["k", "out", "position_ids", "q", "v"])
        self.assertEqual((tensors["q"].shape, metadata["is_causal"]), ((1, 2, 4, 4), "true"))
        tensors, metadata = read_file(self.folder, "step0001_layer00.safetensors")
        self.assertEqual((tensors["mask"].shape, metadata["is_causal"]), ((1, 1, 4, 4), "false"))
        q, k, v, mask, out = (torch.from_numpy(tensors[name].copy()) for name in ("q", "k", "v", "mask", "out"))
        self.assertTrue(torch.equal(out, attend(q, k, v, mask)))
        with open(os.path.join(self.folder, "capture.json"), encoding="utf-8") as file:
            summary = json.load(file)
        self.assertEqual((summary["format"], summary["batch"], summary["past"], summary["config"]),
                         (1, 1, 0, {"num_hidden_layers": 2}))
        with open(os.path.join(self.folder, "inputs.safetensors"), "rb") as file:
            self.assertEqual(read_safetensors(file.read())["input_ids"].tolist(), [[1, 2, 3, 4]])

    def test_chosen_steps_and_layers(self):
        model = model_of(3)
        watching = vqscope.capture(self.folder, layers=[0, 2], steps=[1])
        for _ in range(2):
            model(self.ids)
        self.assertFalse(watching.is_running)  # after the last step that was asked for
        model(self.ids)
        self.assertEqual(layer_files(self.folder), ["step0001_layer00.safetensors", "step0001_layer02.safetensors"])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "capture.json")))
        with self.assertRaisesRegex(vqscope.Refused, "holds a capture already"):
            vqscope.capture(self.folder)
        for wrong in (-1, True, [-1], "all", 0.5):
            with self.assertRaisesRegex(vqscope.Refused, "but must be how many from the first on, or a list"):
                vqscope.capture(self.folder + "2", steps=wrong)
        for off in (0, []):
            with vqscope.capture(self.folder + "2", steps=off):
                self.assertIs(torch.nn.functional.scaled_dot_product_attention, attend)

    def test_an_error_in_the_model_ends_its_step(self):
        model = model_of(1)
        with vqscope.capture(self.folder):
            with self.assertRaises(TypeError):
                model(self.ids, mask=3)
            model(self.ids)
        self.assertEqual(layer_files(self.folder), ["step0001_layer00.safetensors"])

    def test_nothing_seen_and_functions_alone(self):
        with self.assertWarnsRegex(UserWarning, "saw no attention call"), vqscope.capture(self.folder):
            pass
        one = torch.ones(1, 1, 2, 4, dtype=torch.bfloat16)
        with vqscope.capture(self.folder):
            torch.nn.functional.scaled_dot_product_attention(one.float(), one.float(), one.float())
            torch.nn.functional.scaled_dot_product_attention(one.float(), one.float(), one.float())
        self.assertEqual(layer_files(self.folder), ["step0000_layer00.safetensors", "step0001_layer00.safetensors"])

    def test_flex_attention(self):
        flex = types.ModuleType("torch.nn.attention.flex_attention")
        flex.flex_attention = lambda query, key, value, score_mod=None, block_mask=None, scale=None: query

        class BlockMask:
            mask_mod = staticmethod(lambda b, h, q, k: q >= k)
            kv_num_blocks, shape = None, (1, 1, 128, 128)

        user = types.ModuleType("a_users_module")
        user.attention = flex.flex_attention
        one = torch.ones(1, 1, 4, 4)
        with mock.patch.dict(sys.modules, {flex.__name__: flex, user.__name__: user}), vqscope.capture(self.folder):
            user.attention(one, one, one, block_mask=BlockMask())
        tensors, metadata = read_file(self.folder, "step0000_layer00.safetensors")
        self.assertEqual(metadata["source"], "flex_attention")
        self.assertTrue(torch.equal(torch.from_numpy(tensors["mask"]), torch.ones(1, 1, 4, 4).tril().bool()))

    def test_transformers_interface(self):
        def sdpa_attention_forward(module, query, key, value, attention_mask, **more):
            key, value = (each.repeat_interleave(2, 1) for each in (key, value))
            out = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask,
                                                                   is_causal=attention_mask is None)
            return out.transpose(1, 2), None

        library = types.ModuleType("transformers.modeling_utils")
        library.ALL_ATTENTION_FUNCTIONS = Interface({"sdpa": sdpa_attention_forward})

        class Model(torch.nn.Module):
            def forward(self, x):
                for _ in range(2):
                    attention = library.ALL_ATTENTION_FUNCTIONS["sdpa"]
                    attention(self, x, x[:, :1], x[:, :1], None, position_ids=torch.arange(3)[None])

        with mock.patch.dict(sys.modules, {library.__name__: library}), vqscope.capture(self.folder, layers=[1]):
            Model()(torch.ones(1, 2, 3, 4))
        self.assertEqual(layer_files(self.folder), ["step0000_layer01.safetensors"])
        tensors, metadata = read_file(self.folder, "step0000_layer01.safetensors")
        self.assertEqual((tensors["k"].shape, tensors["out"].shape), ((1, 1, 3, 4), (1, 2, 3, 4)))
        self.assertEqual((metadata["is_causal"], metadata["source"]), ("true", "sdpa"))
        self.assertEqual(tensors["position_ids"].tolist(), [[0, 1, 2]])
        self.assertIs(library.ALL_ATTENTION_FUNCTIONS["sdpa"], sdpa_attention_forward)
        self.assertEqual(library.ALL_ATTENTION_FUNCTIONS._local_mapping, {})

    def test_a_full_disk_ends_the_capture_alone(self):
        model = model_of(1)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            watching = vqscope.capture(self.folder)
            with mock.patch("vqscope.capturing.store.os.replace", side_effect=OSError(28, "No space left on device")):
                model(self.ids)
        self.assertIn("No space left on device", str(said[0].message))
        self.assertFalse(watching.is_running)

    def test_pasted_text_writes_the_same_files(self):
        with open(PASTED, encoding="utf-8") as file:
            text = file.read()
        self.assertLessEqual(len(text.splitlines()), 40)
        model, mask, pasted = model_of(2), torch.ones(4, 4).tril().bool(), self.folder + " by hand"
        with vqscope.capture(self.folder, steps=1):
            model(self.ids, mask)
        with mock.patch.object(torch.nn.Module, "__call__", torch.nn.Module.__call__):
            with mock.patch.object(torch.nn.functional, "scaled_dot_product_attention", attend):
                exec(text.replace('FOLDER, STEPS = "capture"', f"FOLDER, STEPS = {pasted!r}"), {})
                model(self.ids, mask)
                model(self.ids, mask)
        self.assertEqual(layer_files(pasted), layer_files(self.folder))
        for name in layer_files(pasted):
            (one, metadata), (other, _) = read_file(pasted, name), read_file(self.folder, name)
            self.assertEqual(sorted(one), sorted(other))
            self.assertTrue(all((one[each] == other[each]).all() for each in one))
            self.assertEqual(metadata["is_causal"], "false")


if __name__ == "__main__":
    unittest.main()
