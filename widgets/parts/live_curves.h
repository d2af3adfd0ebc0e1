// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace vqscope {

/// Partial curves of a running computation: its worker puts them, the GUI thread takes the newest.
class LiveCurves {
 public:
  /// Values that are not computed yet are gaps.
  void put(CurveSet curves) {
    for (auto& curve : curves.curves) curve.y.resize(curves.x.size(), std::numeric_limits<double>::quiet_NaN());
    const std::lock_guard lock(m_mutex);
    m_newest = std::move(curves);
  }

  /// Nothing: no newer curves since the last call.
  std::optional<CurveSet> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_newest, std::nullopt);
  }

  std::atomic<int> percent = 0;

 private:
  std::mutex m_mutex;
  std::optional<CurveSet> m_newest;
};

}  // namespace vqscope
