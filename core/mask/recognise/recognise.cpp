// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognise.h"

#include "core/base/sentence.h"
#include "core/mask/recognise/shape_votes.h"

#include <limits>

namespace vqscope {
namespace {

/// Rows that are looked at while searching; all are at the end.
constexpr Index searched_rows = 4096;
/// About how many nanoseconds two rows take to compare, and each interval of them.
constexpr Index comparison_steps = 32;
constexpr Index interval_steps = 4;
/// Borders that are tried one by one.
constexpr std::size_t most_single_borders = 256;

/// Cells in one list of intervals alone.
Index cells_apart(std::span<const Range> a, std::span<const Range> b) {
  Index apart = 0;
  for (const Range& each : a) apart += each.size();
  for (const Range& each : b) apart += each.size();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    apart -= 2 * std::max<Index>(0, std::min(x->end, y->end) - std::max(x->begin, y->begin));
    x->end < y->end ? ++x : ++y;
  }
  return apart;
}

/// Looks for the cheapest shape: three for an exception, MaskShape::size() for the words.
class ShapeSearch {
 public:
  ShapeSearch(const MaskRows& rows, CountBudget& budget)
      : m_rows(rows), m_votes(rows, budget.stop), m_budget(budget), m_best{.extent = rows.extent()} {
    const Index count = std::min(rows.extent().rows, searched_rows);
    for (Index i = 0; i < count; ++i) m_searched.push_back(i * rows.extent().rows / count);
  }

  void run() {
    for (const Index past_len : m_votes.past_lens()) {
      if (stopped()) return;
      MaskShape start{.extent = m_rows.extent(), .past_len = past_len};
      m_documents = m_votes.documents(past_len);
      m_widening = m_votes.widening_documents(past_len);
      improve(start);
    }
  }

  const MaskShape& best() const { return m_best; }
  Index cost() const { return m_best_cost; }
  bool stopped() const { return m_budget.is_over(); }

 private:
  void improve(MaskShape shape) {
    Index cost = cost_of(shape, none);
    for (bool better = true; better && !stopped();) {
      m_step = shape;
      m_step_cost = cost;
      try_changes(shape);
      better = m_step_cost < cost;
      shape = m_step;
      cost = m_step_cost;
    }
    if (cost >= m_best_cost) return;
    m_best = shape;
    m_best_cost = cost;
  }

  void try_changes(const MaskShape& shape) {
    try_right(shape);
    try_left(shape);
    try_counts(shape, &MaskShape::pad_left, m_votes.pads(true));
    try_counts(shape, &MaskShape::pad_right, m_votes.pads(false));
    try_counts(shape, &MaskShape::blind_first, m_votes.blinds(true));
    try_counts(shape, &MaskShape::blind_last, m_votes.blinds(false));
    if (!shape.documents_widen) try_documents(shape);
    try_widening(shape);
  }

  void try_right(MaskShape shape) {
    shape.right.reset();
    shape.prefix = 0;
    if (!shape.documents_widen) try_shape(shape);  // which would show every key
    for (const Index right : m_votes.rights(shape)) {
      shape.right = right;
      try_counts(shape, &MaskShape::prefix, m_votes.prefixes(shape));
    }
  }

  void try_left(MaskShape shape) {
    const auto dilations = m_votes.dilations();
    const auto sinks = m_votes.sinks(shape);
    shape.sinks = 0;
    std::vector<std::optional<Index>> lefts{std::nullopt};
    for (const Index left : m_votes.lefts(shape)) lefts.emplace_back(left);
    for (const auto& left : lefts) {
      shape.left = left;
      shape.sinks = 0;
      try_counts(shape, &MaskShape::dilation, dilations);
      shape.dilation = 1;
      if (left) try_counts(shape, &MaskShape::sinks, sinks);
    }
  }

  void try_documents(MaskShape shape) {
    const auto current = shape.document_starts;
    shape.document_starts.clear();
    try_shape(shape);
    for (const auto& borders : m_documents) {
      shape.document_starts = borders;
      try_shape(shape);
    }
    if (current.size() > most_single_borders) return;
    for (std::size_t i = 0; i < current.size(); ++i) {
      shape.document_starts = current;
      shape.document_starts.erase(shape.document_starts.begin() + static_cast<std::ptrdiff_t>(i));
      try_shape(shape);
    }
    for (const Index border : single_borders()) {
      shape.document_starts = current;
      const auto at = std::ranges::lower_bound(shape.document_starts, border);
      if (at != shape.document_starts.end() && *at == border) continue;
      shape.document_starts.insert(at, border);
      try_shape(shape);
    }
  }

  /// Also documents joined by "or"; without a causal limit yet, with one.
  void try_widening(MaskShape shape) {
    if (shape.documents_widen) {
      MaskShape narrow = shape;
      narrow.documents_widen = false;
      narrow.document_starts.clear();
      try_shape(narrow);
    }
    if (!shape.right) shape.right = 0;
    shape.documents_widen = true;
    for (const auto& borders : m_widening) {
      shape.document_starts = borders;
      try_shape(shape);
    }
  }

  /// Borders that only a few cells cross, as far as they are few themselves.
  std::vector<Index> single_borders() const {
    for (auto set = m_documents.rbegin(); set != m_documents.rend(); ++set)
      if (set->size() <= most_single_borders) return *set;
    return {};
  }

  /// The shape without the count (a dilation without is 1), then with each.
  void try_counts(const MaskShape& counted, Index MaskShape::*count, const std::vector<Index>& values) {
    MaskShape shape = counted;
    shape.*count = count == &MaskShape::dilation ? 1 : 0;
    try_shape(shape);
    for (const Index value : values) {
      shape.*count = value;
      try_shape(shape);
    }
  }

