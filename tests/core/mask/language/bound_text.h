// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bindings.h"
#include "core/mask/language/bind/bound_program.h"
#include "core/mask/language/solve/condition.h"
#include "tests/support/field_checks.h"

#include <memory>
#include <string>
#include <utility>

namespace vqscope::test {

/// A text that is bound, without a mask around it: what the solver and the evaluators are given.
struct BoundText {
  std::shared_ptr<const MaskProgram> program;
  language::Environment environment;
  language::BoundProgram bound;

  explicit BoundText(const std::string& text, const SequenceInput& input, MaskBindings bindings = {}) {
    program = MaskProgram::parse(text).program;
    if (!program) return;
    const auto term_on = bindings.term_on;
    environment = language::make_environment(*program, std::move(bindings), *SequenceLayout::make(input)).value();
    bound = language::bind(program->code(), environment, term_on);
  }

  /// The definition: every term has a value at the cell and holds, those that are off aside.
  bool visible(Index q, Index kv) const {
    language::PlainEvaluator evaluator(program->code(), environment);
    evaluator.move_to(q, kv);
    for (const auto& term : program->terms())
      if (evaluator.evaluate(term.node).value_or(0) == 0) return false;
    return true;
  }
};

inline const language::SolverBudget ample{Index{1} << 30, {}};

inline CellSet whole_of(Extent extent) { return CellSet::whole({0, extent.rows}, {0, extent.cols}); }

/// The first cell in which a region within another one differs from `holds`, or which is in it
/// twice; or nothing.
template <class Holds>
std::string region_differs(const CellSet& region, const CellSet& within, Extent extent, const Holds& holds) {
  std::vector<Range> row, all;
  for (Index q = 0; q < extent.rows; ++q) {
    Index cells = 0, seen = 0;
    for (const Band& band : region.bands())
      if (band.rows.contains(q)) cells += band.row(q).size();
    vqscope::row_of(region, q, row);
    vqscope::row_of(within, q, all);
    std::size_t in_region = 0, in_all = 0;
    const auto is_in = [](const std::vector<Range>& ranges, std::size_t& at, Index kv) {
      while (at < ranges.size() && ranges[at].end <= kv) ++at;
      return at < ranges.size() && ranges[at].begin <= kv;
    };
    for (Index kv = 0; kv < extent.cols; ++kv) {
      const bool found = is_in(row, in_region, kv);
      seen += found ? 1 : 0;
      const bool wanted = is_in(all, in_all, kv) && holds(q, kv);
      if (found != wanted) return cell_name(q, kv) + (wanted ? " is missing" : " is too much");
    }
    if (cells != seen) return "row " + to_text(q) + " has a cell twice, or one outside";
  }
  return {};
}

/// Any region of the matrix, of several bands, some of which move along with the row.
inline CellSet random_region(Random& random, Extent extent) {
  CellSet made;
  for (Index begin = pick(random, 0, 3); begin < extent.rows;) {
    const Range rows{begin, pick(random, begin + 1, std::min(extent.rows, begin + 12))};
    Index left = pick(random, 0, extent.cols - 1);
    for (Index count = pick(random, 1, 3); count > 0 && left < extent.cols; --count) {
      const Index right = pick(random, left + 1, extent.cols);
      const bool moves = pick(random, 0, 2) == 0 && right + rows.size() <= extent.cols;
      if (moves)
        made.append({rows, {left - rows.begin, left, left + rows.size()}, {right - rows.begin, right, extent.cols}});
      else
        made.append(Band::whole(rows, {left, right}));
      left = right + rows.size() + pick(random, 0, 4);
    }
    begin = rows.end + pick(random, 0, 2);
  }
  return made;
}

}  // namespace vqscope::test
