// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

#include <map>
#include <string>

#include "core/base/index.h"

namespace vqscope::test {

inline std::string def(const std::string& body) { return "def mask(b, h, q_idx, kv_idx):\n" + body; }

inline const std::string causal = "def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n";
inline const std::string window =
    "def make_window(size):\n    def window(b, h, q_idx, kv_idx):\n        return q_idx - kv_idx < size\n"
    "    return window\n";

/// The integers that a text of pasted_masks.json is given.
inline std::map<std::string, Index> integers_of(const QJsonObject& given) {
  std::map<std::string, Index> integers;
  for (auto it = given.begin(); it != given.end(); ++it) integers[it.key().toStdString()] = it.value().toInt();
  return integers;
}

/// Calls row(name, text, an expression that means the same) for texts as people paste them.
template <class Row>
void add_pasted_texts(const Row& row) {
  row("a constant above the def", "WINDOW = 8\nHALF = WINDOW // 2\n" + def("    return abs(q_idx - kv_idx) <= HALF"),
      "abs(q_idx - kv_idx) <= 4");
  row("a tuple above the def", "A, B = 3, 4\nTOTAL = A + B\n" + def("    return q_idx - kv_idx < TOTAL"),
      "q_idx - kv_idx < 7");
  row("the last def", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx < 2\n" + causal, "q_idx >= kv_idx");
  row("a helper below what uses it",
      "def mask(b, h, q_idx, kv_idx):\n    return causal(b, h, q_idx, kv_idx)\n" + causal, "q_idx >= kv_idx");
  row("handed to create_block_mask",
      causal +
          "def other(b, h, q_idx, kv_idx):\n    return kv_idx < 3\n"
          "block_mask = create_block_mask(causal, B=None, H=None, Q_LEN=1024, KV_LEN=1024, device='cuda')\n",
      "q_idx >= kv_idx");
  row("handed over inside a function",
      window + "def build(size=5):\n    return create_block_mask(make_window(size), None, None, 64, 64)\n",
      "q_idx - kv_idx < 5");
  row("flex_attention below",
      causal +
          "out = flex_attention(query, key, value, block_mask=create_block_mask(causal, "
          "1, 1, 8, 8))\nprint(out.shape)\n",
      "q_idx >= kv_idx");
  row("what nothing uses", causal + "Q = torch.randn(2, 8, 64, 64)\nwith torch.no_grad():\n    x = 1\n",
      "q_idx >= kv_idx");
  row("a parameter decides",
      "def make(causal=True, size=3):\n    def mask(b, h, q_idx, kv_idx):\n"
      "        near = abs(q_idx - kv_idx) < size\n        if causal:\n"
      "            near = near & (kv_idx <= q_idx)\n        return near\n    return mask\n",
      "(abs(q_idx - kv_idx) < 3) & (kv_idx <= q_idx)");
  row("None decides",
      "def make(size=None):\n    def plain(b, h, q_idx, kv_idx):\n        return kv_idx <= q_idx\n"
      "    if size is None:\n        return plain\n    def near(b, h, q_idx, kv_idx):\n"
      "        return plain(b, h, q_idx, kv_idx) & (q_idx - kv_idx < size)\n    return near\n",
      "kv_idx <= q_idx");
  row("an index decides",
      def("    if q_idx < 4:\n        return kv_idx < 4\n    elif kv_idx == 0:\n        return True\n"
          "    else:\n        x = kv_idx + 1\n    return x <= q_idx"),
      "kv_idx < 4 if q_idx < 4 else (kv_idx == 0) | (kv_idx + 1 <= q_idx)");
  row("assert, del, decorator, docstring",
      "@torch.compile\ndef mask(b, h, q_idx: Tensor, kv_idx) -> Tensor:\n    \"\"\"A mask.\"\"\"\n    del b, h\n"
      "    assert 3 > 2, \"never\"\n    return kv_idx <= q_idx\n",
      "kv_idx <= q_idx");
  row("masks that are gathered",
      causal + window +
          "def all_of(*masks):\n    def mask(b, h, q_idx, kv_idx):\n        result = b.new_ones((), "
          "dtype=torch.bool)\n"
          "        for one in masks:\n            result = result & one(b, h, q_idx, kv_idx)\n        return result\n"
          "    return mask\nmask = all_of(causal, make_window(4))\n",
      "(q_idx >= kv_idx) & (q_idx - kv_idx < 4)");
  row("a list of masks", causal + window + "masks = [causal, make_window(4)]\nmask = and_masks(*masks)\n",
      "(q_idx >= kv_idx) & (q_idx - kv_idx < 4)");
  row("a literal array",
      "group = torch.tensor([0, 0, 1, 1, 1, 1, 2, 2])\n" + def("    return group[q_idx % 8] == group[kv_idx % 8]"),
      "group[q_idx % 8] == group[kv_idx % 8]");
  row("functions of torch", def("    return torch.ge(q_idx, kv_idx) & q_idx.sub(kv_idx).lt(4) & torch.ne(kv_idx, 1)"),
      "(q_idx >= kv_idx) & (q_idx - kv_idx < 4) & (kv_idx != 1)");
  row("div", def("    return torch.div(q_idx, 5, rounding_mode='floor') == torch.floor_divide(kv_idx, 5)"),
      "q_idx // 5 == kv_idx // 5");
  row("np and jnp", def("    return np.abs(q_idx - kv_idx) <= jnp.minimum(3, q_idx)"),
      "abs(q_idx - kv_idx) <= torch.minimum(3, q_idx)");
  row("fractions", def("    return (kv_idx <= q_idx / 2) | (kv_idx * 0.5 > q_idx) | (kv_idx == int(q_idx / 3))"),
      "(2 * kv_idx <= q_idx) | (kv_idx > 2 * q_idx) | (kv_idx == q_idx // 3)");
  row("ceil", "import math\n" + def("    return kv_idx < math.ceil(q_idx / 4) * 4"), "kv_idx < (q_idx + 3) // 4 * 4");
  row("self", def("    return q_idx - kv_idx < self.config.window"), "q_idx - kv_idx < window");
  row("a method", "def mask(self, b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < self.window\n",
      "q_idx - kv_idx < window");
  row("parameters behind the four",
      "def mask(b, h, q_idx, kv_idx, window, sinks=2):\n"
      "    return (q_idx - kv_idx < window) | (kv_idx < sinks)\n",
      "(q_idx - kv_idx < window) | (kv_idx < 2)");
  row("a row of a table", def("    row = group[b]\n    return row[q_idx % 8] == row[kv_idx % 8]"),
      "group[q_idx % 8] == group[kv_idx % 8]");
  row("the length of an array", def("    return kv_idx < len(group) - group.shape[0] + group.numel()"), "kv_idx < 8");
  row("cumsum", "ends = torch.cumsum(group, dim=0)\n" + def("    return kv_idx < ends[7]"), "kv_idx < 8");
  row("bucketize",
      "bounds = [3, 9, 15]\n" + def("    return torch.bucketize(q_idx, bounds, right=True) == "
                                    "torch.bucketize(kv_idx, bounds, right=True)"),
      "int(q_idx >= 3) + int(q_idx >= 9) + int(q_idx >= 15) == int(kv_idx >= 3) + int(kv_idx >= 9) + int(kv_idx >= "
      "15)");
  row("searchsorted",
      "bounds = [3, 9, 15]\n" + def("    return torch.searchsorted(bounds, q_idx) >= "
                                    "torch.searchsorted(bounds, kv_idx)"),
      "int(q_idx > 3) + int(q_idx > 9) + int(q_idx > 15) >= int(kv_idx > 3) + int(kv_idx > 9) + int(kv_idx > 15)");
  row("partial",
      "from functools import partial\ndef near(b, h, q_idx, kv_idx, size):\n    return q_idx - kv_idx < size\n"
      "mask = partial(near, size=4)\n",
      "q_idx - kv_idx < 4");
  row("attention-gym",
      "from attn_gym.masks import causal_mask, generate_sliding_window\n"
      "mask = and_masks(causal_mask, generate_sliding_window(3))\n",
      "(kv_idx <= q_idx) & (q_idx - kv_idx <= 3)");
  row("transformers", "mask = sliding_window_causal_mask_function(4)\n", "(kv_idx <= q_idx) & (kv_idx > q_idx - 4)");
  row("in", def("    return (kv_idx in (0, 1, 5)) | (kv_idx not in (2, 3, 4) and kv_idx <= q_idx)"),
      "(kv_idx == 0) | (kv_idx == 1) | (kv_idx == 5) | ((kv_idx != 2) & (kv_idx != 3) & (kv_idx != 4) & (kv_idx <= "
      "q_idx))");
  row("any of a generator", def("    return any(q_idx - kv_idx == 2 ** i for i in range(4))"),
      "(q_idx - kv_idx == 1) | (q_idx - kv_idx == 2) | (q_idx - kv_idx == 4) | (q_idx - kv_idx == 8)");
  row("main", causal + "if __name__ == '__main__':\n    mask = create_block_mask(causal, 1, 1, 8, 8)\n",
      "q_idx >= kv_idx");
}

}  // namespace vqscope::test
