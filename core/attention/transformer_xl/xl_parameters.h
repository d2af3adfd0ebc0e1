// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/sequence/xl_segments.h"

namespace vqscope {

/// A length or a position in tokens, up to 2^31.
ParameterSpec xl_tokens_parameter(std::string name, std::string label, std::string group, std::string help,
                                  Index default_value, double minimum);

/// `q_length`, `segment_len`, `memory_len`, `layers`.
std::vector<ParameterSpec> xl_size_parameters();

/// Reads these, and same_length and clamp_len if present.
XlSegments xl_segments(const ParameterValues& values);

/// Scores that a head of one layer computes for the first `tokens` of a sequence, segment by
/// segment: each segment's queries with its own keys and those of its memory, masked ones too.
double xl_scores(const XlSegments& segments, Index tokens);

/// Hidden states that receive gradient from the loss of a segment, counted as pairs of a layer (0:
/// the input) and a segment. Layer l of a segment is computed from layer l - 1 of the same segment
/// and of the segments in its memory; stop-gradient cuts the path to the latter.
struct XlGradient {
  Index layers = 1;
  Index memory_segments = 1;  ///< segments whose tokens a memory holds

  /// Pairs that the loss of segment `segment`, counted from 0, reaches; layers + 1 with
  /// stop-gradient.
  double pairs(Index segment, bool stop_gradient) const;
  /// Total for the losses of the first `count` segments.
  double all_pairs(Index count, bool stop_gradient) const;
  /// (k + 1)² with k the smaller of layers and earlier segments: every pair of the last k + 1
  /// layers and
  /// segments.
  double square(Index segment) const;
};

XlGradient xl_gradient(const XlSegments& segments);

}  // namespace vqscope
