// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs of one experiment in one chart: runs that differ only in the seed become one line
// with a spread.
#pragma once

#include "core/run/run_store.h"

namespace vqscope {

/// Statistics of one curve over runs that differ only in the seed; each as long as x.
struct CurveSpread {
  std::string name;
  std::vector<double> mean;
  std::vector<double> least;
  std::vector<double> greatest;
  std::vector<double> deviation;  ///< of the sample (n - 1); NaN for one run
  Index runs = 0;
};

struct RunChart {
  CurveSet curves;                   ///< the means; with a band if of several runs
  std::vector<CurveSpread> spreads;  ///< in the order of the means
  /// Parameters whose values differ between the runs, except the seed.
  std::vector<std::string> varied;
  std::string remark;  ///< for display: how the runs differ and how many were stopped
};

/// Runs that reach less far have gaps there. Refuses an empty list, runs of different methods, and
/// runs whose x lie between those of others.
Result<RunChart> chart_of(std::vector<KeptRun> runs);

/// One row per series and x, RFC 4180: `series,x,runs,mean,least,greatest,deviation`.
std::string spread_table(const RunChart& chart);

}  // namespace vqscope
