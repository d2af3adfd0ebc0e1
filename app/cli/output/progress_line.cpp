// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/progress_line.h"

#include "app/process/console.h"
#include "core/cells/count_budget.h"

#include <unistd.h>
#include <cstdio>

namespace vqscope {
namespace {

constexpr qint64 patience = 700;  // milliseconds before the progress is shown
constexpr qint64 period = 100;
constexpr double longWork = 10;  // seconds

}  // namespace

ProgressLine::ProgressLine() : m_next(patience), m_terminal(isatty(STDERR_FILENO) == 1) { m_clock.start(); }

ProgressLine::~ProgressLine() {
  if (m_shown) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(double fraction) {
  const double seconds = static_cast<double>(m_clock.elapsed()) * 1e-3;
  m_estimate.add(fraction, seconds);
  if (!m_terminal) {
    if (!m_estimated && seconds >= longWork) sayEstimate();
    return;
  }
  if (m_clock.elapsed() < m_next) return;
  m_next = m_clock.elapsed() + period;
  m_shown = true;
  const auto all = m_estimate.secondsInAll();
  std::string more = all && *all > longWork ? " of about " + duration_of_steps(1e9 * *all) : std::string();
  if (const auto training = m_trainings.state()) more += " · " + training_text(*training);
  std::fprintf(stderr, "\r\033[Kvqscope: %3d %%%s", static_cast<int>(fraction * 100), more.c_str());
}

void ProgressLine::sayEstimate() {
  const auto sentence = m_estimate.sentence();
  if (!sentence) return;
  m_estimated = true;
  note(*sentence);
}

void ProgressLine::tell(TrainingNews news) {
  news.sample = {};  // a line has no room for it
  m_trainings.tell(news, static_cast<double>(m_clock.elapsed()) * 1e-3);
}

}  // namespace vqscope
