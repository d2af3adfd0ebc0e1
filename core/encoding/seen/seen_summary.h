// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/seen/seen_angles.h"
#include "core/sequence/sequence_layout.h"

#include <string>

namespace vqscope {

/// Summary of the new angles of a served sequence.
struct SeenSummary {
  struct Pair {
    Index pair = 0;
    Index first_position = 0;  ///< the smallest position with a new angle
    Index new_cells = 0;       ///< tokens at which this pair's angle is new
  };
  std::vector<Pair> pairs;  ///< those with new angles, ascending
  Index all_pairs = 0;
  Index tokens = 0;
  Index new_cells = 0;
  std::optional<Index> first_position;  ///< of all pairs

  double fraction() const { return static_cast<double>(new_cells) / static_cast<double>(all_pairs * tokens); }
  /// Fraction of the cells of pairs with new angles; 0 if there are none.
  double fraction_of_pairs() const;
};

/// Positions [0, length), each once.
SeenSummary summarize_seen(const std::vector<SeenPair>& pairs, Index length);

/// How many tokens of `rows` have a new angle in the pair.
Index count_new(const SeenPair& pair, std::span<const TokenRun> runs, Range rows);

/// The queries of a layout.
SeenSummary summarize_seen(const std::vector<SeenPair>& pairs, const SequenceLayout& layout);

/// "pairs 32 to 63 meet new angles from position 8,192 on: 34.2 % of the cells at length 32,768".
std::string sentence_of(const SeenSummary& summary, const RopeScaling& scaling, Index length);

}  // namespace vqscope
