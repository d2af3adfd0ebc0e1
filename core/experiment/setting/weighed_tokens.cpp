// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/weighed_tokens.h"

#include "core/attention/rows.h"
#include "core/base/sentence.h"
#include "core/base/shared_computation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index rows_at_once = 32;

/// After a stop, only for the first queries.
std::vector<double> log_sums(const ScoreRows& scores, const ScoredKeys& keys, const std::stop_token& stop) {
  const Index length = keys.near.rows;
  std::vector<float> some(static_cast<std::size_t>(rows_at_once * length));
  std::vector<double> sums;
  for (Index begin = 0; begin < length && !stop.stop_requested(); begin += rows_at_once) {
    const Index end = std::min(begin + rows_at_once, length);
    scores.fill(keys, {begin, end}, {0, end}, some.data());
    for (Index row = begin; row < end; ++row)
      sums.push_back(soften(some.data() + (row - begin) * end, row + 1, scores.sink()));
  }
  return sums;
}

}  // namespace

WeighedTokens::WeighedTokens(const VqSetting& setting, VqExperiment experiment, const std::stop_token& stop)
    : m_experiment(std::move(experiment)),
      m_tokens(setting, m_experiment.data, m_experiment.quantised, stop),
      m_compared(m_tokens.attention()),
      m_scores(m_compared),
      m_exact(log_sums(m_scores, keys(), stop)),
      m_quantised(log_sums(m_scores, codewords(), stop)) {}

double WeighedTokens::weight(const ScoredKeys& keys, const std::vector<double>& sums, Index row, Index col) const {
  const double bias = m_scores.bias(row, col);
  if (bias == -std::numeric_limits<double>::infinity()) return 0;
  return std::exp(m_scores.product(keys, row, col) + bias - sums[static_cast<std::size_t>(row)]);
}

Result<OwnWeighed> weigh_tokens(const VqSetting& setting, const Work& work) {
  auto experiment = run_vq(setting, work);
  if (!experiment) return experiment.error();
  auto weighed = std::make_unique<const WeighedTokens>(setting, std::move(*experiment), work.stop);
  if (work.stop.stop_requested()) return cancelled();
  return OwnWeighed(std::move(weighed));
}

DeferredWeighed::Compute shared_weighed(const ParameterValues& values, const VqSetting& setting) {
  static SharedComputation<SettingKey, OwnWeighed> known;
  return
      [key = key_of(values, setting, {"weights", "form", "function", "filled", "summed"}), setting](const Work& work) {
        return known.get(key, work, [setting](const Work& shared) { return weigh_tokens(setting, shared); });
      };
}

Result<void> check_weighed(const ParameterValues& values) {
  if (const Index length = values.integer("q_length"); length > most_weighed_tokens)
    return invalid(
        "q_length is {} but must be at most {} for weights: every row is summed before the first cell is shown", length,
        most_weighed_tokens);
  return check_vq(values);
}

Result<void> check_linear_form(const VqSetting& setting) {
  if (auto checked = check_linear_order(setting.rotation ? setting.order : RotationOrder::rotate_first); !checked)
    return checked;
  if (!setting.bias) return {};
  const auto linear = setting.bias->for_linear_form();
  return linear ? Result<void>() : linear.error();
}

}  // namespace vqscope
