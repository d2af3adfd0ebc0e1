// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_estimate.h"

#include "core/base/machine.h"
#include "core/method/value_json.h"
#include "core/method/verdict/verdict.h"
#include "core/run/run_chart.h"
#include "core/run/sweep.h"

#include <algorithm>
#include <ctime>

namespace vqscope {
namespace {

/// Seconds that this thread has computed.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double work_of(const Method& method, const ParameterValues& values) {
  const CurveRecipe* recipe = method.curves();
  return recipe && recipe->work ? recipe->work(values) : 0;
}

}  // namespace

ParameterValues values_of_run(const Method& method, const StoredRun& run) {
  ParameterValues values = default_values(method.parameters);
  for (const ParameterSpec& spec : method.parameters) {
    const auto stored = run.values.find(spec.name);
    if (stored == run.values.end()) continue;
    if (auto value = parse_value(spec, stored->second)) values.set(spec.name, std::move(*value));
  }
  return values;
}

std::optional<double> probed_rate(const Method& method, std::span<const ParameterValues> attempts, const Work& work) {
  std::optional<double> best;
  for (const ParameterValues& values : attempts) {
    const double begin = thread_seconds();
    if (!make_curves(method, values, work)) continue;
    const double seconds = thread_seconds() - begin, amount = work_of(method, values);
    if (seconds > 0 && amount > 0) best = std::max(best.value_or(0), amount / seconds);
  }
  return best;
}

std::optional<TimeEstimate> estimate_time(const std::vector<KeptRun>& runs, const Method& method,
                                          const ParameterValues& values, std::optional<double> rate) {
  using Basis = TimeEstimate::Basis;
  const double work = work_of(method, values);
  if (work > 0 && rate && *rate > 0) return TimeEstimate{work / *rate, Basis::speed};
  const std::string id = run_id(method, values), here = this_machine().processor;
  const auto usable = [&](const KeptRun& kept) {
    return kept.run.complete && kept.run.method == method.id &&
           (kept.run.processor.empty() || kept.run.processor == here);
  };
  for (const KeptRun& kept : runs)
    if (usable(kept) && kept.run.id == id) return TimeEstimate{kept.run.seconds, Basis::same_values};
  if (const auto newest = std::ranges::find_if(runs, usable); newest != runs.end()) {
    const double then = work > 0 ? work_of(method, values_of_run(method, newest->run)) : 0;
    return TimeEstimate{newest->run.seconds * (then > 0 ? work / then : 1), Basis::other_values};
  }
  return std::nullopt;
}

bool has_values_of(const Method& method, const StoredRun& run) {
  return run_id(method, values_of_run(method, run)) == run.id;
}

const KeptRun* newest_run(const std::vector<KeptRun>& runs, const Method& method, const ParameterValues& values) {
  const std::string id = run_id(method, values);
  const auto found =
      std::ranges::find_if(runs, [&](const KeptRun& kept) { return kept.run.complete && kept.run.id == id; });
  return found == runs.end() ? nullptr : &*found;
}

std::string verdict_of_run(const Method& method, const KeptRun& run) {
  const auto chart = chart_of({run});
  return chart ? verdict_of(method, chart->curves) : std::string();
}

}  // namespace vqscope
