// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_plan.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// A sweep without an error, its folder, and the seconds of the points that are finished there.
struct CheckedSweep {
  SweepPlan plan;
  std::shared_ptr<const Sweep> sweep;
  std::string folder;
  std::vector<std::optional<double>> finished;
};
using CheckedSweepResult = Result<std::shared_ptr<const CheckedSweep>>;

/// `folder`: empty for the sweep's own. Where nothing varies yet, the error is Errc::not_found.
CheckedSweepResult checkSweep(const SweepPlan& plan, const std::string& folder, const std::stop_token& stop);

/// The file that `vqscope merge` writes of the folder; its bytes.
Result<double> writeMerged(const Sweep& sweep, const std::string& folder, const std::string& path,
                           const std::stop_token& stop);

}  // namespace vqscope
