// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

namespace vqscope {

/// What a long computation tells its caller, and how the caller ends it: it then returns cancelled().
struct Work {
  std::function<void(double fraction)> progress;  ///< 0 to 1, on the worker's thread; empty: nobody listens
  std::stop_token stop;

  void report(double fraction) const {
    if (progress) progress(fraction);
  }
};

}  // namespace vqscope
