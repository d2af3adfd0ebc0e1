// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/deferred.h"
#include "core/experiment/setting/scored_tokens.h"

namespace vqscope {

/// Maximum number of tokens for which weights are shown: every row is summed before the first cell.
inline constexpr Index most_weighed_tokens = 4096;

/// Everything from which weights with keys and with codewords are computed without storing them.
class WeighedTokens {
 public:
  /// Undefined after a stop.
  WeighedTokens(const VqSetting& setting, VqExperiment experiment, const std::stop_token& stop);
  WeighedTokens(const WeighedTokens&) = delete;  // the scores refer to the experiment
  WeighedTokens& operator=(const WeighedTokens&) = delete;

  const VqExperiment& experiment() const { return m_experiment; }
  const ComparedAttention& compared() const { return m_compared; }
  const ScoreRows& scores() const { return m_scores; }
  ScoredKeys keys() const { return {m_compared.keys, m_compared.far.keys}; }
  ScoredKeys codewords() const { return {m_compared.quantised, m_compared.far.quantised}; }

  /// Logarithm of the sum of exp(score) over visible keys, by query; -infinity if there are none.
  const std::vector<double>& log_sums_of_keys() const { return m_exact; }
  const std::vector<double>& log_sums_of_codewords() const { return m_quantised; }

  double weight_of_key(Index row, Index col) const { return weight(keys(), m_exact, row, col); }
  double weight_of_codeword(Index row, Index col) const { return weight(codewords(), m_quantised, row, col); }

 private:
  double weight(const ScoredKeys& keys, const std::vector<double>& sums, Index row, Index col) const;

  VqExperiment m_experiment;
  ScoredTokens m_tokens;
  ComparedAttention m_compared;
  ScoreRows m_scores;
  std::vector<double> m_exact, m_quantised;
};

using OwnWeighed = std::unique_ptr<const WeighedTokens>;
using DeferredWeighed = Deferred<OwnWeighed>;

Result<OwnWeighed> weigh_tokens(const VqSetting& setting, const Work& work);

/// Computation that all maps share whose values differ only in what they show.
DeferredWeighed::Compute shared_weighed(const ParameterValues& values, const VqSetting& setting);

/// Refuses more tokens than most_weighed_tokens, and what check_vq refuses.
Result<void> check_weighed(const ParameterValues& values);

/// Refuses a bias, a mask and an order of rotation with which the linear form is not exact.
Result<void> check_linear_form(const VqSetting& setting);

}  // namespace vqscope
