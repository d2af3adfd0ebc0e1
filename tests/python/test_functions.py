# SPDX-License-Identifier: GPL-3.0-or-later
"""mask_mod functions: their source and values, or their cells where the source cannot serve."""

import enum
import functools
import math
import unittest

from support import needs_numpy, needs_torch, numpy, torch

import vqscope  # after support, which knows where the client is
from vqscope.functions import read

WINDOW = 3
doc = [0, 0, 0, 0, 1, 1, 1, 1]


def near(b, h, q_idx, kv_idx):
    return (q_idx - kv_idx < WINDOW) & (q_idx >= kv_idx)  # as trained


def of_window(window, causal=True):
    """A factory whose
    docstring has lines."""
    def mask(b, h, q_idx, kv_idx):
        """So has
        this one."""
        seen = q_idx - kv_idx < window
        return seen & (q_idx >= kv_idx) if causal else seen

    return mask


class Setting:
    def __init__(self, window):
        self.window = window
        self.sizes = {"one": window}

    def mask_mod(self, b, h, q_idx, kv_idx, more=math.gcd(2, 4)):
        return self.causal(b, h, q_idx, kv_idx) & (q_idx - kv_idx < self.window + more)

    @staticmethod
    def causal(b, h, q_idx, kv_idx):
        return q_idx >= kv_idx

    def __call__(self, b, h, q_idx, kv_idx):
        return (q_idx >= kv_idx) & (q_idx - kv_idx < self.sizes["one"])


def both(first, second):
    return lambda b, h, q, k: first(b, h, q, k) & second(b, h, q, k)


def either(b, h, q_idx, kv_idx):
    return _two(b, h, q_idx, kv_idx) | near(b, h, q_idx, kv_idx)


_two = of_window(2)


def by_argument(window, b, h, q_idx, kv_idx):
    return (q_idx >= kv_idx) & (q_idx - kv_idx < window)


def by_key(b, h, q_idx, kv_idx):
    return {0: True, 1: kv_idx == 0}[int(q_idx) % 2] and kv_idx <= q_idx


def halves(b, h, q_idx, kv_idx):
    def is_first(index):
        return index < 4

    same = torch.where(is_first(q_idx), kv_idx < 4, kv_idx >= 4)
    return torch.logical_and(torch.abs(q_idx - kv_idx) < 3, same)


def inverted(function):
    @functools.wraps(function)
    def mask_mod(*indices):
        return (function(*indices) == 0) | (1 == 2)

    return mask_mod


def described(function, **values):
    return str(vqscope.recognise(function, **values))


