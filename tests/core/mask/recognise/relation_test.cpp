// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/relation.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Mask> mask_of(std::vector<std::string> terms, Index window = 1,
                                    std::vector<Index> documents = {}) {
  SequenceInput input{.q_length = 40};
  input.document_lengths = std::move(documents);
  return MaskCase{*SequenceLayout::make(input), std::move(terms), 3, window}.mask();
}

std::string relation(const std::shared_ptr<const Mask>& a, const std::shared_ptr<const Mask>& b) {
  return relation_of(*a, *b, "A", "B");
}

}  // namespace

class RelationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_term_differs() {
    const auto causal = mask_of({"causal"});
    const auto narrow = mask_of({"causal", "sliding_window"}, 8), wide = mask_of({"causal", "sliding_window"}, 9);
    COMPARE_TEXT(relation(causal, wide), "B is A with a window of 9");
    COMPARE_TEXT(relation(wide, causal), "B is A without a window of 9");
    COMPARE_TEXT(relation(narrow, wide), "B is A with a window of 9 in place of a window of 8");
    COMPARE_TEXT(relation(causal, causal), "");
  }

  void several_terms_differ() {
    const auto packed = mask_of({"causal", "same_document"}, 1, {10, 30});
    COMPARE_TEXT(relation(packed, mask_of({"causal", "sliding_window"}, 9)),
                 "B is A with a window of 9 and without documents [10, 30]");
    COMPARE_TEXT(relation(mask_of({"causal"}), mask_of({})), "B is A without the causal condition");
    COMPARE_TEXT(relation(mask_of({"causal"}), mask_of({"same_document"}, 1, {10, 30})),
                 "A is causal, B is documents [10, 30]");
  }
};

VQSCOPE_TEST(RelationTest)
#include "relation_test.moc"
