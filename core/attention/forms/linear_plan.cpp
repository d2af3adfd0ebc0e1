// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/linear_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_queries_at_once = 512;
constexpr Index scanned_queries_at_once = 128;  // for input_scan, where all threads share one block
constexpr Index most_weights = Index{1} << 22;  // [queries, single keys] of one worker

}  // namespace

LinearPlan::LinearPlan(const AttentionInput& input, const AttentionOptions& options)
    : length(input.q.rows), block_len(std::min(options.block_len, input.q.rows)) {
  blocks = pieces_of(length, block_len);
  before = explicit_blocks(input.bias, options);
  const bool all_at_once =
      options.reduction == CacheReduction::matmul || options.reduction == CacheReduction::associative_scan;
  const bool one_by_one = options.reduction == CacheReduction::input_scan;
  wave = all_at_once ? blocks : one_by_one || options.threads <= 1 ? 1 : std::min(blocks, Index{2} * options.threads);
  const Index singles = options.causal ? std::min((before + 1) * block_len, length) : 1;
  queries = std::clamp<Index>(most_weights / singles, 16, one_by_one ? scanned_queries_at_once : most_queries_at_once);
  queries = std::min(queries, block_len);
  pieces = pieces_of(block_len, queries);
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
  const double worker =
      real(plan.queries) * (codes + singles + relative) + real(keys_quantised_at_once) * codes + copies;
  return states + 4 * worker * std::max(options.threads, 1);
}

}  // namespace vqscope
