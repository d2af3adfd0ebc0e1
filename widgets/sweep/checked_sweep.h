// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep.h"
#include "core/run/sweep_run.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// A valid sweep, its folder, and the seconds of the finished points there.
struct CheckedSweep {
  SweepPlan plan;
  std::shared_ptr<const Sweep> sweep;
  std::string folder;
  std::vector<std::optional<double>> finished;
};
using CheckedSweepResult = Result<std::shared_ptr<const CheckedSweep>>;

/// `folder`: empty for a folder of the sweep's own. If nothing varies yet, the error is
/// Errc::not_found.
CheckedSweepResult checkSweep(const SweepPlan& plan, const std::string& folder, const std::stop_token& stop);

/// Writes the file that `vqscope merge` makes from the folder. Returns its size in bytes.
Result<double> writeMerged(const Sweep& sweep, const std::string& folder, const std::string& path,
                           const std::stop_token& stop);

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
