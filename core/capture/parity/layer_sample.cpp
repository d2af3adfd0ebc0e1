// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/layer_sample.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace vqscope {
namespace {

/// Products of a forward pass on the sample, at most.
constexpr Index most_products = 10'000'000;
constexpr Index most_keys = 4096;
constexpr Index most_sample_tokens = Index{1} << 24;

/// Of what is not known 0, until `completed`.
struct Shape {
  Index batch = 0, heads = 0, key_heads = 0, dim = 0, queries = 0, keys = 0;

  void completed(Index past) {
    if (keys == 0) keys = queries + past;
    if (queries == 0) queries = keys;
    for (Index* size : {&batch, &heads, &key_heads, &dim, &queries, &keys}) *size = std::max<Index>(1, *size);
  }
};

bool makes_scores(TensorRole role) {
  return axes_of(role) == TensorAxes::vectors && role != TensorRole::v && role != TensorRole::out;
}

/// Sizes by the first tensor that shows each, so that q and k come before what is made of them.
Shape shape_of(const std::vector<TensorPair>& pairs, Index past) {
  Shape shape;
  const auto learn = [](Index& size, Index shown) {
    if (size == 0) size = shown;
  };
  for (const TensorPair& pair : pairs) {
    const auto& n = pair.extent;
    const bool cells = pair.role >= TensorRole::raw && pair.role <= TensorRole::weights;
    if (pair.role == TensorRole::mask) learn(shape.queries, n[2]), shape.keys = n[3];
    if (axes_of(pair.role) == TensorAxes::vectors) {
      learn(shape.batch, n[0]);
      learn(is_of_keys(pair.role) ? shape.key_heads : shape.heads, n[1]);
      if (makes_scores(pair.role)) learn(shape.dim, n[3]);
      if (!is_of_keys(pair.role)) learn(shape.queries, n[2]);
      if (pair.role == TensorRole::v || pair.role == TensorRole::k_rot) shape.keys = std::max(shape.keys, n[2]);
    }
    if (!cells) continue;
    learn(shape.batch, n[0]), learn(shape.heads, n[1]), learn(shape.queries, n[2]);
    // One column more is a sink's.
    const bool sink = pair.role == TensorRole::weights && n[3] == shape.keys + 1;
    if (!sink || shape.keys == 0) shape.keys = std::max(shape.keys, n[3]);
  }
  for (const TensorPair& pair : pairs)
    if (axes_of(pair.role) == TensorAxes::rows)
      learn(shape.batch, pair.extent[0]), learn(shape.queries, pair.extent[2]);
  shape.completed(past);
  return shape;
}

/// Whether a tensor is of the layer that the others show. One that is not cannot be made of them.
bool belongs(const TensorPair& pair, const Shape& shape) {
  const auto& n = pair.extent;
  const bool for_all = pair.role == TensorRole::mask || pair.role == TensorRole::bias;
  if (n[0] != shape.batch && !(for_all && n[0] == 1)) return false;
  if (is_of_keys(pair.role) ? n[2] > shape.keys : n[2] != shape.queries) return false;
  if (axes_of(pair.role) == TensorAxes::rows) return true;
  if (n[1] != (is_of_keys(pair.role) ? shape.key_heads : shape.heads) && !(for_all && n[1] == 1)) return false;
  if (axes_of(pair.role) == TensorAxes::cells) return n[3] >= shape.keys;
  return !makes_scores(pair.role) || n[3] == shape.dim;
}

/// All rows, or some that are spread out and those about the first difference.
std::vector<Index> chosen_rows(Index queries, Index first, Index most) {
  std::set<Index> rows;
  if (queries <= most) {
    for (Index row = 0; row < queries; ++row) rows.insert(row);
  } else {
    for (Index i = 0; i < most / 2; ++i) {
      rows.insert(std::clamp<Index>(first - most / 8 + i, 0, queries - 1));
      rows.insert(i * (queries - 1) / (most / 2));
    }
  }
  return {rows.begin(), rows.end()};
}

Result<TensorBlock> read_side(const TensorPair& pair, bool of_b, const LayerSample& sample) {
  const bool cells = axes_of(pair.role) == TensorAxes::cells, of_keys = is_of_keys(pair.role);
  const Index columns = cells ? std::min(pair.extent[3], sample.keys) : pair.extent[3];
  const Index heads = cells && pair.extent[1] == 1 ? 1
                      : of_keys                    ? std::min(pair.extent[1], sample.key_heads)
                                                   : std::min(pair.extent[1], sample.heads);
  const Index count = of_keys ? std::min(pair.extent[2], sample.keys) : std::ssize(sample.rows);
  const bool one_mask = pair.extent[0] == 1;
  const Index group = std::max<Index>(1, sample.heads / std::max<Index>(1, sample.key_heads));
  const Index first_head = heads == pair.extent[1] ? 0 : sample.first_group * (of_keys ? 1 : group);
  TensorBlock block({one_mask ? 1 : std::ssize(sample.samples), heads, count, columns});
  for (Index s = 0; s < block.extent[0]; ++s)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < count;) {
        // Rows that follow each other are read at once.
        Index run = 1;
        const Index row = of_keys ? i : sample.rows[static_cast<std::size_t>(i)];
        if (of_keys) run = count;
        while (!of_keys && i + run < count && sample.rows[static_cast<std::size_t>(i + run)] == row + run) ++run;
        const Index entry = one_mask ? 0 : sample.samples[static_cast<std::size_t>(s)];
        const std::array<Range, 4> part{
            Range{entry, entry + 1}, {first_head + h, first_head + h + 1}, {row, row + run}, {0, columns}};
        const auto out = std::span(block.values).subspan(block.at(s, h, i), static_cast<std::size_t>(run * columns));
        if (auto read = of_b ? pair.read_b(part, out) : pair.read_a(part, out); !read) return read.error();
        i += run;
      }
  return block;
}

}  // namespace

