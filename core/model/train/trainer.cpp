// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/trainer.h"

#include "core/base/sentence.h"
#include "core/model/train/carried_tensors.h"
#include "core/model/train/initial_weights.h"

#include <cmath>

namespace vqscope {
namespace {

/// Number of batch sizes whose memory is kept.
constexpr std::size_t most_passes = 32;
constexpr const char* steps_name = "optimizer.steps";

/// The numbers before offset `end` as tensors of the layout's shapes.
template <class Real>
void append_tensors(const ParameterLayout& layout, const std::string& prefix, const std::vector<Real>& values,
                    Index end, std::vector<NamedTensor>& out) {
  for (const ParameterTensor& tensor : layout.tensors) {
    if (tensor.offset >= end) break;
    const auto begin = values.begin() + tensor.offset;
    out.push_back({prefix + tensor.name, tensor.shape, std::vector<Real>(begin, begin + tensor.count)});
  }
}

template <class Real>
std::unique_ptr<Optimiser<Real>> make_optimiser(const std::shared_ptr<const ParameterLayout>& layout,
                                                const TrainerOptions& options) {
  if (options.optimiser == OptimiserKind::adafactor)
    return std::make_unique<Adafactor<Real>>(layout, options.adafactor);
  return std::make_unique<AdamW<Real>>(layout, options.adamw);
}

}  // namespace

template <class Real>
Trainer<Real>::Trainer(const TransformerConfig& config, Parameters<Real> parameters, const TrainerOptions& options)
    : m_config(config),
      m_options(options),
      m_parameters(std::move(parameters)),
      m_good(m_parameters),
      m_gradient(zeros_of<Real>(m_parameters.layout)),
      m_optimiser(make_optimiser<Real>(m_parameters.layout, options)) {}

template <class Real>
Result<TransformerPass<Real>*> Trainer<Real>::pass_for(const Batch& batch, Index carried) {
  if (auto checked = check_batch(m_config, batch); !checked) return checked.error();
  if (m_passes.size() >= most_passes) m_passes.clear();
  const Keep keep = batch.is_plain() ? Keep::gradients : Keep::everything;
  auto& pass = m_passes[{batch.rows, batch.length, keep, carried}];
  if (pass) return pass.get();
  auto made = Pass::create(m_config, m_parameters.layout, batch.rows, batch.length, keep, carried);
  if (!made) return made.error();
  pass = std::move(*made);
  return pass.get();
}

template <class Real>
Error Trainer<Real>::end(const std::string& what, double value) {
  m_parameters = m_good;
  m_failure =
      fmt::format("the {} of step {} is {}: training stopped with the last weights whose loss and gradient were finite",
                  what, steps() + 1, plain_text(value));
  return invalid(m_failure);
}

template <class Real>
Result<TrainingStep> Trainer<Real>::step(const Batch& batch, int threads, const std::stop_token& stop) {
  if (!m_failure.empty()) return invalid(m_failure);
  const Index count = windows(batch.length);
  if (count == 1) return step_of(batch, std::nullopt, threads, stop);
  if (!batch.is_plain() || !batch.position_ids.empty())
    return invalid("the batch has documents, padding, masks or positions but must have none with bptt_len");
  const Index number = steps() % count, begin = number * m_options.bptt_len;
  if (number > 0 && (!m_carried || m_carried->rows() != batch.rows || m_carried->tokens() != begin))
    return invalid(
        "step {} continues sequences after {} tokens, but no attention was carried to it: start anew, or "
        "resume with the same batches",
        steps() + 1, begin);
  const Range some{begin, std::min(batch.length, begin + m_options.bptt_len)};
  const auto tokens = columns_of(batch.tokens, batch.length, some),
             labels = columns_of(batch.labels, batch.length, some);
  auto state = number > 0 ? m_carried : std::optional<CarriedState<Real>>(std::in_place, m_config, batch.rows);
  return step_of({batch.rows, some.size(), tokens, labels}, std::move(state), threads, stop);
}

template <class Real>
Result<TrainingStep> Trainer<Real>::step_of(const Batch& batch, std::optional<CarriedState<Real>> state, int threads,
                                            const std::stop_token& stop) {
  const auto pass = pass_for(batch, state ? carried_tokens(m_config) : 0);
  if (!pass) return pass.error();
  const TrainingNoise noise{m_options.seed, steps() + 1, m_options.dropout, m_options.layerdrop};
  const bool is_noisy = noise.dropout > 0 || noise.layerdrop > 0;
  const TrainingNoise* dropped = is_noisy ? &noise : nullptr;
  const auto losses = state ? (*pass)->run_segment(m_parameters, batch, *state, &m_gradient, threads, stop, dropped)
                            : (*pass)->run(m_parameters, batch, &m_gradient, threads, stop, dropped);
  if (!losses) return losses.error();
  if (!std::isfinite(losses->loss)) return end("loss", losses->loss);
  TrainingStep done{.losses = *losses, .learning_rate = m_options.rate.at(steps() + 1)};
  Parameters<Real> before = m_parameters;
  done.gradient_norm = m_optimiser->step(m_parameters, m_gradient, done.learning_rate).norm;
  if (!std::isfinite(done.gradient_norm)) return end("gradient", done.gradient_norm);
  done.step = steps();
  done.used_codes = (*pass)->used_codes();
  done.tokens = batch.tokens_count();
  m_carried = std::move(state);
  m_good = std::move(before);
  clamp_learnt_bias(m_config, m_parameters);
  (*pass)->update_codebooks(m_parameters);
  return done;
}

template <class Real>
std::vector<NamedTensor> Trainer<Real>::weights() const {
  std::vector<NamedTensor> tensors;
  append_tensors(*m_parameters.layout, "", m_parameters.values, m_parameters.layout->count, tensors);
  return tensors;
}

template <class Real>
std::vector<NamedTensor> Trainer<Real>::state() const {
  auto tensors = weights();
  const ParameterLayout& averages = *m_optimiser->state_layout();
  append_tensors(averages, "", m_optimiser->state(), averages.count, tensors);
  tensors.push_back({steps_name, {1}, std::vector<std::int32_t>{static_cast<std::int32_t>(steps())}});
  if (m_carried) append_carried(m_config, *m_carried, tensors);
  return tensors;
}

template <class Real>
Result<void> Trainer<Real>::resume(const NamedTensors& file) {
  const SafetensorsEntry* entry = file.find(steps_name);
  if (!entry || entry->shape != std::vector<Index>{1})
    return file.named(invalid("tensor {} of shape [1] is missing: this is not a saved training", steps_name));
  const auto steps = file.integers(*entry);
  if (!steps) return file.named(steps.error());
  if (steps->front() < 0)
    return file.named(invalid("tensor {} has {} but must be at least 0", steps_name, steps->front()));
  auto parameters = read_parameters<Real>(file, m_parameters.layout);
  if (!parameters) return parameters.error();
  auto averages = read_parameters<Real>(file, m_optimiser->state_layout());
  if (!averages) return averages.error();
  auto carried = read_carried<Real>(file, m_config);
  if (!carried) return carried.error();
  m_carried = std::move(*carried);
  m_optimiser->resume(steps->front(), std::move(averages->values));
  m_good = m_parameters = std::move(*parameters);
  return {};
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace vqscope
