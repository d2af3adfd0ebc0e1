// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/scored_text.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

Result<TokenBatch> answer_windows(const PairedWindows& paired, const ScoredText& text, Index length) {
  TokenBatch batch{.rows = paired.windows, .length = length};
  for (Index window = 0; window < paired.windows; ++window) {
    const Index least = paired.first_end + window * paired.stride;
    const auto rest = std::min(static_cast<std::size_t>(least), text.answers.size());
    const auto answer = std::find(text.answers.begin() + static_cast<Index>(rest), text.answers.end(), true);
    if (answer == text.answers.end() || least < length)
      return invalid("the text has no answer from byte {} with {} bytes before it", least, length);
    const Index end = answer - text.answers.begin();
    const auto first = text.tokens.begin() + (end - length);
    batch.tokens.insert(batch.tokens.end(), first, first + length);
    batch.labels.insert(batch.labels.end(), static_cast<std::size_t>(length - 1), ignored_label);
    batch.labels.push_back(text.tokens[static_cast<std::size_t>(end)]);
  }
  return batch;
}

}  // namespace vqscope
