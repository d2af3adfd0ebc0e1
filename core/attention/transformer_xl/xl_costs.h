// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/xl_segments.h"

namespace vqscope {

/// Scores that a head of one layer computes for the first `tokens` of a sequence, segment by segment: each segment's
/// queries with its own keys and those of its memory, masked ones too.
double xl_scores(const XlSegments& segments, Index tokens);

}  // namespace vqscope
