// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bindings.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

Result<Environment> bound(const std::string& text, const SequenceInput& input, MaskBindings bindings = {}) {
  return make_environment(*MaskProgram::parse(text).program, std::move(bindings), *SequenceLayout::make(input));
}

std::vector<Index> values_of(const BoundArray& array) {
  std::vector<Index> values;
  for (Index i = 0; i < array.size(); ++i) values.push_back(array.at(i));
  return values;
}

}  // namespace

class BindingsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_of_the_sequence_by_hand() {
    const std::string text =
        "document_id[q_idx] + position_ids[kv_idx] + key_valid[kv_idx] + offsets[kv_idx] + kv_idx == q_idx";
    const auto made =
        bound(text, {.q_length = 8, .padding_side = PaddingSide::left, .padding = 2, .document_lengths = {4, 2}});
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(values_of(*made->arrays[0]), (std::vector<Index>{-1, -1, 0, 0, 0, 0, 1, 1}));
    QCOMPARE(values_of(*made->arrays[1]), (std::vector<Index>{0, 0, 0, 1, 2, 3, 0, 1}));
    QCOMPARE(values_of(*made->arrays[2]), (std::vector<Index>{0, 0, 1, 1, 1, 1, 1, 1}));
    QCOMPARE(values_of(*made->arrays[3]), (std::vector<Index>{2, 6, 8}));
  }

  void tokens_agree_with_the_layout() {
    Random random(1);
    for (int round = 0; round < 1000; ++round) {
      const SequenceInput input = random_input(random);
      const auto layout = *SequenceLayout::make(input);
      const auto made = *bound("kv_idx <= q_idx", input);
      QCOMPARE(made.q_pos->size(), layout.q_length());
      QCOMPARE(made.kv_pos->size(), layout.kv_length());
      QCOMPARE(made.past_len, layout.past_len());
      for (Index q = 0; q < layout.q_length(); ++q) {
        QCOMPARE(made.q_pos->at(q), layout.q_pos(q));
        QCOMPARE(made.q_doc->at(q), layout.q_document(q));
      }
      for (Index kv = 0; kv < layout.kv_length(); ++kv) {
        QCOMPARE(made.kv_pos->at(kv), layout.kv_pos(kv));
        QCOMPARE(made.kv_doc->at(kv), layout.kv_document(kv));
        QCOMPARE(made.key_valid->at(kv) != 0, layout.key_valid(kv));
      }
    }
  }

  void given_values_take_precedence() {
    const std::string text = "W = 5\nreturn (q_idx - kv_idx < W) & (document_id[kv_idx] == n)";
    const auto made = *bound(text, {.q_length = 3}, {.integers = {{"n", 7}}, .arrays = {{"document_id", {4, 5, 6}}}});
    QCOMPARE(values_of(*made.arrays[0]), (std::vector<Index>{4, 5, 6}));
    QCOMPARE(made.integers, (std::vector<Index>{5, 7}));
    const auto other = *bound(text, {.q_length = 3}, {.integers = {{"n", 7}, {"W", 2}, {"unknown", 1}}});
    QCOMPARE(other.integers, (std::vector<Index>{2, 7}));
  }

  void missing_values_are_named() {
    COMPARE_ERROR(bound("kv_idx < width", {.q_length = 3}),
                  "the mask's parameter width (line 1) is not given; give width = an integer, perhaps 16");
    COMPARE_ERROR(bound("x = 1\nreturn group[kv_idx] == x", {.q_length = 3}),
                  "the mask's array group (line 2) is not given; give its values");
  }
};

VQSCOPE_TEST(BindingsTest)
#include "bindings_test.moc"
