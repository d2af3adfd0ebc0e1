// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/text_sample.h"

#include "core/model/generate/decoder.h"
#include "core/model/generate/generation.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Tokens of a free text that fit on a line of the window.
constexpr Index most_given = 32;
constexpr Index most_written = 64;

template <class Real>
Result<TextSample> continuation(const TrainingData& data, std::span<const std::int32_t> row,
                                const TransformerConfig& config, const Parameters<Real>& parameters,
                                const std::stop_token& stop) {
  const auto length = static_cast<Index>(row.size());
  const Index given = std::clamp<Index>(length / 2, 1, most_given);
  const auto prompt = row.first(static_cast<std::size_t>(given));
  const GenerationOptions options{.count = std::clamp<Index>(length - given, 1, most_written),
                                  .sampler = {.temperature = 1, .top_p = 0.9}};
  const auto tokens = generate<Real>(config, parameters, prompt, options, {.progress = {}, .stop = stop});
  if (!tokens) return tokens.error();
  return TextSample{.given = text_of_tokens(data.alphabet(), prompt),
                    .written = text_of_tokens(data.alphabet(), std::span(*tokens).subspan(prompt.size())),
                    .expected = {}};
}

template <class Real>
Result<TextSample> answer(const TrainingData& data, std::span<const std::int32_t> row,
                          std::span<const std::int32_t> labels, const TransformerConfig& config,
                          const Parameters<Real>& parameters, const std::stop_token& stop) {
  const auto decoder = Decoder<Real>::create(config, parameters, static_cast<Index>(row.size()));
  if (!decoder) return decoder.error();
  const auto requested = static_cast<std::size_t>(
      std::ranges::find_if(labels, [](std::int32_t label) { return label != ignored_label; }) - labels.begin());
  std::vector<std::int32_t> written, expected;
  for (std::size_t t = 0; t < row.size(); ++t) {
    if (stop.stop_requested()) return cancelled();
    const auto logits = (*decoder)->read(row[t]);
    if (labels[t] == ignored_label) continue;
    written.push_back(static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin()));
    expected.push_back(labels[t]);
  }
  return TextSample{.given = text_of_tokens(data.alphabet(), row.first(std::min(row.size(), requested + 1))),
                    .written = text_of_tokens(data.alphabet(), written),
                    .expected = text_of_tokens(data.alphabet(), expected)};
}

}  // namespace

template <class Real>
Result<TextSample> text_sample(const TrainingData& data, Index step, const TransformerConfig& config,
                               const Parameters<Real>& parameters, const std::stop_token& stop) {
  const TokenBatch batch = data.batch(step);
  const auto length = static_cast<std::size_t>(batch.length);
  const auto row = std::span(batch.tokens).first(length);
  if (!data.has_answers()) return continuation(data, row, config, parameters, stop);
  return answer(data, row, std::span(batch.labels).first(length), config, parameters, stop);
}

template Result<TextSample> text_sample(const TrainingData&, Index, const TransformerConfig&, const Parameters<float>&,
                                        const std::stop_token&);
template Result<TextSample> text_sample(const TrainingData&, Index, const TransformerConfig&, const Parameters<double>&,
                                        const std::stop_token&);

}  // namespace vqscope
