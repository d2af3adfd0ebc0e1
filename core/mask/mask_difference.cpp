// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_difference.h"

#include "core/base/sentence.h"
#include "core/cells/cell_count.h"
#include "core/cells/ranges.h"

#include <array>

namespace vqscope {
namespace {

std::string queries_and_keys(const Extent& extent) {
  return fmt::format("{} × {} (queries × keys)", extent.rows, extent.cols);
}

class Comparison {
 public:
  Comparison(const Mask& first, const Mask& second, CountBudget& budget)
      : m_first(first), m_second(second), m_budget(budget) {}

  bool by_bands() const { return m_first.has_bands() && m_second.has_bands(); }

  /// How many rows are compared between two reports of progress.
  Index step() const {
    constexpr Index keys_at_once = Index{1} << 18;
    const Extent extent = m_first.extent();
    if (by_bands()) return std::max<Index>(1, (extent.rows + 63) / 64);
    return std::max<Index>(1, std::min(extent.rows / 256, keys_at_once / std::max<Index>(1, extent.cols)));
  }

  /// Adds some rows to what is known. False, and nothing is added: the budget is over.
  bool add(Range rows, MaskComparison& all) {
    MaskComparison some;
    if (!(by_bands() ? of_bands(rows, some) : of_rows(rows, !all.first, some))) return false;
    if (by_bands() && !all.first && !some.equal()) {
      some.first = first_cell(rows);
      if (m_budget.is_over()) return false;
    }
    if (!all.first) all.first = some.first;
    all.only_first += some.only_first;
    all.only_second += some.only_second;
    all.rows = rows.end;
    return true;
  }

 private:
  bool of_bands(Range rows, MaskComparison& some) {
    const auto a = m_first.bands(rows, m_scratch[0]);
    const auto b = m_second.bands(rows, m_scratch[1]);
    const std::uint64_t both = common_cells(a, b, rows, m_budget);
    some.only_first = cell_count(a, rows, m_budget) - both;
    some.only_second = cell_count(b, rows, m_budget) - both;
    return !m_budget.is_over();
  }

  /// Rows of masks without bands are expensive, so each is read once.
  bool of_rows(Range rows, bool wants_first, MaskComparison& some) {
    for (Index q = rows.begin; q < rows.end; ++q) {
      constexpr Index interval_steps = 16;
      if (!read_row(q)) return false;
      if (!m_budget.spend(interval_steps * static_cast<Index>(m_row[0].size() + m_row[1].size()))) return false;
      if (m_row[0] == m_row[1]) continue;
      common_ranges(m_row[0], m_row[1], m_both);
      const std::uint64_t both = total_size(m_both);
      some.only_first += total_size(m_row[0]) - both;
      some.only_second += total_size(m_row[1]) - both;
      if (wants_first && !some.first) some.first = {q, first_key()};
    }
    return true;
  }

  /// The first cell of rows that are known to differ; of no use once the budget is over.
  MaskCell first_cell(Range rows) {
    while (rows.size() > 1) {
      const Index middle = rows.begin + rows.size() / 2;
      MaskComparison some;
      if (!of_bands({rows.begin, middle}, some)) return {};
      (some.equal() ? rows.begin : rows.end) = middle;
    }
    return read_row(rows.begin) ? MaskCell{rows.begin, first_key()} : MaskCell{};
  }

  bool read_row(Index q) {
    return m_budget.spend(16) && vqscope::read_row(m_first, q, m_budget, m_row[0]) &&
           vqscope::read_row(m_second, q, m_budget, m_row[1]);
  }

  /// First key in which the rows differ. They have been read and differ.
  Index first_key() const {
    const auto [x, y] = std::ranges::mismatch(m_row[0], m_row[1]);
    if (x == m_row[0].end()) return y->begin;
    if (y == m_row[1].end()) return x->begin;
    return x->begin != y->begin ? std::min(x->begin, y->begin) : std::min(x->end, y->end);
  }

  const Mask& m_first;
  const Mask& m_second;
  CountBudget& m_budget;
  std::array<std::vector<Band>, 2> m_scratch;
  std::array<std::vector<Range>, 2> m_row;
  std::vector<Range> m_both;
};

}  // namespace

std::string MaskComparison::sentence(const std::string& first_name, const std::string& second_name) const {
  const std::string looked_at = complete ? ""
                                         : fmt::format("; rows 0 to {} were compared, more would take too long{}",
                                                       grouped(rows - 1), time_of_all_rows(steps_of_all, true));
  if (equal()) return (complete ? "the masks are equal" : "no difference was found") + looked_at;
  const auto cells = [](std::uint64_t count) { return grouped_count(count) + (count == 1 ? " cell" : " cells"); };
  return fmt::format(
      "{} visible only in {}, {} only in {}; the first that differs is query {}, key {}, visible only in {}{}",
      cells(only_first), first_name, cells(only_second), second_name, first->q, first->kv,
      first_sees ? first_name : second_name, looked_at);
}

Result<MaskComparison> compare_masks(const Mask& first, const Mask& second, const CompareControl& control) {
  const Extent extent = first.extent();
  if (extent != second.extent())
    return invalid("the first mask is {} and the second {}, masks of one extent are compared", queries_and_keys(extent),
                   queries_and_keys(second.extent()));
  CountBudget budget{.left = control.most_steps, .stop = control.stop};
  Comparison comparison(first, second, budget);
  MaskComparison all;
  while (all.rows < extent.rows) {
    const Range rows{all.rows, std::min(extent.rows, all.rows + comparison.step())};
    if (!comparison.add(rows, all)) break;
    if (control.progress) control.progress(static_cast<double>(all.rows) / static_cast<double>(extent.rows));
  }
  if (control.stop.stop_requested()) return cancelled();
  all.complete = all.rows == extent.rows;
  if (!all.complete)
    all.steps_of_all = budget.steps_of_all(static_cast<double>(all.rows) / static_cast<double>(extent.rows));
  if (all.rows == 0 && !all.complete) return budget.error("comparing even the first rows of these masks");
  if (all.first) all.first_sees = first.visible(all.first->q, all.first->kv);
  return all;
}

}  // namespace vqscope
