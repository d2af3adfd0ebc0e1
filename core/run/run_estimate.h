// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run will take on this machine, from the runs that were kept on it.
#pragma once

#include "core/run/run_store.h"

namespace vqscope {

struct TimeEstimate {
  double seconds = 0;
  enum class Basis {
    same_values,       ///< the newest run with these values took so long
    other_values,      ///< the newest run of the experiment, scaled by the work if the method knows that
    other_experiment,  ///< work of another kind, done at this speed
  } basis = Basis::same_values;
};

/// Work of one second on this machine, in the unit of CurveRecipe::work, from the newest run that
/// took at least a second; nothing: there is none. `find` gives a method by its id, or null.
std::optional<double> work_rate(const std::vector<KeptRun>& runs,
                                const std::function<const Method*(const std::string&)>& find);

/// Nothing: no complete run of this machine, and no rate, allows an estimate.
std::optional<TimeEstimate> estimate_time(const std::vector<KeptRun>& runs, const Method& method,
                                          const ParameterValues& values, std::optional<double> rate);

/// The values of a run; those of the method's default where the run has none that the method still allows.
ParameterValues values_of_run(const Method& method, const StoredRun& run);

/// The newest complete run of the method with these values; null: there is none.
const KeptRun* newest_run(const std::vector<KeptRun>& runs, const Method& method, const ParameterValues& values);

/// The sentence on a kept run; empty: it has none.
std::string verdict_of_run(const Method& method, const KeptRun& run);

}  // namespace vqscope
