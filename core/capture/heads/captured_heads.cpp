// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/captured_heads.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/capture/heads/attention_rows.h"

#include <atomic>
#include <thread>

namespace vqscope {
namespace {

/// Each takes some 300 bytes.
constexpr Index most_measured_heads = Index{1} << 17;

/// What the rows of a sample need beside the weights.
struct SampleTokens {
  Index first = 0;             ///< the first that is no padding
  std::vector<Index> present;  ///< by key; empty: all are
  std::vector<Index> ids;      ///< by key, or none
};

SampleTokens tokens_of(const Capture& capture, Index batch, Index keys) {
  const CapturedInputs& inputs = capture.inputs;
  SampleTokens tokens;
  const auto row = [&](const std::vector<Index>& all) {
    const auto begin = all.begin() + batch * inputs.tokens;
    return std::vector<Index>(begin, begin + inputs.tokens);
  };
  if (inputs.tokens != keys || batch >= inputs.batch) return tokens;
  if (!inputs.input_ids.empty()) tokens.ids = row(inputs.input_ids);
  if (inputs.attention_mask.empty()) return tokens;
  tokens.present = row(inputs.attention_mask);
  while (tokens.first < keys && tokens.present[static_cast<std::size_t>(tokens.first)] == 0) ++tokens.first;
  return tokens;
}

/// Rows with enough keys, spread evenly.
std::vector<Index> rows_to_read(const AttentionRows& rows, const SampleTokens& tokens, Index most) {
  const Index past = rows.keys() - rows.queries();
  const Index least = std::min(Index{64}, (rows.keys() - tokens.first) / 4);
  std::vector<Index> all;
  for (Index query = 0; query < rows.queries(); ++query) {
    const Index own = past + query;
    if (own < 0) continue;
    const bool present = tokens.present.empty() || tokens.present[static_cast<std::size_t>(own)] != 0;
    if (own + 1 - tokens.first >= std::max(least, Index{1}) && present) all.push_back(query);
  }
  std::vector<Index> some;
  const Index count = std::min(most, std::ssize(all));
  for (Index i = 0; i < count; ++i) some.push_back(all[static_cast<std::size_t>(i * std::ssize(all) / count)]);
  return some;
}

/// The heads of a layer into `heads`, one after the other.
Result<void> measure(AttentionRows& rows, const SampleTokens& tokens, std::span<const Index> queries, Index batch,
                     const std::stop_token& stop, std::vector<CapturedHead>& heads) {
  std::vector<float> weights(static_cast<std::size_t>(rows.keys()));
  const Index past = rows.keys() - rows.queries();
  for (CapturedHead& each : heads) {
    if (auto chosen = rows.choose(batch, each.head); !chosen) return chosen.error();
    HeadSums sums(rows.keys());
    for (const Index query : queries) {
      if (stop.stop_requested()) return cancelled();
      double beside = 0;
      if (auto read = rows.read(query, weights, beside); !read) return read.error();
      sums.add(weights, past + query, tokens.first, beside, tokens.ids);
    }
    each.measures = sums.means();
    each.role = role_of(each.measures);
  }
  return {};
}

bool has_attention(const CapturedLayer& layer) {
  const auto has = [&](TensorRole role) { return layer.contains(role); };
  return has(TensorRole::weights) || has(TensorRole::scores) || (has(TensorRole::q_rot) && has(TensorRole::k_rot)) ||
         (has(TensorRole::q) && has(TensorRole::k));
}

struct LayerHeads {
  Result<void> done = Result<void>();
  std::vector<CapturedHead> heads;
  std::string source;
  Index keys = 0, rows = 0;
  bool has_tokens = false;
};

/// `total`: heads of all layers so far.
LayerHeads heads_of_layer(const Capture& capture, Index layer, Index batch, Index most_rows, std::atomic<Index>& total,
                          const std::stop_token& stop) {
  LayerHeads all;
  auto rows = AttentionRows::open(capture, layer);
  if (!rows) return all.done = rows.error(), all;
  if (batch >= rows->batch()) {
    all.done = invalid("--batch is {} but layer {} has {} {}", batch, layer, rows->batch(),
                       rows->batch() == 1 ? "sample" : "samples");
    return all;
  }
  if ((total += rows->heads()) > most_measured_heads)
    return all.done = too_large("{} has more than {} heads", capture.path, most_measured_heads), all;
  const SampleTokens tokens = tokens_of(capture, batch, rows->keys());
  const auto queries = rows_to_read(*rows, tokens, most_rows);
  for (Index head = 0; head < rows->heads(); ++head) all.heads.push_back({layer, head, {}, HeadRole::broad});
  all.source = rows->source(), all.keys = rows->keys(), all.rows = std::ssize(queries);
  all.has_tokens = !tokens.ids.empty();
  all.done = measure(*rows, tokens, queries, batch, stop, all.heads);
  return all;
}

}  // namespace

Result<CapturedHeads> heads_of(const Capture& capture, std::optional<Index> layer, Index batch, Index most_rows,
                               const Work& work) {
  std::vector<Index> layers;
  for (const auto& [number, tensors] : capture.layers)
    if (has_attention(tensors) && (!layer || *layer == number)) layers.push_back(number);
  if (layers.empty() && layer)
    return invalid("--layer is {} but {} has no attention weights, scores or q and k of it", *layer, capture.path);
  if (layers.empty()) return invalid("{} has no attention weights, no scores, and no q and k", capture.path);
  std::vector<LayerHeads> all(layers.size());
  std::atomic<Index> done{0}, total{0};
  parallel_for(std::ssize(layers), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    all[at] = heads_of_layer(capture, layers[at], batch, most_rows, total, work.stop);
    work.report(static_cast<double>(++done) / static_cast<double>(layers.size()));
  });
  CapturedHeads heads;
  for (LayerHeads& each : all) {
    if (!each.done) return each.done.error();
    heads.heads.insert(heads.heads.end(), each.heads.begin(), each.heads.end());
    heads.source = each.source;
    heads.keys = std::max(heads.keys, each.keys);
    heads.rows = std::max(heads.rows, each.rows);
    heads.has_tokens = heads.has_tokens || each.has_tokens;
  }
  return heads;
}

}  // namespace vqscope