class Functions(unittest.TestCase):
    def test_source_and_values(self):
        self.assertEqual(described(near, q_length=12), "causal ∧ window 3")
        self.assertIn("# as trained", read(near).text)
        self.assertEqual(described(of_window(5), q_length=12), "causal ∧ window 5")
        self.assertEqual(described(either, q_length=12), "causal ∧ window 3")
        self.assertEqual(described(both(of_window(4), of_window(6)), q_length=12), "causal ∧ window 4")
        self.assertEqual(described(lambda b, h, q, k: (q >= k) & (q - k < WINDOW), q_length=12), "causal ∧ window 3")
        self.assertEqual(described(lambda q, k: q >= k, q_length=12), "causal")
        ask = lambda: described(lambda b, h, q, k: q >= k, q_length=12)  # noqa: E731
        self.assertEqual(ask(), "causal")
        self.assertEqual(described(functools.partial(by_argument, 4), q_length=12), "causal ∧ window 4")

    def test_objects(self):
        self.assertEqual(described(Setting(3).mask_mod, q_length=12), "causal ∧ window 5")
        self.assertEqual(described(Setting(3), q_length=12), "causal ∧ window 3")
        self.assertEqual(described(lambda b, h, q, k: doc[q] == doc[k], q_length=8), "documents [4, 4]")

    def test_findings_name_the_function(self):
        self.assertEqual(vqscope.check(near).notes,
                         ["q_length is not given: the answer is for 512 queries and 512 keys"])
        found = vqscope.check(near, q_length=16, window=2)
        self.assertEqual([(each.rule, each.row, each.key) for each in found], [("window_off", 2, 0)])
        self.assertIn("expected < WINDOW = 3", vqscope.row(near, 5, q_length=8).text)

    def test_evaluated(self):
        scope = {}
        exec("def typed(b, h, q, k):\n    return q >= k", scope)
        with self.assertRaisesRegex(vqscope.Refused, "not stored in a file.*give q_length="):
            vqscope.recognise(scope["typed"])
        answer = vqscope.recognise(scope["typed"], q_length=9)
        self.assertEqual(str(answer), "causal")
        self.assertIn("the mask_mod was evaluated over 9 × 9 indices", answer.notes[0])
        self.assertEqual(vqscope.row(by_key, 2, q_length=9)["count"], 3)
        self.assertEqual(vqscope.row(by_key, 3, q_length=9)["count"], 1)
        with self.assertRaisesRegex(vqscope.Refused, "more than 262144"):
            vqscope.recognise(by_key, q_length=4096)
        with self.assertRaisesRegex(vqscope.Refused, "not stored in a file.*at most 268435456 are evaluated"):
            vqscope.recognise(scope["typed"], q_length=1 << 20)
        with self.assertRaisesRegex(vqscope.Refused, "ZeroDivisionError"):
            vqscope.recognise(lambda b, h, q, k: {}[1 // 0], q_length=4)

    def test_changed_source_is_not_used(self):
        same = type(near)(by_argument.__code__.replace(co_firstlineno=near.__code__.co_firstlineno), {}, "near")
        with self.assertRaisesRegex(vqscope.Refused, "its source has changed since it was defined"):
            vqscope.recognise(same)

    def test_enums(self):
        Style = enum.Enum("Style", "NEAR FAR")
        for style, said in ((Style.NEAR, "causal ∧ window 3"), (Style.FAR, "causal")):
            def mask_mod(b, h, q_idx, kv_idx):
                if style == Style.NEAR:
                    return near(b, h, q_idx, kv_idx)
                return q_idx >= kv_idx

            answer = vqscope.recognise(mask_mod, q_length=12)
            self.assertEqual((str(answer), answer.notes), (said, []))

    def test_names_of_the_sequence_are_free_for_closures(self):
        q_length, padding = 4, 2
        answer = vqscope.recognise(lambda b, h, q, k: (q >= k) & (k < q_length + padding), q_length=8)
        self.assertEqual((str(answer), answer["shape"]), ("causal ∧ key padding of 2 on the right", [8, 8]))

    def test_decorators_are_not_looked_through(self):
        answer = vqscope.recognise(inverted(near), q_length=12)
        self.assertIn("inverted", str(answer))
        self.assertEqual(described(functools.lru_cache(near), q_length=12), "causal ∧ window 3")

    @needs_numpy
    def test_numpy_values(self):
        documents, heads = numpy.repeat([0, 1], 4), numpy.array([2, 4])
        self.assertEqual(described(lambda b, h, q, k: (q >= k) & (documents[q] == documents[k])),
                         "causal ∧ documents [4, 4]")
        small = documents.astype("u1")
        self.assertEqual(vqscope.recognise(lambda b, h, q, k: small[q] == small[k], q_length=8).notes, [])
        wrapped = vqscope.row(lambda b, h, q, k: small[q] - small[k] < 2, 0)
        self.assertEqual(wrapped["visible"], [[0, 4]])  # 0 - 1 is 255 in 8 bits
        width = numpy.int32(3)
        self.assertEqual(described(lambda b, h, q, k: (q >= k) & (q - k < width), q_length=9), "causal ∧ window 3")
        found = vqscope.check(lambda b, h, q, k: (q >= k) & (q - k < heads[h]), q_length=9)
        self.assertEqual(found.report["heads"], 2)

    @needs_torch
    def test_torch_values(self):
        documents = torch.tensor([[0, 0, 1, 1], [0, 1, 1, 1]])
        mask = vqscope.check(lambda b, h, q, k: (q >= k) & (documents[b, q] == documents[b, k]), objective="causal")
        self.assertEqual(mask.report["samples"], 2)
        self.assertEqual(described(halves, q_length=8), "documents [4, 4] ∧ bidirectional window 2 to each side")
        self.assertEqual(vqscope.recognise(halves, q_length=8).notes, [])
        table = torch.ones(6, 6).tril().bool()
        self.assertEqual(described(lambda b, h, q, k: table[q, k]), "causal")
        slopes = torch.tensor([0.5, 1.5])
        found = vqscope.check(lambda b, h, q, k: (q >= k) & (slopes[h] > 0), q_length=6)
        self.assertIn("slopes holds numbers that are not integers", found.notes[0])
        self.assertEqual((found.report["samples"], found.report["heads"]), (1, 2))
        found = vqscope.check(lambda b, h, q, k: {0: (q >= k) & (documents[b, k] < 2)}[0 * int(q.sum())], q_length=4)
        self.assertEqual((found.report["samples"], found.report["heads"]), (2, 1))

    @needs_torch
    def test_block_mask(self):
        class BlockMask:
            mask_mod = staticmethod(near)
            kv_num_blocks = None
            shape, seq_lengths = (1, 1, 10, 10), (10, 10)

        answer = vqscope.recognise(BlockMask())
        self.assertEqual(vqscope.check(BlockMask()), [])
        (found,) = vqscope.check(BlockMask(), q_length=12)
        self.assertEqual(found.rule, "block_mask_reuse")
        documents = torch.tensor([[0, 0, 1, 1], [0, 1, 1, 1]])

        class OfBatch(BlockMask):
            mask_mod = staticmethod(lambda b, h, q, k: (q >= k) & (documents[b, q] == documents[b, k]))
            shape, seq_lengths = (1, 1, 4, 4), (4, 4)

        self.assertEqual([each.rule for each in vqscope.check(OfBatch())], ["block_mask_broadcast"])
        OfBatch.shape = (2, 1, 4, 4)
        self.assertEqual(vqscope.check(OfBatch()), [])
        self.assertEqual((str(answer), answer["shape"]), ("causal ∧ window 3", [10, 10]))

        def noop_mask(b, h, q_idx, kv_idx):
            return True

        class OfLists(BlockMask):
            mask_mod, BLOCK_SIZE = staticmethod(noop_mask), (5, 5)

            def to_dense(self):
                return torch.tensor([[[[1, 0], [1, 1]]]])

        self.assertEqual(str(vqscope.recognise(OfLists())), "block-causal in blocks of 5: causal ∨ documents [5, 5]")


if __name__ == "__main__":
    unittest.main()
