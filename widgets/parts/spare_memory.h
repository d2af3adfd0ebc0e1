// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace vqscope {

/// Memory put aside for code that does not survive an allocation that fails, as Qt's and QCustomPlot's does not: what
/// they construct halfway is destroyed twice, and threads that they could not start are waited for. While one of these
/// lives, `new` takes from it where there is no memory left. Such code then comes to its end, and its caller asks
/// `wasNeeded` and gives up. Containers of Qt, which ask malloc, find the room of `isMemoryFor`.
class SpareMemory {
 public:
  /// Throws std::bad_alloc when there is nothing to put aside.
  SpareMemory();
  ~SpareMemory();
  SpareMemory(const SpareMemory&) = delete;
  SpareMemory& operator=(const SpareMemory&) = delete;

  /// Whether any thread's `new` found no memory since this was made.
  bool wasNeeded() const;

 private:
  std::size_t m_takenBefore;
};

/// Whether a block of so many bytes can be had now; it is given back at once.
bool isMemoryFor(double bytes);

}  // namespace vqscope
