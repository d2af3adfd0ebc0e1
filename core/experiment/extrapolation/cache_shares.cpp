// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/studies.h"

#include <numeric>

namespace vqscope {

CacheShares::CacheShares(const ParameterValues& values)
    : m_shares(chosen_variants(values).size(),
               std::vector<Tests>(static_cast<std::size_t>(values.integer("seed_count")))) {}

void CacheShares::follow(VariantStudy& study) {
  m_tests = study.lengths.size();
  for (auto& variant : m_shares)
    for (Tests& seed : variant) seed.resize(m_tests);
  study.tested = [this](std::size_t variant, std::size_t seed, std::size_t test, const Measured& measured) {
    m_shares[variant][seed][test] = measured.cache_shares;
  };
}

std::size_t CacheShares::layers(std::size_t variant) const {
  std::size_t most = 0;
  for (const Tests& seed : m_shares[variant])
    for (const auto& test : seed) most = std::max(most, test.size());
  return most;
}

SeedMeasures CacheShares::of(std::size_t variant, std::optional<std::size_t> layer) const {
  SeedMeasures measures;
  for (const Tests& seed : m_shares[variant]) {
    auto& numbers = measures.emplace_back(m_tests, no_value);
    for (std::size_t test = 0; test < m_tests; ++test) {
      const auto& layers = seed[test];
      if (layers.empty()) continue;
      const double sum = std::accumulate(layers.begin(), layers.end(), 0.0);
      numbers[test] = layer ? layers[*layer] : sum / static_cast<double>(layers.size());
    }
  }
  return measures;
}

}  // namespace vqscope
