// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/count_budget.h"

#include "core/base/sentence.h"

#include <utility>

namespace vqscope {

std::string duration_of_steps(double steps) {
  const double seconds = steps * 1e-9;
  const auto [unit, size] = seconds < 100         ? std::pair("s", 1.0)
                            : seconds < 5940      ? std::pair("min", 60.0)
                            : seconds < 2 * 86400 ? std::pair("h", 3600.0)
                                                  : std::pair("days", 86400.0);
  const double count = seconds / size;
  return count < 1e6 ? fmt::format("{} {}", to_text(count, 2), unit) : std::string("more than a lifetime");
}

std::string time_of_all_rows(double steps, bool some_are_done) {
  if (steps <= 0) return {};
  return fmt::format("; all rows take {} {}", some_are_done ? "about" : "more than", duration_of_steps(steps));
}

Error CountBudget::error(std::string_view what, double steps_of_all, std::string_view advice) const {
  if (stop.stop_requested()) return cancelled();
  constexpr double least_reported = 1e9;
  const std::string time = steps_of_all > least_reported ? ", about " + duration_of_steps(steps_of_all) : std::string();
  return too_large("{} takes too long{}; {}", what, time, advice);
}

}  // namespace vqscope
