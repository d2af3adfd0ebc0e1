// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/library.h"

#include "core/mask/language/parse/parse.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The functions that a text is given, in their order.
std::string functions_for(const std::string& text) {
  const std::string library = language::library_for(language::parse(text).syntax);
  std::string names;
  for (std::size_t at = 0; (at = library.find("\ndef ", at)) != std::string::npos;) {
    const std::size_t begin = at + 5;
    at = library.find('(', begin);
    names += (names.empty() ? "" : " ") + library.substr(begin, at - begin);
  }
  return names;
}

/// The cells of two texts.
void compare_cells(const std::string& text, const std::string& wanted, const MaskBindings& bindings = {}) {
  COMPARE_TEXT(cells_of(text, 9, bindings), cells_of(wanted, 9, bindings));
}

}  // namespace

class LibraryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void library_has_only_used_functions() {
    COMPARE_TEXT(functions_for("kv_idx <= q_idx"), "");
    COMPARE_TEXT(functions_for("mask = generate_sliding_window(4)"), "generate_sliding_window");
    COMPARE_TEXT(functions_for("mask = and_masks(causal_mask, generate_prefix_lm_mask(3), causal_mask)"),
                 "causal_mask generate_prefix_lm_mask");
    // And what that needs, once.
    COMPARE_TEXT(functions_for("mask = chunked_causal_mask_function(4)"),
                 "chunked_causal_mask_function chunked_overlay causal_mask_function");
    COMPARE_TEXT(
        functions_for("mask = or_masks(chunked_causal_mask_function(4), sliding_window_causal_mask_function(3))"),
        "chunked_causal_mask_function chunked_overlay causal_mask_function sliding_window_causal_mask_function "
        "sliding_window_overlay");
  }

  /// Behind the name of a module, but not as a method of an object that the text has.
  void functions_of_modules_are_given() {
    COMPARE_TEXT(functions_for("mask = nn.make_causal_mask(x)"), "make_causal_mask");
    COMPARE_TEXT(functions_for("mask = jax.experimental.splash.LocalMask((4, 4), (1, 0))"), "LocalMask");
    COMPARE_TEXT(functions_for("mask = self.causal_mask(3)"), "");
    COMPARE_TEXT(functions_for("cache = 3\nmask = cache.causal_mask(3)"), "");
    COMPARE_TEXT(functions_for("mask = self.causal_mask"), "");
  }

  void definitions_of_the_text_take_precedence() {
    COMPARE_TEXT(functions_for("def causal_mask(b, h, q_idx, kv_idx):\n    return kv_idx < q_idx\nmask = causal_mask"),
                 "");
    COMPARE_TEXT(functions_for("causal_mask = 3\nreturn kv_idx < causal_mask"), "");
    COMPARE_TEXT(
        functions_for("def make(round_up):\n    def m(b, h, q_idx, kv_idx):\n        return kv_idx < round_up\n"
                      "    return m\n"),
        "");
    compare_cells("def causal_mask(b, h, q_idx, kv_idx):\n    return kv_idx < q_idx\nmask = causal_mask",
                  "kv_idx < q_idx");
  }

  /// The masks of attention-gym, in its own words.
  void masks_of_attention_gym() {
    compare_cells("mask = causal_mask", "kv_idx <= q_idx");
    compare_cells("mask = generate_sliding_window(3)", "(kv_idx <= q_idx) & (q_idx - kv_idx <= 3)");
    compare_cells("mask = generate_dilated_sliding_window(4, 2)",
                  "(abs(q_idx - kv_idx) <= 4) & (abs(q_idx - kv_idx) % 2 == 0)");
    compare_cells("mask = generate_prefix_lm_mask(4)", "(kv_idx < 4) | (kv_idx <= q_idx)");
    // A canvas of 3 x 3 with a kernel of 1 x 3: tokens of one row of it whose columns are 1 apart,
    // and borders moved in.
    compare_cells("mask = generate_natten(3, 3, 1, 3)",
                  "(q_idx // 3 == kv_idx // 3) & (abs(min(max(q_idx % 3, 1), 1) - kv_idx % 3) <= 1)");
    compare_cells("mask = generate_doc_mask_mod(causal_mask, length_to_offsets([4, 2, 3]))",
                  "((q_idx < 4) == (kv_idx < 4)) & ((q_idx < 6) == (kv_idx < 6)) & (kv_idx <= q_idx)");
  }

  /// And those of transformers, whose windows do not count the same.
  void masks_of_transformers() {
    compare_cells("mask = causal_mask_function", "kv_idx <= q_idx");
    compare_cells("mask = bidirectional_mask_function", "q_idx >= 0");
    compare_cells("mask = sliding_window_causal_mask_function(3)", "(kv_idx <= q_idx) & (q_idx - kv_idx < 3)");
    compare_cells("mask = sliding_window_overlay(3)", "q_idx - kv_idx < 3");
    compare_cells("mask = chunked_causal_mask_function(4)", "(kv_idx <= q_idx) & (kv_idx // 4 == q_idx // 4)");
    compare_cells("mask = chunked_causal_mask_function(4, 2)",
                  "(kv_idx <= q_idx) & ((kv_idx + 2) // 4 == (q_idx + 2) // 4)");
    compare_cells("mask = sliding_window_bidirectional_overlay(3)", "abs(q_idx - kv_idx) <= 3");
    compare_cells("mask = sliding_window_bidirectional_mask_function(2)", "abs(q_idx - kv_idx) <= 2");
    compare_cells("mask = add_offsets_to_mask_function(causal_mask_function, 3, 1)", "kv_idx + 1 <= q_idx + 3");
  }

  /// Blocks see themselves; tokens of the block -1 are text.
  void blocks_of_transformers() {
    const std::string ids = "ids = torch.tensor([[-1, 0, 0, -1, 1, 1, 1, -1, 2]])\n";
    const std::string block =
        "((q_idx > 0) & (q_idx < 3) & (kv_idx > 0) & (kv_idx < 3) | (q_idx > 3) & (q_idx < 7) & "
        "(kv_idx > 3) & (kv_idx < 7) | (q_idx == 8) & (kv_idx == 8))";
    compare_cells(ids + "mask = blockwise_overlay(ids)", block);
    compare_cells(ids + "mask = or_masks(causal_mask_function, blockwise_overlay(ids))",
                  "(kv_idx <= q_idx) | " + block);
    compare_cells(
        "ids = torch.tensor([[-1, 0, 0, -1, 1, 1, 1]])\nids = maybe_pad_block_sequence_ids(ids, None, 9, 0)\n"
        "mask = blockwise_overlay(ids)",
        block + " & (q_idx < 8)");
    compare_cells(
        "types = torch.tensor([[0, 1, 1, 0, 1, 1, 1, 0, 1]])\ngroups = torch.tensor([[-1, 0, 0, -1, 1, 1, 1, "
        "-1, 2]])\nmask = token_type_ids_mask_function(types, groups)",
        block);
    // Given as a list, of one sequence.
    compare_cells("mask = blockwise_overlay(block_sequence_ids)", block,
                  {.arrays = {{"block_sequence_ids", {-1, 0, 0, -1, 1, 1, 1, -1, 2}}}});
  }

  void masks_of_flax() {
    compare_cells("mask = nn.make_causal_mask(jnp.ones((1, 9)))", "kv_idx <= q_idx");
    compare_cells("i = jnp.arange(9)\nmask = flax.linen.make_attention_mask(i, i, jnp.greater_equal)",
                  "kv_idx <= q_idx");
    // Padding queries see nothing either.
    compare_cells(
        "real = jnp.array([[1, 1, 1, 1, 1, 1, 0, 0, 0]]) > 0\n"
        "mask = nn.combine_masks(nn.make_causal_mask(real), None, nn.make_attention_mask(real, real), dtype=bool)",
        "(kv_idx <= q_idx) & (kv_idx < 6) & (q_idx < 6)");
  }

  /// LocalMask counts the query and both ends: (3, 0) is a window of 4 keys.
  void masks_of_splash_attention() {
    const std::string shape = "shape = (9, 9)\n";
    compare_cells(shape + "mask = sm.CausalMask(shape) & sm.LocalMask(shape, window_size=(3, None), offset=0)",
                  "(kv_idx <= q_idx) & (q_idx - kv_idx < 4)");
    compare_cells(shape + "mask = LocalMask(shape, (3, 1))", "(q_idx - kv_idx <= 3) & (kv_idx - q_idx <= 1)");
    compare_cells(shape + "mask = sm.LocalMask(shape, (2, 0), 4)", "(kv_idx <= q_idx + 4) & (q_idx + 4 - kv_idx <= 2)");
    compare_cells(shape + "mask = sm.LocalMask(shape, (None, None), 0)", "q_idx >= 0");
    compare_cells(shape + "mask = sm.CausalMask(shape, offset=-1)", "kv_idx < q_idx");
    compare_cells(shape + "mask = sm.ChunkedCausalMask(shape, chunk_size=4)",
                  "(kv_idx <= q_idx) & (kv_idx // 4 == q_idx // 4)");
    compare_cells(shape + "def make():\n    return sm.FullMask(shape)\n", "q_idx >= 0");
  }

  void joined_and_outer() {
    compare_cells("x = torch.tensor([1, 1, 1, 2, 2, 2, 0, 0, 0])\nmask = torch.outer(x, x) > 0",
                  "(q_idx < 6) & (kv_idx < 6)");
    compare_cells("mask = np.hstack([np.ones((9, 4)), np.tril(np.ones((9, 5)), -4)]) > 0",
                  "(kv_idx < 4) | (kv_idx <= q_idx)");
    compare_cells("mask = torch.vstack([torch.ones(2, 9), torch.zeros(7, 9)]) > 0", "q_idx < 2");
  }

  void indices_of_jax() {
    compare_cells(
        "q = jax.lax.broadcasted_iota(jnp.int32, (9, 9), 0)\nk = lax.broadcasted_iota(jnp.int32, (9, 9), 1)\n"
        "mask = (q - k < 3) & (q >= k)",
        "(kv_idx <= q_idx) & (q_idx - kv_idx < 3)");
  }

  void padding_and_packing_of_transformers() {
    const std::string padding = "padding = torch.tensor([[0, 0, 1, 1, 1, 1, 1]])\n";
    compare_cells(padding + "mask = padding_mask_function(prepare_padding_mask(padding, 9, 0))",
                  "(kv_idx > 1) & (kv_idx < 7)");
    compare_cells(padding + "mask = sdpa_mask(1, 9, 9, attention_mask=padding)",
                  "(kv_idx <= q_idx) & (kv_idx > 1) & (kv_idx < 7)");
    compare_cells(
        "mask = sdpa_mask(batch_size=1, q_length=9, kv_length=9, q_offset=4, "
        "mask_function=sliding_window_causal_mask_function(3), allow_is_causal_skip=False)",
        "(kv_idx <= q_idx + 4) & (q_idx + 4 - kv_idx < 3)");
    compare_cells("mask = chunked_causal_mask_function(4, torch.tensor([2]))",
                  "(kv_idx <= q_idx) & ((kv_idx + 2) // 4 == (q_idx + 2) // 4)");
    compare_cells(
        "positions = torch.tensor([[0, 1, 2, 3, 0, 1, 0, 1, 2]])\n"
        "mask = packed_sequence_mask_function(find_packed_sequence_indices(positions))",
        "((q_idx < 4) == (kv_idx < 4)) & ((q_idx < 6) == (kv_idx < 6))");
  }
};

VQSCOPE_TEST(LibraryTest)
#include "library_test.moc"
