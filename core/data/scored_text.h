// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/token_batch.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// A text of bytes, of which some are answers: they can be known from earlier text only.
struct ScoredText {
  std::vector<std::int32_t> tokens;
  std::vector<bool> answers;  ///< of each token; empty: the text asks nothing

  friend bool operator==(const ScoredText&, const ScoredText&) = default;

  void put(Index token, bool is_answer) {
    tokens.push_back(static_cast<std::int32_t>(token));
    answers.push_back(is_answer);
  }
  /// The answers as targets of a TokenStream: other places are ignored.
  std::vector<std::int32_t> answer_targets() const {
    std::vector<std::int32_t> targets(tokens.size(), ignored_label);
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i]) targets[i] = tokens[i];
    return targets;
  }
};

/// The windows of `paired`, each as much later as its last target is an answer, which alone is
/// scored. Refuses a text with too few answers.
Result<TokenBatch> answer_windows(const PairedWindows& paired, const ScoredText& text, Index length);

}  // namespace vqscope
