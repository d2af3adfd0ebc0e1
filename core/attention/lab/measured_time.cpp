// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/measured_time.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/machine.h"
#include "core/base/text.h"

namespace vqscope {

std::unique_lock<std::mutex> measuring_alone() {
  static std::mutex machine;
  return std::unique_lock(machine);
}

ParameterSpec threads_parameter() {
  return {.name = "threads",
          .group = "Machine",
          .help = "Threads that attention is computed on.",
          .fallback = Index{1},
          .minimum = 1,
          .maximum = 256};
}

std::string machine_text(Index threads) {
  const Machine machine = this_machine();
  return (machine.processor.empty() ? "" : machine.processor + ", ") + "kernels " + best_kernels().name + ", " +
         to_text(Index{machine.cores}) + (machine.cores == 1 ? " core, " : " cores, ") + to_text(threads) +
         (threads == 1 ? " thread" : " threads");
}

}  // namespace vqscope
