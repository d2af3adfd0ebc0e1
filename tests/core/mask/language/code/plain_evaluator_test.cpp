// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/plain_evaluator.h"

#include "tests/core/mask/language/bound_text.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

const MaskBindings arrays{.integers = {{"n", 3}}, .arrays = {{"values", {5, 6, 7}}, {"none", {}}}};

/// Value of a text of one term at a cell: 1, 0, or why it has none.
std::string outcome(const std::string& written, Index q, Index kv, const MaskBindings& bindings = arrays) {
  const BoundText text(written, {.q_length = 8, .kv_length = 12, .past_len = 4, .document_lengths = {5, 7}}, bindings);
  if (!text.program) return MaskProgram::parse(written).error.message;
  PlainEvaluator evaluator(text.program->code(), text.environment);
  evaluator.move_to(q, kv);
  const auto value = evaluator.evaluate(text.program->terms()[0].node);
  return value ? to_text(*value) : evaluator.error().message;
}

}  // namespace

class PlainEvaluatorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void variables_agree_with_the_sequence() {
    // Twelve keys, the last eight of which are queries; documents of five and seven tokens.
    COMPARE_TEXT(outcome("q_idx == 2", 2, 9), "1");
    COMPARE_TEXT(outcome("kv_idx == 9", 2, 9), "1");
    COMPARE_TEXT(outcome("q_pos == 1", 2, 9), "1");
    COMPARE_TEXT(outcome("kv_pos == 4", 2, 9), "1");
    COMPARE_TEXT(outcome("q_doc == 1", 2, 9), "1");
    COMPARE_TEXT(outcome("kv_doc == 0", 2, 4), "1");
    COMPARE_TEXT(outcome("past_len * 100 + q_len * 10 + kv_len == 492", 0, 0), "1");
    COMPARE_TEXT(outcome("b * 10 + h == 72", 0, 0, {.b = 7, .h = 2}), "1");
    COMPARE_TEXT(outcome("n == 3", 0, 0), "1");
  }

  void operators_agree_with_python() {
    for (const char* written :
         {"-7 // 2 + q_idx == -2", "(q_idx - 9) % 4 == 1", "(q_idx - 9) // 4 == -2", "-(q_idx ** 2) == -4",
          "(q_idx << 3) == 16", "(q_idx - 7 >> 1) == -3", "(~q_idx) == -3", "(q_idx & 3 | 8 ^ 1) == 11",
          "min(q_idx, 1) == 1", "max(q_idx, kv_idx) == 3", "abs(q_idx - 5) == 3", "(q_idx < kv_idx).int() == 1",
          "0 < q_idx < kv_idx < 4", "True if q_idx == 2 else values[9] == 1", "q_idx != kv_idx", "not q_idx == kv_idx",
          "(q_idx == 2) ^ (kv_idx == 2)", "torch.where(q_idx == 2, kv_idx, 9) == 3"})
      QVERIFY2(outcome(written, 2, 3) == "1", (std::string(written) + ": " + outcome(written, 2, 3)).c_str());
  }

  void errors_have_the_numbers() {
    using Row = std::pair<const char*, const char*>;
    for (const auto& [written, wanted] :
         {Row{"values[kv_idx] == 5", "values[3] is out of range; indices go from -3 to 2"},
          Row{"values[q_idx - 6] == 5", "values[-4] is out of range; indices go from -3 to 2"},
          Row{"none[kv_idx] == 5", "none[3]: the array is empty"},
          Row{"q_idx // (kv_idx - 3) == 1", "2 // 0: division by zero"},
          Row{"q_idx % (kv_idx - 3) == 1", "2 % 0: division by zero"},
          Row{"q_idx << (kv_idx - 4) == 1", "2 << -1: the count must be from 0 to 63"},
          Row{"q_idx ** (kv_idx - 4) == 1", "2 ** -1: the exponent must not be negative"},
          Row{"q_idx ** (kv_idx + 60) == 1", "2 ** 63 does not fit in 64 bits"},
          Row{"q_idx + 9223372036854775807 == 1", "2 + 9223372036854775807 does not fit in 64 bits"},
          Row{"(q_idx - 4) - 9223372036854775807 == 1", "-2 - 9223372036854775807 does not fit in 64 bits"},
          Row{"q_idx * 9223372036854775807 == 1", "2 * 9223372036854775807 does not fit in 64 bits"},
          Row{"-(0 - 9223372036854775807 - kv_idx // 3) == 1", "-(-9223372036854775808) does not fit in 64 bits"},
          Row{"abs(0 - 9223372036854775807 - kv_idx // 3) == 1", "abs(-9223372036854775808) does not fit in 64 bits"}})
      COMPARE_TEXT(outcome(written, 2, 3), wanted);
  }

  /// Operands that are not evaluated cannot fail.
  void short_circuits_skip_unneeded_operands() {
    COMPARE_TEXT(outcome("(kv_idx < 3 and values[kv_idx] == 7) or q_idx == 2", 2, 3), "1");
    COMPARE_TEXT(outcome("kv_idx == 3 or values[kv_idx] == 7", 2, 3), "1");
    COMPARE_TEXT(outcome("values[kv_idx] == 7 if kv_idx < 3 else q_idx == 2", 2, 3), "1");
    // The bitwise ones and torch.where evaluate both.
    const std::string outside = "values[3] is out of range; indices go from -3 to 2";
    COMPARE_TEXT(outcome("(kv_idx == 3) | (values[kv_idx] == 7)", 2, 3), outside);
    COMPARE_TEXT(outcome("torch.where(kv_idx < 3, values[kv_idx], q_idx) == 2", 2, 3), outside);
  }

  void first_error_is_reported_and_later_nodes_are_unknown() {
    const BoundText text("(kv_idx < 3 and values[kv_idx] == 7) or (q_idx // (kv_idx - 3) == 1)", {.q_length = 8},
                         arrays);
    const Code& code = text.program->code();
    PlainEvaluator evaluator(code, text.environment);
    evaluator.move_to(2, 3);
    const NodeId root = code.terms[0].node;
    QVERIFY(!evaluator.evaluate(root));
    COMPARE_TEXT(evaluator.error().message, "2 // 0: division by zero");
    const Range range = evaluator.error().range;
    COMPARE_TEXT(
        text.program->text().substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size())),
        "q_idx // (kv_idx - 3)");
    QVERIFY(!evaluator.known(root));
    const auto element = std::ranges::find(code.nodes, Op::element, &Node::op);
    QVERIFY(!evaluator.known(static_cast<NodeId>(element - code.nodes.begin())));
    // Another cell forgets all of it.
    evaluator.move_to(2, 2);
    QCOMPARE(evaluator.evaluate(root), Index{1});
    QCOMPARE(evaluator.known(static_cast<NodeId>(element - code.nodes.begin())), Index{7});
    QCOMPARE(evaluator.q(), Index{2});
    QCOMPARE(evaluator.kv(), Index{2});
  }

  void a_second_error_does_not_hide_the_first_until_it_is_cleared() {
    const BoundText text("(values[kv_idx] == 7) & (q_idx // (kv_idx - 3) == 1)", {.q_length = 8}, arrays);
    const auto& terms = text.program->terms();
    PlainEvaluator evaluator(text.program->code(), text.environment);
    evaluator.move_to(2, 3);
    QVERIFY(!evaluator.evaluate(terms[0].node) && !evaluator.evaluate(terms[1].node));
    QVERIFY(evaluator.error().message.starts_with("values[3]"));
    evaluator.clear_error();
    QVERIFY(!evaluator.evaluate(terms[1].node));
    COMPARE_TEXT(evaluator.error().message, "2 // 0: division by zero");
  }
};

VQSCOPE_TEST(PlainEvaluatorTest)
#include "plain_evaluator_test.moc"
