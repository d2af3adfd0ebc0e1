// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognise.h"

#include "core/base/sentence.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/mask/recognise/pattern_search.h"
#include "core/mask/recognise/shape_search.h"
#include "core/method/free_name.h"

#include <mutex>

namespace vqscope {
namespace {

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
bool find_exceptions(const MaskRows& rows, const Mask* pattern, const RecogniseOptions& options, CountBudget& budget,
                     Recognition& found) {
  std::vector<Range> row;
  for (Index q = 0; q < rows.extent().rows; ++q) {
    if (!pattern) found.shape.row(q, row);
    if (pattern && !read_row(*pattern, q, budget, row)) return false;
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

/// The same cells with their usual numbers.
void make_plain(MaskShape& shape) {
  // Between the last key that is seen and the next one that is not, every window has the same
  // cells. A causal one is described as Longformer's window of keys, of which one in `dilation` is
  // seen, one to both sides by its last keys.
  if (shape.left && shape.dilation > 1 && shape.right == 0)
    shape.left = (*shape.left / shape.dilation + 1) * shape.dilation - 1;
  if (!shape.right || *shape.right == 0 || shape.dilation > 1 || !shape.document_starts.empty()) return;
  // The place of the queries is ambiguous: at the end of the visible keys, or in the middle of the
  // window.
  const bool both_sides = shape.left && *shape.right > 0;
  const Index shift = both_sides ? (*shape.right - *shape.left) / 2 : *shape.right;
  const Index past_len = shape.past_len + shift;
  if (past_len < 0 || past_len + shape.extent.rows > shape.extent.cols) return;
  if (shape.left && (*shape.left + shift < 0 || (both_sides && (*shape.right - *shape.left) % 2 != 0))) return;
  shape.past_len = past_len;
  shape.right = *shape.right - shift;
  if (shape.left) shape.left = *shape.left + shift;
}

/// Whether a conjunction describes more than the equal pattern. Documents that widen a mask may be
/// blocks or spans, and a prefix beside a window may be a neighbourhood that is moved in.
bool is_plain(const MaskShape& shape) { return !shape.documents_widen && (shape.prefix == 0 || !shape.left); }

/// The best fit of some rows, whether they are the visible or the masked cells.
class Describer {
 public:
  Describer(const MaskRows& rows, bool inverted, const RecogniseOptions& options, CountBudget& searching)
      : m_rows(rows), m_options(options), m_searching(searching) {
    m_found.inverted = inverted;
  }

  /// A conjunction, or a pattern if that is requested and shorter. False once comparing takes too
  /// long.
  bool run(CountBudget& comparing, bool also_patterns) {
    find_shape();
    if (!find_exceptions(m_rows, nullptr, m_options, comparing, m_found)) return false;
    if (!also_patterns || (m_found.exception_count == 0 && is_plain(m_found.shape))) return true;
    FoundPattern pattern = find_pattern(m_rows, m_cost, m_searching);
    if (!pattern.mask) return true;
    m_cost = pattern.cost;
    m_found = {.inverted = m_found.inverted, .shape = pattern.frame, .pattern = std::move(pattern.pattern)};
    return find_exceptions(m_rows, pattern.mask.get(), m_options, comparing, m_found);
  }

  Recognition& found() { return m_found; }
  Index cost() const { return m_cost; }
  /// Whether looking further would take too long.
  bool is_cut() const { return m_is_cut || m_searching.is_over(); }

 private:
  /// An exact shape of more words is better than one with exceptions. Half of the budget is left
  /// for patterns, which are fewer than shapes.
  void find_shape() {
    constexpr Index exact_cost = 16;
    CountBudget budget{.left = m_searching.left / 2, .stop = m_options.stop};
    ShapeSearch shapes(m_rows, budget);
    shapes.run(exception_cost);
    m_found.shape = shapes.best();
    m_cost = shapes.cost();
    if (!shapes.is_exact() && m_cost < m_found.shape.size() + exact_cost * exact_cost) {
      shapes.run(exact_cost);
      if (shapes.is_exact()) {
        m_found.shape = shapes.best();
        m_cost = shapes.cost();
      }
    }
    make_plain(m_found.shape);
    m_searching.left -= std::min<Index>(budget.most, budget.most - budget.left);
    m_is_cut = budget.is_over();
  }

  const MaskRows& m_rows;
  const RecogniseOptions& m_options;
  CountBudget& m_searching;
  Recognition m_found;
  Index m_cost = 0;
  bool m_is_cut = false;
};

void describe(Recognition& found) {
  const bool conjunction = found.pattern.kind == MaskKind::conjunction;
  found.terms = found.pattern.terms;
  for (auto& term : found.shape.terms()) found.terms.push_back(std::move(term));
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
  found.text = conjunction ? found.shape.text() : pattern_text(found.pattern, found.shape);
  found.arrays = conjunction ? found.shape.arrays() : pattern_arrays(found.pattern, found.shape);
}

}  // namespace

struct KeptRecognition::State {
  std::mutex mutex;
  std::weak_ptr<const Mask> mask;  // which may own a copy of this
  std::shared_ptr<const Recognition> found;
  Index steps = 0;  ///< within which it was searched for

  bool holds(const std::shared_ptr<const Mask>& other, Index most_steps) const {
    return mask.lock() == other && (steps >= most_steps || (found && found->searched_all));
  }
};

KeptRecognition::KeptRecognition() : m_state(std::make_shared<State>()) {}

std::shared_ptr<const Recognition> KeptRecognition::of(const std::shared_ptr<const Mask>& mask, Index most_steps,
                                                       const std::stop_token& stop) const {
  const std::scoped_lock lock(m_state->mutex);
  if (m_state->holds(mask, most_steps)) return m_state->found;
  auto found = recognise(*mask, {.most_steps = most_steps, .stop = stop});
  if (stop.stop_requested()) return nullptr;
  m_state->mask = mask;
  m_state->steps = most_steps;
  m_state->found = found ? std::make_shared<const Recognition>(std::move(*found)) : nullptr;
  return m_state->found;
}

Result<Recognition> recognise(const Mask& mask, const RecogniseOptions& options) {
  CountBudget reading{.left = options.most_steps, .stop = options.stop};
  const auto rows = MaskRows::read(mask, reading, options.corner);
  if (!rows) return rows.error();
  CountBudget searching{.left = options.most_steps, .stop = options.stop};
  CountBudget comparing{.left = options.most_steps, .stop = options.stop};
  const std::string compared = "comparing every row of this mask with a description";
  Describer straight(*rows, false, options, searching);
  if (!straight.run(comparing, true)) return comparing.error(compared);
  Recognition found = std::move(straight.found());
  const bool conjunction = found.pattern.kind == MaskKind::conjunction;
  bool is_cut = straight.is_cut();
  if ((found.exception_count > 0 || !conjunction) && !searching.is_over()) {
    const MaskRows masked = rows->inverse();
    Describer inverted(masked, true, options, searching);
    if (!inverted.run(comparing, conjunction)) return comparing.error(compared);
    is_cut = is_cut || inverted.is_cut();
    if (inverted.cost() < straight.cost() - 2) found = std::move(inverted.found());
  }
  if (options.stop.stop_requested()) return cancelled();
  const std::uint64_t fiftieth = Rect{{0, rows->extent().rows}, {0, rows->extent().cols}}.area() / 50;
  found.fits = found.exception_count <= std::min(options.most_exceptions, std::max<std::uint64_t>(fiftieth, 3));
  describe(found);
  if (!found.fits && straight.is_cut()) found.sentence += "; looking further would take too long";
  if (found.is_exact()) found.presets = presets_of(found.pattern, found.shape, *rows, comparing);
  found.searched_all = !is_cut && !comparing.is_over();
  return found;
}

std::string mask_text_of(const Recognition& found) {
  assert(found.fits);
  constexpr std::string_view keyword = "return ";
  return found.inverted ? fmt::format("return ~({})\n", found.text.substr(keyword.size())) : found.text + "\n";
}

ParameterValues recognised_as_text(const ParameterValues& values, const Recognition& found) {
  ParameterValues all = with_sequence(values, found.shape.extent, found.shape.past_len);
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", mask_text_of(found));
  for (const auto& array : found.arrays) all.set(free_name_key(array.name), array.values);
  return all;
}

}  // namespace vqscope
