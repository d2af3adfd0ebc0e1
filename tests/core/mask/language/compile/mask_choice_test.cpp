// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a text that is the mask: an expression, a function, what a function makes, an array.
#include "core/mask/language/compile/mask_function.h"

#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool is_causal(Index q, Index kv) { return kv <= q; }
bool near(Index q, Index kv) { return q - kv < 3; }

const std::string causal_text = "def causal(b, h, q_idx, kv_idx):\n  return kv_idx <= q_idx\n";
const std::string near_text = "def near(b, h, q_idx, kv_idx):\n  return q_idx - kv_idx < 3\n";

}  // namespace

class MaskChoiceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void expressions_and_functions() {
    for (const TextCase& one : std::vector<TextCase>{
             {"kv_idx <= q_idx", is_causal},
             {"return kv_idx <= q_idx", is_causal},
             {"seen = kv_idx <= q_idx\nseen", is_causal},
             {"window = 3\nq_idx - kv_idx < window", near},
             {causal_text, is_causal},
             {near_text + causal_text, is_causal},
             {causal_text + near_text, near},
             {"def helper(a, c):\n  return a <= c\ndef mask(b, h, q_idx, kv_idx):\n  return helper(kv_idx, q_idx)",
              is_causal},
             {"def mask(b, h, q_idx, kv_idx):\n  return helper(kv_idx, q_idx)\ndef helper(a, c):\n  return a <= c",
              is_causal},
             {causal_text + "mask = create_block_mask(causal, None, None, 8, 8)\n" + near_text, is_causal},
             {causal_text + near_text + "mask = and_masks(causal, near)",
              [](Index q, Index kv) { return is_causal(q, kv) && near(q, kv); }},
             {"mask = lambda b, h, q, kv: kv <= q", is_causal},
             {"lambda batch, head, i, j: j <= i", is_causal},
             {"def mask(batch, head, i, j):\n  return j <= i", is_causal},
             {"def mask(q_idx, kv_idx):\n  return kv_idx <= q_idx", is_causal},
             {"def mask(kv_idx, q_idx):\n  return kv_idx <= q_idx", is_causal},
             {"import torch\n\ndef mask(b, h, q_idx, kv_idx):\n  '''Causal.'''\n  return kv_idx <= q_idx  # the past",
              is_causal}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void masks_made_by_functions() {
    for (const TextCase& one : std::vector<TextCase>{
             {"def make(window=3):\n  def mask(b, h, q, kv):\n    return q - kv < window\n  return mask", near},
             {"def make(window):\n  return lambda b, h, q, kv: q - kv < window\nmask = make(3)", near},
             {"def make(window):\n  def inner(b, h, q, kv):\n    return q - kv < window\n  inner.__name__ = 'near'\n  "
              "return "
              "inner\nmake(3)",
              near},
             {causal_text + near_text + "def make():\n  return and_masks(causal, near)",
              [](Index q, Index kv) { return is_causal(q, kv) && near(q, kv); }},
             {"def score(score, b, h, q_idx, kv_idx):\n  return score + 1\n" + causal_text +
                  "def score_mod(score, b, h, q, kv):\n  return score * 2",
              is_causal},
             {causal_text + "out = flex_attention(q, k, v, block_mask=create_block_mask(causal, 1, 1, 8, 8))",
              is_causal},
             {near_text + "block_mask = create_block_mask(mask_mod=near, B=None, H=None, Q_LEN=8, KV_LEN=8)", near}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  /// True or 0: visible; False or -inf: masked.
  void arrays() {
    const auto square = [](const std::string& text, Index length) { return cells_of(text, length); };
    COMPARE_TEXT(square("mask = torch.tril(torch.ones(3, 3, dtype=torch.bool))", 3), "100110111");
    COMPARE_TEXT(square("mask = torch.triu(torch.ones(3, 3, dtype=torch.bool), diagonal=1)\nmask = ~mask", 3),
                 "100110111");
    COMPARE_TEXT(square("mask = torch.full((3, 3), float('-inf'))\nmask = torch.triu(mask, diagonal=1)", 3),
                 "100110111");
    COMPARE_TEXT(square("i = torch.arange(3)\nmask = i[None, :] <= i[:, None]", 3), "100110111");
    COMPARE_TEXT(square("mask = torch.zeros(2, 2)\nmask[0, 1] = -1e9", 2), "1011");
    COMPARE_TEXT(square("mask = torch.zeros(2, 2)\nmask.masked_fill_(torch.eye(2).bool(), -1e9)", 2), "0110");
    COMPARE_TEXT(square("mask = torch.ones(1, 1, 2, 2).bool()\nmask[..., 0] = False", 2), "0101");
  }

  void a_name_decides() {
    const std::string both = causal_text + near_text;
    const auto named = [&](const std::string& name) {
      language::Given given;
      given.mask = name;
      return cells_of(both, 5, {}, given);
    };
    COMPARE_TEXT(named("causal"), cells_of("kv_idx <= q_idx", 5));
    COMPARE_TEXT(named("near"), cells_of("q_idx - kv_idx < 3", 5));
    COMPARE_TEXT(named("far"), "the text has no mask far; it has causal, near");
  }

  void texts_without_a_mask_are_refused() {
    using Refusals = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [text, message] :
         Refusals{{"window = 3", "there is no mask in the text; end it with an expression or a return"},
                  {"import torch", "there is no mask in the text; write an expression such as kv_idx <= q_idx"},
                  {"def f(x):\n  return x", "the mask f takes (b, h, q_idx, kv_idx), found 1 other parameters"},
                  {"mask = torch.ones(2, 2, 2, 2, 2).bool()",
                   "a mask has the dimensions q and kv, and b and h before them; this is an array of shape (2, 2, 2, "
                   "2, 2)"}})
      COMPARE_TEXT(text + " -> " + error_of(text), text + " -> " + message);
  }
};

VQSCOPE_TEST(MaskChoiceTest)
#include "mask_choice_test.moc"
