// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/work.h"

#include <functional>
#include <vector>

namespace vqscope {

/// Which bases are tried: from `from` in steps of `step` up to `to`, until one holds up to `longest`.
struct BaseSearch {
  Index rotary_dim = 128;
  Index longest = 32768;
  double from = 1.01;
  double to = 1e9;
  double step = 1.001;
};

/// The smallest bases found, and how far the search went.
struct BaseBounds {
  struct Step {
    double base;
    Index length;  ///< B(r) >= 0 for every r below it, and for no smaller base that was tried
  };
  std::vector<Step> steps;  ///< both ascend
  double searched_up_to = 0;

  /// Smallest base tried with B(r) >= 0 for all r < length; NaN: none.
  double smallest(Index length) const;
};

/// Tries every base of the grid, because a larger base may fail where a smaller one holds. The
/// search ends early if it would take more than some seconds; see searched_up_to. `on_report`
/// receives partial results, as often as progress is reported.
BaseBounds base_bounds(const BaseSearch& search, const Work& work,
                       const std::function<void(const BaseBounds&)>& on_report = {});

}  // namespace vqscope
