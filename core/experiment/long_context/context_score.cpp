// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_score.h"

#include "core/method/curve_set.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr Index most_probes = 128;
constexpr double candidates[]{0.5, 1, 2, 4, 8};

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c) sum += a[c] * b[c];
  return sum;
}

/// Σ over tokens of products of the local part x, the memory y and the answer t.
struct Moments {
  double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0, tt = 0;

  void add(const ContextParts& parts, const std::vector<double>& answer) {
    xx += inner_product(parts.local, parts.local);
    xy += inner_product(parts.local, parts.memory);
    yy += inner_product(parts.memory, parts.memory);
    xt += inner_product(parts.local, answer);
    yt += inner_product(parts.memory, answer);
    tt += inner_product(answer, answer);
  }
  /// Σ |a x + b y - t|².
  double loss(double a, double b) const {
    return a * a * xx + 2 * a * b * xy + b * b * yy - 2 * a * xt - 2 * b * yt + tt;
  }
};

std::pair<double, double> least_squares(const Moments& m) {
  const auto along = [](double t, double size) { return size > 0 ? std::max(0.0, t / size) : 0.0; };
  std::pair<double, double> best{along(m.xt, m.xx), 0};
  const auto try_out = [&](double a, double b) {
    if (a >= 0 && b >= 0 && m.loss(a, b) < m.loss(best.first, best.second)) best = {a, b};
  };
  try_out(0, along(m.yt, m.yy));
  const double determinant = m.xx * m.yy - m.xy * m.xy;
  if (determinant > 1e-12 * m.xx * m.yy)
    try_out((m.xt * m.yy - m.yt * m.xy) / determinant, (m.yt * m.xx - m.xt * m.xy) / determinant);
  return best;
}

/// The gate g of (1 - g) x + g y.
std::pair<double, double> best_gate(const Moments& m) {
  const double size = m.xx - 2 * m.xy + m.yy, along = m.yt - m.xt - m.xy + m.xx;
  const double gate = m.yy > 0 && size > 0 ? std::clamp(along / size, 0.0, 1.0) : 0;
  return {1 - gate, gate};
}

}  // namespace

ContextScoring::ContextScoring(const TaskTokens& task, const ContextOutputs& outputs, std::size_t stored_scales,
                               std::optional<double> sharpness, const std::stop_token& stop)
    : m_task(task), m_outputs(outputs), m_stored(stored_scales), m_stop(stop) {
  const Range newest = outputs.newest();
  const Index apart = std::max<Index>(1, newest.size() / most_probes);
  for (Index token = newest.end - 1; token >= newest.begin && !stop.stop_requested(); token -= apart) {
    if (!task.asks(token)) continue;
    const bool full = task.task() == ContextTask::full_attention;
    Probe probe{token, full ? outputs.parts(ContextSystem::full, token + 1).local : task.answer(token)};
    (m_fit.size() < m_test.size() ? m_fit : m_test).push_back(std::move(probe));
  }
  if (task.task() == ContextTask::full_attention || m_fit.empty()) {
    m_test.insert(m_test.end(), m_fit.begin(), m_fit.end());
    m_fit = m_test;
  }
  if (sharpness)
    m_sharpness = {*sharpness};
  else if (task.task() == ContextTask::full_attention)
    m_sharpness = {1};
  else
    m_sharpness.assign(std::begin(candidates), std::end(candidates));
  if (task.task() == ContextTask::rest) m_sharpness = {best(ContextSystem::full, m_sharpness).read.sharpness};
}

bool ContextScoring::is_free() const {
  return m_task.task() != ContextTask::full_attention && m_task.task() != ContextTask::rest;
}

ContextScoring::Fit ContextScoring::fitted(ContextSystem system, const ContextRead& read) const {
  Moments moments;
  for (const Probe& probe : m_fit) {
    if (m_stop.stop_requested()) break;
    moments.add(m_outputs.parts(system, probe.token + 1, read), probe.answer);
  }
  const auto [local, memory] = is_free() ? least_squares(moments) : best_gate(moments);
  return {moments.loss(local, memory), local, memory};
}

ContextScore ContextScoring::best(ContextSystem system, const std::vector<double>& sharpness) const {
  ContextScore score;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t stored = infini_rule_of(system) ? m_stored : 1;
  for (const double scale : sharpness)
    for (std::size_t place = 0; place < stored && !m_stop.stop_requested(); ++place) {
      const Fit fit = fitted(system, {scale, place});
      if (fit.loss >= least) continue;
      least = fit.loss;
      score = {.read = {scale, place}, .local = fit.local, .memory = fit.memory};
    }
  return score;
}

ContextScore ContextScoring::score(ContextSystem system) const {
  ContextScore score = best(system, m_sharpness);
  double apart = 0, size = 0;
  for (const Probe& probe : m_test) {
    if (m_stop.stop_requested()) break;
    Moments moments;
    moments.add(m_outputs.parts(system, probe.token + 1, score.read), probe.answer);
    apart += std::max(0.0, moments.loss(score.local, score.memory));
    size += moments.tt;
  }
  score.error = size > 0 ? apart / size : no_value;
  return score;
}

double ContextScoring::optimum() const {
  if (m_task.task() == ContextTask::full_attention) return no_value;
  double apart = 0, size = 0;
  for (const Probe& probe : m_test) {
    apart += m_task.unavoidable(probe.token);
    size += inner_product(probe.answer, probe.answer);
  }
  return size > 0 ? apart / size : no_value;
}

}  // namespace vqscope
