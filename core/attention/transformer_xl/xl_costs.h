// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/transformer_xl/xl_segments.h"
#include "core/method/method.h"

namespace vqscope {

/// Scores that a head of one layer computes for the first `tokens` of a sequence, segment by segment: each segment's
/// queries with its own keys and those of its memory, masked ones too.
double xl_scores(const XlSegments& segments, Index tokens);

/// `xl_costs`: scores, operations and memory of Transformer-XL compared with full attention, by the
/// number of tokens.
Method xl_costs_method();

}  // namespace vqscope
