// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_estimate.h"

#include "core/base/machine.h"
#include "core/method/value_json.h"
#include "core/method/verdict/verdict.h"
#include "core/run/run_chart.h"
#include "core/run/sweep.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr double least_seconds = 1;  ///< of a run that tells the speed

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

std::optional<double> work_rate(const std::vector<KeptRun>& runs,
                                const std::function<const Method*(const std::string&)>& find) {
  const std::string here = this_machine().processor;
  for (const KeptRun& kept : runs) {
    if (!kept.run.complete || kept.run.seconds < least_seconds || kept.run.processor != here) continue;
    const Method* method = find(kept.run.method);
    const double work = method ? work_of(*method, values_of_run(*method, kept.run)) : 0;
    if (work > 0) return work / kept.run.seconds;
  }
  return std::nullopt;
}

std::optional<TimeEstimate> estimate_time(const std::vector<KeptRun>& runs, const Method& method,
                                          const ParameterValues& values, std::optional<double> rate) {
  using Basis = TimeEstimate::Basis;
  const std::string id = run_id(method, values), here = this_machine().processor;
  const auto usable = [&](const KeptRun& kept) {
    return kept.run.complete && kept.run.method == method.id &&
           (kept.run.processor.empty() || kept.run.processor == here);
  };
  for (const KeptRun& kept : runs)
    if (usable(kept) && kept.run.id == id) return TimeEstimate{kept.run.seconds, Basis::same_values};
  const double work = work_of(method, values);
  if (const auto newest = std::ranges::find_if(runs, usable); newest != runs.end()) {
    const double then = work > 0 ? work_of(method, values_of_run(method, newest->run)) : 0;
    return TimeEstimate{newest->run.seconds * (then > 0 ? work / then : 1), Basis::other_values};
  }
  if (work > 0 && rate && *rate > 0) return TimeEstimate{work / *rate, Basis::other_experiment};
  return std::nullopt;
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
