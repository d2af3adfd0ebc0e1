// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/form_parts.h"

#include "core/attention/forms/attention_forms.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_queries_at_once = 512;
constexpr Index scanned_queries_at_once = 128;  // for input_scan, where all threads share one block
constexpr Index most_weights = Index{1} << 22;  // [queries, single keys] of one worker

double cells(const TensorView& tensor) {
  return static_cast<double>(tensor.heads) * static_cast<double>(tensor.rows) * static_cast<double>(tensor.cols);
}

bool scores_by_code(const AttentionInput& input, const AttentionOptions& options) {
  return options.causal && options.agg_cache && input.bias.none() && !input.rotation.is_clipped();
}

constexpr double products_per_second = 4e9;
constexpr double exponentials_per_second = 4e8;

}  // namespace

LinearPlan::LinearPlan(const AttentionInput& input, const AttentionOptions& options)
    : length(input.q.rows), block_len(std::min(options.block_len, input.q.rows)) {
  blocks = pieces_of(length, block_len);
  before = explicit_blocks(input, options);
  const bool all_at_once =
      options.reduction == CacheReduction::matmul || options.reduction == CacheReduction::associative_scan;
  const bool one_by_one = options.reduction == CacheReduction::input_scan;
  wave = all_at_once ? blocks : one_by_one || options.threads <= 1 ? 1 : std::min(blocks, Index{2} * options.threads);
  const Index singles = options.causal ? std::min((before + 1) * block_len, length) : 1;
  queries = std::clamp<Index>(most_weights / singles, 16, one_by_one ? scanned_queries_at_once : most_queries_at_once);
  queries = std::min(queries, block_len);
  pieces = pieces_of(block_len, queries);
  by_code = scores_by_code(input, options);
}

Range LinearPlan::tokens(Range some) const {
  return {std::clamp<Index>(some.begin * block_len, 0, length), std::clamp<Index>(some.end * block_len, 0, length)};
}

double linear_attention_memory(const AttentionInput& input, const AttentionOptions& options) {
  const LinearPlan plan(input, options);
  const auto real = [](Index n) { return static_cast<double>(n); };
  const double codes = real(input.codebook.rows);
  const double state = codes * (8 + 4 * real(input.v.cols));
  const bool doubled = options.reduction == CacheReduction::matmul;
  const double states = options.agg_cache ? real(plan.wave + 1) * state * (doubled ? 2 : 1) : 0;
  const double singles = options.causal ? real(std::min((plan.before + 1) * plan.block_len, plan.length)) : 0;
  const double relative = input.bias.relative.empty() ? 0 : real(input.bias.window + 1);
  const double copies = input.key_valid.empty() ? 0 : singles * real(input.v.cols);
  const double weights = plan.by_code ? real(strip_queries) * (codes + real(strip_queries)) + state / 4
                                      : real(plan.queries) * (codes + singles + relative);
  const double worker = weights + real(keys_quantised_at_once) * codes + copies;
  return states + 4 * worker * std::max(options.threads, 1);
}

double attention_memory(const AttentionInput& input, const AttentionOptions& options) {
  const double output =
      4 * cells(input.q) / static_cast<double>(std::max<Index>(input.q.cols, 1)) * static_cast<double>(input.v.cols);
  const double codes = 4 * static_cast<double>(input.k.heads) * static_cast<double>(input.k.rows);
  const auto full = 4 * static_cast<double>(full_attention_room(input, options));
  switch (options.form) {
    case AttentionForm::exact: return output + full;
    case AttentionForm::vq_quadratic: return output + codes + full + 4 * cells(input.k);
    case AttentionForm::vq_linear: return output + codes + linear_attention_memory(input, options);
  }
  return 0;
}

double attention_seconds(const AttentionInput& input, const AttentionOptions& options) {
  const auto length = static_cast<double>(input.q.rows), heads = static_cast<double>(input.q.heads);
  const double all = options.causal ? length / 2 : length;
  const auto codes = static_cast<double>(input.codebook.rows);
  const double singles = scores_by_code(input, options) ? strip_queries : 2 * static_cast<double>(options.block_len);
  const double near = options.causal ? std::min(all, singles) : 0;
  const double keys = options.form == AttentionForm::vq_linear ? near + codes : all;
  const double quantised = options.form == AttentionForm::exact ? 0 : cells(input.k) * codes;
  const double products = heads * length * keys * static_cast<double>(input.q.cols + input.v.cols) + quantised;
  return products / products_per_second + heads * length * keys / exponentials_per_second;
}

}  // namespace vqscope
