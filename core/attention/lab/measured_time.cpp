// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/measured_time.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/machine.h"
#include "core/base/text.h"

namespace vqscope {

std::string machine_text() {
  const Machine machine = this_machine();
  return (machine.processor.empty() ? "" : machine.processor + ", ") + "kernels " + best_kernels().name + ", " +
         to_text(Index{machine.cores}) + (machine.cores == 1 ? " core" : " cores");
}

}  // namespace vqscope
