// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/measured_time.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/machine.h"
#include "core/base/sentence.h"

#include <algorithm>
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

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

Spread amount_by(double amount, const Spread& measured) {
  return {amount / measured.median, amount / measured.greatest, amount / measured.least};
}

Spread scaled(const Spread& spread, double factor) {
  return {spread.median * factor, spread.least * factor, spread.greatest * factor};
}

Spread ratio_of(const Spread& above, const Spread& below) {
  return {above.median / below.median, above.least / below.greatest, above.greatest / below.least};
}

void add_spread_curves(CurveSet& set) {
  const std::size_t count = set.curves.size();
  for (std::size_t i = 0; i < count; ++i) {
    set.bands.push_back({i, set.curves.size(), set.curves.size() + 1});
    for (const char* edge : {", least", ", greatest"}) set.curves.push_back({set.curves[i].name + edge, {}});
  }
}

void add_spread(CurveSet& set, std::size_t curve, const Spread& spread) {
  set.curves[curve].y.push_back(spread.median);
  const auto band = std::ranges::find(set.bands, curve, &CurveBand::of);
  if (band == set.bands.end()) return;
  set.curves[band->least].y.push_back(spread.least);
  set.curves[band->greatest].y.push_back(spread.greatest);
}

void mark_skipped(CurveSet& set, const std::string& reason) {
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    std::vector<std::string> names;
    std::size_t lines = 0;
    for (std::size_t c = 0; c < set.curves.size(); ++c) {
      const auto& y = set.curves[c].y;
      const auto missing = [&](std::size_t at) { return at >= y.size() || std::isnan(y[at]); };
      if (set.is_edge(c)) continue;
      ++lines;
      if (missing(i) && (i == 0 || !missing(i - 1))) names.push_back(set.curves[c].name);
    }
    if (names.empty()) continue;
    // A label is short: it has to fit beside its line.
    const std::string who = names.size() == lines && lines > 1 ? "all curves"
                            : names.size() > 2                 ? fmt::format("{} curves", names.size())
                                                               : join(names, ", ");
    set.marks.push_back({set.x[i], fmt::format("{} skipped: {}", who, reason)});
  }
}

ParameterSpec repeats_parameter() {
  return make_parameter("repeats", "Machine",
                        "Number of times that each measurement is made. The line is the median, the band the range.",
                        {.default_value = Index{5}, .minimum = 1, .maximum = 1000});
}

ParameterSpec most_seconds_parameter() {
  return make_parameter("most_seconds", "Machine", "Skips measurements that are expected to take longer than this.",
                        {.default_value = 2.0, .minimum = 0.01, .maximum = 3600, .logarithmic = true, .unit = "s"});
}

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
