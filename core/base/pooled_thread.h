// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

namespace vqscope {

/// A task on a thread of its own, of the one pool that all of core takes its threads from: one that has become idle, or
/// a new one where there is none, so that no task waits for another. Who destroys it waits for the task's end.
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

}  // namespace vqscope
