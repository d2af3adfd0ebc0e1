// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/progress_line.h"

#include <unistd.h>
#include <cstdio>

namespace vqscope {
namespace {

constexpr qint64 patience = 700;  // milliseconds before the progress is shown
constexpr qint64 period = 100;

}  // namespace

ProgressLine::ProgressLine() : m_next(patience), m_terminal(isatty(STDERR_FILENO) == 1) { m_clock.start(); }

ProgressLine::~ProgressLine() {
  if (m_shown) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(double fraction) {
  if (!m_terminal || m_clock.elapsed() < m_next) return;
  m_next = m_clock.elapsed() + period;
  m_shown = true;
  const auto training = m_trainings.state();
  const std::string more = training ? " · " + training_text(*training) : std::string();
  std::fprintf(stderr, "\r\033[Kvqscope: %3d %%%s", static_cast<int>(fraction * 100), more.c_str());
}

void ProgressLine::tell(TrainingNews news) {
  news.sample = {};  // a line has no room for it
  m_trainings.tell(news, static_cast<double>(m_clock.elapsed()) * 1e-3);
}

}  // namespace vqscope
