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

void TrainingWatch::tell(const TrainingProgress& news, double now) {
  bool asks = false;
  {
    const std::lock_guard lock(m_mutex);
    add_loss(news);
    m_state.training = news.training;
    m_state.step = news.step;
    m_state.steps = news.steps;
    m_state.loss = news.loss;
    m_told.push_back({now, news.tokens});
    while (now - m_told.front().time > rate_interval) m_told.pop_front();
    asks = news.sample && (!m_sampled || now - *m_sampled >= sample_interval || news.step == news.steps);
    if (asks) m_sampled = now;
  }
  if (!asks) return;
  const auto sample = news.sample();  // other trainings go on meanwhile
  if (!sample) return;
  const std::lock_guard lock(m_mutex);
  m_state.sample = *sample;
  m_state.sample_of = news.training;
  m_state.sample_step = news.step;
}

void TrainingWatch::add_loss(const TrainingProgress& news) {
  auto line = std::ranges::find(m_lines, news.training, &Line::training);
  if (line == m_lines.end()) {
    m_lines.push_back({.training = news.training,
                       .model = news.model,
                       .place = news.place,
                       .steps = news.steps,
                       .stride = (std::max<Index>(1, news.steps) + most_points - 1) / most_points});
    line = m_lines.end() - 1;
    ++m_state.begun;
  }
  line->sum += news.loss;
  ++line->summed;
  if (news.step % line->stride == 0 || news.step == news.steps) {
    line->x.push_back(static_cast<double>(news.step));
    line->y.push_back(line->sum / static_cast<double>(line->summed));
    line->sum = 0;
    line->summed = 0;
  }
  if (news.step == news.steps) ++m_state.ended;
}

double TrainingWatch::tokens_per_second() const {
  if (m_told.size() < 2) return no_value;
  const double seconds = m_told.back().time - m_told.front().time;
  Index tokens = 0;
  for (const Told& told : m_told) tokens += told.tokens;
  tokens -= m_told.front().tokens;  // of a step that ended when the time began
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
