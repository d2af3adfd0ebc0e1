// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/data/alphabet.h"
#include "core/data/task.h"
#include "core/experiment/corpus/corpus.h"
#include "core/method/training/training_watch.h"
#include "core/model/tensors/parameter_layout.h"

#include <array>
#include <memory>
#include <optional>
#include <stop_token>

namespace vqscope {

/// Training data. The batch of every step depends only on the seed and the step.
class TrainingData {
 public:
  /// The synthetic language: sequences of `length` tokens from stream(seed).
  static TrainingData language(std::uint64_t seed, Index rows, Index length);
  /// Problems of a task, in the sizes of training.
  static TrainingData task(Task task, std::uint64_t seed, Index rows);
  /// Sequences of `length` bytes of a text. Refuses one of at most length + 1 bytes.
  static Result<TrainingData> text(ScoredText text, Index rows, Index length, AnswerTraining answers = {});

  Index vocabulary() const { return m_vocabulary; }
  /// Whether a sequence has one right answer, as those of tasks have.
  bool has_answers() const { return m_task.has_value(); }
  Alphabet alphabet() const;
  /// [sequences, tokens] of the first batch, which is not made.
  std::array<Index, 2> first_shape() const;
  /// The batch of step 0, 1, ...
  TokenBatch batch(Index step) const;

 private:
  std::shared_ptr<const std::vector<std::int32_t>> m_stream;  ///< null: a task
  std::shared_ptr<const AnswerTraining> m_answers;            ///< null: all tokens count
  std::vector<std::int32_t> m_answer_targets;                 ///< of the stream
  std::optional<Task> m_task;
  std::uint64_t m_seed = 0;
  Index m_rows = 0;
  Index m_length = 0;
  Index m_vocabulary = 0;
};

/// `length` positions from 0 to most - 1 for each row, sorted and distinct (Ruoss et al. 2023),
/// [rows, length]; determined by seed and step. `most` is at least `length`.
std::vector<std::int32_t> random_positions(Index rows, Index length, Index most, std::uint64_t seed, Index step);

/// The text that the model generates after the first half of a training sequence of step `step`,
/// sampled with top_p = 0.9; for a task, its most likely answer to a problem, each token given the
/// correct tokens before it. The same for the same weights and step.
template <class Real>
Result<TextSample> text_sample(const TrainingData& data, Index step, const TransformerConfig& config,
                               const Parameters<Real>& parameters, const std::stop_token& stop);

}  // namespace vqscope
