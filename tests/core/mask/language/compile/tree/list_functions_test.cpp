// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Ancestors of each token of a tree of drafts, itself included; token 0 is the root.
bool is_ancestor(Index q, Index kv) {
  static constexpr Index parents[] = {-1, 0, 0, 0, 1, 1};
  for (Index token = q; token >= 0; token = parents[token])
    if (token == kv) return true;
  return false;
}

std::string compare_tree(const std::string& text) {
  const std::string cells = cells_of(text, 6);
  if (cells.size() != 36) return cells;
  for (Index q = 0; q < 6; ++q)
    for (Index kv = 0; kv < 6; ++kv)
      if ((cells[static_cast<std::size_t>(q * 6 + kv)] == '1') != is_ancestor(q, kv))
        return "differs at (" + to_text(q) + ", " + to_text(kv) + ")";
  return {};
}

}  // namespace

class ListFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void places_and_counts() {
    const std::string list = "x = [(1,), (2, 0), (2,), (2, 0)]\n";
    for (const char* text :
         {"x.index((2, 0)) == 1", "x.index(x[2]) == 2", "x.count((2, 0)) == 2", "x.count((0, 2)) == 0",
          "[4, 5, 6].index(6) == 2", "['a', 'b'].index('b') == 1", "x.index(x[1][:1]) == 2"})
      COMPARE_TEXT(truth_of(list + "return " + text), "1");
    COMPARE_TEXT(error_of(list + "return x.index((3,)) == kv_idx"), "the list does not have this value");
    COMPARE_TEXT(refused_body("x = [1, 2]\nreturn x.index(q_idx) == kv_idx"),
                 "index looks for a value that is known in a list");
    COMPARE_TEXT(error_of(list + "return x.index() == kv_idx"), "index takes 1 value, found 0");
  }

  /// Lists are compared item by item, and a shorter one comes first where the other one only goes
  /// on.
  void order_of_lists() {
    const std::string list = "x = [[1], [0, 1], [0], [2], [0, 0]]\n";
    const std::string by_length = "y = sorted(x, key=lambda p: (len(p), p))\n";
    for (const char* text : {"y[0] == 0", "y[1] == 0 and y[2] == 0", "len(y) == 5"})
      COMPARE_TEXT(truth_of(list + "y = [p[0] for p in sorted(x)]\nreturn " + text), "1");
    COMPARE_TEXT(truth_of(list + by_length +
                          "return y.index([0]) == 0 and y.index([2]) == 2 and y.index([0, 0]) == 3 "
                          "and y.index([0, 1]) == 4"),
                 "1");
    COMPARE_TEXT(truth_of("y = sorted([3, 1, 2], key=lambda n: -n)\nreturn y[0] == 3 and y[2] == 1"), "1");
    COMPARE_TEXT(truth_of("y = sorted([3, 1, 2], key=None, reverse=True)\nreturn y[0] == 3"), "1");
    COMPARE_TEXT(error_of("y = sorted([3, 1], key=4)\nreturn y[0] == kv_idx"), "the key of sorted is a function");
  }

  /// The tables of Medusa and of a tree of EAGLE, made from paths.
  void trees_of_drafts() {
    COMPARE_TEXT(compare_tree("choices = [[0], [0, 0], [1], [0, 1], [2]]\n"
                              "ordered = sorted(choices, key=lambda x: (len(x), x))\n"
                              "mask = torch.eye(len(ordered) + 1, len(ordered) + 1)\n"
                              "mask[:, 0] = 1\n"
                              "start = 0\n"
                              "counts = [3, 2]\n"
                              "for i in range(len(counts)):\n"
                              "    for j in range(counts[i]):\n"
                              "        path = ordered[start + j]\n"
                              "        if len(path) == 1:\n"
                              "            continue\n"
                              "        above = []\n"
                              "        for c in range(len(path) - 1):\n"
                              "            above.append(ordered.index(path[:c + 1]) + 1)\n"
                              "        mask[j + start + 1, above] = 1\n"
                              "    start += counts[i]\n"
                              "mask"),
                 "");
    COMPARE_TEXT(compare_tree("choices = [(0,), (1,), (2,), (0, 0), (0, 1)]\n"
                              "mask = torch.full((6, 6), -torch.inf)\n"
                              "for i in range(6):\n"
                              "    mask[i, i] = 0\n"
                              "mask[:, 0] = 0\n"
                              "for i in range(len(choices)):\n"
                              "    path = choices[i]\n"
                              "    for c in range(1, len(path)):\n"
                              "        mask[i + 1, choices.index(path[:c]) + 1] = 0\n"
                              "mask"),
                 "");
  }

  void slices_as_values() {
    const std::string array = "x = torch.arange(12).view(3, 4)\n";
    for (const char* text : {"x[slice(1, None), slice(2)].sum() == 4 + 5 + 8 + 9", "x[0, slice(0, -1, 2)].sum() == 2",
                             "x[:, slice(-1, None)].numel() == 3", "[4, 5, 6][slice(1, 3)][0] == 5"})
      COMPARE_TEXT(truth_of(mask_of(array + "return (" + text + ") & (kv_idx >= 0)")), "1");
    COMPARE_TEXT(error_of(array + "return x[slice()] == kv_idx"), "slice takes 2 values, found 0");
    // Swin's four regions of a 4 x 4 image with windows of 2, rolled by 1: the last window has one
    // pixel of each.
    COMPARE_TEXT(cells_of("size, shift = 2, 1\n"
                          "image = torch.zeros((1, 4, 4, 1))\n"
                          "parts = (slice(0, -size), slice(-size, -shift), slice(-shift, None))\n"
                          "count = 0\n"
                          "for h in parts:\n"
                          "    for w in parts:\n"
                          "        image[:, h, w, :] = count\n"
                          "        count += 1\n"
                          "windows = image.view(1, 2, size, 2, size, 1).permute(0, 1, 3, 2, 4, 5).reshape(-1, 4)\n"
                          "mask = windows.unsqueeze(1) - windows.unsqueeze(2)\n"
                          "mask = mask.masked_fill(mask != 0, float(-100.0)).masked_fill(mask == 0, float(0.0))\n",
                          4, {.b = 3}),
                 "1000010000100001");
  }

  /// An array is chosen by a parameter that has a value; mlx-lm makes its positions so.
  void arrays_that_a_parameter_chooses() {
    const std::string text =
        "keys = mx.arange(offset + 4)\nqueries = mx.arange(offset, offset + 4) if offset else keys\n"
        "mask = queries[:, None] >= keys[None]\nmask = mask & (queries[:, None] < keys[None] + 2)\n";
    COMPARE_TEXT(cells_of("offset = 0\n" + text, 4), cells_of("(kv_idx <= q_idx) & (q_idx - kv_idx < 2)", 4));
    COMPARE_TEXT(cells_of("offset = 4\n" + text, 4), cells_of("(kv_idx <= q_idx + 4) & (q_idx + 4 - kv_idx < 2)", 4));
  }
};

VQSCOPE_TEST(ListFunctionsTest)
#include "list_functions_test.moc"
