// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/corpus/corpus.h"
#include "core/method/curve_set.h"
#include "core/model/config/transformer_config.h"
#include "core/model/tensors/parameter_layout.h"

#include <optional>
#include <stop_token>

namespace vqscope {

/// How well a model predicts text that it was not trained on, by sliding evaluation: windows of
/// `window` bytes, `stride` after each other, score each byte once.
struct TextScore {
  double bits = 0;  ///< per byte
  Index bytes = 0;  ///< scored
  Index window = 0;
  Index stride = 0;
  double answer_bits = no_value;  ///< of an answer with `window` bytes before it; no_value: no answers
};

/// On the first 32 KiB of the corpus's text for tests. Nothing: that has fewer than two bytes.
Result<std::optional<TextScore>> score_text(const TransformerConfig& config, const Parameters<float>& parameters,
                                            const Corpus& corpus, Index window, const std::stop_token& stop);

}  // namespace vqscope
