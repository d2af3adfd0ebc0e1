// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/blocks/transposed_runs.h"

#include "core/cells/ranges.h"

#include <utility>
#include <vector>

namespace vqscope {
namespace {

/// Follows the rows from the first to the last, and notes the rows of each column when they end.
class ColumnReader {
 public:
  ColumnReader(Index cols, std::uint64_t most) : m_begins(static_cast<std::size_t>(cols)), m_most(most) {}

  /// The columns of the rows from `row` on. False: there are too many intervals.
  bool add(Index row, std::span<const KeyInterval> columns) {
    m_next.clear();
    for (const KeyInterval& each : columns) m_next.push_back({each.begin, each.end});
    ranges_without(m_now, m_next, m_changed);
    if (m_ended.size() + total_size(m_changed) > m_most) return false;
    for (const Range& some : m_changed)
      for (Index col = some.begin; col < some.end; ++col)
        m_ended.push_back({static_cast<std::uint32_t>(col), {begin_of(col), static_cast<std::uint32_t>(row)}});
    ranges_without(m_next, m_now, m_changed);
    for (const Range& some : m_changed)
      for (Index col = some.begin; col < some.end; ++col) begin_of(col) = static_cast<std::uint32_t>(row);
    std::swap(m_now, m_next);
    return true;
  }

  /// After the last row.
  ImportedRuns columns() const {
    std::vector<std::size_t> ends(m_begins.size() + 1);
    for (const Ended& each : m_ended) ++ends[each.col + 1];
    for (std::size_t col = 1; col < ends.size(); ++col) ends[col] += ends[col - 1];
    std::vector<KeyInterval> sorted(m_ended.size());
    for (const Ended& each : m_ended) sorted[ends[each.col]++] = each.rows;
    ImportedRuns made;
    std::size_t begin = 0;
    for (std::size_t col = 0; col < m_begins.size(); ++col) {
      made.append(std::span(sorted).subspan(begin, ends[col] - begin));
      begin = ends[col];
    }
    return made;
  }

 private:
  struct Ended {
    std::uint32_t col = 0;
    KeyInterval rows;
  };

  std::uint32_t& begin_of(Index col) { return m_begins[static_cast<std::size_t>(col)]; }

  std::vector<std::uint32_t> m_begins;  ///< of the columns in m_now: their first row
  std::uint64_t m_most;
  std::vector<Ended> m_ended;  ///< in the order of their ends
  std::vector<Range> m_now;
  std::vector<Range> m_next;
  std::vector<Range> m_changed;
};

}  // namespace

std::optional<ImportedRuns> transposed_runs(const ImportedRuns& rows, Index cols, std::uint64_t most,
                                            const std::stop_token& stop) {
  ColumnReader reader(cols, most);
  for (std::size_t run = 0; run < rows.run_count(); ++run)
    if (stop.stop_requested() || !reader.add(rows.rows_of(run).begin, rows.intervals_of(run))) return std::nullopt;
  if (!reader.add(rows.rows(), {})) return std::nullopt;
  return reader.columns();
}

}  // namespace vqscope
