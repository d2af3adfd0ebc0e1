// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

/// Sets probabilities outside the nucleus to 0 and rescales the rest to sum to 1.
void keep_nucleus(double top_p, std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < order.size() && (kept == 0 || sum < top_p)) sum += p[order[kept++]];
  for (std::size_t i = kept; i < order.size(); ++i) p[order[i]] = 0;
  for (double& one : p) one /= sum;
}

}  // namespace

std::vector<double> token_probabilities(std::span<const double> logits, const SamplerOptions& options) {
  std::vector<double> p(logits.size());
  const auto largest = std::ranges::max_element(logits);
  if (options.temperature <= 0) {
    p[static_cast<std::size_t>(largest - logits.begin())] = 1;
    return p;
  }
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::exp((logits[i] - *largest) / options.temperature);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& one : p) one /= sum;
  if (options.top_p < 1) keep_nucleus(options.top_p, p);
  return p;
}

std::int32_t sample_token(std::span<const double> logits, const SamplerOptions& options, SeededRandom& random) {
  const std::vector<double> p = token_probabilities(logits, options);
  const double drawn = random.uniform();
  double sum = 0;
  std::int32_t chosen = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    chosen = static_cast<std::int32_t>(i);
    sum += p[i];
    if (drawn <= sum) break;
  }
  return chosen;
}

}  // namespace vqscope
