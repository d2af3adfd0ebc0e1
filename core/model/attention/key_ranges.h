// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/pass/batch.h"

#include <memory>
#include <vector>

namespace vqscope {

/// The mask of attention of kind `mask` over `length` tokens; null for the other kinds. Errors begin with `mask`.
Result<std::shared_ptr<const Mask>> model_mask(const TransformerConfig& config, Index length);

/// The keys up to query q that some attention of `length` tokens lets it attend to, whoever they belong to: replaces
/// `out`.
void attended_keys(const TransformerConfig& config, const Mask* mask, Index query, std::vector<Range>& out);

/// The same where a mask of the batch decides, over [0, length): later keys too, for full and VQ attention with a
/// cache. `mask` sees `query` in its row `row`.
void masked_keys(const TransformerConfig& config, const Mask& mask, Index row, Index query, std::vector<Range>& out);

/// The keys that each query of a batch attends to: ascending ranges of key indices that share nothing.
class KeyRanges {
 public:
  /// What the config's kind of attention, documents and padding allow; causal but for the batch's own masks. `mask`:
  /// the config's over the batch's length; null where it has none.
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
  bool m_shared = false;             ///< every row has the same
  std::vector<std::size_t> m_first;  ///< of each query, in m_ranges; one more at the end
  std::vector<Range> m_ranges;
};

}  // namespace vqscope
