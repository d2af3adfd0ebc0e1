// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of arrays that return a mask, pasted without a call.
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::string nonempty =
    "def assert_real_rows_nonempty(visible, query_valid=None):\n"
    "    ok = visible.any(dim=-1)\n"
    "    if query_valid is not None:\n"
    "        ok = ok | ~query_valid\n"
    "    if not ok.all():\n"
    "        raise ValueError('attention mask contains an all-masked real query row')\n\n";
const std::string rectangular = nonempty +
                                "def rectangular_causal_visible(q_pos, k_pos, key_valid, query_valid=None):\n"
                                "    visible = k_pos[:, None, :] <= q_pos[:, :, None]\n"
                                "    visible = visible & key_valid[:, None, :]\n"
                                "    assert_real_rows_nonempty(visible, query_valid)\n"
                                "    return visible\n";
const std::string packed = nonempty +
                           "def packed_causal_visible(doc_ids, pos_in_doc, key_valid, query_valid=None):\n"
                           "    same_doc = doc_ids[:, :, None] == doc_ids[:, None, :]\n"
                           "    causal = pos_in_doc[:, None, :] <= pos_in_doc[:, :, None]\n"
                           "    visible = same_doc & causal & key_valid[:, None, :]\n"
                           "    assert_real_rows_nonempty(visible, query_valid)\n"
                           "    return visible\n";
const std::string prefix =
    "def prefix_lm_visibility(seq_len, prefix_len, device):\n"
    "    idx = torch.arange(seq_len, device=device)\n"
    "    q = idx[:, None]\n"
    "    k = idx[None, :]\n"
    "    prefix_to_prefix = (q < prefix_len) & (k < prefix_len)\n"
    "    suffix_causal = (q >= prefix_len) & (k <= q)\n"
    "    return prefix_to_prefix | suffix_causal\n";

}  // namespace

class ReturnedArraysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_sentence_names_all_that_is_missing() {
    COMPARE_TEXT(error_of(rectangular),
                 "rectangular_causal_visible is a function of arrays and integers that returns the mask; give q_pos, "
                 "k_pos, key_valid");
    COMPARE_TEXT(error_of(packed),
                 "packed_causal_visible is a function of arrays and integers that returns the mask; give doc_ids, "
                 "pos_in_doc, key_valid");
    COMPARE_TEXT(error_of(prefix),
                 "prefix_lm_visibility is a function of arrays and integers that returns the mask; give seq_len, "
                 "prefix_len");
  }

  void what_is_missing_can_be_given() {
    const auto parsed = MaskProgram::parse(rectangular);
    QVERIFY(!parsed && parsed.error.lacks_value);
    std::vector<std::string> names;
    for (const auto& use : parsed.so_far.arrays) names.push_back(use.name);
    for (const char* name : {"q_pos", "k_pos", "key_valid"}) QVERIFY2(std::ranges::count(names, name) == 1, name);
  }

  /// Cached decoding: queries at 1 to 3 of four keys, of which the first is padding.
  void lists_by_hand() {
    COMPARE_TEXT(
        cells_of(rectangular, 3, {.arrays = {{"q_pos", {1, 2, 3}}, {"k_pos", {1, 2, 3}}, {"key_valid", {1, 1, 1}}}}),
        "100110111");
    COMPARE_TEXT(
        cells_of(packed, 4,
                 {.arrays = {{"doc_ids", {0, 0, 1, 1}}, {"pos_in_doc", {0, 1, 0, 1}}, {"key_valid", {1, 1, 1, 0}}}}),
        "1000110000100010");
    COMPARE_TEXT(cells_of(prefix, 4, {.integers = {{"seq_len", 4}, {"prefix_len", 2}}}), "1100110011101111");
  }

  void a_list_of_another_length_is_named() {
    COMPARE_TEXT(
        cells_of(packed, 4, {.arrays = {{"doc_ids", {0, 0, 1, 1}}, {"pos_in_doc", {0, 1}}, {"key_valid", {1}}}}),
        "the mask packed_causal_visible takes (b, h, q_idx, kv_idx), found 4 other parameters; as a function "
        "of arrays: arrays of shapes (1, 4, 4) and (1, 2, 2) do not fit together");
  }

  void packed_documents_agree_with_their_rule() {
    Random random(11);
    for (int i = 0; i < 40; ++i) {
      const Index length = pick(random, 2, 9);
      std::vector<Index> doc, pos, valid;
      for (Index t = 0; t < length; ++t) {
        const bool begins = t == 0 || pick(random, 0, 2) == 0;
        doc.push_back(t == 0 ? 0 : doc.back() + (begins ? 1 : 0));
        pos.push_back(begins ? 0 : pos.back() + 1);
        valid.push_back(begins ? 1 : pick(random, 0, 1));
      }
      std::string expected;
      for (std::size_t q = 0; q < doc.size(); ++q)
        for (std::size_t k = 0; k < doc.size(); ++k)
          expected += doc[q] == doc[k] && pos[k] <= pos[q] && valid[k] == 1 ? '1' : '0';
      COMPARE_TEXT(cells_of(packed, length, {.arrays = {{"doc_ids", doc}, {"pos_in_doc", pos}, {"key_valid", valid}}}),
                   expected);
    }
  }
};

VQSCOPE_TEST(ReturnedArraysTest)
#include "returned_arrays_test.moc"
