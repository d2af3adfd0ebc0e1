// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/operators.h"

#include "core/mask/language/bind/bound_program.h"
#include "core/mask/language/compile/program.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/source_tokens.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Value of `a symbol b`, by a program of one cell; the error's text where it has no value.
std::string result_of(std::string_view symbol, Index a, Index b) {
  const std::string text = "x " + std::string(symbol) + " y == 0";
  const auto parsed = MaskProgram::parse(text);
  if (!parsed) return parsed.error.message;
  const Code& code = parsed.program->code();
  Environment known{.extent = {1, 1}};
  for (const IntegerUse& use : code.integers) known.integers.push_back(use.name == "x" ? a : b);
  const auto comparison = std::ranges::find(code.nodes, Op::equal, &Node::op);
  if (comparison == code.nodes.end()) return "no comparison";
  PlainEvaluator evaluator(code, known);
  evaluator.move_to(0, 0);
  const auto value = evaluator.evaluate(comparison->a);
  return value ? std::to_string(*value) : evaluator.error().message;
}

/// Numbers at which results stop to fit, and a few that are near 0.
std::vector<Index> edges() {
  std::vector<Index> all{lowest, lowest + 1, -(Index{1} << 32), Index{1} << 32, highest - 1, highest};
  for (Index i = -66; i <= 66; i += 3) all.push_back(i);
  all.insert(all.end(), {-1, 1, 2, 62, 64});
  return all;
}

std::vector<const Operator*> with_values() {
  std::vector<const Operator*> all;
  for (const Operator& row : operators())
    if (row.value && row.op) all.push_back(&row);
  return all;
}

}  // namespace

class OperatorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void results_by_hand() {
    struct Example {
      const char* symbol;
      Index a, b;
      const char* result;
    };
    const std::vector<Example> examples{
        {"|", 12, 10, "14"},
        {"^", 12, 10, "6"},
        {"&", 12, 10, "8"},
        {"<<", 3, 4, "48"},
        {">>", -5, 1, "-3"},
        {"+", highest, 1, "9223372036854775807 + 1 does not fit in 64 bits"},
        {"-", -2, 7, "-9"},
        {"*", highest, 2, "9223372036854775807 * 2 does not fit in 64 bits"},
        {"//", -7, 2, "-4"},
        {"//", 7, -2, "-4"},
        {"//", 7, 0, "7 // 0: division by zero"},
        {"//", lowest, -1, "-9223372036854775808 // -1 does not fit in 64 bits"},
        {"%", -7, 3, "2"},
        {"%", 7, -3, "-2"},
        {"%", lowest, -1, "0"},
        {"%", 7, 0, "7 % 0: division by zero"},
        {"**", -3, 3, "-27"},
        {"**", 0, 0, "1"},
        {"**", 2, -1, "2 ** -1: the exponent must not be negative"},
        {"**", 2, 63, "2 ** 63 does not fit in 64 bits"},
        {"<<", 1, 63, "1 << 63 does not fit in 64 bits"},
        {"<<", -1, 63, "-9223372036854775808"},
        {"<<", 1, 64, "1 << 64: the count must be from 0 to 63"},
        {">>", 1, -1, "1 >> -1: the count must be from 0 to 63"},
    };
    for (const Example& one : examples) COMPARE_TEXT(result_of(one.symbol, one.a, one.b), one.result);
  }

  void symbols_are_tokens_alone_and_before_an_equals_sign() {
    for (const Operator& row : operators()) {
      const std::string symbol(row.symbol);
      const bool assigns = row.binding > Binding::comparison;
      for (const std::string& written : {symbol, assigns ? symbol + "=" : symbol}) {
        const auto all = tokens("a " + written + " b");
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[1].kind, SourceTokenKind::symbol);
        QCOMPARE(all[1].range.size(), static_cast<Index>(written.size()));
      }
    }
  }

  /// As Python's grammar has them.
  void tighter_ones_come_first() {
    const std::vector<std::vector<std::string>> by_tightness{{"<", "<=", ">", ">=", "==", "!="},
                                                             {"|"},
                                                             {"^"},
                                                             {"&"},
                                                             {"<<", ">>"},
                                                             {"+", "-"},
                                                             {"*", "/", "//", "%"},
                                                             {"**"}};
    std::size_t count = 0;
    for (std::size_t i = 0; i < by_tightness.size(); ++i)
      for (const std::string& symbol : by_tightness[i]) {
        const Operator* row = operator_of(symbol);
        QVERIFY2(row, symbol.c_str());
        ++count;
        if (i == 0) continue;
        QVERIFY2(row->binding > operator_of(by_tightness[i - 1].front())->binding, symbol.c_str());
        QCOMPARE(row->binding, operator_of(by_tightness[i].front())->binding);
      }
    QCOMPARE(operators().size(), count);
    QCOMPARE(binding_of("<="), Binding::loosest);
    QCOMPARE(binding_of("<>"), Binding::loosest);
    QVERIFY(is_comparison("!=") && !is_comparison("=") && !is_comparison("+"));
    QVERIFY(is_bitwise("^") && !is_bitwise("<<") && !is_bitwise("<"));
  }

  void rows_are_found_by_symbol_and_operation() {
    for (const Operator& row : operators()) {
      QCOMPARE(operator_of(row.symbol), &row);
      if (row.op) QCOMPARE(operator_of(*row.op), &row);
    }
    QVERIFY(!operator_of("<>") && !operator_of(Op::where));
  }

  void functions_of_torch_mean_their_operator() {
    for (const Operator& row : operators()) {
      if (row.functions.empty()) continue;
      const std::string both = "(q_idx, kv_idx + 1)", symbol(row.symbol);
      const std::string tail = row.binding > Binding::comparison ? " > 2" : "";
      const auto called = MaskProgram::parse("torch." + std::string(row.function()) + both + tail);
      const auto written = MaskProgram::parse("(q_idx " + symbol + " (kv_idx + 1))" + tail);
      QVERIFY2(called && written, symbol.c_str());
      const auto layout = *SequenceLayout::make({.q_length = 9});
      const auto a = *LanguageMask::make(called.program, {}, layout);
      const auto b = *LanguageMask::make(written.program, {}, layout);
      for (Index q = 0; q < 9; ++q)
        for (Index kv = 0; kv < 9; ++kv) QCOMPARE(a->visible(q, kv), b->visible(q, kv));
    }
  }

  /// Bound programs have a value wherever the table has, and know where it has none.
  void bound_programs_agree_with_the_table() {
    for (const Operator* row : with_values())
      for (const Index a : edges())
        for (const Index b : edges()) {
          const auto value = row->value(a, b);
          if (value) QCOMPARE(evaluate(*row->op, a, b, 0), *value);
          QCOMPARE(evaluate(failure_of(*row->op), a, b, 0), value ? 0 : 1);
        }
  }

  void bounds_of_the_table_hold_every_result() {
    const BoundProgram program;
    Random random(7);
    for (const Operator* row : with_values())
      for (int i = 0; i < 200; ++i) {
        const Index low = pick(random, -40, 40), low_b = pick(random, -5, 70);
        const Bounds a{low, low + pick(random, 0, 3)}, b{low_b, low_b + pick(random, 0, 3)};
        for (const Op op : {*row->op, failure_of(*row->op)}) {
          const bool is_truth = op != *row->op || row->binding == Binding::comparison;
          const BoundNode node{.op = op, .is_bool = is_truth};
          bool exact = true;
          const Bounds bounds = bounds_of(program, node, {}, a, b, {}, &exact);
          for (Index x = a.low; x <= a.high; ++x)
            for (Index y = b.low; y <= b.high; ++y) {
              const Index result = evaluate(op, x, y, 0);
              QVERIFY(result >= bounds.low && result <= bounds.high);
            }
          if (node.is_bool) QVERIFY(bounds.low >= 0 && bounds.high <= 1);
        }
      }
  }

  /// A value wherever there is no refusal and the result fits, checked with 128 bits.
  void refusals_and_values_agree() {
    for (const Operator* row : with_values())
      for (const Index a : edges())
        for (const Index b : edges())
          if (row->refusal && row->refusal(a, b)) QVERIFY(!row->value(a, b));
    __extension__ using Wide = __int128;
    const auto fits = [](Wide value) { return value >= lowest && value <= highest; };
    for (const Index a : edges())
      for (const Index b : edges()) {
        QCOMPARE(operator_of("+")->value(a, b).has_value(), fits(Wide{a} + b));
        QCOMPARE(operator_of("-")->value(a, b).has_value(), fits(Wide{a} - b));
        QCOMPARE(operator_of("*")->value(a, b).has_value(), fits(Wide{a} * b));
        if (b == 0) continue;
        const Wide quotient = Wide{a} / b - (((b != -1 && a % b != 0) && (a < 0) != (b < 0)) ? 1 : 0);
        QCOMPARE(operator_of("//")->value(a, b).has_value(), fits(quotient));
        if (fits(quotient)) QVERIFY(Wide{*operator_of("//")->value(a, b)} * b + *operator_of("%")->value(a, b) == a);
      }
  }
};

VQSCOPE_TEST(OperatorsTest)
#include "operators_test.moc"