Result<LayerSample> layer_sample(const Capture& a, const Capture& b, const CaptureComparison& compared, Index layer,
                                 const std::array<Index, 4>& first) {
  std::vector<std::string> remarks;
  const auto pairs = paired_tensors(a, b, layer, remarks, remarks);
  if (!pairs) return pairs.error();
  const Shape shape = shape_of(*pairs, a.info.past);
  if (std::max(shape.queries, shape.keys) > most_sample_tokens)
    return too_large("layer {} has {} queries and {} keys, but causes are tried on at most {}", layer, shape.queries,
                     shape.keys, most_sample_tokens);
  LayerSample sample;
  sample.layer = layer;
  sample.unit = compared.unit;
  sample.heads = shape.heads;
  sample.key_heads = shape.key_heads;
  sample.head_dim = shape.dim;
  sample.queries = shape.queries;
  sample.past = std::max<Index>(0, shape.keys - shape.queries);
  const Index first_row = std::clamp<Index>(first[2], 0, std::max<Index>(0, shape.queries - 1));
  sample.keys = std::min(shape.keys, std::max<Index>(1024, std::min(first_row + sample.past + 65, most_keys)));
  const Index reachable = std::clamp<Index>(sample.keys - sample.past, 1, shape.queries);
  const Index per_row = sample.keys * shape.dim;
  sample.rows = chosen_rows(reachable, first_row,
                            std::clamp<Index>(most_products / (per_row * std::min<Index>(shape.heads, 8)), 16, 2048));
  const Index affordable = std::max<Index>(1, most_products / (per_row * std::ssize(sample.rows)));
  sample.batch = std::clamp<Index>(affordable / shape.heads, 1, shape.batch);
  if (affordable < shape.heads) {
    // Whole groups, from that of the first difference on.
    const Index group = std::max<Index>(1, shape.heads / shape.key_heads);
    sample.key_heads = std::clamp<Index>(affordable / group, 1, shape.key_heads);
    sample.heads = std::min(shape.heads, sample.key_heads * group);
    const bool of_key = compared.first && is_of_keys(compared.first->role);
    sample.first_group = std::clamp<Index>(of_key ? first[1] : first[1] / group, 0, shape.key_heads - sample.key_heads);
  }
  const Index entry = std::clamp<Index>(first[0], 0, shape.batch - 1);
  for (Index i = 0; i < sample.batch; ++i)
    sample.samples.push_back(sample.batch == shape.batch ? i : (entry + i) % shape.batch);
  std::sort(sample.samples.begin(), sample.samples.end());
  sample.is_part = sample.heads < shape.heads || sample.batch < shape.batch || sample.keys < shape.keys ||
                   std::ssize(sample.rows) < shape.queries;
  for (const TensorPair& pair : *pairs) {
    if (!belongs(pair, shape)) continue;
    auto one = read_side(pair, false, sample);
    if (!one) return one.error();
    auto two = read_side(pair, true, sample);
    if (!two) return two.error();
    sample.a.emplace(pair.role, std::move(*one));
    sample.b.emplace(pair.role, std::move(*two));
    sample.agrees[pair.role] = !compared.exceeds(layer, pair.role);
  }
  add_inputs(a, layer, sample);
  // What A's own weights or mask give to later keys.
  for (const TensorRole role : {TensorRole::mask, TensorRole::weights})
    if (const auto cells = sample.a.find(role); cells != sample.a.end())
      for (Index t = 0; t < cells->second.extent[2]; ++t) {
        const auto row = cells->second.row(0, 0, t);
        for (Index key = sample.rows[static_cast<std::size_t>(t)] + sample.past + 1; key < std::ssize(row); ++key)
          if (row[static_cast<std::size_t>(key)] > 0) sample.causal = false;
      }
  return sample;
}

}  // namespace vqscope
