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

/// What is to be said of a merge beside its table.
struct MergeReport {
  Index points = 0;
  std::vector<std::string> missing;    ///< point_text of each point without a run
  std::vector<std::string> doubled;    ///< of each point with two runs that found the same; paths
  std::vector<std::string> differing;  ///< and of each with two that did not, as timings do
  std::vector<std::string> damaged;    ///< files that are no whole run: path and reason
  std::vector<std::string> foreign;    ///< runs of no point of this sweep: paths

  /// Every point there, once.
  bool complete() const { return missing.empty() && differing.empty() && damaged.empty(); }
};

/// One number of the table.
struct MergedRow {
  const SweepPoint& point;
  std::string_view series;  ///< a curve, or a single number of the result
  std::optional<double> x;  ///< a single number has none
  double value = 0;
};

/// Who takes the table row by row.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;

  /// Once, before the first row.
  virtual Result<void> begin(const std::string& x_name) = 0;
  virtual Result<void> add(const MergedRow& row) = 0;
};

/// What merge_sweep writes, for another form than a file.
Result<MergeReport> merge_rows(const Sweep& sweep, const std::vector<std::string>& folders, RowSink& rows,
                               const std::stop_token& stop = {});

/// The table of a sweep whose runs lie in `folders`, RFC 4180: one row a number, in the order of the points. Columns:
/// point, the parameters that vary, series (a curve, or a single number of the result), the name of x, value. A single
/// number has no x. Of two runs of a point the first counts: folders in the order given, files by name. The bytes
/// depend on the runs' results alone, neither on their order in time nor on who computed them.
Result<MergeReport> merge_sweep(const Sweep& sweep, const std::vector<std::string>& folders, ByteSink& table,
                                const std::stop_token& stop = {});

}  // namespace vqscope
