// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes, terms and branches of compiled mask texts.
#include "core/mask/language/code/code.h"

#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/compilation.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

Code code_of(const std::string& text, const Given& given = {}) {
  const auto parsed = MaskProgram::parse(text, given);
  return parsed ? parsed.program->code() : Code{};
}

/// Names, or what is joined by them, with a bar between.
template <class All, class Name>
std::string names_of(const All& all, const Name& name) {
  std::string made;
  for (const auto& one : all) made += (made.empty() ? "" : " | ") + one.*name;
  return made;
}

}  // namespace

class CodeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void equal_nodes_are_shared() {
    Code code;
    NodeBuilder build(code);
    const NodeId one = build.constant(1, false, {}), q = build.make({.op = Op::variable, .value = 2});
    const NodeId sum = build.make({.op = Op::add, .a = q, .b = one});
    QCOMPARE(build.make({.op = Op::add, .a = q, .b = one}), sum);
    QVERIFY(build.make({.op = Op::add, .a = one, .b = q}) != sum);
    QVERIFY(build.constant(1, true, {}) != one);
    QCOMPARE(code.at(sum).depth, 2);
    // A truth value as a number, and that as a truth value, is the truth value.
    const NodeId truth = build.make({.op = Op::less, .is_bool = true, .a = q, .b = one});
    QCOMPARE(build.as_bool(build.as_int(truth)), truth);
    QCOMPARE(build.as_int(sum), sum);
    QCOMPARE(code.at(build.as_bool(sum)).op, Op::to_bool);
    QCOMPARE(code.at(build.as_bool(build.constant(7, false, {}))).value, 1);
  }

  void terms_and_branches_by_hand() {
    const Code code = code_of("near = q_idx - kv_idx < 3\nreturn (kv_idx <= q_idx) & (near | (kv_idx < 2))");
    COMPARE_TEXT(names_of(code.terms, &TermCode::name), "kv_idx <= q_idx | near | (kv_idx < 2)");
    COMPARE_TEXT(names_of(code.branches, &BranchCode::name), "near | kv_idx < 2");
    COMPARE_TEXT(names_of(code.comparisons, &Comparison::symbol), "< | <= | <");
    QCOMPARE(code.terms[0].comparisons, std::vector<std::size_t>{1});
    QCOMPARE(code.terms[1].comparisons, (std::vector<std::size_t>{0, 2}));
    const Code kept = without_branches(code, {true, false});
    QCOMPARE(kept.terms[1].comparisons, std::vector<std::size_t>{0});
    const Code none = without_branches(code, {false, false});
    QVERIFY(none.terms[1].comparisons.empty());
    QCOMPARE(none.at(none.terms[1].node).op, Op::constant);
  }

  /// Operands that `and` skips.
  void guards_are_the_terms_before() {
    const Code code = code_of("a = kv_idx > 0\nb = x[kv_idx - 1] > 0\nreturn a and b and kv_idx < 9");
    QCOMPARE(code.terms.size(), std::size_t{3});
    QVERIFY(code.terms[0].guards.empty());
    QCOMPARE(code.terms[1].guards, std::vector<std::size_t>{0});
    QCOMPARE(code.terms[2].guards, (std::vector<std::size_t>{0, 1}));
  }

  void unused_nodes_are_omitted() {
    const Code code = code_of("unused = size * other[kv_idx]\nreturn kv_idx <= q_idx + width");
    COMPARE_TEXT(names_of(code.integers, &IntegerUse::name), "width");
    QVERIFY(code.arrays.empty());
    for (const Node& node : code.nodes) QVERIFY(node.op != Op::multiply);
    // Names that decide the text stay, although no cell evaluates them.
    const Code decided = code_of("WIDE = 1\nx = q_idx\nif WIDE == 1:\n  x = kv_idx\nreturn x < 3");
    COMPARE_TEXT(names_of(decided.integers, &IntegerUse::name), "WIDE");
    QVERIFY(decided.integers.at(0).decides);
  }

  void variables_that_matter() {
    const Code code = code_of("(kv_idx <= q_idx) & (h < 2)");
    QVERIFY(depends_on(code, Variable::h) && depends_on(code, Variable::q_idx));
    QVERIFY(!depends_on(code, Variable::b) && !depends_on(code, Variable::kv_pos));
    QCOMPARE(variable_of("kv_doc"), std::optional(Variable::kv_doc));
    QVERIFY(!variable_of("kv") && !variable_of(""));
  }

  void elements_are_named_by_their_indices() {
    COMPARE_TEXT(element_name({.name = "x"}, 3), "x[3]");
    COMPARE_TEXT(element_name({.name = "x", .shape = {2, 4}}, 7), "x[1, 3]");
    COMPARE_TEXT(element_name({.name = "x", .shape = {4}}, 2), "x[2]");
  }

  /// Each node at most once, and only if `and`, `or`, `if` come to it.
  void cells_evaluate_only_needed_nodes() {
    const Code code = code_of("q_idx > 0 and 6 // q_idx > 2");
    Environment known{.extent = {4, 1}};
    PlainEvaluator evaluator(code, known);
    std::string row;
    for (Index q = 0; q < 4; ++q) {
      evaluator.move_to(q, 0);
      bool visible = true;
      for (const TermCode& term : code.terms) visible = visible && evaluator.evaluate(term.node).value_or(2) == 1;
      row += visible ? '1' : '0';
    }
    COMPARE_TEXT(row, "0110");
    evaluator.move_to(0, 0);
    QVERIFY(!evaluator.evaluate(code.terms[1].node));
    COMPARE_TEXT(evaluator.error().message, "6 // 0: division by zero");
    QVERIFY(!evaluator.known(code.terms[1].node));
  }
};

VQSCOPE_TEST(CodeTest)
#include "code_test.moc"
