// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/measured_time.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/machine.h"
#include "core/base/sentence.h"

#include <condition_variable>
#include <mutex>

namespace vqscope {

namespace {

/// The machine, and whether a measurement is running on it.
struct MeasuredMachine {
  std::mutex mutex;
  std::condition_variable_any free;
  bool taken = false;
};

MeasuredMachine& measured_machine() {
  static MeasuredMachine machine;
  return machine;
}

}  // namespace

MeasuringAlone::MeasuringAlone(const std::stop_token& stop) {
  MeasuredMachine& machine = measured_machine();
  std::unique_lock lock(machine.mutex);
  m_alone = machine.free.wait(lock, stop, [&] { return !machine.taken; });
  if (m_alone) machine.taken = true;
}

MeasuringAlone::~MeasuringAlone() {
  if (!m_alone) return;
  MeasuredMachine& machine = measured_machine();
  {
    const std::lock_guard lock(machine.mutex);
    machine.taken = false;
  }
  machine.free.notify_one();
}

ParameterSpec threads_parameter() {
  return make_parameter("threads", "Machine", "Number of threads used to compute attention.",
                        {.default_value = Index{1}, .minimum = 1, .maximum = 256});
}

std::string machine_text(Index threads) {
  const Machine machine = this_machine();
  return fmt::format("{}kernels {}, {} {}, {} {}", machine.processor.empty() ? "" : machine.processor + ", ",
                     best_kernels().name, machine.cores, machine.cores == 1 ? "core" : "cores", threads,
                     threads == 1 ? "thread" : "threads");
}

}  // namespace vqscope
