// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bindings.h"
#include "core/mask/language/count/block_counter.h"
#include "core/mask/language/solve/condition.h"
#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// A program of the mask language over a sequence, with all free names bound.
///
/// A cell whose evaluation fails is masked, by the term that fails. Terms that are off hold
/// everywhere.
class LanguageMask : public Mask {
 public:
  /// The error names what is not bound, or the position in the text and the first cell without a
  /// value; or it is cancellation.
  static Result<std::shared_ptr<const LanguageMask>> make(std::shared_ptr<const MaskProgram> program,
                                                          MaskBindings bindings, const SequenceLayout& layout,
                                                          const std::stop_token& stop = {});

  Extent extent() const override { return m_environment.extent; }
  std::vector<std::string> terms() const override;
  std::optional<std::size_t> failing_term(Index q, Index kv) const override;
  std::optional<std::size_t> masking_term(Index q, Index kv) const override;
  bool visible(Index q, Index kv) const override { return m_visible->at(q, kv); }
  std::string why(Index q, Index kv) const override;
  TextNotes text_notes(Index q, Index kv) const override;
  std::vector<MaskColumn> columns() const override;
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override;
  std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const override;
  void row(Index q, std::vector<Range>& out) const override;
  bool read_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const override;
  bool has_bands() const override { return m_has_bands; }
  std::span<const Band> bands(Range rows, std::vector<Band>& scratch) const override;
  std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const override;
  Index row_cost() const override;
  Index look_steps() const override { return m_visible->steps_of_cell(); }
  Coverage coverage(const Rect& cells) const override;
  std::optional<Coverage> certain_coverage(const Rect& cells, CountBudget& budget) const override;
  std::optional<std::uint64_t> count_cells(const Rect& cells, std::optional<std::size_t> term,
                                           CountBudget& budget) const override;
  bool count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges, std::optional<std::size_t> term,
                   CountBudget& budget, std::span<std::uint64_t> counts) const override;
  Index counting_steps(Index cells, const std::stop_token& stop) const override;

  const MaskProgram& program() const { return *m_program; }
  /// The program that the fast evaluators use, for tests and benchmarks.
  const language::BoundProgram& bound() const { return m_bound; }
  const language::Condition& visible_condition() const { return *m_visible; }
  const language::LazyBlockCounter& visible_blocks() const { return m_visible_blocks; }
  const language::PatternTable& patterns() const { return *m_patterns; }

 private:
  LanguageMask(std::shared_ptr<const MaskProgram> program, language::Environment environment, std::vector<bool> term_on,
               const std::stop_token& stop);

  bool is_on(std::size_t term) const { return term >= m_term_on.size() || m_term_on[term]; }
  Range all_rows() const { return {0, m_environment.extent.rows}; }
  CellSet everything() const;
  language::SolverBudget budget(const std::stop_token& stop) const;
  void solve(const std::stop_token& stop);
  void solve_terms(const CellSet& visible, language::SolvedCondition first, const std::stop_token& stop);
  /// Bands of terms that cannot be solved: where the solvable terms hold, they pass what is
  /// visible; elsewhere they pass everything. Two such terms must not each leave masking a cell to
  /// the other.
  std::vector<Band> bands_of_rest(const CellSet& visible, std::span<const std::optional<CellSet>> alone,
                                  Index steps) const;
  std::optional<std::pair<Index, Index>> failing_cell(const std::stop_token& stop) const;
  std::optional<std::pair<Index, Index>> failing_cell_by_rows(const std::stop_token& stop) const;
  std::optional<std::pair<Index, Index>> failing_cell_by_intervals(const std::stop_token& stop) const;
  Error failure_at(Index q, Index kv) const;
  bool reached(language::PlainEvaluator& evaluator, std::size_t term) const;

  std::shared_ptr<const MaskProgram> m_program;
  language::Environment m_environment;
  std::vector<bool> m_term_on;
  language::BoundProgram m_bound;
  std::unique_ptr<language::RegionSolver> m_solver;
  std::unique_ptr<language::Condition> m_visible;
  std::vector<std::unique_ptr<language::Condition>> m_conditions;  ///< by term; null if it is off
  std::shared_ptr<language::PatternTable> m_patterns;
  language::LazyBlockCounter m_visible_blocks;
  std::vector<std::unique_ptr<language::LazyBlockCounter>> m_blocks;  ///< by term; none where it is off
  bool m_has_bands = false;
  std::vector<Band> m_bands;
  std::vector<std::shared_ptr<const std::vector<Band>>> m_term_bands;  ///< where there are bands
};

/// The same as a Mask.
Result<std::shared_ptr<const Mask>> make_language_mask(std::shared_ptr<const MaskProgram> program,
                                                       MaskBindings bindings, const SequenceLayout& layout,
                                                       const std::stop_token& stop = {});

}  // namespace vqscope
