// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"

#include "core/base/sentence.h"
#include "core/mask/language/bind/bound_program.h"
#include "core/mask/language/count/rectangle_count.h"
#include "core/mask/language/evaluate/cell_facts.h"
#include "core/mask/language/evaluate/explanation.h"
#include "core/mask/language/evaluate/line_notes.h"

#include <algorithm>

namespace vqscope {

using namespace language;

namespace {

constexpr Index most_steps_of_bands = Index{1} << 24;
constexpr Index most_cells_visited = Index{1} << 22;
constexpr Index most_nodes_visited = Index{1} << 22;  // by interval arithmetic
constexpr std::size_t most_term_bands = most_bands;
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The comparisons of a term, without one that is the whole term and has no other name.
std::vector<std::size_t> listed_comparisons(const MaskProgram& program, const TermCode& term) {
  std::vector<std::size_t> listed = term.comparisons;
  std::erase_if(listed, [&](std::size_t c) {
    const Comparison& comparison = program.code().comparisons[c];
    return comparison.node == term.node && on_one_line(program.text(), comparison.range) == term.name;
  });
  return listed;
}

/// "document_id has 12 entries, but kv_length is 16", where the element there has the index of the cell
/// itself and the array ends before the mask does; empty: something else failed.
std::string contrary_lengths(const Code& code, const Environment& known, Range range) {
  for (const Node& node : code.nodes) {
    if (node.op != Op::element || node.range != range) continue;
    const Node& index = code.nodes[static_cast<std::size_t>(node.a)];
    const bool of_key = index.value == static_cast<Index>(Variable::kv_idx);
    if (index.op != Op::variable || (!of_key && index.value != static_cast<Index>(Variable::q_idx))) continue;
    const auto place = static_cast<std::size_t>(node.value);
    const Index length = of_key ? known.extent.cols : known.extent.rows;
    if (known.arrays[place]->size() < length)
      return fmt::format("{} has {} entries, but {} is {}", shortened(code.arrays[place].name),
                         known.arrays[place]->size(), of_key ? "kv_length" : "q_length", length);
  }
  return {};
}

}  // namespace

LanguageMask::LanguageMask(std::shared_ptr<const MaskProgram> program, Environment environment,
                           std::vector<bool> term_on, const std::stop_token& stop)
    : m_program(std::move(program)),
      m_environment(std::move(environment)),
      m_term_on(std::move(term_on)),
      m_bound(language::bind(m_program->code(), m_environment, m_term_on)),
      m_solver(std::make_unique<RegionSolver>(m_bound, stop)),
      m_visible(std::make_unique<Condition>(m_bound, *m_solver, m_bound.visible)),
      m_patterns(std::make_shared<PatternTable>(m_bound)),
      m_visible_blocks(m_bound, m_bound.visible, m_patterns) {
  for (const BoundTerm& term : m_bound.terms) {
    const bool has_guard = term.passes != no_node;
    m_conditions.push_back(has_guard ? std::make_unique<Condition>(m_bound, *m_solver, term.passes) : nullptr);
    m_blocks.push_back(has_guard ? std::make_unique<LazyBlockCounter>(m_bound, term.passes, m_patterns) : nullptr);
  }
  solve(stop);
}

Result<std::shared_ptr<const LanguageMask>> LanguageMask::make(std::shared_ptr<const MaskProgram> program,
                                                               MaskBindings bindings, const SequenceLayout& layout,
                                                               const std::stop_token& stop) {
  std::vector<bool> term_on = std::move(bindings.term_on);
  const bool mask_failing_cells = bindings.mask_failing_cells;
  auto environment = make_environment(*program, std::move(bindings), layout);
  if (!environment) return environment.error();
  std::shared_ptr<LanguageMask> mask(
      new LanguageMask(std::move(program), std::move(*environment), std::move(term_on), stop));
  if (stop.stop_requested()) return cancelled();
  if (mask_failing_cells) return std::shared_ptr<const LanguageMask>(std::move(mask));
  const auto cell = mask->failing_cell(stop);
  if (stop.stop_requested()) return cancelled();
  if (cell) return mask->failure_at(cell->first, cell->second);
  return std::shared_ptr<const LanguageMask>(std::move(mask));
}

Result<std::shared_ptr<const Mask>> make_language_mask(std::shared_ptr<const MaskProgram> program,
                                                       MaskBindings bindings, const SequenceLayout& layout,
                                                       const std::stop_token& stop) {
  auto mask = LanguageMask::make(std::move(program), std::move(bindings), layout, stop);
  if (!mask) return mask.error();
  return std::shared_ptr<const Mask>(std::move(*mask));
}

// Bands.

CellSet LanguageMask::everything() const { return CellSet::whole(all_rows(), {0, m_environment.extent.cols}); }

/// For small matrices, no more than evaluating them cell by cell costs.
SolverBudget LanguageMask::budget(const std::stop_token& stop) const {
  const std::uint64_t area = Rect{all_rows(), {0, m_environment.extent.cols}}.area();
  constexpr auto most = static_cast<std::uint64_t>(most_steps_of_bands);
  return {static_cast<Index>(std::clamp<std::uint64_t>(area, 1 << 15, most)), stop};
}

void LanguageMask::solve(const std::stop_token& stop) {
  SolvedCondition first;
  auto region = m_solver->solve(m_bound.visible, everything(), budget(stop), nullptr, &first);
  if (!region) return;
  m_has_bands = true;
  if (first.root == no_node) first = {m_bound.visible, *region};
  solve_terms(*region, std::move(first), stop);
  m_bands = std::move(*region).covering(all_rows());
}

/// Solves terms that cannot be solved alone: where the other terms hold, such a term decides the
/// mask; elsewhere it passes. Solved here with one budget for all, so that no reader of a mask
/// waits for another.
void LanguageMask::solve_terms(const CellSet& visible, SolvedCondition first, const std::stop_token& stop) {
  SolverBudget left = budget(stop);
  const CellSet all = everything();
  std::vector<std::optional<CellSet>> alone(m_conditions.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (!m_conditions[i] || left.steps <= 0 || kept > most_term_bands || stop.stop_requested()) continue;
    Index steps = 0;
    if (const NodeId root = m_conditions[i]->root(); root != first.root) {
      alone[i] = m_solver->solve(root, all, left, &steps);
    } else {
      alone[i] = std::move(first.region);
      first.root = no_node;
    }
    left.steps -= steps;
    if (alone[i]) kept += alone[i]->size();
  }
  m_term_bands.resize(alone.size());
  std::shared_ptr<const std::vector<Band>> rest;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (!m_conditions[i] || alone[i]) continue;
    if (!rest) rest = std::make_shared<std::vector<Band>>(bands_of_rest(visible, alone, left.steps));
    m_term_bands[i] = rest;
  }
  for (std::size_t i = 0; i < alone.size(); ++i)
    if (alone[i]) m_term_bands[i] = std::make_shared<std::vector<Band>>(std::move(*alone[i]).covering(all_rows()));
}

