// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"

namespace vqscope {

/// Work whose progress is the part from `begin` to `begin + fraction` of all. `work` must outlive it.
inline Work part_of(const Work& work, double begin, double fraction) {
  return {.progress = [&work, begin, fraction](double done) { work.report(begin + fraction * done); },
          .stop = work.stop};
}

}  // namespace vqscope
