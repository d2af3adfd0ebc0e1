// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace vqscope::settings {

/// Bytes given by operator new and not deleted yet, of the whole process. Above the limit new
/// throws bad_alloc.
class Allocations {
 public:
  /// Counts the peak from what is in use now on; `most` bytes more may be allocated.
  static void begin(std::int64_t most);

  static std::int64_t in_use();
  static std::int64_t peak();   ///< above what was in use at begin()
  static bool limit_was_met();  ///< since begin()
};

}  // namespace vqscope::settings
