// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/mask.h"
#include "core/model/pass/batch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace vqscope {

/// Keys of one sequence and their codewords (Transformer-VQ, Lingle 2023, section 3): k [length,
/// heads · head_dim], codebook [heads, n_code, head_dim], codes [heads, length].
struct VqShape {
  Index length = 0;
  Index heads = 1;
  Index head_dim = 1;
  Index n_code = 1;

  Index width() const { return heads * head_dim; }
};

/// z = argmin |k - c|², the lowest index of a tie; quantised = the codeword of each key,
/// [length, heads · head_dim].
/// Returns Σ |k - c_z|² over keys and heads.
template <class Real>
double quantise_keys(const VqShape& shape, const Real* k, const Real* codebook, std::int32_t* codes, Real* quantised);

/// Gradient of the commitment loss scale · Σ |k - c_z|² with codewords held fixed:
/// dk += scale · 2 (k - c_z). (The gradient of scores passes straight through a codeword to its
/// key: Bengio et al. 2013.)
template <class Real>
void commit_backward(const VqShape& shape, const Real* k, const Real* quantised, Real scale, Real* dk);

/// Codewords are moving averages: sum / max(count, 0.01), [heads, n_code, head_dim].
template <class Real>
void codebook_of(const VqShape& shape, const Real* sum, const Real* count, Real* codebook);

/// Adds keys to each code's number of keys (counts [heads, n_code]) and to their sum
/// (sums [heads, n_code, head_dim]).
template <class Real>
void add_code_statistics(const VqShape& shape, const Real* k, const std::int32_t* codes, double* counts, double* sums);

/// The mask of attention of kind `mask` over `length` tokens; null for the other kinds. Errors
/// begin with `mask`.
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
  /// the batch's own masks. `mask` is the config's mask at the batch's length, or null. Keys are counted from `kept`
  /// tokens before the batch's first.
  KeyRanges(const TransformerConfig& config, const Batch& batch, const Mask* mask = nullptr, Index kept = 0);

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
