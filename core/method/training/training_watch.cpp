// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/training/training_watch.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr double sample_interval = 2;  // seconds
constexpr double rate_interval = 5;
constexpr Index most_points = 200;

}  // namespace

void TrainingWatch::add(const TrainingProgress& progress, double now) {
  bool wants_sample = false;
  {
    const std::lock_guard lock(m_mutex);
    add_loss(progress);
    m_state.training = progress.training;
    m_state.step = progress.step;
    m_state.steps = progress.steps;
    m_state.loss = progress.loss;
    m_recent.push_back({now, progress.tokens});
    while (now - m_recent.front().time > rate_interval) m_recent.pop_front();
    wants_sample =
        progress.sample && (!m_sampled || now - *m_sampled >= sample_interval || progress.step == progress.steps);
    if (wants_sample) m_sampled = now;
  }
  if (!wants_sample) return;
  const auto sample = progress.sample();  // other trainings go on meanwhile
  if (!sample) return;
  const std::lock_guard lock(m_mutex);
  m_state.sample = *sample;
  m_state.sample_of = progress.training;
  m_state.sample_step = progress.step;
}

void TrainingWatch::add_loss(const TrainingProgress& progress) {
  auto line = std::ranges::find(m_lines, progress.training, &Line::training);
  if (line == m_lines.end()) {
    m_lines.push_back({.training = progress.training,
                       .model = progress.model,
                       .place = progress.place,
                       .steps = progress.steps,
                       .stride = (std::max<Index>(1, progress.steps) + most_points - 1) / most_points});
    line = m_lines.end() - 1;
    ++m_state.begun;
  }
  line->sum += progress.loss;
  ++line->summed;
  if (progress.step % line->stride == 0 || progress.step == progress.steps) {
    line->x.push_back(static_cast<double>(progress.step));
    line->y.push_back(line->sum / static_cast<double>(line->summed));
    line->sum = 0;
    line->summed = 0;
  }
  if (progress.step == progress.steps) ++m_state.ended;
}

double TrainingWatch::tokens_per_second() const {
  if (m_recent.size() < 2) return no_value;
  const double seconds = m_recent.back().time - m_recent.front().time;
  Index tokens = 0;
  for (const TimedTokens& each : m_recent) tokens += each.tokens;
  tokens -= m_recent.front().tokens;  // of a step that ended when the time began
  return seconds > 0 ? static_cast<double>(tokens) / seconds : no_value;
}

std::optional<TrainingState> TrainingWatch::state() const {
  const std::lock_guard lock(m_mutex);
  if (m_lines.empty()) return std::nullopt;
  TrainingState state = m_state;
  state.tokens_per_second = tokens_per_second();
  return state;
}

CurveSet TrainingWatch::losses() const {
  const std::lock_guard lock(m_mutex);
  CurveSet set{.x_name = "step", .x_title = "training step", .y_title = "loss (nats per token)"};
  std::map<std::pair<std::size_t, std::string>, std::vector<const Line*>> models;
  for (const Line& line : m_lines) {
    set.x.insert(set.x.end(), line.x.begin(), line.x.end());
    models[{line.place, line.model}].push_back(&line);
  }
  std::ranges::sort(set.x);
  set.x.erase(std::unique(set.x.begin(), set.x.end()), set.x.end());
  for (const auto& [model, lines] : models)
    set.curves.push_back({model.second.empty() ? "loss" : model.second, mean_of(lines, set.x)});
  return set;
}

std::vector<double> TrainingWatch::mean_of(const std::vector<const Line*>& lines, const std::vector<double>& x) {
  std::vector<double> sums(x.size(), 0), counts(x.size(), 0);
  for (const Line* line : lines)
    for (std::size_t i = 0; i < line->x.size(); ++i) {
      const auto at = static_cast<std::size_t>(std::ranges::lower_bound(x, line->x[i]) - x.begin());
      sums[at] += line->y[i];
      ++counts[at];
    }
  for (std::size_t i = 0; i < x.size(); ++i) sums[i] = counts[i] > 0 ? sums[i] / counts[i] : no_value;
  return sums;
}

std::string training_text(const TrainingState& state) {
  std::string text = fmt::format("step {} of {}, loss {:.3f}", state.step, state.steps, state.loss);
  if (!state.training.empty()) text = fmt::format("{}: {}", state.training, text);
  if (state.begun > 1 && state.ended > 0)
    text += fmt::format(" · {} {} ended", state.ended, state.ended == 1 ? "training" : "trainings");
  return text;
}

}  // namespace vqscope