  void try_shape(MaskShape shape) {
    if (stopped()) return;
    // Nothing crosses a border within padding.
    std::erase_if(shape.document_starts, [&](Index border) {
      return border <= shape.pad_left || border >= shape.extent.cols - shape.pad_right;
    });
    if (shape.documents_widen && shape.document_starts.empty()) return;
    const Index cost = cost_of(shape, m_step_cost);
    if (cost >= m_step_cost) return;
    m_step = shape;
    m_step_cost = cost;
  }

  /// Gives up, with any number from `enough` on, when there is no hope.
  Index cost_of(const MaskShape& shape, Index enough) {
    if (shape.pad_left + shape.pad_right >= shape.extent.cols) return none;
    Index cost = shape.size();
    for (const Index q : m_searched) {
      if (cost >= enough) return cost;
      shape.row(q, m_row);
      const auto row = m_rows.row(q);
      if (!m_budget.spend(comparison_steps + interval_steps * static_cast<Index>(row.size() + m_row.size())))
        return none;
      cost += 3 * cells_apart(row, m_row);
    }
    return cost;
  }

  static constexpr Index none = std::numeric_limits<Index>::max();

  const MaskRows& m_rows;
  ShapeVotes m_votes;
  CountBudget& m_budget;
  std::vector<Index> m_searched;
  std::vector<std::vector<Index>> m_documents;
  std::vector<std::vector<Index>> m_widening;
  std::vector<Range> m_row;
  MaskShape m_step;
  Index m_step_cost = none;
  MaskShape m_best;
  Index m_best_cost = none;
};

/// Appends up to `most` cells of the row that are in one list of intervals alone.
void append_apart(Index q, std::span<const Range> a, std::span<const Range> b, std::size_t most,
                  std::vector<MaskCell>& out) {
  std::vector<Index> ends;
  for (const auto& list : {a, b})
    for (const Range& each : list) ends.insert(ends.end(), {each.begin, each.end});
  std::ranges::sort(ends);
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
    for (Index kv = ends[i]; kv < ends[i + 1] && out.size() < most; ++kv) out.push_back({q, kv});
}

/// The same by runs; a row that sees nothing is one.
void append_runs(Index q, std::span<const Range> seen, std::span<const Range> shape, std::size_t most,
                 Recognition& found) {
  std::vector<Index> ends;
  for (const auto& list : {seen, shape})
    for (const Range& each : list) ends.insert(ends.end(), {each.begin, each.end});
  std::ranges::sort(ends);
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    if (ends[i] == ends[i + 1]) continue;
    if (found.exception_runs.size() >= most) {
      found.has_all_runs = false;
      return;
    }
    const bool blind = seen.empty() && !found.inverted;
    found.exception_runs.push_back({q, {ends[i], blind ? ends.back() : ends[i + 1]}, blind});
    if (blind) return;
  }
}

/// False: a stop, or it takes too long.
bool find_exceptions(const MaskRows& rows, const RecogniseOptions& options, CountBudget& budget, Recognition& found) {
  std::vector<Range> row;
  for (Index q = 0; q < rows.extent().rows; ++q) {
    found.shape.row(q, row);
    if (!budget.spend(comparison_steps + interval_steps * static_cast<Index>(rows.row(q).size() + row.size())))
      return false;
    const Index apart = cells_apart(rows.row(q), row);
    if (apart == 0) continue;
    found.exception_count += static_cast<std::uint64_t>(apart);
    append_apart(q, rows.row(q), row, options.listed_exceptions, found.exceptions);
    append_runs(q, rows.row(q), row, options.listed_exceptions, found);
  }
  return true;
}

void describe(Recognition& found) {
  found.terms = found.shape.terms();
  std::string name = join(found.terms, " ∧ ");
  if (name.empty()) name = "every key visible to every query";
  if (found.inverted) name = "inverted: the masked cells are " + name;
  const std::uint64_t count = found.exception_count;
  const std::string cells = grouped_count(count) + (count == 1 ? " cell" : " cells");
  if (!found.fits) {
    found.sentence =
        fmt::format("no short description fits; the nearest found is {}, which gets {} wrong", name, cells);
    return;
  }
  found.sentence = count == 0 ? name : fmt::format("{}, except {}", name, cells);
  found.text = found.shape.text();
  found.arrays = found.shape.arrays();
}

}  // namespace

Result<Recognition> recognise(const Mask& mask, const RecogniseOptions& options) {
  CountBudget reading{.left = options.most_steps, .stop = options.stop};
  const auto rows = MaskRows::read(mask, reading);
  if (!rows) return rows.error();
  CountBudget searching{.left = options.most_steps, .stop = options.stop};
  CountBudget comparing{.left = options.most_steps, .stop = options.stop};
  const std::string compared = "comparing every row of this mask with a description";
  ShapeSearch straight(*rows, searching);
  straight.run();
  Recognition found{.shape = straight.best()};
  if (!find_exceptions(*rows, options, comparing, found)) return comparing.error(compared);
  if (found.exception_count > 0 && !searching.is_over()) {
    const MaskRows masked = rows->inverse();
    ShapeSearch inverted(masked, searching);
    inverted.run();
    if (inverted.cost() < straight.cost() - 2) {
      found = {.inverted = true, .shape = inverted.best()};
      if (!find_exceptions(masked, options, comparing, found)) return comparing.error(compared);
    }
  }
  if (options.stop.stop_requested()) return cancelled();
  const std::uint64_t share = Rect{{0, rows->extent().rows}, {0, rows->extent().cols}}.area() / 50;
  found.fits = found.exception_count <= std::min(options.most_exceptions, std::max<std::uint64_t>(share, 3));
  describe(found);
  if (!found.fits && searching.is_over()) found.sentence += "; looking further would take too long";
  return found;
}

}  // namespace vqscope
