// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run will take on this machine, from its work or from the runs that were kept here.
#pragma once

#include "core/base/work.h"
#include "core/run/run_store.h"

#include <optional>
#include <span>

namespace vqscope {

struct TimeEstimate {
  double seconds = 0;
  enum class Basis {
    speed,         ///< the method knows its work, and this machine does so much of it in a second
    same_values,   ///< the newest run with these values took so long
    other_values,  ///< the newest run of the experiment, scaled by the work if the method knows that
  } basis = Basis::same_values;
};

/// Work of one second on one core of this machine, in the unit of CurveRecipe::work: the best of
/// several short runs of the method, which each of `attempts` sets. Only the time that this thread
/// computes counts, so that it hardly depends on other load. Nothing: stopped, or no run succeeded.
std::optional<double> probed_rate(const Method& method, std::span<const ParameterValues> attempts, const Work& work);

/// `rate` comes first: unlike the time of a kept run it does not depend on the load of then.
/// Nothing: neither the rate nor a complete run of this machine allows an estimate.
std::optional<TimeEstimate> estimate_time(const std::vector<KeptRun>& runs, const Method& method,
                                          const ParameterValues& values, std::optional<double> rate);

/// The values of a run; those of the method's default where the run has none that the method still allows.
ParameterValues values_of_run(const Method& method, const StoredRun& run);

/// Whether the method can show the run again by its values: one of another version may have had
/// other parameters, and one of files has more than its values.
bool has_values_of(const Method& method, const StoredRun& run);

/// The newest complete run of the method with these values; null: there is none.
const KeptRun* newest_run(const std::vector<KeptRun>& runs, const Method& method, const ParameterValues& values);

/// The sentence on a kept run; empty: it has none.
std::string verdict_of_run(const Method& method, const KeptRun& run);

}  // namespace vqscope
