// SPDX-License-Identifier: GPL-3.0-or-later
// Which tokens the queries of one layer see, as intervals.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/schedule/layer_schedule.h"

#include <vector>

namespace vqscope {

/// The tokens that a schedule is applied to, and which layers keep to documents.
struct SequenceOfLayers {
  Index length = 1;                     ///< tokens, those of the cache included
  Range valid = {0, 1};                 ///< those that are not padding
  std::vector<Index> document_lengths;  ///< empty: one document; else they add up to valid.size()
  /// By LayerAttention: the layers of that kind mask the keys of other documents; a state is reset,
  /// which most code does not do.
  LayerKindFlags keeps_documents{true, true, true, false, true, true, true};
  std::vector<Index> crossing_layers;  ///< layers without that rule, whatever their kind

  /// A sequence without padding in one document.
  static SequenceOfLayers plain(Index length) {
    return {.length = length, .valid = {0, length}, .document_lengths = {}};
  }
};

/// Answers for each layer which keys a token sees, and which queries see a token. Every answer is
/// an interval around the token itself, because of the residual stream; the ends of intervals never
/// go back as the token moves on.
class LayerSight {
 public:
  /// Errors name the length or the layer that does not fit.
  static Result<LayerSight> make(LayerSchedule schedule, SequenceOfLayers sequence);

  const LayerSchedule& schedule() const { return m_schedule; }
  const SequenceOfLayers& sequence() const { return m_sequence; }
  Index layers() const { return static_cast<Index>(m_schedule.layers.size()); }

  /// The same tokens under other layers, as many as before.
  LayerSight with(LayerSchedule schedule) const;

  /// Keys that the token sees in the layer; of padding the token alone. `token` in [0, length).
  Range keys_of(Index layer, Index token) const;
  /// Queries that see the token in the layer.
  Range queries_of(Index layer, Index token) const;
  /// Keys that any of the tokens sees. Not empty, and padding stands alone.
  Range keys_of(Index layer, Range tokens) const;
  /// The subset of keys that are read whatever the tokens are: without those of an indexer, unless
  /// it selects all of them.
  Range certain_keys_of(Index layer, Index token) const;
  Range certain_keys_of(Index layer, Range tokens) const;

  /// The layer whose input the keys and values are made of: itself, or the one that it shares them
  /// with.
  Index source_of(Index layer) const { return m_sources[static_cast<std::size_t>(layer)]; }
  bool keeps_documents(Index layer) const { return m_keeps[static_cast<std::size_t>(layer)]; }

  Index documents() const { return static_cast<Index>(m_starts.size()) - 1; }
  /// The document of a token, from 0 on, and its tokens; padding counts as one of itself, number
  /// -1.
  Index document_number(Index token) const;
  Range document_of(Index token) const;
  Range document(Index number) const;

 private:
  LayerSight(LayerSchedule schedule, SequenceOfLayers sequence);

  /// Without the ends of documents and of the sequence: may be beyond them.
  Range unbounded_keys(const ModelLayer& layer, Index token) const;
  Range unbounded_queries(const ModelLayer& layer, Index token) const;
  Range bounds(Index layer, Index token) const;

  LayerSchedule m_schedule;
  SequenceOfLayers m_sequence;
  std::vector<Index> m_starts;   ///< of documents, and the end of the last one
  std::vector<Index> m_sources;  ///< by layer
  std::vector<bool> m_keeps;     ///< by layer
};

}  // namespace vqscope
