// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/cell_count.h"
#include "core/cells/cell_set.h"
#include "core/sequence/sequence_layout.h"

namespace vqscope {

/// Padding tokens among the keys.
Index padding_count(const SequenceLayout& layout);
/// Documents among the keys.
std::size_t document_count(const SequenceLayout& layout);

/// The keys of a real query's document, by document_id; of a cache in slots all slots, empty ones
/// too.
std::span<const TokenRun> keys_of_document(const SequenceLayout& layout, const TokenRun& q);

inline constexpr Index any_distance = Index{1} << 40;  ///< further than any key

// Sets of cells that a sequence makes, for queries that are no padding. Memory grows with the
// number of documents.

/// Every cell of the queries that are no padding.
CellSet real_queries(const SequenceLayout& layout);

/// Keys that are padding.
CellSet padding_keys(const SequenceLayout& layout);

/// Real keys of another document than the query's.
CellSet other_documents(const SequenceLayout& layout);

/// The key at each query's own position, of its own document.
CellSet own_keys(const SequenceLayout& layout);

/// Keys with an index beyond limit: kv_idx - q_idx > offset, whatever their positions and
/// documents.
CellSet columns_beyond(Extent extent, Index offset);

}  // namespace vqscope
