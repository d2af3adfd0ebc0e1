// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/progress_line.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/cells/count_budget.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace vqscope {
namespace {

// Seconds.
constexpr double idle_timeout = 0.7;  // before the progress is shown
constexpr double period = 0.1;
constexpr double longWork = 10;

}  // namespace

void WorkEstimate::add(double fraction, double seconds) {
  m_last = {fraction, seconds};
  if (!m_first) m_first = m_last;
}

std::optional<double> WorkEstimate::secondsInAll() const {
  if (!m_first || m_last.fraction <= m_first->fraction || m_last.fraction >= 1) return std::nullopt;
  const double seconds_of_all = (m_last.seconds - m_first->seconds) / (m_last.fraction - m_first->fraction);
  return m_last.seconds + (1 - m_last.fraction) * seconds_of_all;
}

std::optional<double> WorkEstimate::secondsLeft() const {
  const auto all = secondsInAll();
  return all ? std::optional<double>(*all - m_last.seconds) : std::nullopt;
}

std::optional<std::string> WorkEstimate::sentence() const {
  const auto all = secondsInAll();
  if (!all) return std::nullopt;
  return fmt::format("{} % done after {}; all of it takes about {}; Ctrl+C stops it", to_text(100 * m_last.fraction, 2),
                     duration_of_steps(1e9 * m_last.seconds), duration_of_steps(1e9 * *all));
}

/// A dumb terminal cannot erase a line.
ProgressLine::ProgressLine() : m_next(idle_timeout) {
  const char* terminal = std::getenv("TERM");
  m_terminal = isatty(STDERR_FILENO) == 1 && !(terminal && std::string_view(terminal) == "dumb");
}

ProgressLine::~ProgressLine() {
  if (m_shown) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(double fraction) {
  if (isQuiet()) return;
  const double seconds = m_clock.seconds();
  m_estimate.add(fraction, seconds);
  if (!m_terminal) {
    if (!m_estimated && seconds >= longWork) printEstimate();
    return;
  }
  if (seconds < m_next) return;
  m_next = seconds + period;
  m_shown = true;
  const bool isLong = m_estimate.secondsInAll().value_or(0) > longWork;
  std::string more = isLong ? ", about " + duration_of_steps(1e9 * *m_estimate.secondsLeft()) + " left" : std::string();
  const auto training = m_trainings.state();
  if (training && (m_phase.empty() || training->ended < training->begun))
    more += " · " + training_text(*training);
  else if (!m_phase.empty())
    more += " · " + m_phase;
  std::fprintf(stderr, "\r\033[Kvqscope: %3d %%%s", static_cast<int>(fraction * 100), more.c_str());
}

void ProgressLine::printEstimate() {
  const auto sentence = m_estimate.sentence();
  if (!sentence) return;
  m_estimated = true;
  note(*sentence);
}

void ProgressLine::showTraining(TrainingProgress progress) {
  progress.sample = {};  // a line has no room for it
  m_trainings.add(progress, m_clock.seconds());
}

}  // namespace vqscope
