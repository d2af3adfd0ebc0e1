// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

namespace vqscope {

/// Runs a step of work that is on another thread on that of the application, and returns when the
/// step is done. After a stop, a step that has not begun is left out: nothing waits for a thread of
/// the application that has ended. An exception of the step is rethrown to the work.
void runOnApplication(const std::function<void()>& step, const std::stop_token& stop);

}  // namespace vqscope
