// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/imported_mask.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// Collects from the rows of an imported mask whether its "on" cells (true, 1, white) are the
/// visible ones.
class PolarityEvidence {
 public:
  explicit PolarityEvidence(Extent extent) : m_extent(extent), m_past(extent.cols - extent.rows) {}

  /// The next row with its "on" cells.
  void add(Index row, std::span<const KeyInterval> on);

  /// The row is that of no query, so no key is its own.
  void serve_all_queries() { m_past = -1; }

  /// Whether the cells that are on are the visible ones, and the evidence, in the words for on and
  /// off; no evidence: nothing.
  std::pair<std::optional<bool>, std::string> on_is_visible(const std::string& on, const std::string& off) const;

 private:
  /// Queries whose own key is on, and those whose own key is off.
  struct Own {
    Index on = 0;
    Index off = 0;
  };
  struct OwnKeys {
    Own of_mixed;     ///< keys that are on for some queries and off for others
    Own of_constant;  ///< keys that are equal for all queries, as padding is
    bool first_on = false, last_on = false;

    /// Whether mixed keys decide. One that differs between queries may be a single fault.
    bool mixed_decide() const { return of_mixed.on + of_mixed.off > 1; }
  };
  OwnKeys own_keys() const;
  std::optional<bool> from_own_keys(const OwnKeys& own) const;

  Extent m_extent;
  Index m_past;                       ///< the last query stands at the last key; negative: no query stands at any
  std::vector<std::int32_t> m_steps;  ///< by key: rows that are on from it on, less those that are off
  std::vector<bool> m_own_on;         ///< by row; rows before the first key are off
  Index m_future_on = 0, m_future_off = 0, m_rest_on = 0;
  Index m_all_on = 0, m_all_off = 0;
};

}  // namespace vqscope
