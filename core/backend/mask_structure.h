// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace vqscope {

/// What a mask is made of, in words that kernels have names for.
struct MaskStructure {
  bool causal = false;          ///< kv_idx <= q_idx + past_len
  std::optional<Index> prefix;  ///< kv_pos < prefix or kv_idx <= q_idx + past_len; then not `causal`
  std::optional<Index> window;  ///< q_idx + past_len - kv_idx < window
  bool documents = false;       ///< document_id of query and key are equal
  bool padding = false;         ///< padding keys are masked
  bool exact = false;           ///< the mask is this and nothing else; false: arbitrary beyond it
  friend bool operator==(const MaskStructure&, const MaskStructure&) = default;

  /// "causal, window 128, documents"; "bidirectional" when nothing masks.
  std::string text() const;
};

/// The mask that a structure says, over a layout.
std::shared_ptr<const Mask> structure_mask(const MaskStructure& structure, const SequenceLayout& layout);

/// Whether what the structure says of indices may be said of positions, as snippets do, which begin anew with each
/// document: wherever it keeps documents apart, or there is one, whose padding moves queries and keys alike.
bool holds_of_positions(const MaskStructure& structure, const SequenceLayout& layout);

/// `structure` with `exact` set to whether the mask is just that, and positions can tell it. A structure that was
/// stopped is not exact.
MaskStructure verified(MaskStructure structure, const Mask& mask, const SequenceLayout& layout,
                       const std::stop_token& stop = {});

}  // namespace vqscope
