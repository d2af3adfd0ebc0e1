// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Tokens that can reach the last one, itself counted, through `layers` layers that each look back over `window` tokens
/// with the query's own: layers · (window − 1) + 1.
Index stacked_window(Index window, Index layers);

/// The same for the last token of a segment under Transformer-XL: a layer sees its segment and the one before, whose
/// hidden states of the layer below have seen one further, so layers + 1 whole segments.
Index stacked_segments(Index segment, Index layers);

}  // namespace vqscope
