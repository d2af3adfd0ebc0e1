// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/captures/step_watch.h"

#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/machine.h"
#include "core/capture/store/capture.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace vqscope {
namespace {

constexpr std::chrono::milliseconds betweenLooks{100};

struct WholeSteps {
  std::vector<Index> steps;
  bool isWhole = false;  ///< no more will come
};

/// A folder in which nothing is yet is no error, one that is not there is.
Result<WholeSteps> wholeStepsOf(const std::string& path) {
  const auto capture = Capture::open(path);
  std::error_code ignored;
  if (!capture)
    return std::filesystem::is_directory(path, ignored) ? Result<WholeSteps>(WholeSteps{}) : capture.error();
  WholeSteps whole{capture->steps, capture->is_whole};
  if (!whole.isWhole && !whole.steps.empty()) whole.steps.pop_back();
  return whole;
}

/// The steps that all have, and whether no more will come.
Result<WholeSteps> commonSteps(const std::vector<std::string>& captures) {
  WholeSteps common{{}, true};
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const auto each = wholeStepsOf(captures[i]);
    if (!each) return each.error();
    common.isWhole = common.isWhole && each->isWhole;
    if (i == 0) common.steps = each->steps;
    std::erase_if(common.steps, [&](Index step) { return !std::ranges::binary_search(each->steps, step); });
  }
  return common;
}

}  // namespace

int watchSteps(const std::vector<std::string>& captures, std::optional<double> seconds, const std::stop_token& stop,
               const std::function<int(Index step)>& look) {
  const Clock clock;
  std::optional<Index> last;
  for (;;) {
    const auto common = commonSteps(captures);
    if (!common) return fail(common.error());
    for (const Index step : common->steps) {
      if (last && step <= *last) continue;
      last = step;
      if (const int status = look(step); status != exitDone) return status;
    }
    if (stop.stop_requested()) return exitInterrupted;
    if (common->isWhole || (seconds && clock.seconds() >= *seconds)) return exitDone;
    sleepUnless(stop, betweenLooks);
  }
}

}  // namespace vqscope
