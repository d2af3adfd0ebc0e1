// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace vqscope {

/// A task on a thread of its own, of the one pool that all of core takes its threads from: one that
/// has become idle, or a new one where there is none, so that no task waits for another. Who
/// destroys it waits for the task's end.
class PooledThread {
 public:
  PooledThread() = default;
  /// Begins at once; std::system_error where no thread can be had. The task throws nothing.
  explicit PooledThread(std::function<void()> task);
  PooledThread(PooledThread&&) noexcept = default;
  PooledThread& operator=(PooledThread&& other) noexcept;
  ~PooledThread() { join(); }

 private:
  struct Run;
  void join();

  std::shared_ptr<Run> m_run;  ///< null: there is no task
};

/// Calls body(i) for every i of [0, count), on up to `threads` threads, the caller's among them.
/// Items are handed out one at a time, so uneven items balance. Where body throws, no further item
/// is begun and the first exception leaves on the caller's thread.
template <class Body>
void parallel_for(Index count, int threads, const Body& body) {
  std::atomic<Index> next{0};
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (Index i = next++; i < count; i = next++) body(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<PooledThread> helpers;
    try {
      for (Index t = 1; t < std::min<Index>(threads, count); ++t) helpers.emplace_back(work);
    } catch (const std::exception&) {
      // A thread that cannot be had is done without.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace vqscope
