// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/corpus/text_score.h"

#include "core/experiment/study/trained_model.h"

#include <algorithm>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index most_scored = Index{1} << 15;
constexpr Index scored_answers = 128;

}  // namespace

Result<std::optional<TextScore>> score_text(const TransformerConfig& config, const Parameters<float>& parameters,
                                            const Corpus& corpus, Index window, const std::stop_token& stop) {
  const ScoredText text = corpus.test(most_scored + window + 1);
  const auto scored = std::span(text.tokens).first(std::min(text.tokens.size(), std::size_t{most_scored} + 1));
  if (scored.size() < 2) return std::optional<TextScore>();
  TextScore score{.bytes = std::ssize(scored) - 1, .window = window, .stride = std::max<Index>(1, window / 2)};
  const auto loss = [&](const Result<TokenBatch>& batch) -> Result<double> {
    if (!batch) return batch.error();
    const auto nats = context_loss(config, parameters, *batch, {}, stop);
    return nats ? Result<double>(nats->value * std::numbers::log2e) : nats.error();
  };
  const auto bits = loss(sliding_windows(scored, window, score.stride));
  if (!bits) return bits.error();
  score.bits = *bits;
  if (!corpus.has_answers()) return std::optional(score);
  const PairedWindows windows{.windows = scored_answers, .first_end = window, .stride = most_scored / scored_answers};
  const auto answers = loss(answer_windows(windows, text, window));
  if (!answers) return answers.error();
  score.answer_bits = *answers;
  return std::optional(score);
}

}  // namespace vqscope
