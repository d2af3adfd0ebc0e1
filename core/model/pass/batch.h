// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/config/transformer_config.h"

#include <cstdint>
#include <span>

namespace vqscope {

/// Sequences of one length that somebody else owns, each [rows, length], row after row. What may be empty is left to
/// its default.
struct Batch {
  Index rows = 0;
  Index length = 0;
  std::span<const std::int32_t> tokens;
  /// labels[t] is the target of the logits at t; uncounted_label counts nothing. Empty: no loss.
  std::span<const std::int32_t> labels = {};
  std::span<const std::int32_t> position_ids = {};  ///< empty: 0, 1, 2, ...
  std::span<const std::int32_t> doc_ids = {};       ///< tokens attend within their document; empty: one document
  std::span<const std::int32_t> pad_mask = {};      ///< 0: padding, which attends to and is attended to by nothing
  /// [rows]: of each a mask [length, length], which decides alone which keys a query sees, later ones too, of those
  /// that the kind of attention has. Null among them: every key up to the query. Empty: there are none.
  std::span<const Mask* const> masks = {};

  Index tokens_count() const { return rows * length; }
  /// Whether each row is one sequence without padding.
  bool is_plain() const { return doc_ids.empty() && pad_mask.empty() && masks.empty(); }

  /// Some rows of an array above; nothing of an empty one.
  std::span<const std::int32_t> rows_of(std::span<const std::int32_t> array, Range some) const {
    if (array.empty()) return array;
    return array.subspan(static_cast<std::size_t>(some.begin * length), static_cast<std::size_t>(some.size() * length));
  }
};

/// Refuses arrays of another size, tokens and labels beyond the vocabulary, and positions that are negative or beyond a
/// learned table: the first of them in the batch.
Result<void> check_batch(const TransformerConfig& config, const Batch& batch);

/// Labels that are counted.
Index counted_labels(const Batch& batch);

}  // namespace vqscope
