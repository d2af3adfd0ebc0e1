// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"
#include "core/run/sweep_folder.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Report on a merge, besides its table.
struct MergeReport {
  Index points = 0;
  std::vector<std::string> missing;    ///< point_text of each point without a run
  std::vector<std::string> doubled;    ///< paths of two runs of a point with the same results
  std::vector<std::string> differing;  ///< the same with different results, such as timings
  std::vector<std::string> damaged;    ///< files that are not complete runs: path and reason
  std::vector<std::string> foreign;    ///< paths of runs that are no points of this sweep

  /// Every point has a run, no two runs of a point differ, and no file is damaged.
  bool complete() const { return missing.empty() && differing.empty() && damaged.empty(); }
};

/// One number of the table.
struct MergedRow {
  const SweepPoint& point;
  std::string_view series;  ///< a curve or a single number of the result
  std::optional<double> x;  ///< nothing for a single number
  double value = 0;
};

/// Receives the table row by row.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;

  /// Called once, before the first row.
  virtual Result<void> begin(const std::string& x_name) = 0;
  virtual Result<void> add(const MergedRow& row) = 0;
};

/// The rows that merge_sweep writes, for output other than a file.
Result<MergeReport> merge_rows(const Sweep& sweep, const std::vector<std::string>& folders, RowSink& rows,
                               const std::stop_token& stop = {});

/// The table of a sweep whose runs are in `folders`, RFC 4180, with one row per number, in the
/// order of the points. Columns: point, the parameters that vary, series (a curve, or a single
/// number of the result), the name of x, value. A single number has no x. If a point has two runs,
/// the first counts: folders in the order given, files by name. The bytes depend only on the
/// results of the runs, not on the order in time or the machine.
Result<MergeReport> merge_sweep(const Sweep& sweep, const std::vector<std::string>& folders, ByteSink& table,
                                const std::stop_token& stop = {});

}  // namespace vqscope
