# SPDX-License-Identifier: GPL-3.0-or-later
"""Block lists against the cells, and the BlockMask that they make."""

import sys
import types
import unittest
from unittest import mock

from support import causal_lists, needs_torch, torch

import vqscope


def blocks_of(cells, q_size, kv_size):
    """Partial and full blocks of keys of each block of queries, by looking at every cell."""
    q_length, kv_length = len(cells), len(cells[0])
    partial, full = [], []
    for q in range(0, q_length, q_size):
        some, every = [], []
        for k in range(0, kv_length, kv_size):
            columns = range(k, min(k + kv_size, kv_length))
            seen = [cells[i][j] for i in range(q, min(q + q_size, q_length)) for j in columns]
            if len(seen) == q_size * kv_size and all(seen):
                every.append(k // kv_size)
            elif any(seen):
                some.append(k // kv_size)
        partial.append(some)
        full.append(every)
    return partial, full


def listed(lists, name):
    counts, indices = lists[f"{name}_num_blocks"][0][0], lists[f"{name}_indices"][0][0]
    return [[int(each) for each in row[:int(count)]] for count, row in zip(counts, indices)]


def near(b, h, q_idx, kv_idx):
    return (q_idx >= kv_idx) & (q_idx - kv_idx < 20)


class BlockMask:
    def __init__(self, seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, q_num_blocks,
                 q_indices, full_q_num_blocks, full_q_indices, BLOCK_SIZE, mask_mod):
        vars(self).update(locals())


class Blocks(unittest.TestCase):
    def test_lists_are_those_of_the_cells(self):
        cells = causal_lists(70, 20)
        transposed = [list(column) for column in zip(*cells)]
        for mask, values in ((cells, {}), (near, {"q_length": 70})):
            lists = vqscope.block_mask(mask, block_size=(16, 8), **values)
            self.assertEqual((listed(lists, "kv"), listed(lists, "full_kv")), blocks_of(cells, 16, 8))
            self.assertEqual((listed(lists, "q"), listed(lists, "full_q")), blocks_of(transposed, 8, 16))
            self.assertEqual([int(each) for each in lists["block_size"]], [16, 8])

    def test_values_and_refusals(self):
        lists = vqscope.block_mask("packed", q_length=256, documents=[128, 128])
        self.assertEqual(listed(lists, "kv"), [[0], [1]])
        lists = vqscope.block_mask("kv_idx <= q_idx + shift", q_length=256, shift=128, trim=False)
        self.assertEqual(listed(lists, "full_kv"), [[0], [0, 1]])
        self.assertEqual(len(lists["kv_indices"][0][0][0]), 2)
        for size in ("large", (1, 2, 3)):
            with self.assertRaisesRegex(vqscope.Refused, "must be a number or two"):
                vqscope.block_mask(near, q_length=64, block_size=size)
        with self.assertRaisesRegex(vqscope.Refused, "block_size"):
            vqscope.block_mask(near, q_length=64, block_size=0)

    @needs_torch
    def test_torch_block_mask(self):
        made = types.ModuleType("torch.nn.attention.flex_attention")
        made.BlockMask = BlockMask
        modules = {"torch.nn.attention": types.ModuleType("torch.nn.attention"),
                   "torch.nn.attention.flex_attention": made}
        with mock.patch.dict(sys.modules, modules):
            mask = vqscope.torch_block_mask(near, q_length=70, block_size=16)
            table = torch.tensor(causal_lists(70, 20))
            looked_up = vqscope.torch_block_mask(table, block_size=16)
            with self.assertRaisesRegex(vqscope.Refused, "needs mask_mod="):
                vqscope.torch_block_mask("causal", q_length=70)
        self.assertEqual((mask.seq_lengths, mask.BLOCK_SIZE), ((70, 70), (16, 16)))
        self.assertIs(mask.mask_mod, near)
        self.assertEqual(mask.kv_indices.shape, (1, 1, 5, 5))
        self.assertEqual(mask.full_q_indices.dtype, torch.int32)
        self.assertTrue(torch.equal(looked_up.kv_indices, mask.kv_indices))
        q, k = torch.arange(70)[:, None], torch.arange(70)[None]
        self.assertTrue(torch.equal(looked_up.mask_mod(torch.tensor(0), torch.tensor(3), q, k), table))

    @needs_torch
    def test_old_torch_is_refused(self):
        with mock.patch.dict(sys.modules, {"torch.nn.attention.flex_attention": None}):
            with self.assertRaisesRegex(vqscope.Refused, "needs torch 2.5 or newer with flex_attention"):
                vqscope.torch_block_mask(near, q_length=64)


if __name__ == "__main__":
    unittest.main()
