// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs of one experiment in one chart: those that differ in the seed alone are one line with a spread.
#pragma once

#include "core/run/run_store.h"

namespace vqscope {

/// Values of one curve over runs that differ in the seed alone; each as long as x.
struct CurveSpread {
  std::string name;
  std::vector<double> mean;
  std::vector<double> least;
  std::vector<double> greatest;
  std::vector<double> deviation;  ///< of the sample (n - 1); NaN of one run
  Index runs = 0;
};

struct RunChart {
  CurveSet curves;                   ///< the means; each with a band where it is of several runs
  std::vector<CurveSpread> spreads;  ///< in the order of the means
  /// Parameters whose values differ between the runs, the seed aside.
  std::vector<std::string> varied;
  std::string remark;  ///< for people: in what the runs differ, and which of them were stopped
};

/// Refuses no runs, runs of several methods, and runs over different x.
Result<RunChart> chart_of(const std::vector<KeptRun>& runs);

/// Two tables in one: `series,x,runs,mean,least,greatest,deviation` as RFC 4180.
std::string spread_table(const RunChart& chart);

}  // namespace vqscope
