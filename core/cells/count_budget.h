// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <atomic>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>

namespace vqscope {

/// Limit of one query about a mask, in steps of about a nanosecond of one thread.
inline constexpr Index most_steps_of_an_answer = Index{2} << 30;

/// Limit of writing the cells of a mask to a file, in the same steps.
inline constexpr Index most_steps_of_a_file = Index{1} << 33;

/// "3 s", "12 min", "2 h", "40 days": about how long steps take; 2 digits.
std::string duration_of_steps(double steps);

/// "; all rows take about 40 min", or "more than 40 min" if no row is known to be done; nothing for
/// 0 steps.
std::string time_of_all_rows(double steps, bool some_are_done);

/// Remaining budget for reading and counting cells, in steps of about a nanosecond, shared by
/// threads.
struct CountBudget {
  std::atomic<Index> left = std::numeric_limits<Index>::max();
  std::stop_token stop;
  Index most = left;  ///< of the beginning

  /// False once it is spent or a stop is requested.
  bool spend(Index steps) {
    return left.fetch_sub(steps, std::memory_order_relaxed) >= steps && !stop.stop_requested();
  }

  bool is_over() const { return left.load(std::memory_order_relaxed) <= 0 || stop.stop_requested(); }

  /// Ends the budget, for work that cannot be done on any budget.
  void give_up() { left = 0; }

  /// The steps of a whole of which a part is done, by what was spent on the part; 0: not known.
  double steps_of_all(double part_done) const {
    return part_done > 0 ? static_cast<double>(most - left.load()) / part_done : 0;
  }

  /// Why it is over: a stop, or that `what` takes too long; how long, if its steps are known.
  Error error(std::string_view what, double steps_of_all = 0, std::string_view advice = use_fewer_tokens) const;

  static constexpr std::string_view use_fewer_tokens = "use fewer tokens or a mask that can be solved into intervals";
};

/// Whether a part that took a sixteenth of the budget shows that the whole takes more than twice
/// the budget.
inline bool is_hopeless(const CountBudget& budget, double part_done) {
  return budget.most - budget.left.load() > budget.most / 16 &&
         budget.steps_of_all(part_done) > 2 * static_cast<double>(budget.most);
}

}  // namespace vqscope
