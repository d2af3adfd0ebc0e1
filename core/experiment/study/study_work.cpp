// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/study_work.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

// Measured on one core with AVX-512, in multiply-adds of the products of weights.
constexpr double score_work = 30;       ///< of a score: exponential, bias, memory
constexpr double element_work = 400;    ///< of a number of the residual stream: norms, rotation, activation
constexpr double parameter_work = 380;  ///< of a parameter in a step of the optimiser

double layer_parameters(const TransformerConfig& config) {
  const auto real = [](Index n) { return static_cast<double>(n); };
  const double d = real(config.d_model);
  const double widths = real(config.query_width() + config.key_width() + config.value_width() + config.context_width());
  return d * widths + (config.gated() ? d * real(2 * config.context_width()) : 3 * d * real(config.d_ff));
}

/// Keys that a query attends to, on average over a causal sequence.
double mean_keys(const TransformerConfig& config, Index length) {
  const double causal = static_cast<double>(length + 1) / 2;
  const auto bounded = [causal](Index keys) { return std::min(causal, static_cast<double>(keys)); };
  switch (config.attn) {
    case AttentionKind::window: return bounded(config.window);
    case AttentionKind::vq: return bounded(config.n_code + 2 * config.block_len);
    case AttentionKind::xl: return bounded(config.segment + config.memory);
    case AttentionKind::memorizing: return causal;  // searches all of them
    case AttentionKind::infini_linear:
    case AttentionKind::infini_delta: return bounded(config.segment + config.head_dim);
    case AttentionKind::full:
    case AttentionKind::mask: break;
  }
  return causal;
}

}  // namespace

double pass_work(const TransformerConfig& config, Index rows, Index length) {
  const auto real = [](Index n) { return static_cast<double>(n); };
  const double d = real(config.d_model), layers = real(config.attention_layers());
  const double of_key = real(config.head_dim + config.value_dim()) + score_work;
  const double attention = real(config.n_heads) * mean_keys(config, length) * of_key;
  const double of_layer = layer_parameters(config) + d * element_work + attention;
  return real(rows) * real(length) * (layers * of_layer + d * real(config.vocab));
}

double step_work(const TransformerConfig& config, Index rows, Index length) {
  constexpr double passes = 3;  // forwards, and backwards for activations and weights
  const double layers = static_cast<double>(config.attention_layers());
  const double parameters = layers * layer_parameters(config) + static_cast<double>(config.d_model * config.vocab);
  return passes * pass_work(config, rows, length) + parameter_work * parameters;
}

void StudyProgress::add(double part) {
  const std::lock_guard lock(m_mutex);
  m_done += part;
  report();
}

void StudyProgress::end_training() {
  const std::lock_guard lock(m_mutex);
  ++m_trained;
  report();
}

void StudyProgress::end_test(double part) {
  const std::lock_guard lock(m_mutex);
  ++m_tested;
  m_done += part;
  report();
}

void StudyProgress::report() {
  if (m_work.phase) m_work.phase(phase());
  const bool ended = m_trained == m_trainings && m_tested == m_tests;
  m_work.report(ended ? 1 : std::min(1.0, m_done / m_all));
}

std::string StudyProgress::phase() const {
  const std::string tests = fmt::format("{} of {} tests evaluated", m_tested, m_tests);
  if (m_trained == m_trainings) return "All models are trained, " + tests;
  const std::string trained = fmt::format("{} of {} models trained", m_trained, m_trainings);
  return m_tested == 0 ? trained : fmt::format("{}, {}", trained, tests);
}

}  // namespace vqscope
