// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_capture.h"

#include "core/base/sentence.h"
#include "core/model/pass/transformer_pass.h"

namespace vqscope {
namespace {

constexpr double most_captured_weights = 1 << 26;

/// [heads, length, dims] of rows [length, heads · dims].
template <class Real>
std::vector<Real> by_head(std::span<const Real> rows, Index heads, Index dims) {
  std::vector<Real> all;
  all.reserve(rows.size());
  const Index length = std::ssize(rows) / (heads * dims);
  for (Index head = 0; head < heads; ++head)
    for (Index token = 0; token < length; ++token) {
      const auto from = rows.begin() + (token * heads + head) * dims;
      all.insert(all.end(), from, from + dims);
    }
  return all;
}

template <class Real>
std::vector<Real> captured_weights(const TransformerPass<Real>& pass, Index layer, Index heads, Index length) {
  std::vector<Real> all;
  for (Index head = 0; head < heads; ++head)
    for (Index query = 0; query < length; ++query) {
      const std::vector<Real> row = pass.weights(layer, 0, head, query);
      all.insert(all.end(), row.begin(), row.end());
    }
  return all;
}

}  // namespace

template <class Real>
Result<void> check_model_capture(const TransformerConfig& config, const ParameterLayout& layout, Index length,
                                 double memory) {
  const auto tokens = static_cast<double>(length);
  const double weights = static_cast<double>(config.attention_layers() * config.n_heads) * tokens * tokens;
  if (weights > most_captured_weights)
    return too_large("a capture of {} tokens has {} weights but must have at most {}", length, plain_text(weights),
                     plain_text(most_captured_weights));
  const double needed = static_cast<double>(TransformerPass<Real>::bytes(config, layout, 1, length, Keep::everything)) +
                        2 * sizeof(Real) * weights;
  if (memory <= 0 || needed <= memory) return {};
  return too_large("a capture of {} tokens needs {} of memory, this machine has {}", length, byte_count(needed),
                   byte_count(memory));
}

template <class Real>
Result<std::vector<NamedTensor>> model_capture(const TransformerConfig& config, const Parameters<Real>& parameters,
                                               const TokenBatch& batch, int threads, const std::stop_token& stop) {
  const Index length = batch.length;
  const auto pass = TransformerPass<Real>::create(config, parameters.layout, 1, length, Keep::everything);
  if (!pass) return pass.error();
  const std::vector<std::int32_t> tokens(batch.tokens.begin(), batch.tokens.begin() + length);
  if (const auto run = (*pass)->run(parameters, {1, length, tokens}, nullptr, threads, stop); !run) return run.error();
  const bool rotates_keys = config.rotates() && !config.quantises();  // else codewords are rotated in their place
  std::vector<NamedTensor> all{{"input_ids", {1, length}, tokens}};
  for (Index layer = 0; layer < config.attention_layers(); ++layer) {
    const auto add = [&](const char* name, std::span<const Real> rows, Index heads, Index dims) {
      all.push_back({fmt::format("layers.{}.{}", layer, name), {1, heads, length, dims}, by_head(rows, heads, dims)});
    };
    add(config.rotates() ? "q_rot" : "q", (*pass)->queries(layer, 0), config.n_heads, config.head_dim);
    add(rotates_keys ? "k_rot" : "k", (*pass)->keys(layer, 0), config.n_kv_heads, config.head_dim);
    add("v", (*pass)->values(layer, 0), config.n_kv_heads, config.value_dim());
    all.push_back({fmt::format("layers.{}.weights", layer),
                   {1, config.n_heads, length, length},
                   captured_weights(**pass, layer, config.n_heads, length)});
  }
  return all;
}

template Result<void> check_model_capture<float>(const TransformerConfig&, const ParameterLayout&, Index, double);
template Result<void> check_model_capture<double>(const TransformerConfig&, const ParameterLayout&, Index, double);
template Result<std::vector<NamedTensor>> model_capture(const TransformerConfig&, const Parameters<float>&,
                                                        const TokenBatch&, int, const std::stop_token&);
template Result<std::vector<NamedTensor>> model_capture(const TransformerConfig&, const Parameters<double>&,
                                                        const TokenBatch&, int, const std::stop_token&);

}  // namespace vqscope
