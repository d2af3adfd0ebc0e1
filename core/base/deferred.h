// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace vqscope {

/// A value that is computed on the first request, and kept. Thread-safe; a failure is not kept.
template <class T>
class Deferred {
 public:
  using Value = std::shared_ptr<const T>;
  using Compute = std::function<Result<Value>(const Work&)>;

  /// get() calls `compute` until it gives a value; `compute` must join concurrent calls itself.
  explicit Deferred(Compute compute) : m_compute(std::move(compute)) {}

  /// Stops as `compute` does.
  Result<Value> get(const Work& work) const {
    {
      const std::lock_guard lock(m_mutex);
      if (m_value) return m_value;
    }
    auto value = m_compute(work);
    if (!value) return value;
    const std::lock_guard lock(m_mutex);
    if (!m_value) {
      m_value = std::move(*value);
      m_known = m_value.get();
    }
    return m_value;
  }

  /// For those who cannot be stopped: waits; null where it cannot be had. Valid for as long as
  /// this.
  const T* find() const {
    if (const T* known = m_known) return known;
    (void)get({});
    return m_known;
  }

 private:
  Compute m_compute;
  mutable std::mutex m_mutex;
  mutable Value m_value;
  mutable std::atomic<const T*> m_known = nullptr;
};

}  // namespace vqscope
