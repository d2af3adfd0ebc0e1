// SPDX-License-Identifier: GPL-3.0-or-later
// The type and polarity of the tensor that a library receives, as stated or as in the file.
#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr ImportedPolarity true_is_visible = ImportedPolarity::visible_true;
constexpr ImportedPolarity true_is_masked = ImportedPolarity::masked_true;

MaskFile tensor_file(TensorValues values, ImportedPolarity polarity = true_is_visible,
                     PolaritySource decided = PolaritySource::guessed) {
  return {values, polarity, decided, "no key after its query is true", "m.npy [3, 3]"};
}

/// Both rules of a causal mask of 3 tokens from a file: findings, then questions, each with its
/// rule.
std::string tensor_findings(const MaskFile& file, const std::string& settings) {
  auto given = Stated("mask=causal q_length=3 " + settings).made();
  if (!given) return given.error().message;
  given->file = file;
  return findings_and_questions(lint_mask(*given, {.rules = {"zero_one_mask", "dialect_polarity"}}));
}

}  // namespace

class LintTensorRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// True is visible in SDPA and masked in nn.MultiheadAttention.
  void polarity_of_a_boolean_file() {
    const MaskFile visible = tensor_file(TensorValues::boolean);
    const MaskFile masked = tensor_file(TensorValues::boolean, true_is_masked);
    COMPARE_TEXT(tensor_findings(visible, "dialect=sdpa"), "");
    COMPARE_TEXT(tensor_findings(masked, "dialect=mha"), "");
    COMPARE_TEXT(tensor_findings(masked, "dialect=sdpa"),
                 "error dialect_polarity (-, -) 1 : True is masked in m.npy [3, 3] (guessed: no key after its query is "
                 "true) and attends in torch SDPA, boolean: all 9 cells would be inverted");
    COMPARE_TEXT(tensor_findings(visible, "dialect=mha"),
                 "error dialect_polarity (-, -) 1 : True attends in m.npy [3, 3] (guessed: no key after its query is "
                 "true) and is masked in nn.MultiheadAttention, boolean: all 9 cells would be inverted");
    COMPARE_TEXT(
        tensor_findings(tensor_file(TensorValues::boolean, true_is_masked, PolaritySource::stated), "dialect=sdpa"),
        "error dialect_polarity (-, -) 1 : True is masked in m.npy [3, 3] (stated) and attends in torch SDPA, "
        "boolean: all 9 cells would be inverted");
    COMPARE_TEXT(tensor_findings(masked, "dialect=flash_attention"), "");
  }

  void missing_inputs_of_a_file_are_requested() {
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean), ""), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), ""), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean, true_is_masked), ""),
                 "dialect_polarity asks: m.npy [3, 3] is boolean; True is masked (guessed: no key after its query is "
                 "true): set dialect, the backend that receives the mask");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean, true_is_visible, PolaritySource::unknown), ""),
                 "dialect_polarity asks: nothing in m.npy [3, 3] shows whether True is visible: set its polarity");
    COMPARE_TEXT(
        tensor_findings(tensor_file(TensorValues::boolean, true_is_visible, PolaritySource::unknown), "dialect=mha"),
        "dialect_polarity asks: nothing in m.npy [3, 3] shows whether True is visible: set its polarity");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean), "dialect=sdpa true_means=masked"),
                 "dialect_polarity asks: m.npy [3, 3] is boolean; True is visible (guessed: no key after its query is "
                 "true), but true_means is masked: read the file with the other polarity, or correct true_means");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::zero_one), ""),
                 "zero_one_mask asks: m.npy [3, 3] has floats 0 and 1; 1 is visible (guessed: no key after its query "
                 "is true): set dialect, the backend that receives the mask; torch adds floats to the scores");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), "dialect=sdpa"),
                 "zero_one_mask asks: torch SDPA refuses a mask of integers: set values=boolean if the model's own "
                 "mask is boolean");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::additive), ""), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::no_tensor), ""), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::no_tensor), "dialect=mha"), "");
  }

  void libraries_refuse_or_add_other_types() {
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::additive), "dialect=jax"),
                 "error dialect_polarity (-, -) 1 : JAX takes a boolean mask and refuses the floats of m.npy [3, 3], "
                 "which belong into bias");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::zero_one), "dialect=flex_attention"),
                 "error dialect_polarity (-, -) 1 : FlexAttention mask_mod takes a boolean mask and refuses the floats "
                 "of m.npy [3, 3]");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::additive), "dialect=padding_2d"),
                 "error dialect_polarity (-, -) 1 : 0 attends in m.npy [3, 3] and is padding in 2-D padding mask");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::additive), "dialect=mlx"), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), "dialect=jax"),
                 "zero_one_mask asks: JAX refuses a mask of integers: set values=boolean if the model's own mask is "
                 "boolean");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), "dialect=mlx"),
                 "zero_one_mask asks: MLX adds integers 0 and 1 to the scores, which masks nothing: set values=boolean "
                 "if the model's own mask is boolean");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::zero_one, true_is_masked), "dialect=padding_2d"),
                 "error dialect_polarity (-, -) 1 : 1 is masked in m.npy [3, 3] (guessed: no key after its query is "
                 "true) and attends in 2-D padding mask: all 9 cells would be inverted");
    // Nothing is known of the file: the set values decide.
    COMPARE_TEXT(
        tensor_findings(tensor_file(TensorValues::boolean, true_is_visible, PolaritySource::unknown),
                        "dialect=sdpa true_means=masked"),
        "error dialect_polarity (-, -) 1 : True is masked in this mask and attends in torch SDPA, boolean: all "
        "9 cells would be inverted");
  }

  /// The three cells above the diagonal are masked.
  void numbers_that_are_added() {
    const std::string one = "error zero_one_mask (0, 1) 3 cells: row 0 would see key 1: ";
    const std::string all = "; 3 cells in all";
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean), "dialect=additive_f32"),
                 one +
                     "True and False are added to the scores as 1 and 0, which masks nothing: the mask must hold 0 "
                     "and -inf" +
                     all);
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), "dialect=additive_inf"),
                 one +
                     "integers 1 and 0 are added to the scores as 1 and 0, which masks nothing: the mask must hold 0 "
                     "and -inf" +
                     all);
    for (const char* backend : {"dialect=sdpa", "dialect=additive_bf16", "dialect=mha"})
      COMPARE_TEXT(
          tensor_findings(tensor_file(TensorValues::zero_one), backend),
          one + "a float mask of 0 and 1 is added to the scores, so a masked key keeps 1/e of its weight" + all);
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::zero_one), "dialect=padding_2d"), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::additive), "dialect=additive_f32"), "");
    // Set values precede the file.
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::integers), "dialect=sdpa values=boolean"), "");
    COMPARE_TEXT(tensor_findings(tensor_file(TensorValues::boolean), "dialect=additive_f32 values=additive"), "");
  }
};

VQSCOPE_TEST(LintTensorRulesTest)
#include "lint_tensor_rules_test.moc"
