// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/measured_time.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/text.h"

#include <thread>

namespace vqscope {

std::string machine_text() {
  const unsigned cores = std::thread::hardware_concurrency();
  return std::string("kernels ") + best_kernels().name + ", " + to_text(static_cast<Index>(cores)) +
         (cores == 1 ? " core" : " cores");
}

}  // namespace vqscope
