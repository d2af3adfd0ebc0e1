// SPDX-License-Identifier: GPL-3.0-or-later
// One experiment that was carried out, as a file.
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

struct Run {
  std::string id;  ///< run_id of the method and the values
  std::string method;
  ParameterValues values;  ///< all of them, as they were resolved
  CurveSet curves;
  double seconds = 0;     ///< of the clock on the wall
  std::string version;    ///< of the program
  std::string when = {};  ///< it ended, in UTC: "2026-01-31T12:00:00Z"; empty: not kept
  bool complete = true;   ///< false: it was stopped, and this is what was known by then
};

/// {"vqscope_run": 1, "id", "method", "parameters", "x_name", "x", "curves": [{"name", "y"}], "facts", "seconds",
/// "machine", "version"} and the members of add_looks, with "y_title" and "log_x", "log_y" where the curves have them,
/// "when" where it is known, and "complete": false where the run was stopped. Numbers are the shortest texts that read
/// back as the same; NaN and infinities, of which a gap is made, are null.
std::string run_text(const Run& run);

/// What tables and charts are made of. Files of before have no "when".
struct StoredRun {
  std::string id;
  std::string method;
  std::string x_name;
  std::vector<double> x;
  std::vector<Curve> curves;  ///< each as long as x; null is NaN
  std::vector<std::pair<std::string, double>> facts;
  std::map<std::string, std::string> values = {};  ///< every parameter, as `--set` takes it
  double seconds = 0;
  std::string version = {};
  std::string when = {};
  std::string processor = {};  ///< of the machine
  std::string y_title = {};
  bool log_x = false;
  bool log_y = false;
  bool complete = true;
  RunLooks looks = {};

  /// Whether two runs found the same: machine, seconds and version aside.
  friend bool operator==(const StoredRun& a, const StoredRun& b);
};

/// Errors say what is missing or of another kind, for a sentence that names the file.
Result<StoredRun> read_run(std::string_view text);

}  // namespace vqscope
