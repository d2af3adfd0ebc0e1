// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guard.h"
#include "core/base/parallel.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace vqscope {

/// Values that are computed once for all readers of the same key, such as maps of one experiment.
///
/// A value is computed on its own thread, so that no reader is bound to it: a stopped reader leaves
/// at once, the last one to leave stops the computation, and a later reader restarts it. An error
/// reaches all waiting readers and is forgotten. A value is kept while in use, and the last `kept`
/// longer.
template <class Key, class T>
class SharedComputation {
 public:
  using Value = std::shared_ptr<const T>;

  explicit SharedComputation(std::size_t kept = 0) : m_most_kept(kept) {}
  SharedComputation(const SharedComputation&) = delete;
  SharedComputation& operator=(const SharedComputation&) = delete;

  /// The result of `compute`, a Result<T>(const Work&), for the key. Progress is reported on the
  /// caller's thread. If stopped, the result is cancelled().
  template <class Compute>
  Result<Value> get(const Key& key, const Work& work, const Compute& compute) {
    std::unique_lock lock(m_mutex);
    if (auto known = find_value(key)) return known;
    std::shared_ptr<Run> run = find_run(key);
    if (!run) {
      run = std::make_shared<Run>(key);
      try {
        start(*run, compute);
      } catch (const std::system_error&) {  // no thread can be had: this reader computes for itself
        lock.unlock();
        return shared(compute, work);
      }
      m_runs.push_back(run);
    }
    ++run->readers;
    return wait(std::move(run), lock, work);
  }

 private:
  struct Run {
    explicit Run(const Key& of) : key(of) {}

    Key key;
    int readers = 0;
    std::optional<Result<Value>> result;
    std::condition_variable_any finished;
    std::atomic<double> fraction = 0;
    std::stop_source stop;
    PooledThread thread;  ///< joined first; it does not own the run, which its readers do
  };

  template <class Compute>
  static Result<Value> shared(const Compute& compute, const Work& work) {
    return guarded([&]() -> Result<Value> {
      auto value = compute(work);
      if (!value) return value.error();
      return Value(std::make_shared<const T>(std::move(*value)));
    });
  }

  Value find_value(const Key& key) {
    std::erase_if(m_known, [](const auto& entry) { return entry.second.expired(); });
    for (const auto& [known, value] : m_known)
      if (known == key)
        if (auto found = value.lock()) return found;
    return nullptr;
  }

  std::shared_ptr<Run> find_run(const Key& key) const {
    const auto it = std::ranges::find_if(m_runs, [&](const auto& run) { return run->key == key; });
    return it == m_runs.end() ? nullptr : *it;
  }

  void forget(const Run& run) {
    std::erase_if(m_runs, [&](const auto& other) { return other.get() == &run; });
  }

  template <class Compute>
  void start(Run& run, const Compute& compute) {
    run.thread = PooledThread([this, &run, compute] {
      const Work work{.progress = [&run](double fraction) { run.fraction = fraction; }, .stop = run.stop.get_token()};
      auto result = shared(compute, work);
      const std::lock_guard lock(m_mutex);
      if (result && !work.stop.stop_requested()) remember(run.key, *result);
      run.result = std::move(result);
      forget(run);
      run.finished.notify_all();
    });
  }

  void remember(const Key& key, const Value& value) {
    m_known.emplace_back(key, value);
    if (m_most_kept == 0) return;
    m_kept.push_front(value);
    if (m_kept.size() > m_most_kept) m_kept.pop_back();
  }

  Result<Value> wait(std::shared_ptr<Run> run, std::unique_lock<std::mutex>& lock, const Work& work) {
    using namespace std::chrono_literals;
    while (!run->result && !work.stop.stop_requested()) {
      run->finished.wait_for(lock, work.stop, 50ms, [&] { return run->result.has_value(); });
      if (!work.progress) continue;
      lock.unlock();
      work.report(run->fraction);
      lock.lock();
    }
    --run->readers;
    if (run->result) {
      Result<Value> result = *run->result;
      lock.unlock();
      return result;
    }
    if (run->readers == 0) {
      run->stop.request_stop();
      forget(*run);
    }
    lock.unlock();
    return cancelled();  // the last to let go of the run waits for its thread, which was stopped
  }

  std::size_t m_most_kept;
  std::mutex m_mutex;
  std::vector<std::shared_ptr<Run>> m_runs;  ///< that are not finished and have a reader
  std::vector<std::pair<Key, std::weak_ptr<const T>>> m_known;
  std::deque<Value> m_kept;
};

}  // namespace vqscope
