// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/mask_shape.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace vqscope {

/// Consecutive queries that see the same keys, in one range; where blocks are causal, the last one
/// sees all of them and each query before it one less.
struct QueryBlock {
  Index queries = 0;
  Range keys;
  friend bool operator==(const QueryBlock&, const QueryBlock&) = default;
};

/// A mask in terms that kernels have names for.
struct MaskStructure {
  bool causal = false;          ///< kv_idx <= q_idx + past_len
  std::optional<Index> prefix;  ///< kv_pos < prefix or kv_idx <= q_idx + past_len; then not `causal`
  std::optional<Index> window;  ///< q_idx + past_len - kv_idx < window
  bool documents = false;       ///< document_id of query and key are equal
  bool padding = false;         ///< padding keys are masked
  bool exact = false;           ///< the mask is exactly this; false: it may differ arbitrarily

  std::optional<Index> ahead;            ///< beside a window: kv_idx - q_idx - past_len <= ahead; then not `causal`
  std::vector<std::string> others;       ///< parts that few kernels take as arguments: "sinks 4", "dilated by 2"
  std::string body;                      ///< with `ahead` or `others`: the whole mask as a FlexAttention body
  std::vector<NamedArray> arrays;        ///< that the body looks into
  std::vector<QueryBlock> query_blocks;  ///< with a body: the whole mask again; empty: it is not made of these
  bool blocks_are_causal = false;        ///< each from the bottom right
  friend bool operator==(const MaskStructure&, const MaskStructure&) = default;

  /// "causal, window 128, documents"; "bidirectional" if nothing is masked.
  std::string text() const;
  /// "window 128", "window 64 back and 32 ahead".
  std::string window_text() const;
};

/// The mask that a structure without a body describes, over a layout.
std::shared_ptr<const Mask> structure_mask(const MaskStructure& structure, const SequenceLayout& layout);

/// Whether the structure, defined on indices, also holds on positions, which restart with each
/// document and which snippets use. This is so if it separates documents, or if there is only one,
/// whose padding shifts queries and keys alike.
bool holds_of_positions(const MaskStructure& structure, const SequenceLayout& layout);

/// `structure` with `exact` set if it describes the mask exactly and holds on positions. After a
/// stop it is not exact.
MaskStructure verified(MaskStructure structure, const Mask& mask, const SequenceLayout& layout,
                       const std::stop_token& stop = {});

}  // namespace vqscope
