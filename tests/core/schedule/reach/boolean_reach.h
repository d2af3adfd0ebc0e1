// SPDX-License-Identifier: GPL-3.0-or-later
// Reach through depth as products of boolean T × T matrices: the definition that intervals are tested against.
#pragma once

#include "core/schedule/reach/layer_sight.h"
#include "tests/support/random_numbers.h"

#include <cstdlib>
#include <vector>

namespace vqscope::test {

using Booleans = std::vector<std::vector<bool>>;  ///< [query][key]

inline bool is_set(const Booleans& of, Index q, Index k) {
  return of[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)];
}

/// Whether `q` sees `k` in the layer, written down without intervals.
inline bool sees(const LayerSchedule& schedule, const SequenceOfLayers& sequence, Index layer, Index q, Index k) {
  if (q == k) return true;
  if (!sequence.valid.contains(q) || !sequence.valid.contains(k)) return false;
  const ModelLayer& each = schedule.layers[static_cast<std::size_t>(layer)];
  bool keeps = sequence.keeps_documents[static_cast<std::size_t>(each.attention)];
  for (const Index crossing : sequence.crossing_layers) keeps = keeps && crossing != layer;
  const auto document = [&](Index token) {
    Index end = sequence.valid.begin, number = 0;
    for (const Index length : sequence.document_lengths) {
      end += length;
      if (token < end) break;
      ++number;
    }
    return sequence.document_lengths.empty() ? 0 : number;
  };
  if (keeps && document(q) != document(k)) return false;
  if (!each.two_sided && k > q) return false;
  const Index first = sequence.valid.begin;
  switch (each.attention) {
    case LayerAttention::full:
    case LayerAttention::sparse:
    case LayerAttention::compressed:
    case LayerAttention::state: return true;
    case LayerAttention::sliding: return each.two_sided ? std::abs(q - k) <= each.window / 2 : q - k < each.window;
    case LayerAttention::chunked: return (q - first) / each.window == (k - first) / each.window;
    case LayerAttention::none: return false;
  }
  return false;
}

/// Whether `q` reads `k` whatever an indexer selects: all that it sees fits into the selection, or
/// `k` is within the window or block that is always read.
inline bool surely_sees(const LayerSchedule& schedule, const SequenceOfLayers& sequence, Index layer, Index q,
                        Index k) {
  if (!sees(schedule, sequence, layer, q, k)) return false;
  const ModelLayer& each = schedule.layers[static_cast<std::size_t>(layer)];
  if (!selects_keys(each) || q == k) return true;
  Index seen = 0;
  for (Index other = 0; other < sequence.length; ++other) seen += sees(schedule, sequence, layer, q, other) ? 1 : 0;
  const Index ratio = each.compress_ratio > 0 ? each.compress_ratio : 1;
  if (each.topk > 0 && seen / ratio <= each.topk) return true;
  if (k > q) return false;
  const Index first = sequence.valid.begin;
  const bool in_block = each.topk_block > 1 && (q - first) / each.topk_block == (k - first) / each.topk_block;
  return q - k < each.window || in_block;
}

/// By layer, which inputs the state of each token depends on after it; `certain`: whatever indexers
/// select.
inline std::vector<Booleans> boolean_reach(const LayerSchedule& schedule, const SequenceOfLayers& sequence,
                                           bool certain = false) {
  const auto size = static_cast<std::size_t>(sequence.length);
  Booleans inputs(size, std::vector<bool>(size));
  for (std::size_t q = 0; q < size; ++q) inputs[q][q] = true;
  std::vector<Booleans> before{inputs}, after;  // before[l]: what enters layer l
  for (std::size_t l = 0; l < schedule.layers.size(); ++l) {
    std::size_t source = l;
    while (schedule.layers[source].shares_kv_with >= 0)
      source = static_cast<std::size_t>(schedule.layers[source].shares_kv_with);
    Booleans state = before[l];
    for (std::size_t q = 0; q < size; ++q)
      for (std::size_t k = 0; k < size; ++k)
        if ((certain ? surely_sees : sees)(schedule, sequence, static_cast<Index>(l), static_cast<Index>(q),
                                           static_cast<Index>(k)))
          for (std::size_t t = 0; t < size; ++t)
            if (before[source][k][t]) state[q][t] = true;
    after.push_back(state);
    before.push_back(std::move(state));
  }
  return after;
}

inline LayerSchedule random_layers(Random& random, Index most, bool sharing = true) {
  LayerSchedule schedule;
  const bool two_sided = pick(random, 0, 2) == 0;
  for (Index l = pick(random, 1, most); l > 0; --l) {
    ModelLayer layer{.attention = static_cast<LayerAttention>(pick(random, 0, layer_attention_kinds - 1))};
    if (layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked)
      layer.window = pick(random, 1, 7);
    if (layer.attention == LayerAttention::compressed) layer.compress_ratio = pick(random, 1, 4);
    if (layer.attention == LayerAttention::sparse || layer.attention == LayerAttention::compressed) {
      layer.topk = pick(random, 0, 6);
      layer.topk_block = pick(random, 0, 1) * pick(random, 2, 4);
      layer.window = pick(random, 0, 4);
      layer.index_dim = pick(random, 0, 1) * 128;
    }
    layer.two_sided = two_sided && pick(random, 0, 1) == 0;
    const auto earlier = static_cast<Index>(schedule.layers.size());
    if (sharing && earlier > 0 && pick(random, 0, 3) == 0)
      layer.shares_kv_with = static_cast<int>(pick(random, 0, earlier - 1));
    if (pick(random, 0, 2) == 0) layer.positions = "none";
    schedule.layers.push_back(layer);
  }
  return schedule;
}

inline SequenceOfLayers random_sequence(Random& random, const LayerSchedule& schedule, Index longest) {
  SequenceOfLayers sequence = SequenceOfLayers::plain(pick(random, 1, longest));
  const Index begin = pick(random, 0, sequence.length / 3);
  if (pick(random, 0, 1) == 0) sequence.valid.begin = begin;
  if (pick(random, 0, 2) == 0) sequence.valid.end -= pick(random, 0, (sequence.length - 1) / 3);
  if (pick(random, 0, 2) > 0)
    for (Index left = sequence.valid.size(); left > 0; left -= sequence.document_lengths.back())
      sequence.document_lengths.push_back(pick(random, 1, left));
  for (bool& keeps : sequence.keeps_documents) keeps = pick(random, 0, 1) == 0;
  if (pick(random, 0, 1) == 0)
    sequence.crossing_layers.push_back(pick(random, 0, static_cast<Index>(schedule.layers.size()) - 1));
  return sequence;
}

}  // namespace vqscope::test
