// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/sample_search.h"

#include "core/mask/row/differing_keys.h"
#include "core/mask/row/row_search.h"

#include <set>
#include <utility>

namespace vqscope {
namespace {

using MaybeRow = Result<std::optional<BrokenRow>>;

/// Before the first row, or behind the last one.
Cell end_of(const Mask& mask, bool forwards) { return {forwards ? -1 : mask.extent().rows, 0}; }

class SampleSearch {
 public:
  SampleSearch(const RowSearchRequest& request, const std::stop_token& stop) : m_request(request), m_stop(stop) {}

  Result<std::optional<FoundRow>> run() {
    const Index shown = m_request.samples.shown();
    const bool has_others = static_cast<bool>(m_request.samples.make);
    const Index count = has_others ? m_request.samples.count() : 1;
    const Index step = m_request.forwards ? 1 : -1;
    bool wrapped = false;
    auto row = next(m_request.shown, m_request.from);
    for (Index i = 1; row && !*row && i <= count; ++i) {
      const Index place = has_others ? (shown + step * i + 2 * count) % count : shown;
      wrapped = m_request.forwards ? shown + i >= count : shown - i < 0;
      row = place == shown ? next(m_request.shown, end_of(*m_request.shown.mask, m_request.forwards)) : of_other(place);
      if (row && *row) return std::optional(FoundRow{place, std::move(**row), wrapped});
    }
    if (!row) return row.error();
    return *row ? std::optional(FoundRow{shown, std::move(**row), false}) : std::nullopt;
  }

 private:
  MaybeRow of_other(Index place) {
    if (m_stop.stop_requested()) return cancelled();
    const SearchedSamples& samples = m_request.samples;
    const auto at = static_cast<std::size_t>(place);
    const bool has_group = at < samples.groups.size();
    if (has_group && m_without.contains(samples.groups[at])) return std::optional<BrokenRow>();
    const auto made = samples.make(place / samples.heads, place % samples.heads);
    MaybeRow row = std::optional<BrokenRow>();
    if (made) row = next(*made, end_of(*made->mask, m_request.forwards));
    if (has_group && row && !*row) m_without.insert(samples.groups[at]);
    return row;
  }

  MaybeRow next(const SearchedMask& in, Cell from) const {
    const bool forwards = m_request.forwards;
    if (m_request.goal == RowGoal::rule)
      return in.rules ? in.rules(from.row, forwards, m_stop) : std::optional<BrokenRow>();
    const Mask* second = m_request.goal == RowGoal::differs ? m_request.second.get() : nullptr;
    if (second) return next_difference(*in.mask, *second, from);
    const RowKind kind = m_request.goal == RowGoal::empty ? RowKind::empty : RowKind::differs;
    const auto row = next_row(*in.mask, {kind, from.row, forwards, nullptr}, m_stop);
    if (!row) return row.error();
    return *row ? std::optional(BrokenRow{.row = **row}) : std::nullopt;
  }

  MaybeRow next_difference(const Mask& mask, const Mask& second, Cell from) const {
    if (mask.extent() != second.extent()) return std::optional<BrokenRow>();
    const auto cell = next_differing_run(mask, second, {from.row, from.col}, m_request.forwards, m_stop);
    if (!cell) return cell.error();
    return *cell ? std::optional(BrokenRow{.row = (*cell)->q, .key = (*cell)->kv}) : std::nullopt;
  }

  const RowSearchRequest& m_request;
  const std::stop_token& m_stop;
  std::set<std::size_t> m_without;  ///< groups of masks that have no such row
};

}  // namespace

RuleSearch rule_search(std::shared_ptr<const LintCase> given) {
  return [given = std::move(given)](Index from, bool forwards, const std::stop_token& stop) -> MaybeRow {
    const auto row = next_row_that_breaks(*given, from, forwards, stop);
    if (!row) return row.error();
    return *row ? std::optional(broken_row(*given, **row)) : std::nullopt;
  };
}

Result<std::optional<FoundRow>> find_row(const RowSearchRequest& request, const std::stop_token& stop) {
  return SampleSearch(request, stop).run();
}

}  // namespace vqscope
