// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace vqscope {

/// Memory reserved for code that does not survive a failed allocation: Qt and QCustomPlot destroy
/// half-constructed objects twice and wait for threads that they could not start. While such an
/// object exists, `new` takes memory from it if there is no other. The code then finishes, and its
/// caller checks `wasNeeded` and gives up. For containers of Qt, which use malloc, check
/// isMemoryFor() first.
class SpareMemory {
 public:
  /// Throws std::bad_alloc if there is no memory to reserve.
  SpareMemory();
  ~SpareMemory();
  SpareMemory(const SpareMemory&) = delete;
  SpareMemory& operator=(const SpareMemory&) = delete;

  /// Whether `new` ran out of memory, in any thread, since construction.
  bool wasNeeded() const;

 private:
  std::size_t m_takenBefore;
};

/// Whether a block of this size can be allocated now; it is freed at once.
bool isMemoryFor(double bytes);

}  // namespace vqscope
