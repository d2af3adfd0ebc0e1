// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a sweep: sweep.json defines its points, and each finished point is a file ID.json.
// Several processes may fill one folder: a file appears whole or not at all, and a point computed
// twice gives the same file.
#pragma once

#include "core/run/run_file.h"
#include "core/run/sweep.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// {"vqscope_sweep": 2, "method", "set": {name: text}, "vary": [{"name", "values": [text]}]}: texts
/// as `--set` accepts them.
std::string sweep_text(const Sweep& sweep);

/// Reads what sweep_text wrote; `find` returns the method of an id, or an error. Errors name the
/// member.
using FindMethod = std::function<Result<const Method*>(std::string_view id)>;
Result<Sweep> read_sweep(std::string_view text, const FindMethod& find);

/// The path of a point's run.
std::string run_path(const std::string& folder, const std::string& id);

/// The folder of a sweep if none is given: METHOD-ID in `sweeps` beside the folder of runs, so the
/// same sweep finds its finished points. Empty if there is no folder of runs.
std::string default_sweep_folder(const Sweep& sweep);

/// Creates the folder if it is missing, and writes sweep.json or finds the same one there. Errors
/// name the path; a folder with another sweep is refused.
Result<void> begin_sweep(const std::string& folder, const Sweep& sweep);

/// The sweep of a folder that begin_sweep created.
Result<Sweep> open_sweep(const std::string& folder, const FindMethod& find);

/// The seconds that the complete run of this point in the folder took; nothing if there is none. A
/// run that cannot be read must be computed again.
std::optional<double> finished_seconds(const std::string& folder, const SweepPoint& point);
inline bool is_finished(const std::string& folder, const SweepPoint& point) {
  return finished_seconds(folder, point).has_value();
}

/// The same for every point, in a folder that need not exist yet. A folder with another sweep is
/// refused.
Result<std::vector<std::optional<double>>> finished_points(const std::string& folder, const Sweep& sweep,
                                                           const std::stop_token& stop = {});

/// Computes a point and writes its file; returns the seconds it took.
Result<double> carry_out(const std::string& folder, const Sweep& sweep, const SweepPoint& point,
                         const std::string& version, const Work& work);

}  // namespace vqscope
