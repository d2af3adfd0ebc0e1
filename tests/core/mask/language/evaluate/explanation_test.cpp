// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/explanation.h"

#include "tests/core/mask/language/bound_text.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Why the only term of a text is what it is at a cell, wanted or not.
std::string reason(const std::string& written, Index q, Index kv, const SequenceInput& input = {.q_length = 12}) {
  const BoundText text(
      written, input,
      {.integers = {{"window", 4}}, .arrays = {{"group", {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}}, {"table", {1, 2, 3}}}});
  PlainEvaluator evaluator(text.program->code(), text.environment);
  evaluator.move_to(q, kv);
  std::string all;
  for (const auto& term : text.program->terms()) {
    const auto value = evaluator.evaluate(term.node);
    if (value != Index{0}) continue;
    return explain(*text.program, evaluator, term.node, true);
  }
  return explain(*text.program, evaluator, text.program->terms()[0].node, false);
}

}  // namespace

class ExplanationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void comparisons_with_a_number() {
    COMPARE_TEXT(reason("q_idx - kv_idx < 3", 9, 2), "q_idx - kv_idx = 7, expected < 3");
    COMPARE_TEXT(reason("q_idx - kv_idx <= 3", 9, 2), "q_idx - kv_idx = 7, expected <= 3");
    COMPARE_TEXT(reason("q_idx > 10", 9, 2), "q_idx = 9, expected > 10");
    COMPARE_TEXT(reason("q_idx >= 10", 9, 2), "q_idx = 9, expected >= 10");
    COMPARE_TEXT(reason("kv_idx == 3", 9, 2), "kv_idx = 2, expected == 3");
    COMPARE_TEXT(reason("kv_idx != 2", 9, 2), "kv_idx = 2, expected != 2");
    // The number may be on the left: the sentence is reversed.
    COMPARE_TEXT(reason("3 > q_idx - kv_idx", 9, 2), "q_idx - kv_idx = 7, expected < 3");
    COMPARE_TEXT(reason("10 <= q_idx", 9, 2), "q_idx = 9, expected >= 10");
    COMPARE_TEXT(reason("3 == kv_idx", 9, 2), "kv_idx = 2, expected == 3");
  }

  /// For an unexpected one: the expected one.
  void comparisons_that_hold_and_should_not() {
    COMPARE_TEXT(reason("~(kv_idx < 3)", 9, 2), "kv_idx = 2, expected >= 3");
    COMPARE_TEXT(reason("~(kv_idx <= 3)", 9, 2), "kv_idx = 2, expected > 3");
    COMPARE_TEXT(reason("not kv_idx > 1", 9, 2), "kv_idx = 2, expected <= 1");
    COMPARE_TEXT(reason("not kv_idx >= 1", 9, 2), "kv_idx = 2, expected < 1");
    COMPARE_TEXT(reason("not kv_idx == 2", 9, 2), "kv_idx = 2, expected != 2");
    COMPARE_TEXT(reason("not kv_idx != 3", 9, 2), "kv_idx = 2, expected == 3");
    // And of one that is visible.
    COMPARE_TEXT(reason("kv_idx < 3", 9, 2), "kv_idx = 2, expected >= 3");
  }

  void free_integers_have_their_name_and_number() {
    COMPARE_TEXT(reason("q_idx - kv_idx < window", 9, 2), "q_idx - kv_idx = 7, expected < window = 4");
    COMPARE_TEXT(reason("window > q_idx - kv_idx", 9, 2), "q_idx - kv_idx = 7, expected < window = 4");
  }

  void two_sides_that_move() {
    COMPARE_TEXT(reason("kv_idx <= q_idx", 2, 9), "kv_idx = 9 > q_idx = 2");
    COMPARE_TEXT(reason("kv_idx < q_idx", 2, 2), "kv_idx = 2 >= q_idx = 2");
    COMPARE_TEXT(reason("q_idx > kv_idx", 2, 9), "q_idx = 2 <= kv_idx = 9");
    COMPARE_TEXT(reason("q_idx >= kv_idx", 2, 9), "q_idx = 2 < kv_idx = 9");
    COMPARE_TEXT(reason("q_idx == kv_idx", 2, 9), "q_idx = 2, kv_idx = 9, expected equal");
    COMPARE_TEXT(reason("q_idx // 4 != kv_idx // 4", 5, 6), "q_idx // 4 = 1, kv_idx // 4 = 1, expected different");
    COMPARE_TEXT(reason("~(kv_idx <= q_idx)", 9, 2), "kv_idx = 2 <= q_idx = 9");
  }

  void elements_have_the_index_of_the_cell() {
    COMPARE_TEXT(reason("group[q_idx] == group[kv_idx]", 9, 2), "group[9] = 4, group[2] = 1, expected equal");
    COMPARE_TEXT(reason("table[kv_idx - 4] > 2", 9, 3), "table[-1] = 3, expected <= 2");
    COMPARE_TEXT(reason("group[kv_idx + 1] < 1", 9, 2), "group[3] = 1, expected < 1");
  }

  void documents_and_padding() {
    const SequenceInput packed{.q_length = 8, .document_lengths = {5, 3}};
    COMPARE_TEXT(reason("q_doc == kv_doc", 6, 2, packed), "document_id[6] = 1, document_id[2] = 0, expected equal");
    COMPARE_TEXT(reason("document_id[q_idx] == document_id[kv_idx]", 6, 2, packed),
                 "document_id[6] = 1, document_id[2] = 0, expected equal");
    const SequenceInput padded{.q_length = 8, .padding = 3};
    COMPARE_TEXT(reason("key_valid", 1, 6, padded), "key 6 is padding");
    COMPARE_TEXT(reason("~key_valid", 1, 2, padded), "key 2 is not padding, expected padding");
    // With a cache the query has the number of its key.
    const SequenceInput decoded{.q_length = 2, .past_len = 6, .document_lengths = {5, 3}};
    COMPARE_TEXT(reason("q_doc == kv_doc", 1, 2, decoded), "document_id[7] = 1, document_id[2] = 0, expected equal");
  }

  /// For `and`, the side that failed; for `or`, both; reversed for their negations.
  void reasons_of_joined_conditions() {
    COMPARE_TEXT(reason("not (kv_idx > q_idx or q_idx - kv_idx >= 6)", 9, 2), "q_idx - kv_idx = 7, expected < 6");
    COMPARE_TEXT(reason("(kv_idx < 2) | (q_idx - kv_idx < 3)", 9, 2),
                 "kv_idx = 2, expected < 2 and q_idx - kv_idx = 7, expected < 3");
    COMPARE_TEXT(reason("(kv_idx < 2) | ((q_idx > 3) & (kv_idx > 5))", 9, 2),
                 "kv_idx = 2, expected < 2 and kv_idx = 2, expected > 5");
    COMPARE_TEXT(reason("~((kv_idx < 5) & (q_idx > 3))", 9, 2),
                 "kv_idx = 2, expected >= 5 and q_idx = 9, expected <= 3");
    COMPARE_TEXT(reason("~((kv_idx < 5) | (q_idx > 30))", 9, 2), "kv_idx = 2, expected >= 5");
  }

  void reason_of_a_choice_names_the_chosen_side() {
    COMPARE_TEXT(reason("kv_idx < 2 if q_idx > 3 else kv_idx < 1", 9, 2), "kv_idx = 2, expected < 2");
    COMPARE_TEXT(reason("torch.where(q_idx > 10, kv_idx < 2, kv_idx < 1)", 9, 2), "kv_idx = 2, expected < 1");
  }

  void numbers_as_truth_values() {
    COMPARE_TEXT(reason("(q_idx - kv_idx) & 3", 9, 5), "(q_idx - kv_idx) & 3 = 0, expected not 0");
    COMPARE_TEXT(reason("not ((q_idx - kv_idx) & 3)", 9, 2), "(q_idx - kv_idx) & 3 = 3, expected 0");
  }

  void other_conditions_are_quoted() {
    COMPARE_TEXT(reason("(q_idx > 3) ^ (kv_idx < 5)", 9, 2), "(q_idx > 3) ^ (kv_idx < 5) is False");
    COMPARE_TEXT(reason("~((q_idx > 3) ^ (kv_idx < 1))", 9, 2), "(q_idx > 3) ^ (kv_idx < 1) is True, expected False");
    // Operands of fractions are whole multiples, which are not in the text.
    COMPARE_TEXT(reason("kv_idx * 0.5 > q_idx", 9, 2), "kv_idx * 0.5 > q_idx is False");
  }

  void long_pieces_are_cut_short() {
    std::string sum = "q_idx";
    for (int i = 0; i < 30; ++i) sum += " + kv_idx";
    const std::string found = reason(sum + " < 3", 9, 2);
    QVERIFY2(found.ends_with("… = 69, expected < 3"), found.c_str());
    QVERIFY2(found.size() < 110, found.c_str());
  }

  /// Twenty joins are followed, what is deeper is quoted.
  void deep_trees_are_quoted() {
    std::string nested = "kv_idx == 99";
    for (int i = 0; i < 40; ++i) nested = "(" + nested + " | (kv_idx == " + to_text(Index{50 + i}) + "))";
    const std::string found = reason(nested, 9, 2);
    QVERIFY2(found.find(" is False") != std::string::npos && found.size() < 1500, found.c_str());
  }

  void pieces_on_one_line() {
    const std::string text = "  a\n\t and   b \\\n c";
    COMPARE_TEXT(on_one_line(text, {0, static_cast<Index>(text.size())}), "a and b c");
    COMPARE_TEXT(on_one_line(text, {2, 4}), "a ");
    COMPARE_TEXT(on_one_line(text, {3, 3}), "");
  }
};

VQSCOPE_TEST(ExplanationTest)
#include "explanation_test.moc"
