// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <latch>
#include <thread>
#include <utility>

namespace vqscope {

struct PooledThread::Run {
  std::function<void()> task;
  std::latch done{1};
};

namespace {

/// How long a thread waits for its next task: longer than a user pauses in a drag.
constexpr auto idle_timeout = std::chrono::seconds(3);

/// Idle threads. There are never fewer of them than tasks that wait, each of which is woken for
/// one.
class Pool {
 public:
  using Task = std::function<void()>;

  void start(Task task) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_idle > m_tasks.size()) {
        m_tasks.push_back(std::move(task));
        m_wake.notify_one();
        return;
      }
    }
    std::thread([this, task = std::move(task)]() mutable { serve(std::move(task)); }).detach();
  }

 private:
  void serve(Task task) {
    while (task) {
      std::exchange(task, {})();
      task = next();
    }
  }

  /// Nothing: enough others are idle, or none came for a while.
  Task next() {
    std::unique_lock lock(m_mutex);
    if (m_idle >= m_most_idle) return {};
    ++m_idle;
    m_wake.wait_for(lock, idle_timeout, [this] { return !m_tasks.empty(); });
    --m_idle;
    if (m_tasks.empty()) return {};
    Task task = std::move(m_tasks.front());
    m_tasks.pop_front();
    return task;
  }

  const std::size_t m_most_idle = std::max(4U, std::thread::hardware_concurrency());
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Task> m_tasks;
  std::size_t m_idle = 0;
};

/// Never destroyed: its threads may wait in it until the very end of the program.
Pool& pool() {
  static Pool& all = *new Pool;
  return all;
}

}  // namespace

PooledThread::PooledThread(std::function<void()> task) : m_run(std::make_shared<Run>()) {
  m_run->task = std::move(task);
  pool().start([run = m_run] {
    run->task();
    run->task = {};  // what it holds goes before anybody knows of its end
    run->done.count_down();
  });
}

PooledThread& PooledThread::operator=(PooledThread&& other) noexcept {
  join();
  m_run = std::move(other.m_run);
  return *this;
}

void PooledThread::join() {
  if (m_run) m_run->done.wait();
  m_run.reset();
}

}  // namespace vqscope
