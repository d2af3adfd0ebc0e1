// SPDX-License-Identifier: GPL-3.0-or-later
// How much there is to compute, for honest progress and for estimates of the time.
#pragma once

#include "core/base/work.h"
#include "core/model/config/transformer_config.h"

#include <mutex>
#include <string>

namespace vqscope {

/// A forward pass over rows of so many tokens, in multiply-adds of the products of weights.
double pass_work(const TransformerConfig& config, Index rows, Index length);
/// A step of training, in the same unit.
double step_work(const TransformerConfig& config, Index rows, Index length);

/// Progress of several trainings and their tests, by the work done, reported one at a time. Names
/// what has been done: "2 of 8 models trained, 5 of 40 tests evaluated".
class StudyProgress {
 public:
  /// `trainings` and `tests`: how many there are; `all`: their work.
  StudyProgress(const Work& work, double all, Index trainings, Index tests)
      : m_work(work), m_all(all), m_trainings(trainings), m_tests(tests) {}

  void add(double part);
  void end_training();
  void end_test(double part);

 private:
  void report();
  std::string phase() const;

  const Work& m_work;
  const double m_all;
  const Index m_trainings, m_tests;
  double m_done = 0;
  Index m_trained = 0, m_tested = 0;
  std::mutex m_mutex;
};

}  // namespace vqscope
