// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a sweep: sweep.json says which points there are, and each finished point is a file ID.json. Several
// processes may fill one folder: a file appears whole or not at all, and a point done twice is written twice alike.
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

/// {"vqscope_sweep": 1, "method", "set": {name: text}, "vary": [{"name", "values": [text]}]}: texts as `--set` takes
/// them.
std::string sweep_text(const Sweep& sweep);

/// What sweep_text wrote; `find` gives the method of an id, or an error. Errors name the member.
using FindMethod = std::function<Result<const Method*>(std::string_view id)>;
Result<Sweep> read_sweep(std::string_view text, const FindMethod& find);

/// The path of a point's run.
std::string run_path(const std::string& folder, const std::string& id);

/// Where a sweep goes for which no folder is named: METHOD-ID in `sweeps` beside the folder of runs, so that the same
/// sweep finds what is finished of it.
std::string default_sweep_folder(const Sweep& sweep);

/// Makes the folder where it is missing, and writes sweep.json or finds the same there. Errors name the path; a folder
/// with another sweep is refused.
Result<void> begin_sweep(const std::string& folder, const Sweep& sweep);

/// The sweep of a folder that begin_sweep began.
Result<Sweep> open_sweep(const std::string& folder, const FindMethod& find);

/// The seconds that the folder's whole run of this point took; nothing where there is none. One that cannot be read is
/// to be done again.
std::optional<double> finished_seconds(const std::string& folder, const SweepPoint& point);
inline bool is_finished(const std::string& folder, const SweepPoint& point) {
  return finished_seconds(folder, point).has_value();
}

/// The same of every point, in a folder that need not be there yet. A folder with another sweep is refused.
Result<std::vector<std::optional<double>>> finished_points(const std::string& folder, const Sweep& sweep,
                                                           const std::stop_token& stop = {});

/// Computes a point and leaves its file; the seconds that it took.
Result<double> carry_out(const std::string& folder, const Sweep& sweep, const SweepPoint& point,
                         const std::string& version, const Work& work);

}  // namespace vqscope
