// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/training_data.h"

#include "core/data/alphabet.h"
#include "core/data/language.h"
#include "core/data/token_batch.h"
#include "core/model/generate/decoder.h"
#include "core/model/generate/generation.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index stream_length = 700000;
constexpr std::uint64_t denser_purpose = 0x64656e736572U;
constexpr std::uint64_t positions_purpose = 0x706f736974696f6eU;

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

TrainingData TrainingData::language(std::uint64_t seed, Index rows, Index length) {
  assert(length + 1 < stream_length);
  TrainingData data;
  data.m_stream = std::make_shared<const std::vector<std::int32_t>>(language::stream(seed, stream_length));
  data.m_rows = rows;
  data.m_length = length;
  data.m_vocabulary = language::vocabulary;
  return data;
}

TrainingData TrainingData::task(Task task, std::uint64_t seed, Index rows) {
  TrainingData data;
  data.m_task = task;
  data.m_seed = seed;
  data.m_rows = rows;
  data.m_vocabulary = task_token::vocabulary;
  return data;
}

Result<TrainingData> TrainingData::text(ScoredText text, Index rows, Index length, AnswerTraining answers) {
  TrainingData data;
  if (answers != AnswerTraining()) {
    data.m_answer_targets = text.answer_targets();
    data.m_answers = std::make_shared<const AnswerTraining>(std::move(answers));
  }
  data.m_stream = std::make_shared<const std::vector<std::int32_t>>(std::move(text.tokens));
  data.m_rows = rows;
  data.m_length = length;
  data.m_vocabulary = byte_vocabulary;
  if (auto first = training_batch(*data.m_stream, 0, 1, length); !first) return first.error();
  return data;
}

std::array<Index, 2> TrainingData::first_shape() const {
  if (!m_task) return {m_rows, m_length};
  return {m_rows, task_batch(*m_task, task_size(*m_task, m_seed, 0), 1, m_seed, 0).length};
}

TokenBatch TrainingData::batch(Index step) const {
  if (m_task) return task_batch(*m_task, task_size(*m_task, m_seed, step), m_rows, m_seed, step);
  if (m_answers && !m_answers->denser.empty() && step % 2 == 1) {
    const auto& texts = m_answers->denser;
    SeededRandom random = stream_of(static_cast<std::uint64_t>(step), denser_purpose);
    const ScoredText& text = texts[static_cast<std::size_t>(below(random, std::ssize(texts)))];
    return training_batch({text.tokens, text.answer_targets()}, step, m_rows, m_length).value();
  }
  const bool asks = m_answers && step < m_answers->steps;
  const TokenStream all = asks ? TokenStream(*m_stream, m_answer_targets) : TokenStream(*m_stream);
  return training_batch(all, step, m_rows, m_length).value();
}

Alphabet TrainingData::alphabet() const {
  if (m_task) return Alphabet::task;
  return m_vocabulary == byte_vocabulary ? Alphabet::bytes : Alphabet::language;
}

std::vector<std::int32_t> random_positions(Index rows, Index length, Index most, std::uint64_t seed, Index step) {
  assert(length <= most);
  SeededRandom random = stream_of(seed + static_cast<std::uint64_t>(step) * 0x9e3779b97f4a7c15U, positions_purpose);
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> all(static_cast<std::size_t>(most));
  for (Index row = 0; row < rows; ++row) {
    std::iota(all.begin(), all.end(), 0);
    for (Index i = 0; i < length; ++i)
      std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + below(random, most - i))]);
    std::sort(all.begin(), all.begin() + length);
    positions.insert(positions.end(), all.begin(), all.begin() + length);
  }
  return positions;
}

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
