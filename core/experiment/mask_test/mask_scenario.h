// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
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

}  // namespace vqscope
