// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/mask/mask.h"
#include "core/model/pass/transformer_pass.h"
#include "core/sequence/sequence_layout.h"

#include <memory>

namespace vqscope {

/// A mask over one of the sequences that it is tested with.
struct MaskScenario {
  SequenceLayout layout;
  std::shared_ptr<const Mask> mask;

  /// position_ids of the queries.
  std::vector<std::int32_t> positions() const;
};

/// Properties of a test sequence apart from its tokens.
struct ScenarioSequence {
  Index q_length = 1;
  Index past_len = 0;                        ///< keys are past_len + q_length
  Index left_padding = 0;                    ///< padding keys on the left
  std::vector<Index> document_lengths = {};  ///< empty: one document
};

/// Refuses cross-attention, whose queries and keys are two sequences.
Result<void> check_tested_mask(const ParameterValues& values);

/// The mask that the values of `visibility` describe, a preset or a text, over another sequence.
/// Refuses what check_tested_mask() refuses.
Result<MaskScenario> mask_scenario(const ParameterValues& values, const ScenarioSequence& sequence,
                                   const std::stop_token& stop);

/// The cells of an imported mask [tokens, tokens], all of them. Refuses other shapes.
Result<std::shared_ptr<const Mask>> whole_imported_mask(const ParameterValues& values, const std::stop_token& stop);

/// A sequence of the first tokens of an imported mask, without padding: the rows from past_len on.
Result<MaskScenario> imported_scenario(const ParameterValues& values, const Mask& whole,
                                       const ScenarioSequence& sequence);

/// Difference of the logits of a test's two forward passes at each token: the largest |difference|
/// over the vocabulary; no_value where the test does not compare.
struct TestDifferences {
  std::vector<double> by_token;

  double largest() const;
  /// The first token that differs; NaN: none does.
  double first() const;
  bool passed() const { return largest() <= allowed; }

  /// Rounding of float64 arithmetic in another order.
  static constexpr double allowed = 1e-9;
};

/// Σ m ℓ / Σ m over the real tokens of a sequence with left padding, in nats, and the values to
/// compare.
struct MaskedLoss {
  double alone = 0;     ///< for the sequence without padding
  double masked = 0;    ///< labels of padding are not counted
  double unmasked = 0;  ///< labels of padding are counted
};

/// A small model with random weights in float64, with forward passes that show what its mask leaks.
class MaskTestModel {
 public:
  /// The config has passed its check; there are `length` tokens and up to `most` with padding.
  static Result<MaskTestModel> create(const TransformerConfig& config, Index length, std::uint64_t seed,
                                      const Work& work);

  /// Changes each token once and measures the change before it.
  Result<TestDifferences> later_tokens(const MaskScenario& sequence) const;
  /// Changes each document once and measures the change in the others.
  Result<TestDifferences> other_documents(const MaskScenario& sequence, bool by_index) const;
  /// Compares the tokens alone with the same tokens after padding; by_index: positions count
  /// padding.
  Result<TestDifferences> left_padding(const MaskScenario& alone, const MaskScenario& padded, bool by_index,
                                       MaskedLoss& loss) const;
  /// Compares all tokens at once with a prefill followed by single tokens; `decode` has the mask of
  /// each single-query step. restart: positions of decoded tokens begin at 0.
  Result<TestDifferences> cached_decode(const MaskScenario& whole, const MaskScenario& prefill,
                                        std::span<const MaskScenario> decode, bool restart) const;

 private:
  using Tokens = std::vector<std::int32_t>;
  struct Row {
    Tokens tokens;
    std::vector<std::int32_t> positions;
    const Mask* mask;
  };

  MaskTestModel(const TransformerConfig& config, Parameters<double> weights, Tokens tokens, const Work& work)
      : m_config(config), m_weights(std::move(weights)), m_tokens(std::move(tokens)), m_work(work) {}

  /// Logits [length, vocab] of each row; all rows have one length.
  Result<std::vector<std::vector<double>>> logits(const std::vector<Row>& rows) const;
  std::int32_t other(std::int32_t token) const;
  /// Updates the largest difference at `token` of a and b, whose tokens are offset by `shift_a` and
  /// `shift_b`.
  void compare(const std::vector<double>& a, Index at_a, const std::vector<double>& b, Index at_b,
               double& largest) const;
  double cross_entropy_at(const std::vector<double>& logits, Index at, std::int32_t label) const;

  TransformerConfig m_config;
  Parameters<double> m_weights;
  Tokens m_tokens;
  Work m_work;
};

}  // namespace vqscope
