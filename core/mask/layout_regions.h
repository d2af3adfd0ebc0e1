// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/band_overlap.h"
#include "core/sequence/sequence_layout.h"

namespace vqscope {

/// Padding tokens among the keys.
Index padding_count(const SequenceLayout& layout);
/// Documents among the keys.
std::size_t document_count(const SequenceLayout& layout);

/// The keys of a real query's document, by document_id; of a cache in slots all slots, empty ones too.
std::span<const TokenRun> keys_of_document(const SequenceLayout& layout, const TokenRun& q);

// Sets of cells that a sequence makes, for queries that are no padding. Memory grows with the number of documents.

/// Every cell of the queries that are no padding.
Region real_queries(const SequenceLayout& layout);

/// Keys that are padding.
Region padding_keys(const SequenceLayout& layout);

/// Real keys of another document than the query's.
Region other_documents(const SequenceLayout& layout);

/// Of the query's own document the keys with first <= q_pos - kv_pos < last, at most those with
/// from <= kv_pos; the future is first = min, last = 0.
struct DistanceRange {
  Index first = 0;
  Index last = 0;
  Index from = 0;
};
inline constexpr Index any_distance = Index{1} << 40;
Region keys_at_distance(const SequenceLayout& layout, DistanceRange distance);

/// The square of the prefix within each document: q_pos, kv_pos < prefix_length, and q_pos - kv_pos < window.
Region prefix_square(const SequenceLayout& layout, Index prefix_length, Index window);

/// Keys with an index beyond limit: kv_idx - q_idx > offset, whatever their positions and documents.
Region columns_beyond(Extent extent, Index offset);

}  // namespace vqscope
