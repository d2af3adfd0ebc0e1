// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/config/transformer_config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Sequences of one length that the caller owns; each array is [rows, length], row after row.
/// Arrays with an initialiser may be empty.
struct Batch {
  Index rows = 0;
  Index length = 0;
  std::span<const std::int32_t> tokens;
  /// labels[t] is the target of the logits at t; uncounted_label counts nothing. Empty: no loss.
  std::span<const std::int32_t> labels = {};
  std::span<const std::int32_t> position_ids = {};  ///< empty: 0, 1, 2, ...
  std::span<const std::int32_t> doc_ids = {};       ///< tokens attend within their document; empty: one document
  std::span<const std::int32_t> pad_mask = {};      ///< 0: padding, neither attends nor is attended to
  /// [rows]: a mask [length, length] for each row. It alone decides which keys a query sees, among
  /// those of the kind of attention; later keys are possible. A null entry: every key up to the
  /// query. Empty: no masks.
  std::span<const Mask* const> masks = {};

  /// Tokens of each sequence before these, which a CarriedState knows.
  Index first = 0;

  Index tokens_count() const { return rows * length; }
  /// Whether each row is one sequence without padding.
  bool is_plain() const { return doc_ids.empty() && pad_mask.empty() && masks.empty(); }

  /// Some rows of an array above; empty for an empty array.
  std::span<const std::int32_t> rows_of(std::span<const std::int32_t> array, Range some) const {
    if (array.empty()) return array;
    return array.subspan(static_cast<std::size_t>(some.begin * length), static_cast<std::size_t>(some.size() * length));
  }
};

/// Refuses arrays of another size, tokens and labels beyond the vocabulary, and positions that are
/// negative or beyond a learned table. The error names the first one in the batch.
Result<void> check_batch(const TransformerConfig& config, const Batch& batch);

/// Some columns of an array [rows, length].
std::vector<std::int32_t> columns_of(std::span<const std::int32_t> all, Index length, Range some);

/// Number of labels that are counted.
Index counted_labels(const Batch& batch);

}  // namespace vqscope
