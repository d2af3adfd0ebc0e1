// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/long_context/context_outputs.h"
#include "core/experiment/long_context/context_task.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace vqscope {

/// How a system does a task: o = a · local + b · memory, with its ContextRead.
struct ContextScore {
  double error = 0;  ///< Σ |o - answer|² / Σ |answer|²: 1 for a reader who returns 0; NaN: nothing is asked
  ContextRead read;
  double local = 1;   ///< a
  double memory = 0;  ///< b
};

/// Scores the systems on tokens of the newest segment. What a model would learn is fitted on every
/// second of these tokens, and the error is that of the others: the scale of the scores and of the
/// stored keys, the best of a few, and with each of them a ≥ 0 and b ≥ 0 in closed form.
///
/// The heads of `rest` were trained with full attention, as Xiao et al. found them: its scale, a + b
/// = 1. So are own tensors, whose scale is 1; their gate is fitted on the same tokens.
class ContextScoring {
 public:
  /// All must outlive this. `sharpness` is the scale of scores, if it is given.
  ContextScoring(const TaskTokens& task, const ContextOutputs& outputs, std::size_t stored_scales,
                 std::optional<double> sharpness, const std::stop_token& stop);

  ContextScore score(ContextSystem system) const;
  /// The error of a reader who knows how the tokens were made; NaN: not known.
  double optimum() const;

 private:
  struct Probe {
    Index token = 0;
    std::vector<double> answer;
  };
  struct Fit {
    double loss = 0, local = 1, memory = 0;
  };
  Fit fitted(ContextSystem system, const ContextRead& read) const;
  ContextScore best(ContextSystem system, const std::vector<double>& sharpness) const;
  bool is_free() const;

  const TaskTokens& m_task;
  const ContextOutputs& m_outputs;
  std::size_t m_stored;
  std::vector<double> m_sharpness;
  std::stop_token m_stop;
  std::vector<Probe> m_fit, m_test;
};

}  // namespace vqscope
