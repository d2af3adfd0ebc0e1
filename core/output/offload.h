// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace vqscope {

/// After a stop: wait for the work, or let it end by itself. In the second case it must own everything that it uses.
enum class WhenStopped { wait, leave };

/// Runs long work and returns when it is done or abandoned. A window passes a function that runs it on another thread
/// and keeps the window responsive; steps that need the caller's thread, such as making a plot, stay there. Empty: runs
/// the work directly. An exception of the work is rethrown to the caller.
using Offload = std::function<void(const std::function<void()>& work, WhenStopped)>;
void run_offloaded(const Offload& offload, const std::function<void()>& work, WhenStopped = WhenStopped::wait);

}  // namespace vqscope
