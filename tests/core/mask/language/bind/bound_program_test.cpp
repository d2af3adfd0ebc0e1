// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bound_program.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/core/mask/language/bound_text.h"
#include "tests/core/mask/language/index_limits.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// A node of a bound text at a cell.
Index value_at(const BoundProgram& program, NodeId id, Index q, Index kv) {
  BoundNodes nodes(program.extent);
  nodes.program = program;
  return nodes.value(id, q, kv);
}

}  // namespace

class BoundProgramTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void operations_by_hand() {
    using Row = std::tuple<Op, Index, Index, Index>;
    for (const auto& [op, a, b, wanted] :
         {Row{Op::floor_divide, -7, 2, -4}, Row{Op::floor_divide, 7, -2, -4}, Row{Op::modulo, -7, 3, 2},
          Row{Op::modulo, 7, -3, -2}, Row{Op::power, -2, 3, -8}, Row{Op::power, 0, 0, 1},
          Row{Op::shift_left, -3, 2, -12}, Row{Op::shift_right, -3, 1, -2}, Row{Op::bit_xor, 6, 3, 5},
          Row{Op::bit_not, 0, 0, -1}, Row{Op::absolute, -9, 0, 9}, Row{Op::minimum, 3, -3, -3}, Row{Op::less, 2, 2, 0},
          Row{Op::less_equal, 2, 2, 1}, Row{Op::equal, 2, 2, 1}})
      QCOMPARE(evaluate(op, a, b, 0), wanted);
    QCOMPARE(evaluate(Op::select, 1, 5, 6), Index{5});
    QCOMPARE(evaluate(Op::select, 0, 5, 6), Index{6});
  }

  /// If the definition has no value, there is an arbitrary one, and a truth value that is true.
  void bound_operations_always_have_a_value() {
    QCOMPARE(evaluate(Op::floor_divide, 5, 0, 0), Index{0});
    QCOMPARE(evaluate(Op::modulo, 5, 0, 0), Index{0});
    QCOMPARE(evaluate(Op::floor_divide, lowest_index, -1, 0), lowest_index);
    QCOMPARE(evaluate(Op::negate, lowest_index, 0, 0), lowest_index);
    QCOMPARE(evaluate(Op::absolute, lowest_index, 0, 0), lowest_index);
    QCOMPARE(evaluate(Op::add, highest_index, 1, 0), lowest_index);
    QCOMPARE(evaluate(Op::power, 10, -1, 0), Index{0});
    QCOMPARE(evaluate(Op::power, 10, 19, 0), Index{0});
    QCOMPARE(evaluate(Op::shift_left, 1, 64, 0), Index{0});
    QCOMPARE(evaluate(Op::shift_right, -1, 64, 0), Index{0});
    QCOMPARE(evaluate(Op::shift_right, -1, -1, 0), Index{0});
    QCOMPARE(evaluate(failure_of(Op::add), highest_index, 1, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::add), highest_index, 0, 0), Index{0});
    QCOMPARE(evaluate(failure_of(Op::subtract), lowest_index, 1, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::multiply), Index{1} << 32, Index{1} << 31, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::multiply), Index{1} << 32, Index{1} << 30, 0), Index{0});
    QCOMPARE(evaluate(failure_of(Op::power), 10, 19, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::power), 10, -1, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::shift_left), 1, 63, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::shift_left), 1, 64, 0), Index{1});
    QCOMPARE(evaluate(failure_of(Op::shift_left), 1, 62, 0), Index{0});
  }

  /// The bounds of a node hold for all pairs of operands within theirs; `exact` where none of them
  /// wraps.
  void bounds_hold_for_each_pair_of_operands() {
    BoundNodes nodes({1, 1});
    Random random(91);
    const std::vector<Index> edges{lowest_index, lowest_index + 1, -65, -2, -1, 0, 1, 2, 7, 63, 64, highest_index};
    const auto any = [&] {
      const Index a =
          pick(random, 0, 2) == 0 ? edges[static_cast<std::size_t>(pick(random, 0, 11))] : pick(random, -9, 9);
      const Index b = a > highest_index - 9 ? a : a + pick(random, 0, 9);
      return Bounds{a, b};
    };
    for (int i = 0; i < 4000; ++i) {
      const Bounds a = any(), b = any();
      const auto check = [&](Op op, bool is_bool) {
        const BoundNode node{.op = op, .is_bool = is_bool};
        bool exact = true;
        const Bounds found = bounds_of(nodes.program, node, {{0, 1}, {0, 1}}, a, b, {}, &exact);
        for (Index x = a.low;; ++x) {
          for (Index y = b.low;; ++y) {
            const Index value = evaluate(op, x, y, 0);
            if (value < found.low || value > found.high)
              return "operation " + std::to_string(static_cast<int>(op)) + " of " + to_text(x) + " and " + to_text(y) +
                     " is " + to_text(value) + ", not in " + to_text(found.low) + ".." + to_text(found.high);
            if (y == b.high) break;
          }
          if (x == a.high) break;
        }
        return std::string();
      };
      for (const Op op : integer_operations) COMPARE_TEXT(check(op, false), "");
      for (const Op op : comparisons) COMPARE_TEXT(check(op, true), "");
    }
  }

  void overflow_is_not_exact() {
    BoundNodes nodes({4, 4});
    const NodeId q = nodes.q(), highest = nodes.constant(highest_index), three = nodes.constant(3);
    const auto exact = [&](NodeId id) { return nodes.program.at(id).exact; };
    QVERIFY(!exact(nodes.number(Op::add, q, highest)));
    QVERIFY(exact(nodes.number(Op::subtract, highest, q)));
    QVERIFY(exact(nodes.number(Op::power, q, three)));
    QVERIFY(!exact(nodes.number(Op::power, three, nodes.number(Op::negate, q))));
    QVERIFY(!exact(nodes.number(Op::shift_left, highest, q)));
  }

  void a_text_by_hand() {
    const BoundText text("(kv_idx <= q_idx) & (q_idx - kv_idx < window)", {.q_length = 10},
                         {.integers = {{"window", 4}}});
    const BoundProgram& bound = text.bound;
    const BoundNode& root = bound.at(bound.visible);
    QCOMPARE(root.op, Op::logical_and);
    const BoundNode& causal = bound.at(root.a);
    QCOMPARE(causal.op, Op::less_equal);
    QCOMPARE(bound.at(causal.a).op, Op::kv);
    QCOMPARE(bound.at(causal.b).op, Op::q);
    const BoundNode& near = bound.at(root.b);
    QCOMPARE(near.op, Op::less);
    QCOMPARE(bound.at(near.b).value, Index{4});
    const BoundNode& behind = bound.at(near.a);
    QCOMPARE(behind.op, Op::subtract);
    // Query and key stand once.
    QCOMPARE(behind.a, causal.b);
    QCOMPARE(behind.b, causal.a);
    QCOMPARE(text.bound.terms.size(), std::size_t{2});
    QCOMPARE(text.bound.fails, no_node);
    QVERIFY(behind.by_q && behind.by_kv && behind.exact && !behind.is_bool);
    QCOMPARE(behind.bounds, (Bounds{-9, 9}));
  }

  void known_values_become_one_constant() {
    const auto constants = [](const char* written, MaskBindings bindings = {}) {
      const BoundText text(written, {.q_length = 10, .past_len = 3}, std::move(bindings));
      const BoundNode& root = text.bound.at(text.bound.visible);
      return root.op == Op::constant ? std::optional(root.value) : std::nullopt;
    };
    QCOMPARE(constants("q_idx < 10"), Index{1});
    QCOMPARE(constants("kv_idx >= 13"), Index{0});
    QCOMPARE(constants("past_len == 3"), Index{1});
    QCOMPARE(constants("(q_idx < 0) & (kv_idx < 4)"), Index{0});
    QCOMPARE(constants("(q_idx >= 0) | (kv_idx < 4)"), Index{1});
    QCOMPARE(constants("n * 2 == 8", {.integers = {{"n", 4}}}), Index{1});
    QVERIFY(!constants("kv_idx < 4"));
    // Terms that are off hold everywhere.
    QCOMPARE(constants("(kv_idx < 4) & (q_idx < 3)", {.term_on = {false, false}}), Index{1});
    QVERIFY(!constants("(kv_idx < 4) & (q_idx < 3)", {.term_on = {false}}));
  }

  void terms_that_are_off_have_no_nodes() {
    const BoundText text("(kv_idx < 4) & (q_idx < 3)", {.q_length = 10}, {.term_on = {false, true}});
    QCOMPARE(text.bound.terms[0].holds, no_node);
    QCOMPARE(text.bound.terms[0].passes, no_node);
    QCOMPARE(text.bound.terms[1].holds, text.bound.visible);
  }

  /// A term joined by `and` is evaluated where those before it hold: it fails there alone, and
  /// passes elsewhere.
  void a_term_that_fails_by_hand() {
    const BoundText text("(kv_idx > 2) and (q_idx // (kv_idx - 2) == 1) & (kv_idx < 8)", {.q_length = 10});
    const BoundTerm& divides = text.bound.terms[1];
    QVERIFY(divides.fails != no_node);
    QCOMPARE(value_at(text.bound, divides.fails, 5, 2), Index{1});
    QCOMPARE(value_at(text.bound, divides.holds, 5, 2), Index{0});
    QCOMPARE(value_at(text.bound, divides.passes, 5, 2), Index{1});
    QCOMPARE(value_at(text.bound, text.bound.fails, 5, 2), Index{0});
    QCOMPARE(value_at(text.bound, divides.holds, 5, 6), Index{1});
    // Without the guard the cell has no value.
    const BoundText alone("(q_idx // (kv_idx - 2) == 1) & (kv_idx < 8)", {.q_length = 10});
    QCOMPARE(value_at(alone.bound, alone.bound.fails, 5, 2), Index{1});
    QCOMPARE(value_at(alone.bound, alone.bound.fails, 5, 3), Index{0});
  }

  void negative_indices_count_from_the_end() {
    const BoundText text("values[kv_idx - 3] == 7", {.q_length = 6}, {.arrays = {{"values", {7, 0, 0, 0, 7}}}});
    std::string row;
    for (Index kv = 0; kv < 6; ++kv) row += value_at(text.bound, text.bound.visible, 0, kv) != 0 ? '1' : '0';
    // values[-3], values[-2], values[-1], values[0], ...
    COMPARE_TEXT(row, "001100");
    QCOMPARE(text.bound.fails, no_node);
  }

  /// Each term of random programs: its value, and whether it has one, by the plain evaluator.
  void terms_agree_with_the_definition() {
    Random random(92);
    int failing = 0;
    for (int i = 0; i < 1200; ++i) {
      const std::string written = ProgramWriter(random).text();
      MaskBindings bindings{.integers = {{"window", pick(random, -2, 9)}}};
      auto& values = bindings.arrays["values"];
      for (Index k = pick(random, 0, 40); k > 0; --k) values.push_back(pick(random, -3, 9));
      const BoundText text(written, random_input(random), std::move(bindings));
      PlainEvaluator evaluator(text.program->code(), text.environment);
      for (int k = 0; k < 25; ++k) {
        const Index q = pick(random, 0, text.bound.extent.rows - 1), kv = pick(random, 0, text.bound.extent.cols - 1);
        evaluator.move_to(q, kv);
        for (std::size_t term = 0; term < text.bound.terms.size(); ++term) {
          evaluator.clear_error();
          const auto wanted = evaluator.evaluate(text.program->terms()[term].node);
          const BoundTerm& made = text.bound.terms[term];
          const bool fails = made.fails != no_node && value_at(text.bound, made.fails, q, kv) != 0;
          QVERIFY2(fails != wanted.has_value(), (written + cell_name(q, kv)).c_str());
          failing += fails ? 1 : 0;
          QVERIFY2((value_at(text.bound, made.holds, q, kv) != 0) == (wanted.value_or(0) != 0),
                   (written + cell_name(q, kv)).c_str());
        }
      }
    }
    QVERIFY2(failing > 1000, qPrintable(QString::number(failing)));
  }
};

VQSCOPE_TEST(BoundProgramTest)
#include "bound_program_test.moc"
