// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/layer_sample.h"
#include "core/capture/parity/recipe/told_model.h"
#include "core/capture/store/layer_positions.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Which tokens of an entry are padding: by the attention_mask, or by a run of the pad id at the begin or end.
std::vector<char> padding_of(const Capture& capture, Index entry) {
  const CapturedInputs& inputs = capture.inputs;
  const auto begin = static_cast<std::ptrdiff_t>(entry * inputs.tokens);
  std::vector<char> padded(static_cast<std::size_t>(inputs.tokens), 0);
  if (!inputs.attention_mask.empty()) {
    for (std::size_t i = 0; i < padded.size(); ++i)
      padded[i] = inputs.attention_mask[static_cast<std::size_t>(begin) + i] == 0 ? 1 : 0;
    return padded;
  }
  const auto pad = told_model(capture, 0, 1, 1).pad_token;
  if (!pad || inputs.input_ids.empty()) return padded;
  const auto is_pad = [&](std::size_t i) { return inputs.input_ids[static_cast<std::size_t>(begin) + i] == *pad; };
  for (std::size_t i = 0; i < padded.size() && is_pad(i); ++i) padded[i] = 1;
  for (std::size_t i = padded.size(); i-- > 0 && is_pad(i);) padded[i] = 1;
  return padded;
}

/// Those of the sample's entries and of the last tokens.
LayerPositions stored_positions(const Capture& capture, Index layer, const LayerSample& sample) {
  const auto all = layer_positions(capture, layer);
  LayerPositions positions;
  if (!all || all->empty() || std::ssize(all->front().front()) < sample.queries) return positions;
  for (const auto& axis : *all) {
    positions.emplace_back();
    for (const Index entry : sample.samples) {
      const auto& own = axis[static_cast<std::size_t>(std::min(entry, std::ssize(axis) - 1))];
      positions.back().emplace_back(own.end() - static_cast<std::ptrdiff_t>(sample.queries), own.end());
    }
  }
  return positions;
}

/// Of every key up to the last query: padding counts as nothing, documents begin again.
std::vector<double> counted_positions(const LayerSample& sample, std::size_t entry, Index first) {
  std::vector<double> positions;
  double next = static_cast<double>(first);
  for (Index key = 0; key < sample.past + sample.queries; ++key) {
    const auto i = static_cast<std::size_t>(key);
    if (!sample.documents.empty() && key > 0 && sample.documents[entry][i] != sample.documents[entry][i - 1]) next = 0;
    positions.push_back(next);
    const bool skipped = !sample.padded.empty() && sample.padded[entry][i] != 0;
    next += skipped ? 0 : 1;
  }
  return positions;
}

void add_documents(const Capture& a, LayerSample& sample) {
  const auto& ends = a.inputs.cu_seqlens;
  if (ends.size() < 3) return;
  const Index length = sample.past + sample.queries, needed = (sample.samples.back() + 1) * length;
  std::vector<Index> all;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    sample.lengths.push_back(ends[i + 1] - ends[i]);
    for (Index t = std::max<Index>(0, ends[i]); t < ends[i + 1] && std::ssize(all) < needed; ++t)
      all.push_back(static_cast<Index>(i));
  }
  for (const Index entry : sample.samples) {
    std::vector<Index> own(static_cast<std::size_t>(length), -1);
    for (Index t = 0; t < length && entry * length + t < std::ssize(all); ++t)
      own[static_cast<std::size_t>(t)] = all[static_cast<std::size_t>(entry * length + t)];
    sample.documents.push_back(own);
  }
}

/// Documents from positions that begin again at 0 or 1.
void add_restarts(LayerSample& sample) {
  if (!sample.documents.empty() || sample.past > 0 || sample.positions.empty()) return;
  std::vector<std::vector<Index>> found;
  std::vector<Index> lengths;
  bool restarts = false;
  for (std::size_t entry = 0; entry < sample.samples.size(); ++entry) {
    const auto& positions = sample.positions.front()[entry];
    std::vector<Index> own;
    Index document = 0, begin = 0;
    for (std::size_t t = 0; t < positions.size(); ++t) {
      if (t > 0 && positions[t] < positions[t - 1]) {
        if (entry == 0) lengths.push_back(static_cast<Index>(t) - begin);
        begin = static_cast<Index>(t);
        restarts = true;
        ++document;
      }
      own.push_back(document);
    }
    if (entry == 0) lengths.push_back(std::ssize(positions) - begin);
    found.push_back(own);
  }
  if (restarts) sample.documents = found, sample.lengths = lengths;
}

}  // namespace

void add_inputs(const Capture& a, Index layer, LayerSample& sample) {
  const Index length = sample.past + sample.queries;
  bool any = false;
  if (a.inputs.tokens == length && a.inputs.batch > 0) {
    for (Index entry = 0; entry < a.inputs.batch; ++entry) {
      const auto padded = padding_of(a, entry);
      sample.padding.push_back(std::count(padded.begin(), padded.end(), 1));
      any = any || sample.padding.back() > 0;
    }
    for (const Index entry : sample.samples)
      if (any) sample.padded.push_back(padding_of(a, std::min(entry, a.inputs.batch - 1)));
  }
  if (!any) sample.padding.clear();
  add_documents(a, sample);
  auto stored = stored_positions(a, layer, sample);
  sample.positions_known = !stored.empty();
  const auto& cache = a.inputs.cache_position;
  // Where the cache's first position is not the number of past keys, positions began elsewhere.
  const Index first = std::ssize(cache) == sample.queries && !cache.empty() ? cache.front() - sample.past : 0;
  const std::size_t axes = stored.empty() ? 1 : stored.size();
  sample.positions.resize(axes);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t entry = 0; entry < sample.samples.size(); ++entry) {
      auto counted = counted_positions(sample, entry, std::max<Index>(0, first));
      if (!stored.empty()) {
        const auto& own = stored[axis][entry];
        // The cache holds what was before the first new position.
        for (Index key = 0; key < sample.past && !own.empty(); ++key)
          counted[static_cast<std::size_t>(key)] = own.front() - static_cast<double>(sample.past - key);
        std::copy(own.begin(), own.end(), counted.end() - static_cast<std::ptrdiff_t>(own.size()));
      }
      sample.positions[axis].push_back(std::move(counted));
    }
  add_restarts(sample);
}

}  // namespace vqscope
