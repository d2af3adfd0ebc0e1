// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/measure/model_throughput.h"
#include "core/experiment/measure/skipped_points.h"
#include "core/method/parameter.h"

#include <map>
#include <optional>

namespace vqscope {

/// `pos`, `attn`, the sizes and all others that determine a trained model.
std::vector<ParameterSpec> every_model_parameter();

/// 256 and its doublings up to `longest`, or that alone.
std::vector<double> timed_lengths(Index longest);

/// The checked config of full, vq or vq_without_cache with the sizes and positions of the values of
/// train_throughput.
Result<TransformerConfig> timed_config(const ParameterValues& values, const std::string& model);

/// A model and a pass, with a curve named after both.
struct TimedModel {
  std::string name;
  ModelPass pass = ModelPass::training;
  bool full = false;  ///< full attention, which the others are compared with
  ModelThroughput throughput;
};

/// Each of `models` in each of `passes`.
Result<std::vector<TimedModel>> timed_models(const ParameterValues& values);

/// Tokens per second of models by length, or the speed-up of all others over full attention.
class ThroughputCurves {
 public:
  ThroughputCurves(const ParameterValues& values, std::vector<TimedModel> models);

  /// The facts are the last speed-up of each model, at the largest length at which full attention
  /// was measured too, and the tokens per second at the largest length of each curve.
  Result<CurveSet> measured(const Work& work);

 private:
  bool is_plotted(const TimedModel& model) const { return !m_speed_up || !model.full; }
  /// The index of full attention in the same pass; nothing: it is not measured.
  std::optional<std::size_t> full_of(const TimedModel& model) const;
  void add(double length, const std::vector<Spread>& seconds);
  void add_facts();

  bool m_speed_up;
  double m_rows;
  std::vector<TimedModel> m_models;
  CurveSet m_set;
  SkippedPoints m_skipped;
  std::map<std::string, std::pair<double, double>> m_last_ratio;  ///< length and ratio, by curve
};

}  // namespace vqscope
