// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition_solver.h"

#include "tests/core/mask/language/bound_text.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// The cases of the left side of "INTEGER == other[q_idx] + other[kv_idx]".
class Cases {
 public:
  Cases(const std::string& integer, Extent extent, const CellSet& within, Index steps = Index{1} << 24)
      : m_text(integer + " == other[q_idx] * other[kv_idx]", {.q_length = extent.rows, .kv_length = extent.cols},
               bindings()),
        m_work({steps, {}}),
        m_pieces(all_pieces(m_text.bound)),
        m_restriction(m_work),
        m_sums(m_text.bound, m_pieces, std::nullopt, m_work),
        m_conditions(m_text.bound, m_pieces, within, {steps, {}}),
        m_solver(m_text.bound, m_sums, m_restriction, m_work, m_conditions) {
    cases = m_solver.cases(node(), within, 0);
  }

  bool failed() const { return m_work.failed() || m_conditions.failed(); }

  /// The only case whose region has the cell; or none, or one of several.
  std::optional<Index> value(Index q, Index kv) const {
    std::optional<Index> found;
    for (const Case& c : cases) {
      if (!c.region.contains(q, kv)) continue;
      if (found) return std::nullopt;
      found = at(c.sum.f, q) + at(c.sum.g, kv);
    }
    return found;
  }

  /// Value of the cell by the definition.
  Index wanted(Index q, Index kv) const {
    PlainEvaluator evaluator(m_text.program->code(), m_text.environment);
    evaluator.move_to(q, kv);
    return evaluator.evaluate(m_text.program->code().at(m_text.program->terms()[0].node).a).value();
  }

  std::vector<Case> cases;

 private:
  static MaskBindings bindings() {
    MaskBindings made;
    for (Index i = 0; i < 200; ++i) made.arrays["other"].push_back(i % 2 == 0 ? -99999 : 99999);
    for (Index i = 0; i < 64; ++i) made.arrays["values"].push_back(i < 20 ? i / 4 : i < 40 ? i - 30 : 7 - i);
    return made;
  }
  NodeId node() const { return m_text.bound.at(m_text.bound.visible).a; }
  static Index at(const Part& part, Index x) {
    if (part.is_constant()) return part.offset;
    return part.factor * (*part.pieces)[piece_at(*part.pieces, x)].at(x) + part.offset;
  }

  BoundText m_text;
  RegionWork m_work;
  std::vector<PiecesPtr> m_pieces;
  SumRestriction m_restriction;
  NodeSums m_sums;
  ConditionSolver m_conditions;
  CaseSolver m_solver;
};

/// Why cases are not a partition of a region into parts with the right sum in each, or nothing.
std::string cases_differ(const Cases& made, const CellSet& within, Extent extent) {
  for (Index q = 0; q < extent.rows; ++q)
    for (Index kv = 0; kv < extent.cols; ++kv) {
      const auto found = made.value(q, kv);
      if (!within.contains(q, kv)) {
        if (found) return cell_name(q, kv) + " is outside";
        continue;
      }
      if (!found) return cell_name(q, kv) + " is in no case, or in two";
      if (*found != made.wanted(q, kv)) return cell_name(q, kv) + " is " + to_text(*found);
    }
  return {};
}

}  // namespace

class CaseSolverTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void integers_by_hand() {
    const Extent extent{8, 8};
    const auto count = [&](const char* integer) { return Cases(integer, extent, whole_of(extent)).cases.size(); };
    QCOMPARE(count("(q_idx - kv_idx)"), std::size_t{1});
    // Below the diagonal, and from it on.
    QCOMPARE(count("abs(q_idx - kv_idx)"), std::size_t{2});
    QCOMPARE(count("max(q_idx, kv_idx)"), std::size_t{2});
    // -7 // 4 = -2 up to 7 // 4 = 1.
    QCOMPARE(count("(q_idx - kv_idx) // 4"), std::size_t{4});
    QCOMPARE(count("(q_idx - kv_idx) % 4"), std::size_t{4});
    QCOMPARE(count("(q_idx >= kv_idx).int()"), std::size_t{2});
    QCOMPARE(count("(q_idx >= kv_idx).int() * (q_idx - kv_idx < 3).int()"), std::size_t{2});
  }

  void cases_are_a_partition() {
    Random random(61);
    const Extent extent{18, 23};
    for (const char* integer : {"(q_idx - kv_idx)",
                                "-(q_idx - kv_idx)",
                                "3 * (q_idx - kv_idx)",
                                "(q_idx - kv_idx) * -2",
                                "abs(q_idx - kv_idx)",
                                "min(q_idx - kv_idx, 3)",
                                "max(q_idx, kv_idx) - kv_idx",
                                "(q_idx - kv_idx) // 5",
                                "(q_idx - kv_idx) % 5",
                                "abs(q_idx - kv_idx) % 3 + kv_idx",
                                "values[abs(q_idx - kv_idx)]",
                                "values[abs(q_idx - kv_idx) + 15]",
                                "(7 if q_idx > kv_idx else q_idx - kv_idx)",
                                "torch.where(kv_idx < 5, q_idx, kv_idx - q_idx)",
                                "(q_idx >= kv_idx).int() + (q_idx - kv_idx < 4).int() * 2",
                                "(q_idx >= kv_idx).int() & (q_idx - kv_idx < 4).int()",
                                "(q_idx >= kv_idx).int() | 6",
                                "(q_idx >= kv_idx).int() ^ (kv_idx % 2)",
                                "abs(abs(q_idx - kv_idx) - 6)",
                                "((q_idx - kv_idx) // 5) * ((q_idx - kv_idx) // 7)",
                                "(q_idx - kv_idx + 40) // 9 - kv_idx // 2"})
      for (int i = 0; i < 4; ++i) {
        const CellSet within = i == 0 ? whole_of(extent) : random_region(random, extent);
        const Cases made(integer, extent, within);
        QVERIFY2(!made.failed(), integer);
        const auto wrong = cases_differ(made, within, extent);
        QVERIFY2(wrong.empty(), (std::string(integer) + ": " + wrong).c_str());
      }
  }

  void inseparable_expressions_fail() {
    const Extent extent{18, 18};
    for (const char* integer :
         {"q_idx * kv_idx", "(q_idx ^ kv_idx)", "(q_idx - kv_idx) ** 2", "(q_idx - kv_idx) // (kv_idx + 1)",
          "(q_idx + kv_idx) % 5", "values[(q_idx * kv_idx) % 16]", "abs(q_idx - 2 * kv_idx)"})
      QVERIFY2(Cases(integer, extent, whole_of(extent)).failed(), integer);
    // Negative and unknown divisors too.
    QVERIFY(Cases("(q_idx - kv_idx) // -3", extent, whole_of(extent)).failed());
  }

  /// 256 cases are the most: one for each of 255 distances, and 257 are refused.
  void too_many_cases_fail() {
    const auto cases_of = [](Index length) {
      return Cases("(2 * (q_idx - kv_idx)) // 2", {length, length}, whole_of({length, length}));
    };
    QCOMPARE(cases_of(128).cases.size(), std::size_t{255});
    QVERIFY(cases_of(129).failed());
  }

  void a_budget_ends_it() {
    const Extent extent{40, 40};
    QVERIFY(Cases("(q_idx - kv_idx) % 3", extent, whole_of(extent), 20).failed());
    QVERIFY(Cases("(q_idx - kv_idx) % 3", extent, CellSet{}, 20).cases.empty());
  }
};

VQSCOPE_TEST(CaseSolverTest)
#include "case_solver_test.moc"
