// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/mask_shape.h"

#include <limits>
#include <memory>

namespace vqscope {

/// Cost of an exception compared with words.
inline constexpr Index exception_cost = 3;

/// A pattern over a frame of documents, padding and blind queries, as a mask.
struct FoundPattern {
  MaskPattern pattern;
  MaskShape frame;
  std::shared_ptr<const Mask> mask;
  Index cost = std::numeric_limits<Index>::max();  ///< exception_cost for an exception, the sizes of both for the words
};

/// "return (kv_idx <= q_idx) & ...", and the arrays that it looks into.
std::string pattern_text(const MaskPattern& pattern, const MaskShape& frame);
std::vector<NamedArray> pattern_arrays(const MaskPattern& pattern, const MaskShape& frame);

/// The cheapest pattern below a cost, or one without a mask. Each proposal is made as a mask from
/// its own text, and compared with the rows.
FoundPattern find_pattern(const MaskRows& rows, Index below, CountBudget& budget);

}  // namespace vqscope
