// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/sequence/sequence_layout.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Which angles of a RoPE pair were met in training, and which of the angles of a served sequence
/// are new.
///
/// In training the pair turned from 0 to (L - 1) · inv_freq, with the frequency before any scaling
/// and L the training length. A pair that made a whole turn met every angle. Other angles beyond
/// that arc, modulo a turn, are new.
class SeenPair {
 public:
  /// Angles within this of either end of the arc count as met: frequencies are rounded, by far
  /// less.
  static constexpr Turns tolerance = Turns{1} << 32;  // 1.5e-9 rad

  SeenPair(long double trained_inv_freq, long double served_inv_freq, Index training_length);

  bool met_every_angle() const { return m_full; }
  /// The arc of training in radians, at most a turn.
  double trained_arc() const;
  /// The angle at a position, modulo a turn.
  double angle(Index position) const { return radians(turns_at(position)); }

  /// The definition.
  bool is_new(Index position) const { return !m_full && turns_at(position) + tolerance > m_last; }

  /// How many of the positions [0, end) have a new angle: exact, in time logarithmic in `end`.
  Index new_below(Index end) const;
  Index new_in(Range positions) const { return new_below(positions.end) - new_below(positions.begin); }

  /// The first position with a new angle below `end`; nothing: there is none.
  std::optional<Index> first_new(Index end) const;

 private:
  Turns turns_at(Index position) const { return static_cast<Turns>(position) * m_rate; }

  Turns m_rate = 0;
  Turns m_last = 0;  ///< the largest angle that counts as met, plus the tolerance
  bool m_full = false;
  double m_arc = 0;
};

/// By pair. Training is `scaling` with rope_type default up to original_max_position_embeddings.
std::vector<SeenPair> seen_pairs(const RopeScaling& scaling);

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