std::vector<Band> LanguageMask::bands_of_rest(const CellSet& visible, std::span<const std::optional<CellSet>> alone,
                                              Index steps) const {
  CellCombiner combiner;
  combiner.left = std::max<Index>(steps, 0);
  const CellSet all = everything();
  CellSet others = all;
  for (const auto& region : alone)
    if (region) others = combiner.combine(others, *region, Combine::both);
  const CellSet unseen = combiner.combine(others, visible, Combine::first_only);
  const CellSet passed = combiner.combine(all, unseen, Combine::first_only);
  // If the budget is spent, the term masks everything that is masked.
  return (combiner.left < 0 ? visible : passed).covering(all_rows());
}

std::span<const Band> LanguageMask::bands(Range rows, std::vector<Band>& scratch) const {
  return m_has_bands ? bands_in(m_bands, rows) : Mask::bands(rows, scratch);
}

std::span<const Band> LanguageMask::term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const {
  if (!m_conditions[term]) {
    scratch.assign(1, Band::whole(all_rows(), {0, m_environment.extent.cols}));
    return scratch;
  }
  if (m_has_bands) return bands_in(*m_term_bands[term], rows);
  scratch.clear();
  std::vector<Range> intervals;
  CountBudget budget;
  for (Index q = rows.begin; q < rows.end; ++q) {
    m_conditions[term]->row(q, {0, m_environment.extent.cols}, no_limit, budget, intervals);
    append_row(q, intervals, scratch);
  }
  return scratch;
}

void LanguageMask::row(Index q, std::vector<Range>& out) const {
  CountBudget budget;
  if (m_has_bands)
    row_of(m_bands, q, out);
  else
    m_visible->row(q, {0, m_environment.extent.cols}, no_limit, budget, out);
}

bool LanguageMask::read_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const {
  if (m_has_bands) return Mask::read_row(q, cols, budget, out);
  return m_visible->row(q, cols, most_row_intervals, budget, out);
}

Index LanguageMask::row_cost() const {
  return m_environment.extent.cols * m_visible->steps_of_key() / steps_of_interval + 1;
}

Coverage LanguageMask::coverage(const Rect& cells) const {
  if (const BlockCounter* blocks = m_visible_blocks.get_made()) return blocks->coverage(cells);
  const Bounds bounds = IntervalEvaluator(m_bound).over(cells, m_bound.visible);
  return bounds.high == 0 ? Coverage::none : bounds.low == 1 ? Coverage::all : Coverage::mixed;
}

