// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/pass/batch.h"

#include <memory>
#include <vector>

namespace vqscope {

/// The mask of attention of kind `mask` over `length` tokens; null for the other kinds. Errors begin with `mask`.
Result<std::shared_ptr<const Mask>> model_mask(const TransformerConfig& config, Index length);

/// Replaces `out` by the keys up to the query that the config's kind of attention allows, whatever
/// document they belong to.
void attended_keys(const TransformerConfig& config, const Mask* mask, Index query, std::vector<Range>& out);

/// The same with a mask of the batch over [0, length), which can show later keys in full attention
/// and in VQ attention with a cache. `query` is row `row` of `mask`.
void masked_keys(const TransformerConfig& config, const Mask& mask, Index row, Index query, std::vector<Range>& out);

/// The keys that each query of a batch attends to, as ascending disjoint ranges of key indices.
class KeyRanges {
 public:
  /// The keys that the config's kind of attention, documents and padding allow; causal except for
  /// the batch's own masks. `mask` is the config's mask at the batch's length, or null.
  KeyRanges(const TransformerConfig& config, const Batch& batch, const Mask* mask = nullptr);

  std::span<const Range> of(Index row, Index query) const {
    const auto at = static_cast<std::size_t>(m_shared ? query : row * m_length + query);
    return std::span(m_ranges).subspan(m_first[at], m_first[at + 1] - m_first[at]);
  }
  /// From the first to the last key of some queries; empty where they have none.
  Range span_of(Index row, Range queries) const;

 private:
  void add_key(Index key);  ///< of the latest query

  Index m_length = 0;
  bool m_shared = false;             ///< all rows have the same ranges
  std::vector<std::size_t> m_first;  ///< index in m_ranges for each query, and one past the end
  std::vector<Range> m_ranges;
};

}  // namespace vqscope
