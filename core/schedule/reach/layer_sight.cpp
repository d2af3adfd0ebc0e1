// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/layer_sight.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace vqscope {
namespace {

/// Beyond every token, and far enough from the ends of Index to be added to one.
constexpr Index far = std::numeric_limits<Index>::max() / 4;

Result<void> check_documents(const SequenceOfLayers& sequence) {
  if (sequence.document_lengths.empty()) return {};
  Index total = 0;
  for (std::size_t i = 0; i < sequence.document_lengths.size(); ++i) {
    const Index length = sequence.document_lengths[i];
    if (length < 1 || length > sequence.length)
      return invalid("document_lengths, item {} is {} but must be 1 to {}", i, length, sequence.length);
    total += length;
  }
  if (total != sequence.valid.size())
    return invalid("document_lengths add up to {} but must add up to the {} tokens that are not padding", total,
                   sequence.valid.size());
  return {};
}

/// A mask of any form has no intervals: see MaskReach.
Result<void> check_masks(const LayerSchedule& schedule) {
  const auto own = std::ranges::find(schedule.layers, true, &ModelLayer::own_mask);
  if (own == schedule.layers.end()) return {};
  return invalid("layer {} is mask, a mask of your own, which mask_reach follows through depth",
                 own - schedule.layers.begin());
}

Result<void> check_sequence(const LayerSchedule& schedule, const SequenceOfLayers& sequence) {
  if (sequence.length < 1) return invalid("the sequence has {} tokens but must have 1 or more", sequence.length);
  const Range valid = sequence.valid;
  if (valid.begin < 0 || valid.end > sequence.length || valid.size() < 1)
    return invalid("tokens {} to {} are valid but must be at least one of the {} tokens", valid.begin, valid.end - 1,
                   sequence.length);
  for (const Index layer : sequence.crossing_layers)
    if (layer < 0 || layer >= std::ssize(schedule.layers))
      return invalid("crossing_layers has {} but must be from 0 to {}, the last layer", layer,
                     std::ssize(schedule.layers) - 1);
  return check_documents(sequence);
}

std::vector<Index> starts_of(const SequenceOfLayers& sequence) {
  std::vector<Index> starts{sequence.valid.begin};
  for (const Index length : sequence.document_lengths) starts.push_back(starts.back() + length);
  if (starts.size() == 1) starts.push_back(sequence.valid.end);
  return starts;
}

}  // namespace

Result<LayerSight> LayerSight::make(LayerSchedule schedule, SequenceOfLayers sequence) {
  if (schedule.layers.empty()) return invalid("the model has no layers");
  if (auto checked = schedule.check(); !checked) return checked.error();
  if (auto checked = check_masks(schedule); !checked) return checked.error();
  if (auto checked = check_sequence(schedule, sequence); !checked) return checked.error();
  return LayerSight(std::move(schedule), std::move(sequence));
}

LayerSight::LayerSight(LayerSchedule schedule, SequenceOfLayers sequence)
    : m_schedule(std::move(schedule)), m_sequence(std::move(sequence)), m_starts(starts_of(m_sequence)) {
  for (Index layer = 0; layer < layers(); ++layer) {
    const ModelLayer& each = m_schedule.layers[static_cast<std::size_t>(layer)];
    // An earlier layer's source is known by now, and may itself be another layer.
    m_sources.push_back(each.shares_kv_with < 0 ? layer : source_of(each.shares_kv_with));
    const bool crosses = std::ranges::count(m_sequence.crossing_layers, layer) > 0;
    m_keeps.push_back(m_sequence.keeps_documents[static_cast<std::size_t>(each.attention)] && !crosses);
  }
}

LayerSight LayerSight::with(LayerSchedule schedule) const {
  assert(schedule.layers.size() == m_schedule.layers.size());
  return {std::move(schedule), m_sequence};
}

Index LayerSight::document_number(Index token) const {
  if (!m_sequence.valid.contains(token)) return -1;
  return std::ranges::upper_bound(m_starts, token) - m_starts.begin() - 1;
}

Range LayerSight::document(Index number) const {
  const auto at = static_cast<std::size_t>(number);
  return {m_starts[at], m_starts[at + 1]};
}

Range LayerSight::document_of(Index token) const {
  const Index number = document_number(token);
  return number < 0 ? Range{token, token + 1} : document(number);
}

Range LayerSight::bounds(Index layer, Index token) const {
  return keeps_documents(layer) ? document_of(token) : m_sequence.valid;
}

Range LayerSight::unbounded_keys(const ModelLayer& layer, Index token) const {
  const Index own = token + 1;
  switch (layer.attention) {
    case LayerAttention::full:
    case LayerAttention::sparse:
    case LayerAttention::compressed:
    case LayerAttention::state: return {-far, layer.two_sided ? far : own};
    case LayerAttention::sliding:
      if (layer.two_sided) return {token - layer.window / 2, own + layer.window / 2};
      return {own - layer.window, own};
    case LayerAttention::chunked: {
      const Index first = m_sequence.valid.begin;  // left padding is not counted
      const Index start = first + (token - first) / layer.window * layer.window;
      return {start, layer.two_sided ? start + layer.window : own};
    }
    case LayerAttention::none: break;
  }
  return {token, own};
}

Range LayerSight::unbounded_queries(const ModelLayer& layer, Index token) const {
  if (layer.two_sided) return unbounded_keys(layer, token);
  switch (layer.attention) {
    case LayerAttention::full:
    case LayerAttention::sparse:
    case LayerAttention::compressed:
    case LayerAttention::state: return {token, far};
    case LayerAttention::sliding: return {token, token + layer.window};
    case LayerAttention::chunked: {
      const Index first = m_sequence.valid.begin;
      return {token, first + ((token - first) / layer.window + 1) * layer.window};
    }
    case LayerAttention::none: break;
  }
  return {token, token + 1};
}

Range LayerSight::keys_of(Index layer, Index token) const {
  if (!m_sequence.valid.contains(token)) return {token, token + 1};
  return common(unbounded_keys(m_schedule.layers[static_cast<std::size_t>(layer)], token), bounds(layer, token));
}

Range LayerSight::queries_of(Index layer, Index token) const {
  if (!m_sequence.valid.contains(token)) return {token, token + 1};
  return common(unbounded_queries(m_schedule.layers[static_cast<std::size_t>(layer)], token), bounds(layer, token));
}

Range LayerSight::certain_keys_of(Index layer, Index token) const {
  const ModelLayer& each = m_schedule.layers[static_cast<std::size_t>(layer)];
  const Range seen = keys_of(layer, token);
  if (!selects_keys(each) || seen.size() <= 1) return seen;
  const Index ratio = std::max<Index>(each.compress_ratio, 1);
  if (each.topk > 0 && seen.size() / ratio <= each.topk) return seen;
  Index first = token;
  if (each.window > 0) first = token + 1 - each.window;
  if (each.topk_block > 1) {  // left padding is not counted
    const Index begin = m_sequence.valid.begin;
    first = std::min(first, begin + (token - begin) / each.topk_block * each.topk_block);
  }
  return {std::max(first, seen.begin), each.two_sided ? token + 1 : seen.end};
}

Range LayerSight::certain_keys_of(Index layer, Range tokens) const {
  return {certain_keys_of(layer, tokens.begin).begin, certain_keys_of(layer, tokens.end - 1).end};
}

Range LayerSight::keys_of(Index layer, Range tokens) const {
  return {keys_of(layer, tokens.begin).begin, keys_of(layer, tokens.end - 1).end};
}

}  // namespace vqscope