std::optional<Coverage> LanguageMask::certain_coverage(const Rect& cells, CountBudget& budget) const {
  if (m_has_bands) return Mask::certain_coverage(cells, budget);
  if (!budget.spend(4 * look_steps())) return std::nullopt;
  if (const Coverage known = coverage(cells); known != Coverage::mixed) return known;
  const BlockCounter* blocks = m_visible_blocks.get(budget.stop);
  return blocks ? blocks->certain_coverage(cells, budget)
                : RectangleCount(m_bound, *m_solver, *m_visible, budget).coverage(cells);
}

std::optional<std::uint64_t> LanguageMask::count_cells(const Rect& cells, std::optional<std::size_t> term,
                                                       CountBudget& budget) const {
  if (m_has_bands) return Mask::count_cells(cells, term, budget);
  if (term && !m_conditions[*term]) return cells.area();
  if (const BlockCounter* blocks = (term ? *m_blocks[*term] : m_visible_blocks).get(budget.stop))
    return blocks->count(cells, budget);
  const Condition& condition = term ? *m_conditions[*term] : *m_visible;
  return RectangleCount(m_bound, *m_solver, condition, budget).count(cells);
}

bool LanguageMask::count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges,
                               std::optional<std::size_t> term, CountBudget& budget,
                               std::span<std::uint64_t> counts) const {
  if (m_has_bands) return false;
  if (term && !m_conditions[*term]) {
    const std::size_t width = col_edges.size() - 1;
    for (std::size_t at = 0; at < counts.size(); ++at) {
      const std::size_t i = at / width, j = at % width;
      counts[at] = Rect{{row_edges[i], row_edges[i + 1]}, {col_edges[j], col_edges[j + 1]}}.area();
    }
    return true;
  }
  const BlockCounter* blocks = (term ? *m_blocks[*term] : m_visible_blocks).get(budget.stop);
  return blocks && blocks->count_tiles(row_edges, col_edges, budget, counts);
}

Index LanguageMask::counting_steps(Index cells, const std::stop_token& stop) const {
  // Each block is counted once, and samples would take as long; less than a tenth of a second.
  constexpr Index times = 16;
  constexpr Index most = Index{1} << 26;
  if (m_has_bands || !m_visible_blocks.get(stop)) return cells;
  return std::max(cells, times * std::min(cells, most / times));
}

// Cells without a value.

std::optional<std::pair<Index, Index>> LanguageMask::failing_cell(const std::stop_token& stop) const {
  if (m_bound.fails == no_node) return std::nullopt;
  if (const auto region = m_solver->solve(m_bound.fails, everything(), budget(stop))) return region->first_cell();
  const bool few =
      Rect{all_rows(), {0, m_environment.extent.cols}}.area() <= static_cast<std::uint64_t>(most_cells_visited);
  return few ? failing_cell_by_rows(stop) : failing_cell_by_intervals(stop);
}

std::optional<std::pair<Index, Index>> LanguageMask::failing_cell_by_rows(const std::stop_token& stop) const {
  const Condition fails(m_bound, *m_solver, m_bound.fails);
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  std::vector<Range> intervals;
  for (Index q = 0; q < m_environment.extent.rows; ++q) {
    if (!fails.row(q, {0, m_environment.extent.cols}, no_limit, budget, intervals)) break;
    if (!intervals.empty()) return std::pair(q, intervals.front().begin);
  }
  return std::nullopt;
}

/// Searches for a failing cell, upper left first, until one is found or the search takes too long.
std::optional<std::pair<Index, Index>> LanguageMask::failing_cell_by_intervals(const std::stop_token& stop) const {
  IntervalEvaluator evaluator(m_bound);
  std::vector<Rect> open{{all_rows(), {0, m_environment.extent.cols}}};
  const Index most = most_nodes_visited / (m_bound.fails + 1) + 1;
  for (Index i = 0; i < most && !open.empty() && !stop.stop_requested(); ++i) {
    const Rect cells = open.back();
    open.pop_back();
    const Bounds fails = evaluator.over(cells, m_bound.fails);
    if (fails.high == 0) continue;
    if (fails.low == 1) return std::pair(cells.rows.begin, cells.cols.begin);
    if (cells.area() == 1) continue;
    const bool by_rows = cells.rows.size() >= cells.cols.size();
    const Range side = by_rows ? cells.rows : cells.cols;
    const Index middle = side.begin + side.size() / 2;
    Rect first = cells;
    Rect second = cells;
    (by_rows ? first.rows : first.cols).end = middle;
    (by_rows ? second.rows : second.cols).begin = middle;
    open.push_back(second);
    open.push_back(first);
  }
  return std::nullopt;
}

