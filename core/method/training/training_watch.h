// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/method/curve_set.h"

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace vqscope {

/// Text that a model generates, in the characters of its data.
struct TextSample {
  std::string given;     ///< the start of a sequence
  std::string written;   ///< by the model after it
  std::string expected;  ///< empty: any continuation would do
  friend bool operator==(const TextSample&, const TextSample&) = default;
};

/// Report of a training after each step.
struct TrainingProgress {
  std::string training;   ///< which one, if there are several: "rope, seed 1"
  std::string model;      ///< what its seeds share: "rope"
  std::size_t place = 0;  ///< of the model among all
  Index step = 0;         ///< number of the step, from 1
  Index steps = 0;        ///< of the whole training
  Index tokens = 0;       ///< of the step's batch
  double loss = 0;        ///< of the step's batch, nats per token
  /// Lets the model write with its weights of now. Valid until the listener returns; takes a few
  /// milliseconds.
  std::function<Result<TextSample>()> sample;
};

/// State of the trainings of one experiment.
struct TrainingState {
  Index begun = 0;
  Index ended = 0;
  std::string training;  ///< the one that reported last
  Index step = 0;        ///< of that one
  Index steps = 0;
  double loss = no_value;
  double tokens_per_second = no_value;  ///< of all together, over the last seconds
  TextSample sample;                    ///< the newest; empty before the first
  std::string sample_of;                ///< the training that wrote it
  Index sample_step = 0;
};

/// Collects the progress of trainings; thread-safe. Times are seconds of one clock of the caller.
class TrainingWatch {
 public:
  /// Requests a sample if the newest is older than two seconds.
  void add(const TrainingProgress& progress, double now);

  /// Nothing: no training has reported yet.
  std::optional<TrainingState> state() const;

  /// A line a model, in the order of their places: the loss, mean over the seeds that have come as
  /// far and over every few steps, so that there are at most 200 points.
  CurveSet losses() const;

 private:
  struct Line {
    std::string training;
    std::string model;
    std::size_t place = 0;
    Index steps = 0;
    Index stride = 1;  ///< steps of a point
    double sum = 0;    ///< of the losses since the last point
    Index summed = 0;
    std::vector<double> x;
    std::vector<double> y;
  };
  struct TimedTokens {
    double time = 0;
    Index tokens = 0;
  };

  static std::vector<double> mean_of(const std::vector<const Line*>& lines, const std::vector<double>& x);
  void add_loss(const TrainingProgress& progress);
  double tokens_per_second() const;

  mutable std::mutex m_mutex;
  TrainingState m_state;
  std::vector<Line> m_lines;
  std::deque<TimedTokens> m_recent;  ///< of the last seconds
  std::optional<double> m_sampled;
};

/// "step 120 of 400, loss 2.310"; of several trainings, the one that reported last, and how many
/// have ended.
std::string training_text(const TrainingState& state);

}  // namespace vqscope
