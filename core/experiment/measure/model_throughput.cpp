// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/model_throughput.h"

#include "core/experiment/training/training_data.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/trainer.h"

namespace vqscope {
namespace {

/// Exponent with which the time of a pass grows at large lengths.
double growth_of(const TransformerConfig& config) {
  return config.attn == AttentionKind::full || config.attn == AttentionKind::mask ? 2 : 1;
}

}  // namespace

ModelThroughput::ModelThroughput(TransformerConfig config, std::shared_ptr<const ParameterLayout> layout,
                                 ModelPass pass, const ModelTiming& timing)
    : m_config(std::move(config)),
      m_layout(std::move(layout)),
      m_pass(pass),
      m_timing(timing),
      m_times(growth_of(m_config), timing.most_seconds, timing.repeats) {}

double ModelThroughput::bytes(Index length) const {
  constexpr double copies = 6;  // of the parameters: two of them, gradient, averages, a step's backup
  const bool trains = m_pass == ModelPass::training;
  const auto pass = TransformerPass<float>::bytes(m_config, *m_layout, m_timing.rows, length,
                                                  trains ? Keep::gradients : Keep::logits);
  return static_cast<double>(pass) + (trains ? copies : 1) * sizeof(float) * static_cast<double>(m_layout->count);
}

template <class Call>
Result<Spread> ModelThroughput::measured(Index length, const Work& work, const Call& call) {
  Result<void> done;
  const Spread seconds = m_times.at(length, work, [&] {
    if (const auto result = call(); !result) done = result.error();
  });
  if (work.stop.stop_requested()) return cancelled();
  if (done) return seconds;
  if (done.error().code == Errc::too_large) return Spread{.skipped = Skipped::memory};
  return done.error();
}

Result<Spread> ModelThroughput::at(Index length, const Work& work) {
  if (bytes(length) > m_timing.most_bytes) return Spread{.skipped = Skipped::memory};
  const auto tokens = TrainingData::language(m_timing.seed, m_timing.rows, length).batch(0);
  const Batch batch{tokens.rows, tokens.length, tokens.tokens, tokens.labels};
  auto weights = initial_weights<float>(m_config, m_layout, m_timing.seed, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  if (m_pass == ModelPass::training) {
    Trainer<float> trainer(m_config, std::move(weights), {});
    return measured(length, work, [&] { return trainer.step(batch, m_timing.threads, work.stop); });
  }
  const auto pass = TransformerPass<float>::create(m_config, m_layout, batch.rows, batch.length, Keep::logits);
  if (!pass)
    return pass.error().code == Errc::too_large ? Spread{.skipped = Skipped::memory} : Result<Spread>(pass.error());
  return measured(length, work, [&] { return (*pass)->run(weights, batch, nullptr, m_timing.threads, work.stop); });
}

}  // namespace vqscope
