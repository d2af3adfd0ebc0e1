// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/work_estimate.h"

#include "core/base/sentence.h"
#include "core/cells/count_budget.h"

namespace vqscope {

void WorkEstimate::add(double fraction, double seconds) {
  m_last = {fraction, seconds};
  if (!m_first) m_first = m_last;
}

std::optional<double> WorkEstimate::secondsInAll() const {
  if (!m_first || m_last.fraction <= m_first->fraction || m_last.fraction >= 1) return std::nullopt;
  const double seconds_of_all = (m_last.seconds - m_first->seconds) / (m_last.fraction - m_first->fraction);
  return m_last.seconds + (1 - m_last.fraction) * seconds_of_all;
}

std::optional<std::string> WorkEstimate::sentence() const {
  const auto all = secondsInAll();
  if (!all) return std::nullopt;
  return fmt::format("{} % done after {}; all of it takes about {}; Ctrl+C stops it", to_text(100 * m_last.fraction, 2),
                     duration_of_steps(1e9 * m_last.seconds), duration_of_steps(1e9 * *all));
}

}  // namespace vqscope
