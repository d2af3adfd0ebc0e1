// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/study_work.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <thread>

namespace vqscope {
namespace {

/// Multiply-adds that the exponential and the bias of a score take.
constexpr double score_work = 12;

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
  const double widths = real(config.query_width() + config.key_width() + config.value_width() + config.context_width());
  const double mlp = config.gated() ? d * real(2 * config.context_width()) : 3 * d * real(config.d_ff);
  const double of_key = real(config.head_dim + config.value_dim()) + score_work;
  const double attention = real(config.n_heads) * mean_keys(config, length) * of_key;
  return real(rows) * real(length) * (layers * (d * widths + mlp + attention) + d * real(config.vocab));
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
