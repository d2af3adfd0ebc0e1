// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_run.h"

#include <map>
#include <mutex>
#include <utility>

namespace vqscope {

/// The latest report of each point since the last query: workers write, the window reads.
class PointProgress {
 public:
  void take(const PointReport& report) {
    const std::lock_guard lock(m_mutex);
    m_last.insert_or_assign(report.point, report);
  }
  std::map<Index, PointReport> all() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_last, {});
  }

 private:
  std::mutex m_mutex;
  std::map<Index, PointReport> m_last;
};

}  // namespace vqscope