Error LanguageMask::failure_at(Index q, Index kv) const {
  PlainEvaluator evaluator(m_program->code(), m_environment);
  evaluator.move_to(q, kv);
  for (std::size_t i = 0; i < m_bound.terms.size(); ++i) {
    if (!is_on(i) || !reached(evaluator, i)) continue;
    evaluator.clear_error();
    if (evaluator.evaluate(m_program->terms()[i].node)) continue;
    const auto lengths = contrary_lengths(m_program->code(), m_environment, evaluator.error().range);
    const auto at =
        source_error(m_program->text(), evaluator.error().range, lengths.empty() ? evaluator.error().message : lengths);
    return invalid("line {}, column {}: {} (at q_idx {}, kv_idx {})", at.line, at.column, at.message, q, kv);
  }
  return invalid("the mask has no value at q_idx {}, kv_idx {}", q, kv);
}

// Cells one by one.

bool LanguageMask::reached(PlainEvaluator& evaluator, std::size_t term) const {
  const auto& guards = m_program->terms()[term].guards;
  return std::ranges::all_of(guards, [&](std::size_t guard) {
    return !is_on(guard) || evaluator.evaluate(m_program->terms()[guard].node).value_or(0) != 0;
  });
}

std::vector<std::string> LanguageMask::terms() const {
  std::vector<std::string> names;
  for (const TermCode& term : m_program->terms()) names.push_back(term.name);
  return names;
}

std::optional<std::size_t> LanguageMask::failing_term(Index q, Index kv) const {
  PlainEvaluator evaluator(m_program->code(), m_environment);
  evaluator.move_to(q, kv);
  for (std::size_t i = 0; i < m_bound.terms.size(); ++i)
    if (is_on(i) && evaluator.evaluate(m_program->terms()[i].node).value_or(0) == 0) return i;
  return std::nullopt;
}

std::optional<std::size_t> LanguageMask::masking_term(Index q, Index kv) const {
  for (std::size_t i = 0; i < m_conditions.size(); ++i)
    if (m_conditions[i] && !m_conditions[i]->at(q, kv)) return i;
  return std::nullopt;
}

std::string LanguageMask::why(Index q, Index kv) const {
  PlainEvaluator evaluator(m_program->code(), m_environment);
  evaluator.move_to(q, kv);
  std::vector<std::string> held;
  for (std::size_t i = 0; i < m_bound.terms.size(); ++i) {
    if (!is_on(i)) continue;
    const TermCode& term = m_program->terms()[i];
    const auto value = evaluator.evaluate(term.node);
    if (!value) return fmt::format("masked by {}: {}", term.name, evaluator.error().message);
    if (*value == 0) return fmt::format("masked by {}: {}", term.name, explain(*m_program, evaluator, term.node, true));
    held.push_back(term.name);
  }
  if (held.empty()) return "visible: no term masks anything";
  return fmt::format("visible: {}{}", join(held, ", "), held.size() > 1 ? " hold" : " holds");
}

TextNotes LanguageMask::text_notes(Index q, Index kv) const { return line_notes(*m_program, m_environment, q, kv); }

std::vector<MaskColumn> LanguageMask::columns() const {
  std::vector<MaskColumn> columns;
  for (std::size_t i = 0; i < m_program->terms().size(); ++i) {
    const TermCode& term = m_program->terms()[i];
    columns.push_back({term.name, i});
    for (const std::size_t c : listed_comparisons(*m_program, term))
      columns.push_back({on_one_line(m_program->text(), m_program->code().comparisons[c].range), i, true});
  }
  return columns;
}

void LanguageMask::verdicts(Index q, Index kv, std::vector<Verdict>& out) const {
  PlainEvaluator evaluator(m_program->code(), m_environment);
  out.clear();
  for (std::size_t i = 0; i < m_bound.terms.size(); ++i) {
    const TermCode& term = m_program->terms()[i];
    evaluator.move_to(q, kv);
    const bool is_reached = is_on(i) && reached(evaluator, i);
    // Forget the values of the guards: they do not belong to this term.
    evaluator.move_to(q, kv);
    const auto value = is_reached ? evaluator.evaluate(term.node) : std::nullopt;
    const auto verdict = [](Index v) { return v != 0 ? Verdict::yes : Verdict::no; };
    out.push_back(!is_reached ? Verdict::skipped : value ? verdict(*value) : Verdict::error);
    for (const std::size_t c : listed_comparisons(*m_program, term)) {
      const Comparison& comparison = m_program->code().comparisons[c];
      const auto known = evaluator.known(comparison.node);
      const bool failed = is_reached && !value && evaluator.error().range.begin >= comparison.range.begin &&
                          evaluator.error().range.end <= comparison.range.end;
      out.push_back(known ? verdict(*known) : failed ? Verdict::error : Verdict::skipped);
    }
  }
}

std::vector<std::pair<std::string, std::string>> LanguageMask::facts(Index q, Index kv) const {
  return cell_facts(*m_program, m_environment, m_term_on, q, kv);
}

}  // namespace vqscope
