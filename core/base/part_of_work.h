// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"

namespace vqscope {

/// Work whose progress is the part from `begin` to `begin + share` of all. `work` must outlive it.
inline Work part_of(const Work& work, double begin, double share) {
  return {.progress = [&work, begin, share](double fraction) { work.report(begin + share * fraction); },
          .stop = work.stop};
}

}  // namespace vqscope
