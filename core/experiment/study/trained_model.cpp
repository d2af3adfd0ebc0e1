// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/trained_model.h"

#include "core/model/pass/transformer_pass.h"

#include <algorithm>

namespace vqscope {
namespace {

using Pass = TransformerPass<float>;

/// Maximum number of tokens in rows that are processed together.
constexpr Index most_tested_tokens = 8192;

/// Calls take(pass, losses, part) after each part of the rows.
template <class Take>
Result<void> for_parts(const TransformerConfig& config, const Parameters<float>& parameters, const TokenBatch& batch,
                       std::span<const std::int32_t> positions, const std::stop_token& stop, const Take& take) {
  const Index rows = std::clamp<Index>(most_tested_tokens / batch.length, 1, batch.rows);
  const Batch all{batch.rows, batch.length, batch.tokens, batch.labels, positions};
  std::unique_ptr<Pass> pass;
  for (Index begin = 0; begin < batch.rows; begin += rows) {
    const Range some{begin, std::min(batch.rows, begin + rows)};
    if (!pass || some.size() != rows) {
      auto made = Pass::create(config, parameters.layout, some.size(), batch.length, Keep::logits);
      if (!made) return made.error();
      pass = std::move(*made);
    }
    const Batch part{some.size(), batch.length, all.rows_of(all.tokens, some), all.rows_of(all.labels, some),
                     all.rows_of(all.position_ids, some)};
    const auto losses = pass->run(parameters, part, nullptr, 1, stop);
    if (!losses) return losses.error();
    take(*pass, *losses, part);
  }
  return {};
}

struct Answers {
  Index right = 0;
  Index counted = 0;
};

Answers answers_of(const Pass& pass, const Batch& part, Index row, Index vocabulary) {
  const auto logits = pass.logits(row);
  const auto labels = part.rows_of(part.labels, {row, row + 1});
  Answers answers;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    if (labels[t] == ignored_label) continue;
    const auto of_token =
        logits.subspan(t * static_cast<std::size_t>(vocabulary), static_cast<std::size_t>(vocabulary));
    ++answers.counted;
    answers.right += std::ranges::max_element(of_token) - of_token.begin() == labels[t];
  }
  return answers;
}

/// Calls take(answers) for each row.
template <class Take>
Result<void> for_answers(const TransformerConfig& config, const Parameters<float>& parameters, const TokenBatch& batch,
                         std::span<const std::int32_t> positions, const std::stop_token& stop, const Take& take) {
  return for_parts(config, parameters, batch, positions, stop, [&](const Pass& pass, const Losses&, const Batch& part) {
    for (Index row = 0; row < part.rows; ++row) take(answers_of(pass, part, row, config.vocab));
  });
}

double fraction(Index part, Index whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<Index>(1, whole));
}

constexpr std::size_t most_numbers = (std::size_t{128} << 20) / sizeof(float);

std::size_t numbers_of(const TrainedModel& model) {
  return model.parameters() ? model.parameters()->values.size() : std::size_t{1};
}

}  // namespace

Result<Measured> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                              const TokenBatch& batch, std::span<const std::int32_t> positions,
                              const std::stop_token& stop) {
  Measured sum;
  Index counted = 0;
  const auto add = [&](const Pass&, const Losses& losses, const Batch&) {
    const auto weight = static_cast<double>(losses.counted);
    sum.value += losses.ce_loss * weight;
    sum.cache_shares.resize(std::max(sum.cache_shares.size(), losses.cache_shares.size()));
    for (std::size_t layer = 0; layer < losses.cache_shares.size(); ++layer)
      sum.cache_shares[layer] += losses.cache_shares[layer] * weight;
    counted += losses.counted;
  };
  if (auto done = for_parts(config, parameters, batch, positions, stop, add); !done) return done.error();
  const auto all = static_cast<double>(std::max<Index>(1, counted));
  sum.value /= all;
  for (double& share : sum.cache_shares) share /= all;
  return sum;
}

Result<Measured> exact_match(const TransformerConfig& config, const Parameters<float>& parameters,
                             const TokenBatch& batch, std::span<const std::int32_t> positions,
                             const std::stop_token& stop) {
  Index right = 0;
  const auto add = [&](const Answers& answers) { right += answers.right == answers.counted; };
  if (auto done = for_answers(config, parameters, batch, positions, stop, add); !done) return done.error();
  return Measured{fraction(right, batch.rows)};
}

Result<Measured> token_accuracy(const TransformerConfig& config, const Parameters<float>& parameters,
                                const TokenBatch& batch, std::span<const std::int32_t> positions,
                                const std::stop_token& stop) {
  Answers all;
  const auto add = [&](const Answers& answers) {
    all.right += answers.right;
    all.counted += answers.counted;
  };
  if (auto done = for_answers(config, parameters, batch, positions, stop, add); !done) return done.error();
  return Measured{fraction(all.right, all.counted)};
}

std::optional<Measured> TrainedModel::measured(const TestKey& key) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& [known, value] : m_measured)
    if (known == key) return value;
  return std::nullopt;
}

void TrainedModel::keep(TestKey key, Measured measured) const {
  const std::lock_guard lock(m_mutex);
  m_measured.emplace_back(std::move(key), std::move(measured));
}

TrainedModels::Model TrainedModels::find(const TrainingKey& key) const {
  const std::lock_guard lock(m_mutex);
  const auto known = std::ranges::find(m_models, key, &std::pair<TrainingKey, Model>::first);
  return known == m_models.end() ? nullptr : known->second;
}

void TrainedModels::keep(TrainingKey key, Model model) {
  const std::lock_guard lock(m_mutex);
  m_models.emplace_front(std::move(key), std::move(model));
  std::size_t numbers = 0;
  const auto beyond = std::ranges::find_if(
      m_models, [&](const auto& entry) { return (numbers += numbers_of(*entry.second)) > most_numbers; });
  m_models.erase(std::max(beyond, m_models.begin() + 1), m_models.end());
}

TrainedModels& TrainedModels::shared() {
  static TrainedModels models;
  return models;
}

}  // namespace vqscope
