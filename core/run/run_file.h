// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"
#include "core/run/run_looks.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope {

// One run of an experiment, as a file.

struct Run {
  std::string id;  ///< run_id of the method and the values
  std::string method;
  ParameterValues values;  ///< all of them, as resolved
  CurveSet curves;
  double seconds = 0;     ///< wall-clock time
  std::string version;    ///< of the program
  std::string when = {};  ///< end of the run in UTC: "2026-01-31T12:00:00Z"; empty: not kept
  bool complete = true;   ///< false: it was stopped; these are the results so far
};

/// {"vqscope_run": 2, "id", "method", "parameters", "x_name", "x", "curves": [{"name", "y"}],
/// "facts", "seconds", "machine", "version", "checksum"} and the members of add_looks; "y_title",
/// "log_x" and "log_y" if the curves have them, "when" if known, and "complete": false if the run
/// was stopped. The checksum is the Fingerprint of the text with zeros in its place.
/// Numbers are the shortest texts that read back as the same; NaN and infinities, which appear as
/// gaps, are null.
std::string run_text(const Run& run);

/// A run as read from its file, for tables and charts. Older files have no "when".
struct StoredRun {
  std::string id;
  std::string method;
  std::string x_name;
  std::vector<double> x;
  std::vector<Curve> curves;  ///< each as long as x; null is NaN
  std::vector<std::pair<std::string, double>> facts;
  std::map<std::string, std::string> values = {};  ///< every parameter, as `--set` accepts it
  double seconds = 0;
  std::string version = {};
  std::string when = {};
  std::string processor = {};  ///< of the machine
  std::string y_title = {};
  bool log_x = false;
  bool log_y = false;
  bool complete = true;
  RunLooks looks = {};

  /// Whether two runs have the same results, regardless of machine, seconds and version.
  friend bool operator==(const StoredRun& a, const StoredRun& b);
};

/// Errors name missing parts and wrong types, or that the text does not match its checksum, for a
/// sentence that names the file. Older files have no checksum.
Result<StoredRun> read_run(std::string_view text);

}  // namespace vqscope
