// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_report.h"

#include "core/base/sentence.h"
#include "core/mask/row/differing_keys.h"

namespace vqscope {
namespace {

/// Facts are named after what they are of: q_pos, kv_pos.
TokenFacts facts_of(const Mask& mask, Index q, Index kv, std::string_view token) {
  TokenFacts facts = mask.facts(q, kv);
  std::erase_if(facts, [&](const auto& fact) { return !fact.first.starts_with(token); });
  return facts;
}

std::string range_text(const Range& range) {
  const std::string begin = grouped(range.begin);
  return range.size() == 1 ? begin : begin + "–" + grouped(range.end - 1);
}

}  // namespace

bool RowReport::sees(Index key) const {
  const auto after = std::ranges::upper_bound(visible, key, {}, &Range::begin);
  return after != visible.begin() && std::prev(after)->contains(key);
}

Result<RowReport> row_report(const Mask& mask, Index q, const std::stop_token& stop) {
  assert(0 <= q && q < mask.extent().rows);
  RowReport report{.row = q, .keys = mask.extent().cols};
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  if (!read_row(mask, q, budget, report.visible))
    return budget.error(fmt::format("looking at each of the {} keys of row {}", report.keys, q),
                        static_cast<double>(steps_of_interval) * static_cast<double>(mask.row_cost()));
  for (const Range& range : report.visible) report.count += range.size();
  if (report.keys > 0) report.facts = facts_of(mask, q, report.empty() ? 0 : report.first(), "q_");
  return report;
}

TokenFacts key_facts(const Mask& mask, Index q, Index kv) { return facts_of(mask, q, kv, "kv_"); }

std::string ranges_text(std::span<const Range> ranges, std::size_t most) {
  if (ranges.empty()) return "none";
  std::vector<std::string> parts;
  for (const Range& range : ranges.first(std::min(most, ranges.size()))) parts.push_back(range_text(range));
  std::string text = join(parts, ", ");
  if (ranges.size() > most) text += fmt::format(" and {} more", grouped(static_cast<Index>(ranges.size() - most)));
  return text;
}

std::string row_sentence(const RowReport& report, std::size_t most_ranges) {
  if (report.empty()) return "sees no key";
  return fmt::format("sees {} of {}{}{}", grouped(report.count), grouped(report.keys),
                     report.keys == 1 ? " key: " : " keys: ", ranges_text(report.visible, most_ranges));
}

std::string compared_row_sentence(const RowReport& a, const RowReport& b, std::size_t most_ranges) {
  const auto differing = differing_keys(a.visible, b.visible);
  std::vector<Range> runs;  // those that touch as one
  for (const Range& run : differing) append_range(run, runs);
  const auto count = static_cast<Index>(total_size(differing));
  const std::string differ = count == 0 ? "A and B see the same keys"
                                        : fmt::format("A and B differ in {} {}: {}", grouped(count),
                                                      count == 1 ? "key" : "keys", ranges_text(runs, most_ranges));
  return fmt::format("{}; A {}, B {}", differ, row_sentence(a, most_ranges), row_sentence(b, most_ranges));
}

KeyList::KeyList(const RowReport& row, KeyFilter filter, const RowReport* second) {
  if (filter == KeyFilter::different) {
    if (second)
      for (const Range& run : differing_keys(row.visible, second->visible)) add(run);
    return;
  }
  if (filter == KeyFilter::all) {
    add({0, row.keys});
    return;
  }
  Index end = 0;
  for (const Range& range : row.visible) {
    add(filter == KeyFilter::visible ? range : Range{end, range.begin});
    end = range.end;
  }
  if (filter == KeyFilter::masked) add({end, row.keys});
}

void KeyList::add(Range keys) {
  if (keys.size() == 0) return;
  m_pieces.push_back({keys, m_size});
  m_size += keys.size();
}

Index KeyList::at(Index place) const {
  assert(0 <= place && place < m_size);
  const auto& piece = *std::prev(std::ranges::upper_bound(m_pieces, place, {}, &Piece::place));
  return piece.keys.begin + (place - piece.place);
}

Index KeyList::place_of(Index key) const {
  const auto ends = [](const Piece& piece) { return piece.keys.end; };
  const auto piece = std::ranges::upper_bound(m_pieces, key, {}, ends);
  return piece == m_pieces.end() ? m_size : piece->place + std::max<Index>(0, key - piece->keys.begin);
}

bool KeyList::has(Index key) const {
  const Index place = place_of(key);
  return place < m_size && at(place) == key;
}

}  // namespace vqscope
